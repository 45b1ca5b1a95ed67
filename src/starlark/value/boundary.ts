// Data of the host and values of a program, copied into each other.
//
//   fromData: Data -> Value        toData: Value -> Data
//
// boundary#B1. Both copy. Nothing of the one side is reachable from the other, and no function of the host is called:
//   only own enumerable data properties with string keys are read, an accessor is refused.
// What one side gives the other can take: no NaN, no infinities, no functions, no cycles, no half surrogate pairs
// (these become U+FFFD). An integral number comes in as an int, and an integral float goes out as a number: 1.0 does
// not come back as a float. An int beyond the safe range goes out as a bigint.
// boundary#B4. A value that occurs twice is copied twice; steps and memory are charged for each copy, before it is
//   made.
import { intFromBigint } from '../../python/int.ts';
import { chargeScan, chargeString } from '../../python/charge.ts';
import { LimitReached } from '../../base/meter.ts';
import type { Data } from '../options.ts';
import { chargeList } from './charge.ts';
import { MAX_VALUE_DEPTH } from './depth.ts';
import { dictSet, newDict } from './dict.ts';
import { EvalError } from './eval-error.ts';
import { bitsBound, checkIntBits } from './int.ts';
import { toArray } from './iterate.ts';
import type { Thread } from './native.ts';
import { floatText } from './number-text.ts';
import { excerpt } from './parse-number.ts';
import {
  BYTES_BYTES,
  DICT_BYTES,
  DICT_ENTRY_BYTES,
  FLOAT_BYTES,
  bigintBytes,
  Bytes,
  Dict,
  Float,
  List,
  Range,
  SetValue,
  Struct,
  Tuple,
} from './value.ts';
import type { Value } from './value.ts';
import { typeName } from './type-name.ts';

/** `what` names the data in messages, such as `the result of fetch`. */
export function fromData(thread: Thread, data: unknown, what: string): Value {
  const crossing = new Crossing(thread, what);
  try {
    return crossing.run(() => crossing.enter(data));
  } catch (error) {
    if (error instanceof EvalError || error instanceof LimitReached) throw error;
    // Nothing else throws but a proxy of the host.
    throw crossing.fault('the data cannot be read', error instanceof Error ? error.message : null);
  }
}

/** `what` names the value in messages, such as `an argument of fetch`. */
export function toData(thread: Thread, v: Value, what: string): Data {
  const crossing = new Crossing(thread, what);
  return crossing.run(() => crossing.leave(v));
}

class Crossing {
  private readonly thread: Thread;
  private readonly what: string;
  /** The containers being copied, and the index or key in each: outermost first. */
  private readonly open: object[] = [];
  private readonly path: (string | number)[] = [];

  constructor(thread: Thread, what: string) {
    this.thread = thread;
    this.what = what;
  }

  run<Result>(copy: () => Result): Result {
    const { meter } = this.thread;
    // What has been copied so far is not yet part of the program, or of the host, so a recount cannot see it.
    const alone = meter.callBegan < 0;
    if (alone) meter.callBegan = meter.memory;
    try {
      return copy();
    } finally {
      if (alone) meter.callBegan = -1;
    }
  }

  enter(data: unknown): Value {
    const { thread } = this;
    // A property is looked at through its descriptor, which is slow.
    thread.meter.work(5);
    switch (typeof data) {
      case 'boolean':
        return data;
      case 'number':
        if (Number.isSafeInteger(data)) return data + 0;
        if (!Number.isFinite(data)) throw this.fault(`${floatText(data)} cannot be given to a program`);
        thread.meter.allocate(FLOAT_BYTES);
        return new Float(data);
      case 'bigint':
        checkIntBits(thread, data);
        thread.meter.allocate(bigintBytes(bitsBound(data)));
        return intFromBigint(data);
      case 'string':
        return this.text(data);
      case 'object':
        return data === null ? null : this.enterObject(data);
      case 'undefined':
        throw this.fault('undefined cannot be given to a program', 'use null for None');
      case 'function':
      case 'symbol':
        throw this.fault(`a ${typeof data} cannot be given to a program`);
    }
  }

  private enterObject(data: object): Value {
    if (typedArrayName(data) === 'Uint8Array') return this.enterBytes(data as Uint8Array);
    const isArray = Array.isArray(data);
    if (!isArray && !isPlain(data))
      throw this.fault(`only plain objects and arrays can be given to a program, not ${className(data)}`);
    this.begin(data);
    const value = isArray ? this.enterArray(data) : this.enterRecord(data);
    this.open.pop();
    return value;
  }

  private enterBytes(data: Uint8Array): Bytes {
    const length = typedArrayLength(data) as number;
    chargeScan(this.thread.meter, length);
    this.thread.meter.allocate(BYTES_BYTES + length);
    return new Bytes(new Uint8Array(data));
  }

  private enterArray(data: readonly unknown[]): List {
    const length = ownValue(data, 'length', this);
    // A proxy may say anything, and a count that is not a number would undo the meter.
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
      throw this.fault('the data cannot be read');
    chargeList(this.thread.meter, length);
    const items: Value[] = [];
    for (let i = 0; i < length; i++) {
      this.path.push(i);
      items.push(this.enter(ownValue(data, i, this)));
      this.path.pop();
    }
    return new List(items);
  }

  private enterRecord(data: object): Dict {
    const dict = newDict(this.thread);
    for (const key of Object.keys(data)) {
      this.path.push(key);
      dictSet(this.thread, dict, this.text(key), this.enter(ownValue(data, key, this)));
      this.path.pop();
    }
    return dict;
  }

  leave(v: Value): Data {
    const { thread } = this;
    thread.meter.work(2);
    if (typeof v === 'string') return this.text(v);
    return typeof v === 'object' && v !== null ? this.leaveObject(v) : v;
  }

