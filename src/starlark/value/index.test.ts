import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { bytes, dict, float, list, tuple } from '../../../test/support/starlark-values.ts';
import { contains } from './contains.ts';
import { equals } from './compare.ts';
import { getIndex, getSlice, setIndex } from './index.ts';
import { toArray } from './iterate.ts';
import { newRange, rangeHas } from './range.ts';
import { Bytes, Elems, Range, type List, type Tuple, type Value } from './value.ts';

const thread = testThread({ bytes: 1e9 });
const fault = (run: () => unknown): string => faultOf(run);

/** The specification's words, step by step: which indices a slice picks. */
function picked(n: number, from: number | null, to: number | null, step: number | null): number[] {
  const stride = step ?? 1;
  const clamp = (i: number, low: number, high: number): number => Math.min(Math.max(i, low), high);
  const place = (i: number | null, otherwise: number): number => (i === null ? otherwise : i < 0 ? i + n : i);
  const out: number[] = [];
  if (stride > 0) {
    const end = clamp(place(to, Infinity), 0, n);
    for (let i = clamp(place(from, -Infinity), 0, n); i < end; i += stride) out.push(i);
  } else {
    const end = clamp(place(to, -Infinity), -1, n - 1);
    for (let i = clamp(place(from, Infinity), -1, n - 1); i > end; i += stride) out.push(i);
  }
  return out;
}

const index = fc.option(fc.integer({ min: -12, max: 12 }));
const stride = fc.option(fc.integer({ min: -5, max: 5 }).filter((n) => n !== 0));

describe('getSlice', () => {
  it('picks what the specification says from every kind of sequence', () => {
    fc.assert(
      fc.property(fc.nat(9), index, index, stride, (n, from, to, step) => {
        const expected = picked(n, from, to, step);
        const slice = (obj: Value): Value => getSlice(thread, obj, from, to, step);
        const numbers = Array.from({ length: n }, (_, i) => i);
        expect((slice(list(...numbers)) as List).items).toEqual(expected);
        expect((slice(tuple(...numbers)) as Tuple).items).toEqual(expected);
        expect([...(slice(bytes(...numbers)) as Bytes).bytes]).toEqual(expected);
        expect(slice('0123456789'.slice(0, n))).toBe(expected.join(''));
        const range = newRange(thread, 7, 7 + 3 * n, 3);
        expect(toArray(thread, slice(range))).toEqual(expected.map((i) => 7 + 3 * i));
        const down = newRange(thread, 5, 5 - 2 * n, -2);
        expect(toArray(thread, slice(down))).toEqual(expected.map((i) => 5 - 2 * i));
      }),
      { numRuns: 5000 },
    );
  });

  it('takes ints of any size as bounds and stride', () => {
    const huge = 2n ** 80n;
    expect(getSlice(thread, 'abc', -huge, huge, undefined)).toBe('abc');
    expect(getSlice(thread, 'abc', huge, -huge, -1)).toBe('cba');
    expect(getSlice(thread, 'abc', undefined, undefined, huge)).toBe('a');
    expect(getSlice(thread, 'abc', undefined, undefined, -huge)).toBe('c');
    expect(getSlice(thread, newRange(thread, 0, 10, 1), 3, undefined, huge)).toMatchObject({
      start: 3,
      length: 1,
    });
  });

  it('copies a long string with a stride', () => {
    expect(getSlice(thread, 'ab'.repeat(10_000), undefined, undefined, -2)).toBe('b'.repeat(10_000));
  });

  it.each<[Value, Value, Value, Value, string]>([
    ['abc', 'a', null, null, 'EVAL_TYPE invalid start index: got string, want int'],
    ['abc', null, true, null, 'EVAL_TYPE invalid end index: got bool, want int'],
    ['abc', null, null, float(1), 'EVAL_TYPE invalid slice step: got float, want int'],
    ['abc', null, null, 0, 'EVAL_VALUE slice step cannot be zero'],
    [dict(), null, null, null, 'EVAL_TYPE invalid slice operand: dict cannot be sliced'],
  ])('refuses %o[%o:%o:%o]', (obj, from, to, step, expected) => {
    expect(fault(() => getSlice(thread, obj, from, to, step))).toBe(expected);
  });

  it('charges before it copies', () => {
    const small = testThread({ bytes: 1000 });
    expect(
      fault(() => getSlice(small, list(...Array.from({ length: 100 }, () => 1)), null, null, null)),
    ).toMatch(/^MEMORY_LIMIT/);
  });
});

