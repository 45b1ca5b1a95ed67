// Short ways to write Starlark values in tests, and arbitrary ones for properties.
import { intFromBigint } from '../../src/python/int.ts';
import fc from 'fast-check';
import { dictSet } from '../../src/starlark/value/dict.ts';
import { setOf } from '../../src/starlark/value/set.ts';
import {
  Bytes,
  Dict,
  Float,
  List,
  Tuple,
  type SetValue,
  type Value,
} from '../../src/starlark/value/value.ts';
import { testThread } from './starlark-thread.ts';

export const list = (...items: Value[]): List => new List(items);
export const tuple = (...items: Value[]): Tuple => new Tuple(items);
export const float = (n: number): Float => new Float(n);
export const bytes = (...items: number[]): Bytes => new Bytes(Uint8Array.from(items));
export const set = (...items: Value[]): SetValue => setOf(testThread(), items);

export function dict(...entries: [Value, Value][]): Dict {
  const made = new Dict();
  for (const [key, value] of entries) dictSet(testThread(), made, key, value);
  return made;
}

/** `[[…]]` for n = 2: nested without sharing, or with the same list twice at each level. */
export function nested(depth: number, twice = false): Value {
  let value: Value = list();
  for (let i = 0; i < depth; i += 1) value = twice ? list(value, value) : list(value);
  return value;
}

const edge = 2n ** 53n;
const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, edge, 2n ** 63n, 2n ** 64n].flatMap((n) => [
  n - 1n,
  n,
  n + 1n,
  -n - 1n,
  -n,
  1n - n,
]);

/** Ints of all sizes, most of them near where the representation changes. */
export const anyBigint: fc.Arbitrary<bigint> = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: -edge * 4n, max: edge * 4n }),
  fc.bigInt({ min: -100n, max: 100n }),
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
);

export const anyFloat: fc.Arbitrary<number> = fc.oneof(
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    0.5,
    1,
    -1,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    2 ** 64,
    2 ** 63,
    1e300,
    Infinity,
    -Infinity,
    NaN,
  ),
  fc.integer({ min: -5, max: 5 }),
);

export const anyInt: fc.Arbitrary<Value> = anyBigint.map(intFromBigint);
export const anyNumber: fc.Arbitrary<Value> = fc.oneof(anyInt, anyFloat.map(float));

const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(null, true, false, 0, 1, '', '\0', '\0s', '1', '1;', 'N'),
  anyNumber,
  fc.string({ maxLength: 4 }),
  fc.uint8Array({ maxLength: 3 }).map((b) => new Bytes(b)),
);

/** Values that may be dict keys, tuples in tuples included. */
export const anyHashable: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Tuple(items)),
  ),
})).value;