  private leaveObject(v: Exclude<Value, null | boolean | number | bigint | string>): Data {
    if (v instanceof Float) {
      if (!Number.isFinite(v.value))
        throw this.fault(`the float ${floatText(v.value)} cannot leave a program`, 'JSON has no such number');
      return v.value;
    }
    if (v instanceof Bytes) {
      chargeScan(this.thread.meter, v.bytes.length);
      this.thread.meter.allocate(BYTES_BYTES + v.bytes.length);
      return v.bytes.slice();
    }
    if (v instanceof Dict || v instanceof Struct) {
      this.begin(v);
      const record = v instanceof Dict ? this.leaveDict(v) : this.leaveStruct(v);
      this.open.pop();
      return record;
    }
    if (v instanceof List || v instanceof Tuple || v instanceof SetValue || v instanceof Range) {
      this.begin(v);
      const items = this.leaveItems(toArray(this.thread, v));
      this.open.pop();
      // A host can tell what was a tuple: it cannot be changed there either.
      return v instanceof Tuple ? (Object.freeze(items) as Data[]) : items;
    }
    throw this.fault(
      `a ${typeName(v)} cannot leave a program`,
      typeName(v).endsWith('.elems') ? 'use list(x) to make a list of it' : null,
    );
  }

  private leaveItems(items: Value[]): Data[] {
    // The array is already a copy of its own: each value is replaced by its data.
    const out = items as unknown as Data[];
    for (let i = 0; i < items.length; i++) {
      this.path.push(i);
      out[i] = this.leave(items[i] as Value);
      this.path.pop();
    }
    return out;
  }

  private leaveDict(dict: Dict): Data {
    const record = Object.create(null) as Record<string, Data>;
    this.thread.meter.allocate(DICT_BYTES);
    for (let i = 0; i < dict.keys.length; i++) {
      const key = dict.keys[i];
      if (key === undefined) continue;
      if (typeof key !== 'string')
        throw this.fault(`dict has ${typeName(key)} key, want string`, 'use str(x) to make a string key');
      this.setField(record, key, dict.values[i] as Value);
    }
    return record;
  }

  private leaveStruct(struct: Struct): Data {
    const record = Object.create(null) as Record<string, Data>;
    this.thread.meter.allocate(DICT_BYTES);
    for (const [name, value] of struct.members) this.setField(record, name, value);
    return record;
  }

  private setField(record: Record<string, Data>, key: string, value: Value): void {
    this.thread.meter.allocate(DICT_ENTRY_BYTES);
    this.path.push(key);
    // A null prototype makes `__proto__` an ordinary key.
    record[this.text(key)] = this.leave(value);
    this.path.pop();
  }

  private text(text: string): string {
    chargeString(this.thread.meter, text.length);
    return wellFormed(text);
  }

  private begin(container: object): void {
    if (this.open.includes(container)) throw this.fault('the data contains itself');
    if (this.open.length >= MAX_VALUE_DEPTH) {
      throw new LimitReached(
        'DEPTH_LIMIT',
        `${this.what}: the data is nested more than ${MAX_VALUE_DEPTH} deep`,
      );
    }
    this.open.push(container);
  }

  fault(message: string, hint: string | null = null): EvalError {
    return new EvalError('EVAL_VALUE', [this.what, ...this.shownPath(), message].join(': '), hint);
  }

  private shownPath(): string[] {
    const { path } = this;
    const shown = path.map((step) =>
      typeof step === 'number' ? `at index ${step}` : `in key ${excerpt(step)}`,
    );
    return shown.length <= 8 ? shown : [...shown.slice(0, 4), '…', ...shown.slice(-3)];
  }
}

/** The own property `key`, which must be data. */
function ownValue(of: object, key: string | number, crossing: Crossing): unknown {
  const property = Object.getOwnPropertyDescriptor(of, key);
  if (property === undefined)
    throw crossing.fault('nothing is there: an array with holes cannot be given to a program');
  if (!Object.hasOwn(property, 'value'))
    throw crossing.fault('a property with a getter cannot be given to a program');
  return property.value;
}

/** Also true for objects of another realm, and for those that inherit from an empty object (`shapedObject`). */
function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    (typeof prototype === 'object' &&
      Object.getPrototypeOf(prototype) === null &&
      (Object.hasOwn(prototype as object, 'isPrototypeOf') ||
        Reflect.ownKeys(prototype as object).length === 0))
  );
}

/** For a message; reads no property of the host but the name of the constructor. */
function className(data: object): string {
  const prototype = Object.getPrototypeOf(data) as object;
  const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  const name: unknown =
    typeof constructor === 'function'
      ? Object.getOwnPropertyDescriptor(constructor, 'name')?.value
      : undefined;
  return typeof name === 'string' && name !== '' && name.length <= 40
    ? `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`
    : 'an object of a class';
}

// The accessors of the language itself, which look at the kind of the object and not at its properties.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typedArrayName = accessor(Symbol.toStringTag);
const typedArrayLength = accessor('length');

function accessor(name: string | symbol): (of: object) => unknown {
  const property = Object.getOwnPropertyDescriptor(typedArray, name) as PropertyDescriptor;
  return (of) => property.get?.call(of);
}

// Half surrogate pairs: slicing can leave them in a string, and no encoding of text can hold them.
//
// They stay as they are inside a program. Whatever leaves it as text (UTF-8 bytes, JSON, data for the host), and
// whatever comes in, has U+FFFD in their place.

/** Newer than the library that TypeScript is reported of, older than every engine that is supported. */
interface WellFormed {
  toWellFormed(): string;
}

/** `text` with each half of a surrogate pair replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed();
}
