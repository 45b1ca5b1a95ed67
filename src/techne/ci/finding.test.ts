import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { findingOfDiagnostic, withKeys } from './finding.ts';

const at = (text: string, word: string, from = 0): Diagnostic => {
  const start = text.indexOf(word, from);
  return {
    code: 'LINT_REFERENCE_MISSING',
    severity: 'warning',
    path: '/r/skills/a/SKILL.md',
    span: { start, end: start + word.length },
    message: `line ${start} is wrong`,
    hint: null,
  };
};
const keyed = (...all: readonly (readonly [Diagnostic, string])[]): readonly string[] =>
  withKeys(
    all.map(([one, text]) => findingOfDiagnostic(one, text, 'check', 'a')),
    '/r',
  ).map(({ key }) => key);

describe('withKeys', () => {
  it('survives lines that move, and indentation', () => {
    const line = fc.constantFrom('', 'a', '# b', 'word', '  x');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), fc.nat(4), (before, after, indent) => {
        const text = [...before, `${' '.repeat(indent)}see [x](gone.md)  now`, ...after].join('\n');
        expect(keyed([at(text, 'gone.md'), text])).toEqual(
          keyed([at('see [x](gone.md) now', 'gone.md'), 'see [x](gone.md) now']),
        );
      }),
    );
  });

  it('differs by file, code, kind and line text', () => {
    const text = 'gone.md';
    const one = at(text, 'gone.md');
    const keys = [
      ...keyed([one, text]),
      ...keyed([{ ...one, path: '/r/skills/b/SKILL.md' }, text]),
      ...keyed([{ ...one, code: 'LINT_EVALS' }, text]),
      ...keyed([at('a gone.md', 'gone.md'), 'a gone.md']),
      ...withKeys([findingOfDiagnostic(one, text, 'test', 'a')], '/r').map(({ key }) => key),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('counts equal findings, so that one more is new and one less is gone', () => {
    const text = 'gone.md\ngone.md\ngone.md\n';
    const places = [0, 8, 16].map((from) => [at(text, 'gone.md', from), text] as const);
    const all = keyed(...places);
    expect(new Set(all).size).toBe(3);
    expect(keyed(...places.slice(0, 2))).toEqual(all.slice(0, 2));
    expect(keyed(...places.slice(1))).toEqual(all.slice(0, 2));
  });

  it('takes numbers out of messages of whole files', () => {
    const whole = (message: string): Diagnostic => ({ ...at('x', 'x'), span: null, message });
    expect(keyed([whole('more than 3 files'), ''])).toEqual(keyed([whole('more than 17 files'), '']));
  });
});
