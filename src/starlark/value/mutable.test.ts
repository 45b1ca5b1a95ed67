import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { bytes, dict, list, set, tuple } from '../../../test/support/starlark-values.ts';
import { add, bitAnd, bitOr, bitXor, multiply, subtract } from './arithmetic.ts';
import { freeze, beginIteration, checkMutable, endIteration } from './mutable.ts';
import { addInPlace, andInPlace, orInPlace, subtractInPlace, xorInPlace } from './in-place.ts';
import { fixed } from './native.ts';
import { repr } from './repr.ts';
import { BoundMethod, Cell, Closure, FROZEN, Struct, type Value } from './value.ts';

const thread = testThread();
const shown = (v: Value): string => repr(testThread(), v);

describe('checkMutable', () => {
  it('refuses during an iteration and after freezing, each with its own code', () => {
    const l = list(1);
    beginIteration(l);
    beginIteration(l);
    endIteration(l);
    expect(faultOf(() => checkMutable(l, 'append to'))).toBe(
      'EVAL_ITERATING cannot append to list during iteration: it is temporarily immutable',
    );
    endIteration(l);
    expect(faultOf(() => checkMutable(l))).toBe('no fault');
    beginIteration(l);
    freeze(l);
    endIteration(l);
    beginIteration(l);
    expect([l.locks, faultOf(() => checkMutable(l, 'append to'))]).toEqual([
      FROZEN,
      'EVAL_FROZEN cannot append to frozen list',
    ]);
    expect(faultOf(() => checkMutable(set()))).toBe('no fault');
  });
});

describe('freeze', () => {
  it('reaches everything: elements, keys, values, cells, defaults, receivers and members', () => {
    const leaves = Array.from({ length: 7 }, () => list());
    const [a, b, c, d, e, f, g] = leaves as [Value, Value, Value, Value, Value, Value, Value];
    const inner = tuple(b);
    const root = list(
      a,
      dict([tuple(1), inner]),
      new Closure({} as never, {} as never, [c, undefined], [new Cell(d), new Cell(undefined)], {}),
      new BoundMethod(
        e,
        fixed('m', '', () => null),
      ),
      new Struct(new Map([['x', f]])),
      tuple(set(1), g),
    );
    root.items.push(root);
    freeze(root);
    expect(leaves.map((leaf) => leaf.locks)).toEqual(leaves.map(() => FROZEN));
    expect([root.locks, inner.frozen]).toEqual([FROZEN, true]);
  });

  it('goes as deep as the data, and over shared parts once', () => {
    let deep: Value = list();
    for (let i = 0; i < 200_000; i += 1) deep = list(deep);
    freeze(deep);
    let shared: Value = new Struct(new Map());
    for (let i = 0; i < 64; i += 1)
      shared = new Struct(
        new Map([
          ['a', shared],
          ['b', shared],
        ]),
      );
    freeze(shared);
    expect((deep as ReturnType<typeof list>).locks).toBe(FROZEN);
  });
});

