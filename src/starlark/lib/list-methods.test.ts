import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { dict, float, list, nested, tuple } from '../../../test/support/starlark-values.ts';
import { freeze } from '../value/mutable.ts';
import { newRange } from '../value/range.ts';
import { List, type Value } from '../value/value.ts';
import { listMethods } from './methods.ts';

const call = (self: Value, name: string, ...args: Value[]): Value =>
  callNative(testThread(), listMethods.get(name), self, args);
const fault = (self: Value, name: string, ...args: Value[]): string =>
  faultOf(() => call(self, name, ...args));
const changed = (l: List, name: string, ...args: Value[]): Value[] => {
  expect(call(l, name, ...args)).toBe(null);
  return l.items;
};

describe('listMethods', () => {
  it('has the methods of the specification', () => {
    expect([...listMethods.keys()]).toEqual([
      'append',
      'clear',
      'extend',
      'index',
      'insert',
      'pop',
      'remove',
    ]);
  });

  it('adds at the end', () => {
    expect(changed(list(1), 'append', list())).toEqual([1, list()]);
    expect(changed(list(1), 'extend', tuple(2, 3))).toEqual([1, 2, 3]);
    expect(changed(list(), 'extend', dict(['k', 1]))).toEqual(['k']);
    expect(changed(list(), 'extend', newRange(testThread(), 0, 3, 1))).toEqual([0, 1, 2]);
    const self = list(1, 2);
    expect(changed(self, 'extend', self)).toEqual([1, 2, 1, 2]);
    expect(fault(list(), 'extend', 3)).toBe('EVAL_TYPE extend: got int, want iterable');
    expect(fault(list(), 'extend', 'ab')).toBe('EVAL_TYPE extend: got string, want iterable');
  });

  it('inserts like splice', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 6 }), fc.integer({ min: -9, max: 9 }), (items, at) => {
        const place = Math.max(0, Math.min(items.length, at < 0 ? at + items.length : at));
        expect(changed(list(...items), 'insert', at, 'x')).toEqual(items.toSpliced(place, 0, 'x' as never));
      }),
    );
    expect(changed(list(1), 'insert', -(2n ** 70n), 'x')).toEqual(['x', 1]);
    expect(changed(list(1), 'insert', 2n ** 70n, 'x')).toEqual([1, 'x']);
    expect(fault(list(), 'insert', null, 1)).toBe('EVAL_TYPE insert: got NoneType, want int');
  });

  it('pops the last or a chosen element', () => {
    const l = list(1, 2, 3, 4);
    expect([call(l, 'pop'), call(l, 'pop', 0), call(l, 'pop', -1), l.items]).toEqual([4, 1, 3, [2]]);
    expect(fault(list(1, 2), 'pop', 2)).toBe('EVAL_INDEX list index 2 out of range [-2:1]');
    expect(fault(list(1, 2), 'pop', -3)).toBe('EVAL_INDEX list index -3 out of range [-2:1]');
    expect(fault(list(), 'pop')).toBe('EVAL_INDEX index -1 out of range: empty list');
    expect(fault(list(1), 'pop', null)).toBe('EVAL_TYPE list index: got NoneType, want int');
  });

  it('finds by equality within bounds', () => {
    const l = list('b', 'a', 'n', 'a', 'n', 'a');
    expect([
      call(l, 'index', 'a'),
      call(l, 'index', 'a', 2),
      call(l, 'index', 'a', -2),
      call(l, 'index', 'n', null, -1),
      call(list(float(1)), 'index', 1),
    ]).toEqual([1, 3, 5, 2, 0]);
    expect(fault(l, 'index', 'b', 1)).toBe('EVAL_VALUE index: value not in list: "b" not found');
    expect(fault(l, 'index', 'a', 5, 2)).toBe('EVAL_VALUE index: value not in list: "a" not found');
    expect(fault(l, 'index', 'a', 'x')).toBe('EVAL_TYPE invalid start index: got string, want int');
  });

  it('removes the first that is equal', () => {
    expect(changed(list(1, 2, 3, 2), 'remove', float(2))).toEqual([1, 3, 2]);
    expect(fault(list(1), 'remove', 42)).toBe('EVAL_VALUE remove: element not found: 42');
    expect(changed(list(1, 2), 'clear')).toEqual([]);
  });

  it('changes nothing that is frozen or iterated over', () => {
    const calls: [string, ...Value[]][] = [
      ['append', 1],
      ['clear'],
      ['extend', list()],
      ['insert', 0, 1],
      ['pop'],
      ['remove', 1],
    ];
    const frozen = list(1);
    freeze(frozen);
    const busy = list(1);
    busy.locks = 1;
    const verbs = ['append to', 'clear', 'extend', 'insert into', 'pop from', 'remove from'];
    expect(calls.map(([name, ...args]) => fault(frozen, name, ...args))).toEqual(
      verbs.map((verb) => `EVAL_FROZEN cannot ${verb} frozen list`),
    );
    expect(calls.map(([name, ...args]) => fault(busy, name, ...args))).toEqual(
      verbs.map((verb) => `EVAL_ITERATING cannot ${verb} list during iteration: it is temporarily immutable`),
    );
    expect([call(busy, 'index', 1), busy.items]).toEqual([0, [1]]);
  });

  it('charges what it takes and what it moves', () => {
    const thread = testThread({ bytes: 240 });
    const l = list();
    expect(
      faultOf(() => {
        for (;;) callNative(thread, listMethods.get('append'), l, [1]);
      }),
    ).toBe('MEMORY_LIMIT stopped: more than 240 bytes of memory are needed');
    expect(l.items).toHaveLength(10);
    const steps = testThread();
    const long = new List(Array.from({ length: 32_000 }, () => 0));
    callNative(steps, listMethods.get('insert'), long, [0, 1]);
    callNative(steps, listMethods.get('pop'), long, [0]);
    expect(steps.meter.steps).toBe(8000);
    expect(
      faultOf(() =>
        callNative(testThread({ steps: 1e5 }), listMethods.get('index'), list(nested(60, true)), [
          nested(60, true),
        ]),
      ),
    ).toMatch(/^STEP_LIMIT/);
  });
});
