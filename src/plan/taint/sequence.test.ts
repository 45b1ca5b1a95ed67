// The items of values by themselves; what templates make of sequences is in known-values.test.ts.
import { describe, expect, it } from 'vitest';
import type { Abstract } from './abstract-value.ts';
import { atom, constant, fromAtom, make } from './abstract-value.ts';
import { dictOf } from './member.ts';
import { join } from './join-values.ts';
import { anyOf, itemOf } from './sequence.ts';

const text = fromAtom(atom('user', 'text'), true);
const row = fromAtom(atom('output', 'row', 10), true);
const whats = ({ atoms }: Abstract): readonly string[] => atoms.map(({ what }) => what).toSorted();

describe('itemOf', () => {
  it('is the text itself, and nothing else, of what can only be a text', () => {
    expect(itemOf(text)).toEqual(make({ text: text.text }));
  });

  it.each<[string, Abstract]>([
    ['a list', anyOf(row)],
    ['anything', fromAtom(atom('output', 'row', 10))],
  ])('is the text or an item of what can be a text or %s', (_what, other) => {
    expect(whats(itemOf(join([text, other])))).toEqual(['row', 'text']);
    expect(whats(itemOf(other))).toEqual(['row']);
  });

  it('is the text or a key of what can be a text or a dict', () => {
    const item = itemOf(join([text, dictOf([{ key: constant('k'), value: row }])]));
    expect([whats(item), item.constants]).toEqual([['text'], ['k']]);
  });
});
