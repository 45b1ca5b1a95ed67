// Broken files: whatever is done to a composition, compiling it tells and never throws, and every place is in the file.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSkill } from '../../test/support/plan-texts.ts';
import { applyFixes } from '../base/fix.ts';

const folder = fileURLToPath(new URL('../../test/fixtures/plans/', import.meta.url));
const texts = ['incident-brief', 'reading-note', 'release-chain', 'faulty'].map((name) =>
  readFileSync(`${folder}${name}/SKILL.md`, 'utf8'),
);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 30 }),
  insert: fc.constantFrom(
    '',
    '{{',
    '}}',
    '{% if x %}',
    ': ',
    '- ',
    '\n',
    '\n    ',
    '[',
    ']',
    '"',
    "'",
    '|',
    'null',
    '{',
    '}',
    '#',
    '\t',
    '\u0000',
    '😀',
    'outputs.a',
    '__proto__: x\n',
    '&a ',
    '*a',
  ),
});

describe('compilePlan, for files that were damaged', () => {
  it('never throws, and points into the file', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (text, edits) => {
          let damaged = text;
          for (const { at, cut, insert } of edits) {
            const from = Math.floor(at * damaged.length);
            damaged = damaged.slice(0, from) + insert + damaged.slice(from + cut);
          }
          const { diagnostics, fixes, plan } = compileSkill(damaged);
          expect(
            diagnostics.filter(
              ({ span }) =>
                span !== null && (span.start < 0 || span.end > damaged.length || span.start > span.end),
            ),
          ).toEqual([]);
          expect(plan !== null && diagnostics.some(({ severity }) => severity === 'error')).toBe(false);
          const after = compileSkill(applyFixes(damaged, fixes));
          expect(after.fixes).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
