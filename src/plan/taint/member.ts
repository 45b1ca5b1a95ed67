// `x.name`, `x[key]` and dicts.
//
// A name is a member first, and otherwise a method, which can be called later. An unknown key may be any key.
import type { Abstract, Access, Call, Key } from './abstract-value.ts';
import { clean, cleanText, constant, joinAtoms, make, plain, unseen } from './abstract-value.ts';
import { textAtoms } from './as-text.ts';
import { bounded, join } from './join-values.ts';
import { isMethod } from './method-names.ts';
import { character, constantsOf } from './sequence.ts';

/** What a method of a value gives: `methods.ts`, which looks up members itself. */
type CallMethod = (
  object: Abstract,
  name: string | null,
  given: Parameters<Call>[0],
  access: Access,
) => Abstract;

/** `null`: any key. */
export function abstractKeysOf(index: Abstract): readonly (Key | null)[] {
  const known = constantsOf(index);
  if (known === null) return [null];
  return known.map((one) => (typeof one === 'boolean' ? Number(one) : one));
}

export function memberAt(object: Abstract, index: Abstract, access: Access, call: CallMethod): Abstract {
  const keys = abstractKeysOf(index);
  return join(
    keys.map((key) => memberOf(object, key, keys.length > 1 ? { ...access, guarded: true } : access, call)),
  );
}

export function memberOf(object: Abstract, key: Key | null, access: Access, call: CallMethod): Abstract {
  const { constants, text, list, dicts, unknown, calls } = object;
  const texts = constants.filter((one) => typeof one === 'string');
  const kinds =
    dicts.length + [text, list, unknown].filter((one) => one !== null).length + texts.length + calls.length;
  const at = kinds > 1 ? { ...access, guarded: true } : access;
  const found: Abstract[] = dicts.map(({ get }) => get(key, at));
  if (unknown !== null) found.push(make({ unknown }));
  if (typeof key !== 'string') {
    if (text !== null) found.push(make({ text: text.map(character) }));
    found.push(...texts.map((one) => characterAt(one, key)));
    if (list !== null) found.push(itemAt(list, key));
  }
  if (typeof key === 'string' && list?.fields?.includes(key) === true)
    found.push(itemAt(list, list.fields.indexOf(key)));
  // A method of a text, list or dict, taken as a value.
  if (
    typeof key !== 'number' &&
    isMethod(key, dicts.length > 0, text !== null || list !== null || texts.length > 0)
  ) {
    const own = make({ ...object, unknown: null, calls: [], plain: false });
    found.push(make({ calls: [(given) => call(own, key, given, unseen)] }));
  }
  if (object.plain || calls.length > 0) found.push(make({ plain: true, text: [] }));
  return join(found);
}

function itemAt({ items, each }: NonNullable<Abstract['list']>, key: number | null): Abstract {
  if (items === null || key === null) return each;
  return items[key < 0 ? key + items.length : key] ?? clean;
}

function characterAt(text: string, key: number | null): Abstract {
  if (key === null) return cleanText;
  const points = Array.from(text);
  const one = points[key < 0 ? key + points.length : key];
  return one === undefined ? plain : constant(one);
}

export function dictOf(entries: readonly { readonly key: Abstract; readonly value: Abstract }[]): Abstract {
  const members = new Map<Key, Abstract>();
  const others: Abstract[] = [];
  for (const { key, value } of entries) {
    const [only, second] = abstractKeysOf(key);
    if (only === undefined || only === null || second !== undefined) others.push(value);
    else members.set(only, value);
  }
  const values = [...members.values(), ...others];
  const all = [...entries.map(({ key }) => key), ...values];
  return bounded(
    make({
      dicts: [
        {
          get: (key) =>
            key === null
              ? join(values)
              : join([
                  ...others,
                  ...(members.has(key) ? [members.get(key) as Abstract] : []),
                  ...(members.has(key) || others.length > 0 ? [] : [clean]),
                ]),
          keys: join(entries.map(({ key }) => key)),
          entries: others.length === 0 ? [...members] : null,
          atoms: joinAtoms(all.map(textAtoms)),
          weight: all.reduce((sum, { weight }) => sum + weight, 1),
          holdsCalls: all.some(({ holdsCalls }) => holdsCalls),
        },
      ],
    }),
  );
}

/** The members of a value as pairs of key and value; `null` when not all are known. */
export function pairsOf(object: Abstract): readonly (readonly [Abstract, Abstract])[] | null {
  const [only] = object.dicts;
  if (only === undefined || only.entries === null || object.dicts.length > 1 || object.unknown !== null)
    return null;
  return only.entries.map(([key, value]) => [constant(key), value] as const);
}

/** Any key, and any member. */
export function anyPair({ dicts, unknown }: Abstract): readonly [Abstract, Abstract] {
  const rest = unknown === null ? [] : [make({ unknown })];
  return [
    join([...dicts.map(({ keys }) => keys), ...rest]),
    join([...dicts.map(({ get }) => get(null, unseen)), ...rest]),
  ];
}
