// What is known of a value before anything runs: which parts of it come from outside, and what was done to them.
//
// B1. A value without atoms holds nothing from outside: constants, numbers, lengths, truth values, closed choices.
// B2. Every part keeps its own state: `a ~ (b | truncate(5))` is as unbounded as `a`.
// B3. In doubt a value keeps its atoms as they are.

/** `user`: written by a person. `output`: made by a step. `given`: handed to an entry point by whoever calls it. */
export type Origin = 'user' | 'output' | 'given';

export interface Atom {
  readonly origin: Origin;
  /** As in `inputs.user_message`. */
  readonly what: string;
  /** No `<`, `>`, `&` or quote of it is left as it was. */
  readonly escaped: boolean;
  /** The most characters there can be; Infinity when it is not bounded. */
  readonly bound: number;
  /** Nothing but letters, digits, `-` and `_`. */
  readonly slug: boolean;
  /** Whether the text can begin with a dash because of it. */
  readonly dash: boolean;
  /** Declared as safe, so that `escape` leaves it alone. */
  readonly marked: boolean;
  /** One character of a text of any length: cutting it bounds nothing. */
  readonly crumb: boolean;
}

/** How an access is made: `guarded` ones tolerate that nothing is there. */
export interface Access {
  readonly start: number;
  readonly end: number;
  readonly guarded: boolean;
}

export interface Abstract {
  readonly atoms: readonly Atom[];
  /** Known text, number, boolean or none. */
  readonly constant?: null | boolean | number | string;
  /** A step's answer as text: going through it gives characters. */
  readonly isText?: boolean;
  /** A member by name; `null`: one that is not known by name. */
  readonly get?: (key: string | null, access: Access) => Abstract;
  /** What going through it gives, and what its members are when it is changed as a whole. */
  readonly elements?: readonly Abstract[];
  /** All it can be: the choices of a classification or of a form. */
  readonly choices?: readonly string[];
  /** How much it is made of; what gets too heavy is known by its atoms only, so that no file makes the check slow. */
  readonly weight?: number;
  /** A macro, or `caller`. */
  readonly call?: (positional: readonly Abstract[], named: ReadonlyMap<string, Abstract>) => Abstract;
}

export const clean: Abstract = { atoms: [] };

/** Bounds over this do not count as bounds. */
export const mostCharacters = 100_000;

export function constant(value: null | boolean | number | string): Abstract {
  return { atoms: [], constant: value };
}

export function atom(origin: Origin, what: string, bound = Number.POSITIVE_INFINITY): Atom {
  return { origin, what, escaped: false, bound, slug: false, dash: true, marked: false, crumb: false };
}

export function fromAtom(one: Atom, isText = false): Abstract {
  return { atoms: [one], isText };
}

export function joinAtoms(values: Iterable<readonly Atom[]>): readonly Atom[] {
  const seen = new Map<string, Atom>();
  for (const atoms of values) {
    for (const one of atoms) {
      const key = `${one.origin} ${one.what} ${one.escaped} ${one.bound} ${one.slug} ${one.dash} ${one.marked} ${one.crumb}`;
      seen.set(key, one);
    }
  }
  return [...seen.values()];
}

const mostWeight = 200;

/** A list, known item by item. */
export function listOf(elements: readonly Abstract[], atoms: readonly Atom[] = joinAtoms(elements.map((one) => one.atoms))): Abstract {
  const weight = elements.reduce((sum, one) => sum + (one.weight ?? 1), 1);
  return weight > mostWeight ? { atoms } : { atoms, elements, weight };
}

/** One of them; which one is not known. */
export function join(values: readonly Abstract[]): Abstract {
  const [only] = values;
  if (only !== undefined && values.length === 1) return only;
  const atoms = joinAtoms(values.map((one) => one.atoms));
  const isText = values.some((one) => one.isText === true);
  const weight = values.reduce((sum, one) => sum + (one.weight ?? 1), 0);
  if (weight > mostWeight) return { atoms, isText };
  const access = [...new Set(values.flatMap(({ get }) => get ?? []))];
  const elements = values.flatMap((value) => value.elements ?? []);
  return {
    atoms,
    isText,
    weight,
    ...(access.length === 0 ? {} : { get: (key, at) => join([...access.map((get) => get(key, { ...at, guarded: true })), ...values.filter(({ get }) => get === undefined)]) }),
    ...(elements.length === 0 ? {} : { elements }),
  };
}

/** The same value after something was done to each part. */
export function change(value: Abstract, how: (one: Atom) => Atom): Abstract {
  const atoms = joinAtoms([value.atoms.map(how)]);
  return value.elements === undefined ? { atoms } : listOf(value.elements.map((element) => change(element, how)), atoms);
}

/** A text made of several values. */
export function blend(...values: readonly Abstract[]): Abstract {
  return { atoms: joinAtoms(values.flatMap((one) => [one.atoms, ...(one.elements ?? []).map(({ atoms }) => atoms)])) };
}

/** A text or value made of it, with its parts unchanged. */
export function opaque(value: Abstract): Abstract {
  return { atoms: value.atoms };
}
