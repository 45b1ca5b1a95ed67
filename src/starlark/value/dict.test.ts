import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { anyHashable, dict, float, set, tuple } from '../../../test/support/starlark-values.ts';
import {
  dictClear,
  dictCopy,
  dictDelete,
  dictFirst,
  dictGet,
  dictHas,
  dictKeys,
  dictMerge,
  dictSet,
  dictSetDefault,
  dictValues,
  newDict,
} from './dict.ts';
import { equals } from './compare.ts';
import {
  newSet,
  setAdd,
  setClear,
  setCopy,
  setDelete,
  setDifference,
  setFilter,
  setFirst,
  setHas,
  setItems,
  setMerge,
  setRemove,
  setToggle,
  setWithin,
} from './set.ts';
import type { Dict, SetValue, Value } from './value.ts';

const thread = testThread({ bytes: 1e9 });
const entries = (d: Dict): [Value, Value][] =>
  dictKeys(thread, d).map((key) => [key, dictGet(thread, d, key) as Value]);

/** What a dict must do, written with nothing but an array. */
class Model {
  entries: [Value, Value][] = [];
  find(key: Value): number {
    return this.entries.findIndex(([k]) => equals(thread, k, key));
  }
  set(key: Value, value: Value): void {
    const at = this.find(key);
    if (at < 0) this.entries.push([key, value]);
    else (this.entries[at] as [Value, Value])[1] = value;
  }
  delete(key: Value): Value | undefined {
    const at = this.find(key);
    return at < 0 ? undefined : this.entries.splice(at, 1)[0]?.[1];
  }
}

const action = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('set' as const), anyHashable) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('delete' as const), anyHashable) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('first' as const, 'clear' as const), fc.constant<Value>(null)),
  },
);