describe('getIndex', () => {
  it.each<[Value, Value, Value]>([
    [list(1, 2), -2, 1],
    [tuple('a'), 0, 'a'],
    ['héllo', 1, 'é'],
    ['abc', -1, 'c'],
    [bytes(7, 8), 1, 8],
    [new Range(10, 0, -3, 4), -1, 1],
    [dict([tuple(1, 'a'), 'v']), tuple(float(1), 'a'), 'v'],
    [dict([1, null]), 1, null],
  ])('reads %o[%o]', (obj, i, expected) => {
    expect(getIndex(thread, obj, i)).toBe(expected);
  });

  it.each<[Value, Value, string]>([
    [list(1, 2), 2, 'EVAL_INDEX list index 2 out of range [-2:1]'],
    [list(1, 2), -3, 'EVAL_INDEX list index -3 out of range [-2:1]'],
    ['', 0, 'EVAL_INDEX index 0 out of range: empty string'],
    [tuple(1), 2n ** 60n, 'EVAL_INDEX tuple index a huge int out of range [-1:0]'],
    [list(1), 'a', 'EVAL_TYPE list index: got string, want int'],
    [list(1), float(0), 'EVAL_TYPE list index: got float, want int'],
    [list(1), true, 'EVAL_TYPE list index: got bool, want int'],
    [dict(), 'k', 'EVAL_KEY key "k" not in dict'],
    [dict(), list(), 'EVAL_UNHASHABLE unhashable type: list'],
    [1, 0, 'EVAL_TYPE int value cannot be indexed: unsupported operation int[int]'],
  ])('refuses %o[%o]', (obj, i, expected) => {
    expect(fault(() => getIndex(thread, obj, i))).toBe(expected);
  });
});

describe('setIndex', () => {
  it('writes to lists and dicts only, and not while they are locked', () => {
    const l = list(1, 2);
    setIndex(thread, l, -1, 'x');
    const d = dict();
    setIndex(thread, d, 'k', 1);
    expect([l.items, d.keys]).toEqual([[1, 'x'], ['k']]);
    expect(fault(() => setIndex(thread, 'abc', 0, 'x'))).toBe(
      'EVAL_TYPE string value does not support item assignment',
    );
    expect(fault(() => setIndex(thread, tuple(1), 0, 'x'))).toBe(
      'EVAL_TYPE tuple value does not support item assignment',
    );
    l.locks = 1;
    expect(fault(() => setIndex(thread, l, 0, 0))).toBe(
      'EVAL_ITERATING cannot assign to element of list during iteration: it is temporarily immutable',
    );
    expect(fault(() => setIndex(thread, list(1), 1, 0))).toBe('EVAL_INDEX list index 1 out of range [-1:0]');
  });
});

