// What is known of a value before anything runs: which parts of it come from outside, and what was done to them.
//
// A value is one of the kinds it lists: known constants, something plain, a text, a list, a dict, something callable,
// or anything at all. An operation is applied to each kind, and the results are joined. `atoms` contains everything
// from outside, however deep in lists and dicts, and each atom keeps its own state: `a ~ (b | truncate(5))` is as
// unbounded as `a`. What is not understood becomes anything at all, with nothing known of its parts (`lost-value.ts`),
// never something safer. Numbers, lengths, truth values and closed choices contain nothing from outside.

/** `user`: written by a person. `output`: made by a step. `given`: passed to an entry point by its caller. */
export type Origin = 'user' | 'output' | 'given';

export interface Atom {
  readonly origin: Origin;
  /** As in `inputs.user_message`. */
  readonly what: string;
  /** Every `<`, `>`, `&` and quote in it is escaped. */
  readonly escaped: boolean;
  /** The most characters there can be; Infinity when it is not bounded. */
  readonly bound: number;
  /** Nothing but letters, digits, `-` and `_`. */
  readonly slug: boolean;
  /** Whether it can begin with a dash. */
  readonly dash: boolean;
  /** Whether something always comes before it, so that the text does not begin with it. */
  readonly behind: boolean;
  /** May be declared as safe, so that `escape` does not change it. */
  readonly marked: boolean;
  /** One of any number of pieces of a text: cutting each bounds nothing. */
  readonly crumb: boolean;
}

/** The kind of an access: a `guarded` one allows for a missing value. */
export interface Access {
  readonly start: number;
  readonly end: number;
  readonly guarded: boolean;
}

/** An access that is not reported. */
export const unseen: Access = { start: 0, end: 0, guarded: true };

export type Constant = null | boolean | number | string;
export type Key = number | string;

/** The arguments of a call. */
export interface Given {
  readonly positional: readonly Abstract[];
  readonly named: ReadonlyMap<string, Abstract>;
  /** What any further argument may be, when not all of them are known one by one. */
  readonly rest: Abstract | null;
}

export type Call = (given: Given) => Abstract;

export interface Sequence {
  /** All items in their order; `null` when count or order are not known. */
  readonly items: readonly Abstract[] | null;
  /** Any of them. */
  readonly each: Abstract;
  readonly most: number;
  /** Pieces of a text of any length: cutting each of them bounds nothing. */
  readonly endless: boolean;
  /** Names of the items, as `grouper` and `list`. */
  readonly fields: readonly string[] | null;
}

export interface Mapping {
  /** `null`: a key that is not known. */
  readonly get: (key: Key | null, access: Access) => Abstract;
  readonly keys: Abstract;
  /** All members, when there are no others. */
  readonly entries: readonly (readonly [Key, Abstract])[] | null;
  readonly atoms: readonly Atom[];
  readonly weight: number;
  readonly holdsCalls: boolean;
}

export interface Abstract {
  /** All that comes from outside, anywhere in it. */
  readonly atoms: readonly Atom[];
  /** Its value, if it has only one. */
  readonly constant?: Constant;
  readonly constants: readonly Constant[];
  /** A number, a truth value, nothing. */
  readonly plain: boolean;
  readonly text: readonly Atom[] | null;
  readonly list: Sequence | null;
  readonly dicts: readonly Mapping[];
  readonly unknown: readonly Atom[] | null;
  readonly calls: readonly Call[];
  /** All it can be: the choices of a classification or of a form. */
  readonly choices?: readonly string[];
  /** Its size. A value that becomes too large becomes anything at all, so that no file makes the check slow. */
  readonly weight: number;
  readonly holdsCalls: boolean;
}

type Parts = Partial<
  Pick<Abstract, 'constants' | 'plain' | 'text' | 'list' | 'dicts' | 'unknown' | 'calls' | 'choices'>
>;

/** Bounds over this do not count as bounds. */
export const mostCharacters = 100_000;

const mostConstants = 16;

