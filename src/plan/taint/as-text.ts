// Values -> the text that is written for them.
//
// A list or dict is written with its brackets, so nothing inside it begins the text. Only the first part that is
// present can put a dash at the beginning.
import type { Abstract, Atom, Constant, Mapping, Sequence } from './abstract-value.ts';
import { joinAtoms, make } from './abstract-value.ts';
import { join } from './join-values.ts';

/** `value` as text: constants, and whatever else a text may hold. */
export function abstractText(value: Abstract): Abstract {
  const { constants, plain, text, list, dicts, unknown, calls, choices } = value;
  if (
    !plain &&
    list === null &&
    dicts.length === 0 &&
    unknown === null &&
    calls.length === 0 &&
    constants.every((one) => typeof one === 'string')
  ) {
    return text === null && constants.length === 0 ? make({ text: [] }) : value;
  }
  const atoms: (readonly Atom[])[] = [];
  if (text !== null) atoms.push(text);
  if (unknown !== null) atoms.push(unknown);
  if (list !== null) atoms.push(listText(list));
  for (const dict of dicts) atoms.push(dictText(dict));
  const isMore = atoms.length > 0 || plain || calls.length > 0;
  return make({
    constants: constants.map(written),
    text: isMore ? joinAtoms(atoms) : null,
    ...(choices === undefined ? {} : { choices }),
  });
}

/** Any number of pieces is unbounded, even if each is empty. */
export function multiplied(bound: number, times: number): number {
  return Math.max(bound, 1) * Math.max(times, 1);
}

const bracketed = { behind: true, slug: false } as const;

function listText({ items, each, most }: Sequence): readonly Atom[] {
  const inside =
    items === null
      ? textAtoms(each).map((one) => ({ ...one, bound: multiplied(one.bound, most) }))
      : joinAtoms(items.map(textAtoms));
  return inside.map((one) => ({ ...one, ...bracketed }));
}

function dictText({ entries, keys, atoms }: Mapping): readonly Atom[] {
  const inside =
    entries === null ? atoms : joinAtoms([textAtoms(keys), ...entries.map(([, value]) => textAtoms(value))]);
  return inside.map((one) => ({ ...one, ...bracketed, bound: one.bound }));
}

function written(value: Constant): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : String(value);
}

/** What comes from outside in the text of `value`. */
export function textAtoms(value: Abstract): readonly Atom[] {
  return abstractText(value).text ?? [];
}

/** The text of `value` after something was done to it; a constant is then just a text. */
export function changed(value: Abstract, how: (one: Atom) => Atom): Abstract {
  return make({ text: joinAtoms([[], textAtoms(value).map(how)]) });
}

const mostProducts = 16;

export function concatenated(parts: readonly Abstract[]): Abstract {
  const atoms: (readonly Atom[])[] = [];
  let leads = true;
  let texts: readonly string[] | null = [''];
  for (const one of parts) {
    const { text, constants } = abstractText(one);
    const known = constants as readonly string[];
    if (text !== null && text.length > 0)
      atoms.push(leads ? text : text.map((each) => ({ ...each, behind: true })));
    texts =
      texts === null || text !== null || known.length * texts.length > mostProducts
        ? null
        : texts.flatMap((before) => known.map((each) => before + each));
    if (text === null && known.every((each) => each !== '')) leads = false;
  }
  return texts === null ? make({ text: joinAtoms(atoms) }) : make({ constants: [...new Set(texts)] });
}

/** `items` with `separator` between them; any number of them unless all are given. */
export function joinedTexts(items: readonly Abstract[], separator: Abstract): Abstract {
  return concatenated(items.flatMap((item, at) => (at === 0 ? [item] : [separator, item])));
}

/** `value`, or nothing. */
export function orNothing(value: Abstract): Abstract {
  return join([value, make({ constants: [''] })]);
}
