import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { dict, list, set, tuple } from '../../../test/support/starlark-values.ts';
import { freeze } from '../value/mutable.ts';
import { repr } from '../value/repr.ts';
import { setItems } from '../value/set.ts';
import type { SetValue, Value } from '../value/value.ts';
import { setMethods } from './methods.ts';

const call = (self: Value, name: string, ...args: Value[]): Value =>
  callNative(testThread(), setMethods.get(name), self, args);
const fault = (self: Value, name: string, ...args: Value[]): string =>
  faultOf(() => call(self, name, ...args));
const items = (v: Value): Value[] => setItems(testThread(), v as SetValue);
const changed = (self: SetValue, name: string, ...args: Value[]): Value[] => {
  expect(call(self, name, ...args)).toBe(null);
  return items(self);
};

const numbers = fc.array(fc.nat(7), { maxLength: 8 });
const others = fc.array(numbers, { maxLength: 3 });
/** Each argument as a list, a tuple or a set. */
const forms = (args: number[][]): Value[] =>
  args.map((arg, i) => [list(...arg), tuple(...arg), set(...arg)][i % 3] as Value);

describe('setMethods', () => {
  it('has the methods of the specification', () => {
    expect([...setMethods.keys()].join(' ')).toBe(
      'add clear difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
    );
  });

  it.each<[string, string, (self: Set<number>, args: number[][]) => number[]]>([
    ['union', 'update', (self, args) => [...new Set([...self, ...args.flat()])]],
    [
      'intersection',
      'intersection_update',
      (self, args) => [...self].filter((n) => args.every((arg) => arg.includes(n))),
    ],
    ['difference', 'difference_update', (self, args) => [...self].filter((n) => !args.flat().includes(n))],
  ])('%s and %s take any number of iterables', (copying, updating, oracle) => {
    fc.assert(
      fc.property(numbers, others, (self, args) => {
        const expected = oracle(new Set(self), args);
        const s = set(...self);
        const made = call(s, copying, ...forms(args));
        expect(items(made)).toEqual(expected);
        expect([made === s, items(s)]).toEqual([false, [...new Set(self)]]);
        expect(changed(s, updating, ...forms(args))).toEqual(expected);
      }),
    );
  });

  it('symmetric_difference puts what only the argument has last', () => {
    fc.assert(
      fc.property(numbers, numbers, (self, arg) => {
        const expected = [
          ...new Set(self.filter((n) => !arg.includes(n))),
          ...new Set(arg.filter((n) => !self.includes(n))),
        ];
        expect(items(call(set(...self), 'symmetric_difference', list(...arg)))).toEqual(expected);
        expect(changed(set(...self), 'symmetric_difference_update', list(...arg))).toEqual(expected);
      }),
    );
  });

  it('tests against any iterable', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.boolean(), (self, arg, asSet) => {
        const s = set(...self);
        const other = asSet ? set(...arg) : list(...arg);
        expect([
          call(s, 'isdisjoint', other),
          call(s, 'issubset', other),
          call(s, 'issuperset', other),
        ]).toEqual([
          !self.some((n) => arg.includes(n)),
          self.every((n) => arg.includes(n)),
          arg.every((n) => self.includes(n)),
        ]);
      }),
    );
    expect(call(set(3), 'union', dict([3, 'a'], [4, 'b']))).toEqual(set(3, 4));
  });

  it('adds, discards, removes and pops', () => {
    const s = set(3, 1, 2);
    expect(changed(s, 'add', 3)).toEqual([3, 1, 2]);
    expect(changed(s, 'add', 'x')).toEqual([3, 1, 2, 'x']);
    expect(changed(s, 'discard', 1)).toEqual([3, 2, 'x']);
    expect(changed(s, 'discard', 1)).toEqual([3, 2, 'x']);
    expect(changed(s, 'remove', 2)).toEqual([3, 'x']);
    expect(fault(s, 'remove', 2)).toBe('EVAL_KEY remove: element not found: 2');
    expect([call(s, 'pop'), call(s, 'pop'), fault(s, 'pop')]).toEqual([3, 'x', 'EVAL_KEY pop: empty set']);
    expect(changed(set(1), 'clear')).toEqual([]);
  });

  it('works with itself as the argument', () => {
    const fresh = (): SetValue => set(1, 2);
    const results = ['update', 'intersection_update', 'difference_update', 'symmetric_difference_update'].map(
      (name) => {
        const s = fresh();
        return changed(s, name, s);
      },
    );
    expect(results).toEqual([[1, 2], [1, 2], [], []]);
  });

  it('fails for an element that cannot be hashed, wherever it stands', () => {
    const names = [
      'difference',
      'difference_update',
      'intersection',
      'intersection_update',
      'isdisjoint',
      'issubset',
      'issuperset',
      'symmetric_difference',
      'symmetric_difference_update',
      'union',
      'update',
    ];
    expect(names.map((name) => fault(set(1, 2), name, list(1, 9, list())))).toEqual(
      names.map(() => 'EVAL_UNHASHABLE unhashable type: list'),
    );
    expect(names.map((name) => fault(set(), name, 5))).toEqual(
      names.map((name) => `EVAL_TYPE ${name}: got int, want iterable`),
    );
    expect([
      fault(set(), 'add', list()),
      fault(set(), 'discard', list()),
      fault(set(), 'remove', list()),
    ]).toEqual(['add', 'discard', 'remove'].map(() => 'EVAL_UNHASHABLE unhashable type: list'));
  });

  it('changes nothing that is frozen or iterated over, not even without an argument', () => {
    const calls: [string, ...Value[]][] = [
      ['add', 1],
      ['clear'],
      ['difference_update'],
      ['discard', 9],
      ['intersection_update'],
      ['pop'],
      ['remove', 1],
      ['symmetric_difference_update', list()],
      ['update'],
    ];
    const frozen = set(1);
    freeze(frozen);
    const busy = set(1);
    busy.locks = 1;
    expect(calls.map(([name, ...args]) => fault(frozen, name, ...args).split(' ')[0])).toEqual(
      calls.map(() => 'EVAL_FROZEN'),
    );
    expect(calls.map(([name, ...args]) => fault(busy, name, ...args).split(' ')[0])).toEqual(
      calls.map(() => 'EVAL_ITERATING'),
    );
    expect(repr(testThread(), frozen)).toBe('set([1])');
  });
});
