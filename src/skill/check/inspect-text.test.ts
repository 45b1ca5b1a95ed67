import { describe, expect, it } from 'vitest';
import { faultLine } from '../../../test/support/skill-texts.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { inspectText } from './inspect-text.ts';

describe('inspectText', () => {
  it.each([
    ['---\na\n', true, []],
    ['a\n\uFFFD', false, ['ENCODING_INVALID 2:1']],
    ['a\n\uFFFD', true, []],
    ['\uFEFFa', true, ['ENCODING_BOM 1:1']],
    ['a\nb\0', true, ['ENCODING_NUL 2:2']],
    ['a\uD800b', true, ['ENCODING_SURROGATE 1:2']],
    ['🌊', true, []],
    ['a\r\nb\r\n', true, ['LINE_ENDINGS_CRLF 1:2']],
    ['\uFEFFa', false, ['ENCODING_INVALID', 'ENCODING_BOM 1:1']],
    ['\u007FELF\u0002\u0001\u0001\0\0\0\0\0\0\0\0\0 text', true, ['FILE_BINARY']],
    ['PK\u0003\u0004\0\0\0\0\0\0\uFFFD\uFFFD', false, ['FILE_BINARY']],
    [`${'a'.repeat(1000)}${'\0'.repeat(20)}`, true, ['ENCODING_NUL 1:1001']],
  ])('%j', (text, valid, faults) => {
    const found: Diagnostic[] = [];
    inspectText(text, valid, collectInto(found, 'SKILL.md'));
    expect(found.map((fault) => faultLine(text, fault))).toEqual(faults);
  });
});