describe('dictSet, dictGet, dictDelete', () => {
  it('behave like a list of pairs searched from the start', () => {
    // Few keys, so that they meet again.
    const few = fc.array(anyHashable, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(few, fc.array(fc.tuple(fc.nat(7), action), { maxLength: 60 }), (keys, actions) => {
        const d = newDict(thread);
        const model = new Model();
        const answers: [Value | undefined, Value | undefined][] = [];
        for (const [pick, [kind]] of actions) {
          const key = keys[pick % keys.length] as Value;
          if (kind === 'set') {
            dictSet(thread, d, key, pick);
            model.set(key, pick);
          } else if (kind === 'delete') answers.push([dictDelete(thread, d, key), model.delete(key)]);
          else if (kind === 'clear') {
            dictClear(d);
            model.entries = [];
          } else {
            const at = dictFirst(d);
            answers.push([at < 0 ? undefined : d.keys[at], model.entries[0]?.[0]]);
            if (at >= 0) dictDelete(thread, d, d.keys[at] as Value);
            model.entries.shift();
          }
        }
        expect(answers.map(([got]) => got)).toEqual(answers.map(([, want]) => want));
        expect(entries(d)).toEqual(model.entries);
        expect(dictValues(thread, d)).toEqual(model.entries.map(([, value]) => value));
        expect(d.index.size).toBe(model.entries.length);
        expect(keys.map((key) => dictHas(thread, d, key))).toEqual(keys.map((key) => model.find(key) >= 0));
      }),
      { numRuns: 1000 },
    );
  });

  it('keep the place and the first form of a key that is set again', () => {
    const d = dict([1, 'a'], ['x', 'b']);
    dictSet(thread, d, float(1), 'c');
    expect(entries(d)).toEqual([
      [1, 'c'],
      ['x', 'b'],
    ]);
  });

  it('take the first entry again and again in linear time', () => {
    const d = newDict(thread);
    for (let i = 0; i < 100_000; i += 1) dictSet(thread, d, i, i);
    let sum = 0;
    for (let at = dictFirst(d); at >= 0; at = dictFirst(d))
      sum += dictDelete(thread, d, d.keys[at] as Value) as number;
    expect([sum, d.index.size, d.keys.length]).toEqual([4_999_950_000, 0, 0]);
  });

  it('pack the holes of removed entries, but not during an iteration', () => {
    const d = newDict(thread);
    for (let i = 0; i < 100; i += 1) dictSet(thread, d, i, i);
    for (let i = 0; i < 90; i += 1) dictDelete(thread, d, i);
    expect(d.keys.length).toBeLessThan(40);
    expect(dictKeys(thread, d)).toEqual([90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
  });

  it('charge each new entry before it is made', () => {
    const small = testThread({ bytes: 1000 });
    const d = newDict(small);
    expect(
      faultOf(() => {
        for (let i = 0; i < 100; i += 1) dictSet(small, d, i, i);
      }),
    ).toBe('MEMORY_LIMIT stopped: more than 1000 bytes of memory are needed');
    expect(d.index.size).toBe(6);
  });

  it('keep ints that differ only in their high bits apart quickly', () => {
    const d = newDict(thread);
    for (let i = 1; i <= 20_000; i += 1) dictSet(thread, d, BigInt(i) << 64n, i);
    expect(dictGet(thread, d, 777n << 64n)).toBe(777);
  });
});

describe('dictMerge, dictCopy, dictSetDefault', () => {
  it('merge with the right side winning and the left side leading', () => {
    const left = dict(['a', 1], ['b', 2]);
    const copy = dictCopy(thread, left);
    dictMerge(thread, copy, dict(['c', 3], ['a', 4]));
    dictMerge(thread, copy, copy);
    expect([entries(copy), entries(left)]).toEqual([
      [
        ['a', 4],
        ['b', 2],
        ['c', 3],
      ],
      [
        ['a', 1],
        ['b', 2],
      ],
    ]);
    expect([
      dictSetDefault(thread, copy, 'a', 9),
      dictSetDefault(thread, copy, 'z', 9),
      dictGet(thread, copy, 'z'),
    ]).toEqual([4, 9, 9]);
  });

  it('copy a dict with holes', () => {
    const d = dict([1, 1], [2, 2], [3, 3]);
    dictDelete(thread, d, 1);
    const copy = dictCopy(thread, d);
    expect([entries(copy), copy.keys.length]).toEqual([
      [
        [2, 2],
        [3, 3],
      ],
      2,
    ]);
  });
});

describe('set operations', () => {
  const items = (s: SetValue): Value[] => setItems(thread, s);
  const few = fc.array(
    fc.oneof(fc.nat(9), fc.constantFrom<Value>('a', float(3), float(0.5), null, true, tuple(1))),
    { maxLength: 12 },
  );
  const has = (of: Value[], item: Value): boolean => of.some((other) => equals(thread, other, item));
  const unique = (of: Value[]): Value[] => of.filter((item, i) => !has(of.slice(0, i), item));

  it('agree with lists without repetition', () => {
    fc.assert(
      fc.property(few, few, (left, right) => {
        const [a, b] = [unique(left), unique(right)];
        const [s, t] = [set(...left), set(...right)];
        const changed = (change: (copy: SetValue) => void): Value[] => {
          const copy = setCopy(thread, s);
          change(copy);
          return items(copy);
        };
        const both = a.filter((item) => has(b, item));
        const onlyA = a.filter((item) => !has(b, item));
        const onlyB = b.filter((item) => !has(a, item));
        expect(items(s)).toEqual(a);
        expect(changed((copy) => setMerge(thread, copy, t))).toEqual([...a, ...onlyB]);
        expect(items(setFilter(thread, s, t, true))).toEqual(both);
        expect(items(setFilter(thread, s, t, false))).toEqual(onlyA);
        expect(changed((copy) => setRemove(thread, copy, t, true))).toEqual(onlyA);
        expect(changed((copy) => setRemove(thread, copy, t, false))).toEqual(both);
        expect(changed((copy) => setToggle(thread, copy, t))).toEqual([...onlyA, ...onlyB]);
        expect(items(setDifference(thread, s, t))).toEqual([...onlyA, ...onlyB]);
        expect(setWithin(thread, s, t)).toBe(onlyA.length === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('work on a set and itself', () => {
    const s = set(1, 2);
    setMerge(thread, s, s);
    setRemove(thread, s, s, false);
    const before = items(s);
    setToggle(thread, s, s);
    const t = set(1);
    setRemove(thread, t, t, true);
    expect([before, items(s), items(t)]).toEqual([[1, 2], [], []]);
  });

  it('add, remove and give the first in linear time', () => {
    const s = newSet(thread);
    for (let i = 0; i < 100_000; i += 1) setAdd(thread, s, i);
    expect([
      setAdd(thread, s, 5),
      setDelete(thread, s, 5),
      setDelete(thread, s, 5),
      setHas(thread, s, 5),
    ]).toEqual([false, true, false, false]);
    let count = 0;
    for (let first = setFirst(s); first !== undefined; first = setFirst(s)) {
      setDelete(thread, s, first);
      count += 1;
    }
    setClear(s);
    expect([count, s.items.length]).toEqual([99_999, 0]);
  });
});