export function make(parts: Parts): Abstract {
  const { plain = false, list = null, dicts = [], unknown = null, calls = [], choices } = parts;
  let { constants = [], text = null } = parts;
  let isPlain = plain;
  if (constants.length > mostConstants) {
    if (constants.some((one) => typeof one === 'string')) text ??= [];
    isPlain ||= constants.some((one) => typeof one !== 'string');
    constants = [];
  }
  const [only] = constants;
  const isConstant =
    constants.length === 1 &&
    !isPlain &&
    text === null &&
    list === null &&
    dicts.length === 0 &&
    unknown === null &&
    calls.length === 0;
  const inList = list === null ? [] : (list.items ?? [list.each]);
  return {
    atoms: joinAtoms([
      text ?? [],
      unknown ?? [],
      ...inList.map(({ atoms }) => atoms),
      ...dicts.map(({ atoms }) => atoms),
    ]),
    ...(isConstant ? { constant: only as Constant } : {}),
    constants,
    plain: isPlain,
    text,
    list,
    dicts,
    unknown,
    calls,
    ...(choices === undefined ? {} : { choices }),
    weight:
      1 +
      inList.reduce((sum, { weight }) => sum + weight, 0) +
      dicts.reduce((sum, { weight }) => sum + weight, 0) +
      calls.length,
    holdsCalls:
      calls.length > 0 ||
      inList.some(({ holdsCalls }) => holdsCalls) ||
      dicts.some(({ holdsCalls }) => holdsCalls),
  };
}

/** Anything, with nothing from outside in it. */
export const clean: Abstract = make({ unknown: [] });
export const plain: Abstract = make({ plain: true });
/** A text with nothing from outside in it. */
export const cleanText: Abstract = make({ text: [] });

export function constant(value: Constant): Abstract {
  return make({ constants: [value] });
}

export function choice(choices: readonly string[]): Abstract {
  return make({ text: [], choices });
}

export function atom(origin: Origin, what: string, bound = Number.POSITIVE_INFINITY): Atom {
  return {
    origin,
    what,
    escaped: false,
    bound,
    slug: false,
    dash: true,
    behind: false,
    marked: false,
    crumb: false,
  };
}

export function fromAtom(one: Atom, isText = false): Abstract {
  return make(isText ? { text: [one] } : { unknown: [one] });
}

/** A dict whose members are looked up when they are asked for; `one` is what is known of it as a whole. */
export function record(
  one: Atom,
  get: (key: string, access: Access) => Abstract,
  keys: Abstract = make({ unknown: [one] }),
): Abstract {
  const whole = make({ unknown: [one] });
  return make({
    dicts: [
      {
        get: (key, access) => (typeof key === 'string' ? get(key, access) : whole),
        keys,
        entries: null,
        atoms: [one],
        weight: 1,
        holdsCalls: false,
      },
    ],
  });
}

const mostAtoms = 64;

export function joinAtoms(values: Iterable<readonly Atom[]>): readonly Atom[] {
  let first: readonly Atom[] | null = null;
  let seen: Map<string, Atom> | null = null;
  for (const atoms of values) {
    if (atoms.length === 0 || atoms === first) continue;
    if (first === null) {
      first = atoms;
      continue;
    }
    seen ??= new Map(first.map((one) => [keyOf(one), one]));
    for (const one of atoms) seen.set(keyOf(one), one);
  }
  if (seen === null) return first ?? [];
  if (seen.size <= mostAtoms) return [...seen.values()];
  const sources = merged([...seen.values()], ({ origin, what }) => `${origin} ${what}`);
  return sources.length <= mostAtoms ? sources : merged(sources, ({ origin }) => origin);
}

export function keyOf(one: Atom): string {
  return `${one.origin} ${one.what} ${one.escaped} ${one.bound} ${one.slug} ${one.dash} ${one.behind} ${one.marked} ${one.crumb}`;
}

/** One atom for each group, with what holds for all of it. */
function merged(atoms: readonly Atom[], groupOf: (one: Atom) => string): readonly Atom[] {
  const groups = new Map<string, Atom>();
  for (const one of atoms) {
    const key = groupOf(one);
    const other = groups.get(key);
    groups.set(
      key,
      other === undefined
        ? one
        : {
            ...other,
            escaped: one.escaped && other.escaped,
            bound: Math.max(one.bound, other.bound),
            slug: one.slug && other.slug,
            dash: one.dash || other.dash,
            behind: one.behind && other.behind,
            marked: one.marked || other.marked,
            crumb: one.crumb || other.crumb,
          },
    );
  }
  return [...groups.values()];
}
