// Methods that Python has and Starlark lacks, and what to write instead: hints for EVAL_ATTRIBUTE.

const pad = 'pad by hand: " " * (n - len(s)) + s';
const loop = 'use d.keys(), d.values() or d.items()';

const instead: ReadonlyMap<string, string> = new Map([
  ['list.sort', 'use sorted(x), which gives a new list'],
  ['list.reverse', 'use reversed(x), which gives a new list'],
  ['list.copy', 'use list(x)'],
  ['list.count', 'use len([e for e in x if e == y])'],
  ['list.push', 'use append'],
  ['list.add', 'use append'],
  ['list.join', 'use sep.join(x)'],
  ['list.length', 'use len(x)'],
  ['tuple.append', 'a tuple cannot be changed: use a list'],
  ['tuple.index', 'make a list of it: list(x).index(y)'],
  ['tuple.count', 'use len([e for e in x if e == y])'],
  ['dict.has_key', 'use key in d'],
  ['dict.iteritems', loop],
  ['dict.iterkeys', loop],
  ['dict.itervalues', loop],
  ['dict.copy', 'use dict(x)'],
  ['dict.fromkeys', 'use {key: value for key in keys}'],
  ['set.copy', 'use set(x)'],
  ['set.append', 'use add'],
  ['set.push', 'use add'],
  ['string.zfill', 'pad by hand: "0" * (n - len(s)) + s'],
  ['string.rjust', pad],
  ['string.ljust', pad],
  ['string.center', pad],
  ['string.encode', 'use bytes(s)'],
  ['string.length', 'use len(s)'],
  ['string.trim', 'use strip()'],
  ['string.includes', 'use part in s'],
  ['string.contains', 'use part in s'],
  ['string.casefold', 'use lower()'],
  ['string.isnumeric', 'use isdigit()'],
  ['string.isdecimal', 'use isdigit()'],
  ['bytes.decode', 'use str(b)'],
]);

export function insteadOf(type: string, method: string): string | null {
  return instead.get(`${type}.${method}`) ?? null;
}
