import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSigns } from './read-signs.ts';
import { keyOf, readTable, weighedGuards, weighSigns, writeTable } from './weigh-signs.ts';

/** Of a frame with {t}. */
function opinionOn(frame: string, rules = 'none', trigger = 'bake bread') {
  const start = frame.indexOf('{t}');
  return weighSigns(
    readSigns(
      frame.replace('{t}', () => trigger),
      { start, end: start + trigger.length },
      rules,
    ),
  );
}

const onlyWords = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ');

describe('weighSigns', () => {
  it.each([
    '{t}',
    'could you {t} for the party tomorrow?',
    'I have flour and an hour. {t} with me, please!',
    '请帮我 {t}',
    '- sweep the floor\n- {t}\n- call Eve\nall of it today, please',
  ])('lets %j through', (frame) => {
    expect(opinionOn(frame)?.score).toBeGreaterThan(0);
  });

  it.each([
    ['negation', 'I was about to {t}, but we can forget about that now.', 'negation'],
    ['translation', 'how would a sailor spell {t} over the radio?', 'translation'],
    [
      'pasted',
      '2026-03-01 10:00:01 [worker] INFO started {t}\n2026-03-01 10:00:02 [worker] INFO done',
      'pasted',
    ],
  ])('holds %s back, names the guard and, where it was words, which', (_, frame, rules) => {
    const opinion = opinionOn(frame, rules);
    expect(opinion).toMatchObject({ guard: rules });
    expect(opinion?.score).toBeLessThan(0);
    expect(onlyWords(frame)).toContain(onlyWords(opinion?.evidence ?? '').trim());
  });

  it('has no opinion where it knows too few of the words', () => {
    expect(opinionOn('Nolite hodie {t} quaeso amici carissimi')).toBeNull();
  });
});

describe('the table', () => {
  it('is written and read back', () => {
    const range = { least: 0.25, most: 8 };
    const entry = fc.record({
      key: fc.integer({ min: 0, max: 0xffffff }),
      // Weights that have a step of their own.
      weight: fc.oneof(
        fc.integer({ min: 0, max: 15 }).map((step) => 0.25 * 32 ** (step / 15)),
        fc.integer({ min: 0, max: 7 }).map((step) => -0.25 * 32 ** (step / 7)),
      ),
      guard: fc.integer({ min: 0, max: weighedGuards.length - 1 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 50 }), (entries) => {
        entries.sort((a, b) => a.key - b.key);
        const table = {
          keys: Uint32Array.from(entries, ({ key }) => key),
          weights: Float64Array.from(entries, ({ weight }) => weight),
          // Only what speaks against the words has a guard.
          guards: Uint8Array.from(entries, ({ guard, weight }) => (weight < 0 ? guard : 0)),
        };
        expect(readTable(writeTable(table, range), entries.length, range)).toEqual(table);
      }),
    );
  });

  it('brings a weight to the nearest step', () => {
    const range = { least: 0.25, most: 8 };
    const one = (weight: number): number =>
      readTable(
        writeTable(
          { keys: Uint32Array.of(7), weights: Float64Array.of(weight), guards: Uint8Array.of(3) },
          range,
        ),
        1,
        range,
      ).weights[0] as number;
    fc.assert(
      fc.property(fc.double({ min: 0.25, max: 8, noNaN: true }), (weight) => {
        expect(Math.abs(Math.log(one(weight) / weight))).toBeLessThan(Math.log(32) / 15 / 2 + 1e-9);
        expect(Math.abs(Math.log(one(-weight) / -weight))).toBeLessThan(Math.log(32) / 7 / 2 + 1e-9);
      }),
    );
    expect([one(0.01), one(99), one(-99)]).toEqual([0.25, 8, -8]);
  });

  it('names signs by 24 bits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (sign) => keyOf(sign) >= 0 && keyOf(sign) <= 0xffffff && keyOf(sign) === keyOf(sign),
      ),
    );
    expect(keyOf('R forget it')).not.toBe(keyOf('L forget it'));
  });
});
