import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillUse } from './count-uses.ts';
import { countUses } from './count-uses.ts';
import type { CuratedSkill, Suggestion } from './curate.ts';
import { curate } from './curate.ts';

const dayMs = 86_400_000;
const nowMs = 1000 * dayMs;
const skill = (name: string, more: Partial<CuratedSkill> = {}): CuratedSkill => ({
  name,
  description: `Handles ${name}.`,
  triggers: [],
  isOwn: true,
  changedMs: 0,
  ...more,
});
const use = (name: string, more: Partial<SkillUse>): SkillUse => ({
  ...(countUses([], [name])[0] as SkillUse),
  ...more,
});
const options = { nowMs, days: 90, recordedSinceMs: 0 };
const shown = (suggestions: readonly Suggestion[]): readonly string[] =>
  suggestions.map(
    (one) => `${one.what} ${one.skill}${one.what === 'merge' ? ` into ${one.into}` : ''}: ${one.reason}`,
  );

describe('curate', () => {
  it('retires what was not used, and only then', () => {
    const one = [skill('tides')];
    expect(shown(curate(one, [], options))).toEqual(['retire tides: not used in 90 days']);
    expect(curate(one, [use('tides', { uses: 1 })], options)).toEqual([]);
    expect(curate([skill('tides', { isOwn: false })], [], options)).toEqual([]);
    expect(curate([skill('tides', { changedMs: nowMs - 89 * dayMs })], [], options)).toEqual([]);
    expect(curate(one, [], { ...options, recordedSinceMs: nowMs - 89 * dayMs })).toEqual([]);
    expect(curate(one, [], { ...options, recordedSinceMs: null })).toEqual([]);
  });

  const prose = 'Drafts release notes from merged pull requests, grouped by component and severity.';
  it('merges skills that say the same, the less used into the other', () => {
    const two = [skill('notes', { description: prose }), skill('changelog', { description: prose })];
    const uses = [use('changelog', { uses: 1 }), use('notes', { uses: 4 })];
    expect(shown(curate(two, uses, options))).toEqual([
      'merge changelog into notes: 100 % of their words are the same; "notes" was used 4 times, "changelog" 1 time',
    ]);
    expect(
      curate(
        [skill('notes', { description: prose }), skill('winds', { isOwn: false, description: prose })],
        uses,
        options,
      ).length,
    ).toBe(0);
  });

  it('merges no two skills of few words', () => {
    const two = [skill('a', { description: 'Sails.' }), skill('b', { description: 'Sails.' })];
    const uses = [use('a', { uses: 1 }), use('b', { uses: 1 })];
    expect(curate(two, uses, options)).toEqual([]);
  });

  it('names what fails and what is missed', () => {
    const uses = [
      use('tides', { uses: 4, runs: 4, failures: 2, misses: 3, missed: ['when is high water?'] }),
      use('winds', { uses: 3, runs: 3, failures: 1, misses: 2 }),
    ];
    expect(curate([skill('tides'), skill('winds')], uses, options)).toEqual([
      { what: 'fix', skill: 'tides', reason: '2 of 4 runs failed' },
      {
        what: 'sharpen',
        skill: 'tides',
        reason: 'the model had to look for it 3 times, since no trigger or word of the message suggested it',
        messages: ['when is high water?'],
      },
    ]);
  });

  it('suggests the same whatever the order, and takes no skill twice away', () => {
    const words = fc.constantFrom('tide', 'harbour', 'sextant', 'current', 'buoy', 'keel');
    const skills = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e'), said: fc.array(words, { maxLength: 6 }) }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(skills, (given) => {
        const all = given.map(({ name, said }) => skill(name, { description: said.join(' ') }));
        const suggestions = curate(all, [], options);
        expect(curate([...all].reverse(), [], options)).toEqual(suggestions);
        const gone = suggestions.map((one) => one.skill);
        expect(new Set(gone).size).toBe(gone.length);
        for (const one of suggestions)
          expect(
            one.what === 'merge' &&
              suggestions.some(({ what, skill: of }) => what === 'merge' && of === one.into),
          ).toBe(false);
      }),
    );
  });
});
