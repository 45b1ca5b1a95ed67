// What a Starlark program computes with, and what each value takes.
//
// An int is a JavaScript number when it is a safe integer, else a bigint, never the other way round, and never -0. So
// `typeof x === 'number'` means "a small int" and equal ints are the same JavaScript value. A float is boxed: 1 and
// 1.0 stay apart. None is null; `undefined` is never a value (it marks a variable without one, a hole or a missing
// argument). A string is a JavaScript string: its unit is the UTF-16 code unit. `locks` of a list, dict or set is 0
// when it may be changed, the number of running iterations otherwise, and `FROZEN` once it is frozen. One test guards
// each mutation. Values are only reached by Starlark code through the operations of this folder and of `lib/`: no
// property of a JavaScript object is ever looked up by a name from a program. `mark` is the number of the last walk
// that came by (`vm/recount.ts`); it means nothing to anybody else.
import type { FunctionCode } from '../compile/program.ts';
import type { Native } from './native.ts';
import { SLOT_BYTES } from '../../python/charge.ts';
import { KeyIndex } from './key-index.ts';

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Bytes
  | List
  | Tuple
  | Dict
  | SetValue
  | Range
  | Elems
  | Closure
  | Builtin
  | BoundMethod
  | HostFunction
  | Module
  | Struct;

/** `locks` of a frozen value: larger than any count of iterations, and still a small integer. */
export const FROZEN = 0x3fffffff;

export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Bytes {
  readonly bytes: Uint8Array;
  mark = 0;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class List {
  items: Value[];
  locks = 0;
  mark = 0;
  constructor(items: Value[]) {
    this.items = items;
  }
}

export class Tuple {
  readonly items: Value[];
  /** The dict key of this value, made when first needed. */
  key: string | null = null;
  /** Whether everything inside is known to be frozen: freezing and walking stop here. */
  frozen = false;
  mark = 0;
  constructor(items: Value[]) {
    this.items = items;
  }
}

/** A key as the index of a dict sees it: equal Starlark keys give the same one. See `hashKey`. */
export type HashKey = null | boolean | number | bigint | string | object;

/**
 * Insertion-ordered arrays beside an index, so that iterating is counting up and survives a snapshot.
 * A removed entry leaves a hole (`keys[i] === undefined`) until the table is packed.
 */
export class Dict {
  keys: (Value | undefined)[] = [];
  values: (Value | undefined)[] = [];
  readonly index = new KeyIndex();
  /** No entry is before this one, so that taking the first again and again is not quadratic. */
  head = 0;
  locks = 0;
  mark = 0;
}

/** Named so as not to hide JavaScript's Set. */
export class SetValue {
  items: (Value | undefined)[] = [];
  readonly index = new KeyIndex();
  /** As in `Dict`. */
  head = 0;
  locks = 0;
  mark = 0;
}

/** `length` is computed once; `start`, `stop` and `step` are safe integers. */
export class Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly length: number;
  mark = 0;
  constructor(start: number, stop: number, step: number, length: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = length;
  }
}

/** What `string.elems()` and `bytes.elems()` give: iterable, not indexed by the program. */
export class Elems {
  readonly of: string | Bytes;
  mark = 0;
  constructor(of: string | Bytes) {
    this.of = of;
  }
}

/** A variable that an inner function shares. */
export class Cell {
  value: Value | undefined;
  mark = 0;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A function of the program. */
export class Closure {
  readonly code: FunctionCode;
  readonly module: ModuleInstance;
  readonly defaults: readonly (Value | undefined)[];
  readonly free: readonly Cell[];
  /** The frame that runs this function, the machine's own (`vm/frame.ts`): found without a search at each call. */
  readonly frame: object;
  frozen = false;
  mark = 0;
  constructor(
    code: FunctionCode,
    module: ModuleInstance,
    defaults: readonly (Value | undefined)[],
    free: readonly Cell[],
    frame: object,
  ) {
    this.code = code;
    this.module = module;
    this.defaults = defaults;
    this.free = free;
    this.frame = frame;
  }
}

/** The part of a loaded module that its functions see. The machine extends it. */
export interface ModuleInstance {
  readonly path: string;
  readonly globals: (Value | undefined)[];
}

/** A function of the language. */
export class Builtin {
  readonly native: Native;
  constructor(native: Native) {
    this.native = native;
  }
}

/** `x.method` taken as a value. */
export class BoundMethod {
  readonly self: Value;
  readonly native: Native;
  mark = 0;
  constructor(self: Value, native: Native) {
    this.self = self;
    this.native = native;
  }
}

/** A function of the embedder: calling it suspends the program. */
export class HostFunction {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A predeclared bundle of functions, such as `json`. */
export class Module {
  readonly name: string;
  readonly members: ReadonlyMap<string, Value>;
  constructor(name: string, members: ReadonlyMap<string, Value>) {
    this.name = name;
    this.members = members;
  }
}

/** An immutable record, `struct(a = 1)`: only predeclared for tests of the language. */
export class Struct {
  readonly members: ReadonlyMap<string, Value>;
  constructor(members: ReadonlyMap<string, Value>) {
    this.members = members;
  }
}

// What each kind of value is charged, in bytes.
//
// Upper bounds of what V8 takes on a 64-bit machine, kept as constants because the count must be the same
// everywhere. A dict or set is dear because V8 makes room for 17 elements when the first is added, and bytes because of
// what V8 keeps about each buffer. Strings and lists are in python/charge.ts.

export const FLOAT_BYTES = 24;
export const BYTES_BYTES = 208;
export const TUPLE_BYTES = 88;
export const DICT_BYTES = 400;
export const DICT_ENTRY_BYTES = 96;
export const SET_BYTES = 336;
export const SET_ENTRY_BYTES = 72;
export const RANGE_BYTES = 72;
export const ELEMS_BYTES = 40;
export const CELL_BYTES = 40;
export const CLOSURE_BYTES = 104;
export const BOUND_METHOD_BYTES = 56;

export function tupleBytes(length: number): number {
  return TUPLE_BYTES + length * SLOT_BYTES;
}

export function bigintBytes(bits: number): number {
  return 24 + Math.ceil(bits / 8);
}
