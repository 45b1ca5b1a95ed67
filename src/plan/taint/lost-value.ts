// What is known of a value after an unknown operation: the parts that went in, with nothing known to be safe.
import type { Abstract, Atom } from './abstract-value.ts';
import { atom, clean, joinAtoms, make } from './abstract-value.ts';

/** The result of an evaluation that was not followed to its end. */
export const lostText = 'a text that is too involved to be followed';
const lostAtom: Atom = atom('user', lostText);

/** Anything, from anywhere. */
export const lost: Abstract = make({ unknown: [weakened(lostAtom)] });

export function weakened(one: Atom): Atom {
  return {
    ...one,
    escaped: false,
    bound: Number.POSITIVE_INFINITY,
    slug: false,
    dash: true,
    behind: false,
    marked: true,
  };
}

/** Anything that can be made out of `values`. */
export function madeOf(...values: readonly Abstract[]): Abstract {
  const atoms = joinAtoms(values.map((one) => one.atoms)).map(weakened);
  // A macro can add what no argument contains.
  if (values.some(({ holdsCalls }) => holdsCalls)) atoms.push(...(lost.unknown ?? []));
  return atoms.length === 0 ? clean : make({ unknown: joinAtoms([[], atoms]) });
}