describe('ranges', () => {
  it('have the length and the members of the numbers they give', () => {
    const small = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(
        small,
        small,
        small.filter((n) => n !== 0),
        (start, stop, step) => {
          const expected: number[] = [];
          for (let i = start; step > 0 ? i < stop : i > stop; i += step) expected.push(i);
          const range = newRange(thread, start, stop, step);
          expect(toArray(thread, range)).toEqual(expected);
          for (let n = -25; n <= 25; n += 1) expect(rangeHas(range, n)).toBe(expected.includes(n));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reach over all safe integers, and no further', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(newRange(thread, -most, most, 2).length).toBe(most);
    expect(fault(() => newRange(thread, -most, most, 1))).toBe(
      'EVAL_VALUE range: more than 9007199254740991 elements',
    );
    const odd = newRange(thread, -most, most, 2);
    expect([
      rangeHas(odd, most - 2),
      rangeHas(odd, most - 1),
      rangeHas(odd, 0),
      rangeHas(odd, -1),
      rangeHas(odd, 0.5),
    ]).toEqual([true, false, false, true, false]);
    expect(getSlice(thread, newRange(thread, most - 4, most, 3), null, null, 2)).toMatchObject({
      start: most - 4,
      length: 1,
    });
    expect(getIndex(thread, odd, -1)).toBe(most - 2);
  });
});

describe('contains', () => {
  const has = (item: Value, container: Value): boolean => contains(thread, item, container);

  it.each<[Value, Value, boolean]>([
    [1, list(1, 2), true],
    [1, list(float(1)), true],
    [float(2), tuple(1, 2), true],
    [2n ** 60n, list(2n ** 60n), true],
    [2n ** 60n, list(float(2 ** 60)), true],
    [1, list(true), false],
    [null, list(0, false), false],
    [list(1), list(list(1)), true],
    [float(NaN), list(float(NaN)), true],
    ['x'.repeat(40), list('x'.repeat(40)), true],
    ['k', dict(['k', 1]), true],
    [1, dict(['k', 1]), false],
    ['nasty', 'dynasty', true],
    ['', '', true],
    ['b', 'aaa', false],
    [bytes(2, 3), bytes(1, 2, 3), true],
    [bytes(2, 2), bytes(1, 2, 3), false],
    [bytes(), bytes(), true],
    [97, bytes(97), true],
    [98, bytes(97), false],
    [3, new Range(0, 10, 3, 4), true],
    [float(3), new Range(0, 10, 3, 4), true],
    [float(3.5), new Range(0, 10, 1, 10), false],
    [2n ** 60n, new Range(0, 10, 1, 10), false],
  ])('says whether %o is in %o', (item, container, expected) => {
    expect(has(item, container)).toBe(expected);
  });

  it.each<[Value, Value, string]>([
    [1, 'abc', "EVAL_TYPE 'in <string>' requires string as left operand, not int"],
    ['a', new Range(0, 1, 1, 1), "EVAL_TYPE 'in <range>' requires a number as left operand, not string"],
    ['a', bytes(1), "EVAL_TYPE 'in <bytes>' requires bytes or int as left operand, not string"],
    [256, bytes(1), 'EVAL_VALUE int in bytes: 256 out of range 0-255'],
    [1, 2, 'EVAL_TYPE unsupported binary operation: int in int'],
    [list(), dict(), 'EVAL_UNHASHABLE unhashable type: list'],
  ])('refuses %o in %o', (item, container, expected) => {
    expect(fault(() => has(item, container))).toBe(expected);
  });

  it('finds bytes like a naive search', () => {
    const few = fc.array(fc.nat(1), { maxLength: 12 });
    fc.assert(
      fc.property(few, few, (part, whole) => {
        expect(has(bytes(...part), bytes(...whole))).toBe(whole.join('').includes(part.join('')));
      }),
    );
  });

  it('searches repetitive bytes in linear time', () => {
    const part = new Bytes(new Uint8Array(100_000));
    part.bytes[99_999] = 1;
    expect(has(part, new Bytes(new Uint8Array(300_000)))).toBe(false);
  });
});

describe('toArray', () => {
  it('gives the elements of everything that can be looped over', () => {
    const all: Value[] = [
      list(1, 2),
      tuple(1, 2),
      dict([1, 'a'], [2, 'b']),
      newRange(thread, 1, 3, 1),
      new Elems(bytes(1, 2)),
    ];
    expect(all.map((v) => toArray(thread, v))).toEqual(all.map(() => [1, 2]));
    expect(toArray(thread, new Elems('a😀'))).toEqual(['a', '\ud83d', '\ude00']);
  });

  it('gives an array of its own', () => {
    const l = list(1);
    toArray(thread, l).push(2);
    expect(l.items).toEqual([1]);
  });

  it('refuses the rest, and a range that is too long before it is made', () => {
    expect(fault(() => toArray(thread, 'abc'))).toBe('EVAL_TYPE string value is not iterable');
    expect(fault(() => toArray(thread, 1, 'all'))).toBe('EVAL_TYPE all: got int, want iterable');
    expect(fault(() => toArray(testThread(), newRange(thread, 0, 1e15, 1)))).toBe(
      'MEMORY_LIMIT stopped: a list of 1000000000000000 elements cannot be made: 33554431 is the most, whatever the memory limit is',
    );
    expect(fault(() => toArray(testThread(), newRange(thread, 0, 1e7, 1)))).toBe(
      'MEMORY_LIMIT stopped: more than 67108864 bytes of memory are needed',
    );
    expect(equals(thread, list(1), list(1))).toBe(true);
  });
});
