import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import type { Data } from '../options.ts';
import { fromData, toData } from './boundary.ts';
import { dictSet, newDict } from './dict.ts';
import { setAdd, newSet } from './set.ts';
import {
  Bytes,
  Closure,
  Elems,
  Float,
  HostFunction,
  List,
  Module,
  Range,
  Struct,
  Tuple,
  type Dict,
  type Value,
} from './value.ts';

const enter = (data: unknown): Value => fromData(testThread(), data, 'the input');
const leave = (v: Value): Data => toData(testThread(), v, 'the result');

function dict(...entries: [Value, Value][]): Dict {
  const thread = testThread();
  const d = newDict(thread);
  for (const [key, value] of entries) dictSet(thread, d, key, value);
  return d;
}

describe('fromData', () => {
  it.each<[unknown, Value]>([
    [null, null],
    [true, true],
    [1, 1],
    [-0, 0],
    [1.5, new Float(1.5)],
    [2 ** 60, new Float(2 ** 60)],
    [1n, 1],
    [1n << 60n, 1n << 60n],
    ['é😀', 'é😀'],
    ['a\ud83d', 'a\ufffd'],
    [new Uint8Array([1, 255]), new Bytes(new Uint8Array([1, 255]))],
    [Buffer.from('ab'), new Bytes(new Uint8Array([97, 98]))],
    [[1, [2]], new List([1, new List([2])])],
    [{ b: 1, a: [null] }, dict(['b', 1], ['a', new List([null])])],
    [Object.assign(Object.create(null), { a: 1 }), dict(['a', 1])],
    [JSON.parse('{"__proto__": 1, "constructor": 2}'), dict(['__proto__', 1], ['constructor', 2])],
    [{ [Symbol('s')]: 1, a: 2 }, dict(['a', 2])],
    [{ '\ud83d': 1 }, dict(['\ufffd', 1])],
  ])('takes %o', (data, v) => {
    expect(enter(data)).toStrictEqual(v);
  });

  it('refuses what is no data, and says where it stands', () => {
    class Point {
      x = 1;
    }
    class Apple {
      x = 1;
    }
    expect(faultOf(() => enter(new Apple()))).toBe(
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not an Apple',
    );
    const loop: unknown[] = [];
    loop.push({ loop });
    const holes = [1, 2, 3];
    Reflect.deleteProperty(holes, 1);
    expect(
      [
        undefined,
        [1, undefined],
        { f: () => 1 },
        [Symbol('s')],
        [{ at: [new Point()] }],
        new Map(),
        new Date(0),
        new Uint16Array(2),
        /x/,
        NaN,
        [-Infinity],
        loop,
        holes,
        Object.create({ a: 1 }),
        [Object.create(new Point())],
      ].map((data) => faultOf(() => enter(data))),
    ).toEqual([
      'EVAL_VALUE the input: undefined cannot be given to a program',
      'EVAL_VALUE the input: at index 1: undefined cannot be given to a program',
      'EVAL_VALUE the input: in key "f": a function cannot be given to a program',
      'EVAL_VALUE the input: at index 0: a symbol cannot be given to a program',
      'EVAL_VALUE the input: at index 0: in key "at": at index 0: only plain objects and arrays can be given to a program, not a Point',
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not a Map',
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not a Date',
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not a Uint16Array',
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not a RegExp',
      'EVAL_VALUE the input: nan cannot be given to a program',
      'EVAL_VALUE the input: at index 0: -inf cannot be given to a program',
      'EVAL_VALUE the input: at index 0: in key "loop": the data contains itself',
      'EVAL_VALUE the input: at index 1: nothing is there: an array with holes cannot be given to a program',
      'EVAL_VALUE the input: only plain objects and arrays can be given to a program, not an object of a class',
      'EVAL_VALUE the input: at index 0: only plain objects and arrays can be given to a program, not an object of a class',
    ]);
  });

  it('calls nothing of the host (boundary#B1)', () => {
    let calls = 0;
    const trap = {
      get getter(): number {
        calls += 1;
        return 1;
      },
    };
    const array = [1];
    Object.defineProperty(array, 0, { get: () => (calls += 1), enumerable: true });
    const json = { toJSON: 1, valueOf: 2, hasOwnProperty: 3 };
    const iterator = [1];
    Object.defineProperty(iterator, Symbol.iterator, { value: () => (calls += 1) });
    const bytes = new Uint8Array([7]);
    Object.defineProperty(bytes, 'length', { get: () => (calls += 1) });
    expect(faultOf(() => enter(trap))).toBe(
      'EVAL_VALUE the input: in key "getter": a property with a getter cannot be given to a program',
    );
    expect(faultOf(() => enter(array))).toBe(
      'EVAL_VALUE the input: at index 0: a property with a getter cannot be given to a program',
    );
    expect(enter(json)).toStrictEqual(dict(['toJSON', 1], ['valueOf', 2], ['hasOwnProperty', 3]));
    expect(enter(iterator)).toStrictEqual(new List([1]));
    expect(enter(bytes)).toStrictEqual(new Bytes(new Uint8Array([7])));
    expect(calls).toBe(0);
  });

  it('does not look at what others put on Object.prototype', () => {
    const names = ['polluted', 'value', 'get'];
    for (const name of names)
      Reflect.defineProperty(Object.prototype, name, {
        value: 1,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    const seen: unknown[] = [];
    try {
      seen.push(
        (enter({ a: 1 }) as Dict).keys,
        faultOf(() =>
          enter({
            get a() {
              return 1;
            },
          }),
        ),
      );
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    }
    expect(seen).toEqual([
      ['a'],
      'EVAL_VALUE the input: in key "a": a property with a getter cannot be given to a program',
    ]);
  });

  it('ends in a fault of its own, whatever a proxy does', () => {
    const throwing = new Proxy([], {
      getOwnPropertyDescriptor: () => {
        throw new Error('boo');
      },
    });
    const lying = (length: unknown): unknown =>
      new Proxy([1], {
        getOwnPropertyDescriptor: (_target, key) =>
          key === 'length' ? { value: length, writable: true } : undefined,
      });
    const endless: object = new Proxy(
      {},
      {
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => ({
          value: new Proxy({}, handler),
          enumerable: true,
          configurable: true,
        }),
      },
    );
    const handler: ProxyHandler<object> = {
      ownKeys: () => ['a'],
      getOwnPropertyDescriptor: () => ({
        value: new Proxy({}, handler),
        enumerable: true,
        configurable: true,
      }),
    };
    expect(
      [throwing, lying(NaN), lying(-1), lying('x'), lying(2 ** 32), endless].map((data) =>
        faultOf(() => enter(data)),
      ),
    ).toEqual([
      'EVAL_VALUE the input: the data cannot be read',
      'EVAL_VALUE the input: the data cannot be read',
      'EVAL_VALUE the input: the data cannot be read',
      'EVAL_VALUE the input: the data cannot be read',
      'MEMORY_LIMIT stopped: a list of 4294967296 elements cannot be made: 33554431 is the most, whatever the memory limit is',
      'DEPTH_LIMIT the input: the data is nested more than 500 deep',
    ]);
    expect(enter(new Proxy([1, { a: 2 }], {}))).toStrictEqual(new List([1, dict(['a', 2])]));
  });

  it('charges each copy before it is made (boundary#B4)', () => {
    const sparse: number[] = [];
    sparse.length = 4_000_000_000;
    let shared: unknown = 'x'.repeat(1000);
    for (let i = 0; i < 40; i++) shared = [shared, shared];
    expect(faultOf(() => enter(sparse))).toContain('MEMORY_LIMIT');
    expect(faultOf(() => enter(shared))).toContain('MEMORY_LIMIT');
    expect(faultOf(() => fromData(testThread({ bytes: 1000 }), new Uint8Array(2000), 'x'))).toContain(
      'MEMORY_LIMIT',
    );
    expect(faultOf(() => fromData(testThread({ maxIntBits: 64 }), 1n << 64n, 'x'))).toBe(
      'INT_LIMIT an int of more than 64 bits',
    );
  });

  it('is not fooled by a recount, which cannot see what is being copied', () => {
    const thread = testThread({ bytes: 1_000_000 });
    thread.meter.recount = () => 0;
    expect(
      faultOf(() =>
        fromData(
          thread,
          Array.from({ length: 100 }, () => 'x'.repeat(10_000)),
          'x',
        ),
      ),
    ).toContain('MEMORY_LIMIT');
    expect(thread.meter.callBegan).toBe(-1);
  });
});

describe('toData', () => {
  it('gives plain data', () => {
    const thread = testThread();
    const set = newSet(thread);
    setAdd(thread, set, 3);
    expect(
      leave(
        new List([
          null,
          false,
          1,
          1n << 60n,
          'a\ude00',
          new Float(1),
          new Float(0.5),
          new Bytes(new Uint8Array([1])),
          new Tuple([1]),
          set,
          new Range(0, 4, 2, 2),
          new Struct(new Map([['a', 1]])),
        ]),
      ),
    ).toEqual([
      null,
      false,
      1,
      1n << 60n,
      'a\ufffd',
      1,
      0.5,
      new Uint8Array([1]),
      [1],
      [3],
      [0, 2],
      { a: 1 },
    ]);
  });

  it('gives objects without a prototype, in which every key is ordinary', () => {
    const data = leave(dict(['__proto__', new List([1])], ['constructor', 2], ['b', 3], ['1', 4])) as object;
    expect(Object.getPrototypeOf(data)).toBe(null);
    expect(Object.entries(data)).toEqual([
      ['1', 4],
      ['__proto__', [1]],
      ['constructor', 2],
      ['b', 3],
    ]);
  });

  it('copies', () => {
    const inner = new List([1]);
    const bytes = new Bytes(new Uint8Array([1]));
    const data = leave(new List([inner, inner, bytes])) as unknown as [number[], number[], Uint8Array];
    data[0].push(2);
    data[2][0] = 9;
    expect([inner.items, data[1], [...bytes.bytes]]).toEqual([[1], [1], [1]]);
  });

  it('refuses what is no data, and says where it stands', () => {
    const loop = dict();
    dictSet(testThread(), loop, 'self', new Tuple([loop]));
    expect(
      [
        new List([new HostFunction('f')]),
        dict(['f', Object.create(Closure.prototype) as Closure]),
        new Module('json', new Map()),
        new Elems('x'),
        new Float(NaN),
        new Tuple([new Float(Infinity)]),
        dict([1, 2]),
        dict(['a', dict([null, 2])]),
        loop,
      ].map((v) => faultOf(() => leave(v))),
    ).toEqual([
      'EVAL_VALUE the result: at index 0: a builtin_function_or_method cannot leave a program',
      'EVAL_VALUE the result: in key "f": a function cannot leave a program',
      'EVAL_VALUE the result: a module cannot leave a program',
      'EVAL_VALUE the result: a string.elems cannot leave a program',
      'EVAL_VALUE the result: the float nan cannot leave a program',
      'EVAL_VALUE the result: at index 0: the float +inf cannot leave a program',
      'EVAL_VALUE the result: dict has int key, want string',
      'EVAL_VALUE the result: in key "a": dict has NoneType key, want string',
      'EVAL_VALUE the result: in key "self": at index 0: the data contains itself',
    ]);
  });

  it('stops where values are too deep, too long or shared too often', () => {
    let deep = new List([]);
    for (let i = 0; i < 600; i++) deep = new List([deep]);
    let shared: Value = 1;
    for (let i = 0; i < 40; i++) shared = new Tuple([shared, shared]);
    expect(faultOf(() => leave(deep))).toBe('DEPTH_LIMIT the result: the data is nested more than 500 deep');
    expect(faultOf(() => leave(shared))).toContain('MEMORY_LIMIT');
    expect(faultOf(() => leave(new Range(0, 1e9, 1, 1e9)))).toContain('MEMORY_LIMIT');
  });

  it('gives back what fromData was given', () => {
    const data = fc.letrec<{ data: Data }>((tie) => ({
      data: fc.oneof(
        { depthSize: 'small' },
        fc.constant<Data>(null),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        fc.bigInt({ min: 1n << 53n, max: 1n << 100n }),
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ maxLength: 5 }),
        fc.array(tie('data')),
        fc.dictionary(fc.string(), tie('data')),
      ),
    })).data;
    fc.assert(
      fc.property(data, (given) => {
        expect(leave(enter(given))).toEqual(given);
      }),
    );
  });
});
