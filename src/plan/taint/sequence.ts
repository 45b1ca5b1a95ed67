// Lists: exact ones, known item by item, and others, of which only the possible items are known.
//
// Iterating over a value gives the items of every kind it can be: the items of a list, the keys of a dict, the
// characters of a text. A list that is joined with another, or whose count or order changes, becomes inexact.
import type { Abstract, Atom, Constant, Sequence } from './abstract-value.ts';
import { clean, cleanText, constant, make, mostCharacters } from './abstract-value.ts';
import { bounded, join, joinSequences } from './join-values.ts';

export function exactly(items: readonly Abstract[]): Abstract {
  return listOf({ items, each: join(items), most: items.length, endless: false, fields: null });
}

/** A list of any number of `each`. */
export function anyOf(
  each: Abstract,
  { most = Number.POSITIVE_INFINITY, endless = false }: Partial<Pick<Sequence, 'most' | 'endless'>> = {},
): Abstract {
  return listOf({ items: null, each, most, endless, fields: null });
}

export function listOf(list: Sequence): Abstract {
  return bounded(make({ list }));
}

/** The same items, in whatever order and number. */
export function inexact(list: Sequence): Sequence {
  return list.items === null ? list : { ...list, items: null };
}

const fewCharacters = 16;

/** The items of iterating over `value`. */
export function sequenceOf(value: Abstract): Sequence {
  const all: Sequence[] = value.list === null ? [] : [value.list];
  for (const one of value.constants) if (typeof one === 'string') all.push(charactersOf(one));
  if (value.text !== null)
    all.push(pieces(make({ text: value.text.map(character) }), value.text.some(isUnbounded)));
  if (value.unknown !== null) all.push(pieces(make({ unknown: value.unknown }), false));
  for (const { entries, keys } of value.dicts)
    all.push(entries === null ? pieces(keys, false) : sequence(entries.map(([key]) => constant(key))));
  return all.length === 0 ? sequence([]) : joinSequences(all);
}

function sequence(items: readonly Abstract[]): Sequence {
  return { items, each: join(items), most: items.length, endless: false, fields: null };
}

function pieces(each: Abstract, endless: boolean): Sequence {
  return { items: null, each, most: Number.POSITIVE_INFINITY, endless, fields: null };
}

function charactersOf(text: string): Sequence {
  if (text.length <= fewCharacters) return sequence(Array.from(text).map(constant));
  return { items: null, each: cleanText, most: text.length, endless: false, fields: null };
}

export function isUnbounded({ bound }: Atom): boolean {
  return bound > mostCharacters;
}

/** One character of it, or a part that may begin anywhere. */
export function character(one: Atom): Atom {
  return { ...part(one), bound: Math.min(one.bound, 1) };
}

/** A part of it, which may begin anywhere. */
export function part(one: Atom): Atom {
  return one.dash && !one.behind ? one : { ...one, dash: true, behind: false };
}

function elementOf(value: Abstract): Abstract {
  return sequenceOf(value).each;
}

/** The items of for_each over `value`: a text is one item. */
export function itemOf(value: Abstract): Abstract {
  if (value.text === null) return elementOf(value);
  const rest = make({ ...value, text: null });
  return join([make({ text: value.text }), ...(hasItems(rest) ? [elementOf(rest)] : [])]);
}

function hasItems({ list, dicts, unknown, constants }: Abstract): boolean {
  return list !== null || dicts.length > 0 || unknown !== null || constants.length > 0;
}

/** The item at `index` when `value` is unpacked. */
export function itemAt(value: Abstract, index: number): Abstract {
  const { items, each } = sequenceOf(value);
  return items === null ? each : (items[index] ?? clean);
}

/** Whole numbers only, when it is known which; `null` otherwise. */
export function numbersOf(value: Abstract): readonly number[] | null {
  const all = constantsOf(value);
  return all !== null && all.every((one) => typeof one === 'number') ? (all as readonly number[]) : null;
}

/** All that `value` can be, when that is known. */
export function constantsOf({
  constants,
  plain,
  text,
  list,
  dicts,
  unknown,
  calls,
}: Abstract): readonly Constant[] | null {
  return constants.length > 0 &&
    !plain &&
    text === null &&
    list === null &&
    dicts.length === 0 &&
    unknown === null &&
    calls.length === 0
    ? constants
    : null;
}
