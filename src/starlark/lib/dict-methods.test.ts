import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { dict, list, set, tuple } from '../../../test/support/starlark-values.ts';
import { freeze } from '../value/mutable.ts';
import { repr } from '../value/repr.ts';
import type { Dict, Value } from '../value/value.ts';
import { dictMethods } from './methods.ts';

type Named = readonly (readonly [string, Value])[];
const call = (self: Value, name: string, args: Value[] = [], named: Named = []): Value =>
  callNative(testThread(), dictMethods.get(name), self, args, named);
const fault = (self: Value, name: string, ...args: Value[]): string => faultOf(() => call(self, name, args));
const shown = (v: Value): string => repr(testThread(), v);
const sample = (): Dict => dict(['one', 1], ['two', null]);

describe('dictMethods', () => {
  it('has the methods of the specification', () => {
    expect([...dictMethods.keys()]).toEqual([
      'clear',
      'get',
      'items',
      'keys',
      'pop',
      'popitem',
      'setdefault',
      'update',
      'values',
    ]);
  });

  it('lists entries in order', () => {
    const d = sample();
    expect([call(d, 'items'), call(d, 'keys'), call(d, 'values')].map(shown)).toEqual([
      '[("one", 1), ("two", None)]',
      '["one", "two"]',
      '[1, None]',
    ]);
  });

  it('gets and sets with a default', () => {
    const d = sample();
    expect([
      call(d, 'get', ['one']),
      call(d, 'get', ['two', 5]),
      call(d, 'get', ['x']),
      call(d, 'get', ['x', 5]),
      call(d, 'get', ['x', null]),
    ]).toEqual([1, null, null, 5, null]);
    expect([
      call(d, 'setdefault', ['two', 5]),
      call(d, 'setdefault', ['x', 5]),
      call(d, 'setdefault', ['x', 6]),
      call(d, 'setdefault', ['y']),
    ]).toEqual([null, 5, 5, null]);
    expect(shown(d)).toBe('{"one": 1, "two": None, "x": 5, "y": None}');
    expect(fault(d, 'get', list())).toBe('EVAL_UNHASHABLE unhashable type: list');
  });

  it('pops by key, also the value None', () => {
    const d = sample();
    expect([
      call(d, 'pop', ['two', 5]),
      call(d, 'pop', ['two', 5]),
      call(d, 'pop', ['two', null]),
      shown(d),
    ]).toEqual([null, 5, null, '{"one": 1}']);
    expect(fault(d, 'pop', 'two')).toBe('EVAL_KEY pop: missing key: "two" not in dict');
    expect(call(dict([1, null]), 'pop', [1])).toBe(null);
  });

  it('pops the first item', () => {
    const d = sample();
    expect([shown(call(d, 'popitem')), shown(call(d, 'popitem')), fault(d, 'popitem')]).toEqual([
      '("one", 1)',
      '("two", None)',
      'EVAL_KEY popitem: empty dict',
    ]);
  });

  it('updates from a dict, from pairs and from keywords', () => {
    const d = dict(['a', 0], ['z', 9]);
    expect(call(d, 'update', [list(tuple('a', 1), list('b', 2), set('c', 3))], [['d', 4]])).toBe(null);
    call(d, 'update', [dict(['a', 5])]);
    call(d, 'update', [d]);
    call(d, 'update', [], [['e', 6]]);
    call(d, 'update');
    expect(shown(d)).toBe('{"a": 5, "z": 9, "b": 2, "c": 3, "d": 4, "e": 6}');
  });

  it.each<[Value, string]>([
    [null, 'EVAL_TYPE update: got NoneType, want iterable'],
    [list(1), 'EVAL_TYPE update: sequence element #0 is not iterable (int), want a pair'],
    [list(tuple(1, 2), 'ab'), 'EVAL_TYPE update: sequence element #1 is not iterable (string), want a pair'],
    [list(tuple(1, 2, 3)), 'EVAL_VALUE update: sequence element #0 has length 3, want 2'],
    [list(tuple(list(), 2)), 'EVAL_UNHASHABLE unhashable type: list'],
  ])('does not update from %o', (pairs, expected) => {
    expect(fault(dict(), 'update', pairs)).toBe(expected);
  });

  it('changes nothing that is frozen or iterated over', () => {
    const calls: [string, ...Value[]][] = [
      ['clear'],
      ['pop', 'one'],
      ['popitem'],
      ['setdefault', 'one', 1],
      ['update', dict()],
    ];
    const verbs = ['clear', 'delete from', 'delete from', 'insert into', 'insert into'];
    const frozen = sample();
    freeze(frozen);
    const busy = sample();
    busy.locks = 2;
    expect(calls.map(([name, ...args]) => fault(frozen, name, ...args))).toEqual(
      verbs.map((verb) => `EVAL_FROZEN cannot ${verb} frozen dict`),
    );
    expect(calls.map(([name, ...args]) => fault(busy, name, ...args))).toEqual(
      verbs.map((verb) => `EVAL_ITERATING cannot ${verb} dict during iteration: it is temporarily immutable`),
    );
    expect([call(busy, 'get', ['one']), call(frozen, 'get', ['one'])]).toEqual([1, 1]);
  });

  it('refuses a second positional argument', () => {
    expect(fault(dict(), 'update', dict(), dict())).toBe(
      'EVAL_ARGUMENTS update: got 2 arguments, want at most 1',
    );
  });

  it('charges the pairs of items before they are made', () => {
    const d = dict(...Array.from({ length: 100 }, (_, i): [Value, Value] => [i, i]));
    expect(faultOf(() => callNative(testThread({ bytes: 5000 }), dictMethods.get('items'), d))).toMatch(
      /^MEMORY_LIMIT/,
    );
  });
});
