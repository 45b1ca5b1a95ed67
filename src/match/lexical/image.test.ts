import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageInMemory, type MemoryImage } from '../../../test/support/image.ts';
import { DamagedImage, type Image } from '../../ports/image.ts';
import type { MatchDocument } from '../match.ts';
import { createMatcher, type WordMatcher } from '../matcher.ts';

const words = [
  'river',
  'rivers',
  'tide',
  'moon',
  'fine-tune',
  'cuPyNumeric',
  '部署应用',
  'Déploie',
  'the',
  'of',
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(' '));
const document: fc.Arbitrary<MatchDocument> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'river-tide', 'moon'),
  description: text,
  triggers: fc.array(text, { maxLength: 2 }),
  sections: fc.array(fc.record({ title: text, text }), { maxLength: 2 }),
  priority: fc.integer({ min: -2, max: 2 }),
  invocation: fc.record({ user: fc.boolean(), model: fc.boolean() }),
});
const change = fc.oneof(
  document,
  fc.constantFrom('a', 'b', 'river-tide').map((remove) => ({ remove })),
);
const messages = [
  'the river tide',
  '/moon',
  'fine-tune of cuPyNumeric',
  '请帮我部署',
  'use the river-tide skill',
];
const answers = (matcher: WordMatcher): unknown =>
  messages.map((message) => matcher.match(message, { limit: 9 }));

function apply(
  matcher: WordMatcher,
  changes: readonly (MatchDocument | { readonly remove: string })[],
): void {
  for (const one of changes)
    if ('remove' in one) matcher.remove(one.remove);
    else matcher.set(one);
}
const kept = (matcher: WordMatcher): MemoryImage =>
  imageInMemory(matcher.image(() => 1, new Map()) as Image, () => 1);

describe('the image of a matcher', () => {
  it('answers as the matcher did, also after changes, and after it was kept once more', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 8 }),
        fc.array(change, { maxLength: 6 }),
        fc.array(change, { maxLength: 3 }),
        (first, second, third) => {
          const built = createMatcher();
          apply(built, first);
          const opened = createMatcher({}, kept(built));
          expect(answers(opened)).toEqual(answers(built));
          for (const matcher of [built, opened]) apply(matcher, second);
          expect(answers(opened)).toEqual(answers(built));
          const again = createMatcher({}, kept(opened));
          for (const matcher of [built, again]) apply(matcher, third);
          expect(answers(again)).toEqual(answers(built));
        },
      ),
    );
  });

  it('reads the records of few skills for a message, and none when it is opened', () => {
    const built = createMatcher();
    for (let at = 0; at < 300; at += 1)
      built.set({
        name: `skill-${at}`,
        description: `Moves boats on the river number${at}.`,
        triggers: [],
        sections: [{ title: '', text: `Only the ${at % 7 === 0 ? 'tide' : 'wind'} matters here.` }],
        priority: 0,
      });
    const image = kept(built);
    const opened = createMatcher({}, image);
    expect(image.reads).toBe(0);
    opened.match('what about the tide of number77?');
    expect(image.reads).toBeLessThan(40);
  });

  it('is none where a text cannot be written as UTF-8', () => {
    const built = createMatcher();
    built.set({ name: 'a', description: 'x', triggers: ['half \ud800 a pair'], sections: [], priority: 0 });
    expect(built.image(() => 1, new Map())).toBeNull();
  });

  it('refuses columns that do not fit together', () => {
    const built = createMatcher();
    built.set({ name: 'a', description: 'river', triggers: ['go on'], sections: [], priority: 0 });
    const { columns, region } = built.image(() => 1, new Map()) as Image;
    const opens = (changed: Image['columns']): boolean => {
      try {
        createMatcher(
          {},
          imageInMemory({ columns: changed, region }, () => 1),
        );
        return true;
      } catch (error) {
        if (!(error instanceof DamagedImage)) throw error;
        return false;
      }
    };
    const without = (name: string): Image['columns'] =>
      new Map([...columns].filter(([other]) => other !== name));
    expect(opens(columns)).toBe(true);
    expect([...columns.keys()].filter((name) => opens(without(name)))).toEqual([]);
    expect(
      ['lists', 'terms.numbers', 'documents', 'skills.flags', 'skills.priorities'].filter((name) =>
        opens(new Map(columns).set(name, new Uint8Array(4).fill(9))),
      ),
    ).toEqual([]);
  });
});
