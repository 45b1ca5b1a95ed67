import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createPaint } from '../io.ts';
import { renderFault } from './render-fault.ts';

const rendered = (expected: Json, got: Json): readonly string[] =>
  renderFault(
    { what: 'result.n', message: 'result.n differs', expected, got, span: { start: 0, end: 0 } },
    'x',
    createPaint(false),
  );

describe('renderFault', () => {
  it('shows texts as they are, and their quotes where only the type differs', () => {
    expect(rendered('two', 'one')).toEqual([
      'result.n differs (line 1:1)',
      '  expected  two',
      '  got       one',
    ]);
    expect(rendered('1', 1)).toEqual(['result.n differs (line 1:1)', '  expected  "1"', '  got       1']);
    expect(rendered(true, 'true')).toEqual([
      'result.n differs (line 1:1)',
      '  expected  true',
      '  got       "true"',
    ]);
  });
});