describe('operators on collections', () => {
  it('join, repeat and combine into new values', () => {
    expect(
      [
        add(thread, 'ab', 'c'),
        add(thread, list(1), list(2)),
        add(thread, tuple(1), tuple(2)),
        add(thread, tuple(), tuple(2)),
        add(thread, bytes(1), bytes(2)),
        multiply(thread, 'ab', 3),
        multiply(thread, 2, list(1, 2)),
        multiply(thread, tuple(1), 3),
        multiply(thread, bytes(65, 66), 2),
        multiply(thread, list(1), -1),
        multiply(thread, 'a', -(2n ** 70n)),
        multiply(thread, '', 2n ** 70n),
        multiply(thread, list(), 2n ** 70n),
        bitOr(thread, dict(['a', 1], ['b', 2]), dict(['c', 3], ['a', 4])),
        bitOr(thread, set(1, 2), set(3, 2)),
        bitAnd(thread, set(1, 2), set(2, 3)),
        subtract(thread, set(1, 2), set(2, 3)),
        bitXor(thread, set(1, 2), set(2, 3)),
      ].map(shown),
    ).toEqual([
      '"abc"',
      '[1, 2]',
      '(1, 2)',
      '(2,)',
      'b"\\x01\\x02"',
      '"ababab"',
      '[1, 2, 1, 2]',
      '(1, 1, 1)',
      'b"ABAB"',
      '[]',
      '""',
      '""',
      '[]',
      '{"a": 4, "b": 2, "c": 3}',
      'set([1, 2, 3])',
      'set([2])',
      'set([1])',
      'set([1, 3])',
    ]);
  });

  it('refuse operands of unlike types', () => {
    const faults = [
      () => add(thread, list(), tuple()),
      () => add(thread, dict(), dict()),
      () => bitOr(thread, set(), list()),
      () => subtract(thread, dict(), dict()),
      () => multiply(thread, list(), list()),
      () => addInPlace(thread, list(), 1),
      () => addInPlace(thread, list(), 'ab'),
      () => orInPlace(thread, dict(), list()),
    ].map((run) => faultOf(run));
    expect(faults).toEqual(
      [
        'list + tuple',
        'dict + dict',
        'set | list',
        'dict - dict',
        'list * list',
        'list += int',
        'list += string',
        'dict | list',
      ].map((types) => `EVAL_TYPE unsupported binary operation: ${types}`),
    );
  });

  it('charge a repetition before it is made', () => {
    const fault =
      'MEMORY_LIMIT stopped: a sequence of 1 elements repeated 1099511627776 times cannot be made';
    expect(faultOf(() => multiply(testThread(), 'a', 2 ** 40))).toBe(
      `${fault}: 536870888 is the most, whatever the memory limit is`,
    );
    expect(faultOf(() => multiply(testThread(), list(1), 2 ** 40))).toBe(
      `${fault}: 33554431 is the most, whatever the memory limit is`,
    );
    expect(faultOf(() => multiply(testThread(), 'ab', 2 ** 26))).toBe(
      'MEMORY_LIMIT stopped: more than 67108864 bytes of memory are needed',
    );
    expect(faultOf(() => multiply(testThread(), list(1, 2), 2n ** 70n))).toMatch(/^MEMORY_LIMIT/);
  });
});

describe('in-place operators', () => {
  it('change the left value itself', () => {
    const l = list(1);
    const results = [
      addInPlace(thread, l, tuple(2)),
      addInPlace(thread, l, l),
      addInPlace(thread, l, dict(['k', 1])),
    ];
    const d = dict(['a', 1]);
    const s = set(1, 2, 3);
    results.push(
      orInPlace(thread, d, dict(['b', 2])),
      orInPlace(thread, s, set(4)),
      andInPlace(thread, s, set(1, 2, 4)),
    );
    results.push(subtractInPlace(thread, s, set(1)), xorInPlace(thread, s, set(4, 5)));
    expect(results).toEqual([l, l, l, d, s, s, s, s]);
    expect([l, d, s].map(shown)).toEqual(['[1, 2, 1, 2, "k"]', '{"a": 1, "b": 2}', 'set([2, 5])']);
  });

  it('fall back to a new value for the rest', () => {
    expect([
      addInPlace(thread, 1, 2),
      addInPlace(thread, 'a', 'b'),
      orInPlace(thread, 1, 2),
      andInPlace(thread, 3, 2),
      subtractInPlace(thread, 3, 2),
      xorInPlace(thread, 3, 2),
    ]).toEqual([3, 'ab', 3, 2, 1, 1]);
  });

  it('refuse a value that is frozen or iterated over', () => {
    const frozen = [list(), dict(), set()];
    for (const v of frozen) freeze(v);
    const [l, d, s] = frozen as [Value, Value, Value];
    expect([
      faultOf(() => addInPlace(thread, l, list())),
      faultOf(() => orInPlace(thread, d, dict())),
      faultOf(() => orInPlace(thread, s, set())),
      faultOf(() => andInPlace(thread, s, set())),
      faultOf(() => subtractInPlace(thread, s, set())),
      faultOf(() => xorInPlace(thread, s, set())),
    ]).toEqual(
      [
        'extend frozen list',
        'insert into frozen dict',
        'insert into frozen set',
        'delete from frozen set',
        'delete from frozen set',
        'insert into frozen set',
      ].map((end) => `EVAL_FROZEN cannot ${end}`),
    );
  });
});
