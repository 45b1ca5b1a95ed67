// `x[i]`, `x[i] = v` and `x[i:j:k]`
import { chargeRead, chargeString } from '../../python/charge.ts';
import { chargeBytes, chargeList, chargeTuple } from './charge.ts';
import { dictGet, dictSet } from './dict.ts';
import { EvalError } from './eval-error.ts';
import { clampedInt } from './int.ts';
import { checkMutable } from './mutable.ts';
import type { Thread } from './native.ts';
import { rangeSlice } from './range.ts';
import { Bytes, Dict, List, Range, Tuple, type Value } from './value.ts';
import { briefly } from './repr.ts';
import { clampIndex, sliceRange, sliceText } from '../../python/slice.ts';
import { typeName } from './type-name.ts';

export function getIndex(thread: Thread, obj: Value, i: Value): Value {
  if (obj instanceof List || obj instanceof Tuple)
    return obj.items[position(obj, obj.items.length, i)] as Value;
  if (obj instanceof Dict) {
    const value = dictGet(thread, obj, i);
    if (value === undefined) throw missingKey(i);
    return value;
  }
  if (typeof obj === 'string') {
    chargeRead(thread.meter, obj.length);
    return obj[position(obj, obj.length, i)] as string;
  }
  if (obj instanceof Bytes) return obj.bytes[position(obj, obj.bytes.length, i)] as number;
  if (obj instanceof Range) return obj.start + position(obj, obj.length, i) * obj.step;
  throw new EvalError(
    'EVAL_TYPE',
    `${typeName(obj)} value cannot be indexed: unsupported operation ${typeName(obj)}[${typeName(i)}]`,
  );
}

function missingKey(key: Value): EvalError {
  return new EvalError(
    'EVAL_KEY',
    `key ${briefly(key)} not in dict`,
    'd.get(key, default) gives a default instead',
  );
}

function position(obj: Value, length: number, i: Value): number {
  if (typeof i !== 'number') {
    const index = clampedInt(i, `${typeName(obj)} index`);
    throw outOfRange(obj, length, index > 0 ? 'a huge int' : 'a huge negative int');
  }
  const at = i < 0 ? i + length : i;
  if (at < 0 || at >= length) throw outOfRange(obj, length, String(i));
  return at;
}

function outOfRange(obj: Value, length: number, index: string): EvalError {
  const name = typeName(obj);
  if (length === 0) return new EvalError('EVAL_INDEX', `index ${index} out of range: empty ${name}`);
  return new EvalError('EVAL_INDEX', `${name} index ${index} out of range [${-length}:${length - 1}]`);
}

/** The effective index of an element of `obj`, or EVAL_INDEX. */
export function elementIndex(obj: List, i: Value): number {
  return position(obj, obj.items.length, i);
}

export function setIndex(thread: Thread, obj: Value, i: Value, v: Value): void {
  if (obj instanceof List) {
    checkMutable(obj, 'assign to element of');
    obj.items[position(obj, obj.items.length, i)] = v;
  } else if (obj instanceof Dict) {
    checkMutable(obj, 'insert into');
    dictSet(thread, obj, i, v);
  } else {
    const name = typeName(obj);
    throw new EvalError(
      'EVAL_TYPE',
      `${name} value does not support item assignment`,
      name === 'tuple' ? 'a tuple is immutable: use a list' : null,
    );
  }
}

/** A bound of a slice that goes forward. */
function bound(v: Value | undefined, otherwise: number, length: number, what: string): number {
  if (v === undefined || v === null) return otherwise;
  return clampIndex(clampedInt(v, what), length, 0, length);
}

/** The effective `start` and `end` arguments of methods such as `index`, within `0..length`. */
export function clampedBounds(
  start: Value | undefined,
  end: Value | undefined,
  length: number,
): [from: number, to: number] {
  return [bound(start, 0, length, 'invalid start index'), bound(end, length, length, 'invalid end index')];
}

export function getSlice(
  thread: Thread,
  obj: Value,
  from: Value | undefined,
  to: Value | undefined,
  step: Value | undefined,
): Value {
  const length = sliceLength(obj);
  if (typeof obj === 'string') chargeRead(thread.meter, length);
  const stride = step === undefined || step === null ? 1 : clampedInt(step, 'invalid slice step');
  if (stride === 0) throw new EvalError('EVAL_VALUE', 'slice step cannot be zero');
  if (stride === 1) {
    const start = bound(from, 0, length, 'invalid start index');
    const end = Math.max(start, bound(to, length, length, 'invalid end index'));
    return contiguous(thread, obj, start, end);
  }
  const first = from === undefined || from === null ? null : clampedInt(from, 'invalid start index');
  const last = to === undefined || to === null ? null : clampedInt(to, 'invalid end index');
  const { start, end, count } = sliceRange(length, first, last, stride);
  return strided(thread, obj, start, end, stride, count);
}

function sliceLength(obj: Value): number {
  if (typeof obj === 'string') return obj.length;
  if (obj instanceof List || obj instanceof Tuple) return obj.items.length;
  if (obj instanceof Bytes) return obj.bytes.length;
  if (obj instanceof Range) return obj.length;
  throw new EvalError('EVAL_TYPE', `invalid slice operand: ${typeName(obj)} cannot be sliced`);
}

function contiguous(thread: Thread, obj: Value, start: number, end: number): Value {
  const count = end - start;
  if (typeof obj === 'string') {
    chargeString(thread.meter, count);
    return sliceText(obj, start, end);
  }
  if (obj instanceof List) {
    chargeList(thread.meter, count);
    return new List(obj.items.slice(start, end));
  }
  if (obj instanceof Tuple) {
    if (count === obj.items.length) return obj;
    chargeTuple(thread.meter, count);
    return new Tuple(obj.items.slice(start, end));
  }
  if (obj instanceof Bytes) {
    chargeBytes(thread.meter, count);
    return new Bytes(obj.bytes.slice(start, end));
  }
  return rangeSlice(thread, obj as Range, start, end, 1, count);
}

function strided(
  thread: Thread,
  obj: Value,
  start: number,
  end: number,
  stride: number,
  count: number,
): Value {
  if (typeof obj === 'string') {
    chargeString(thread.meter, count);
    thread.meter.work(count);
    return stringStride(obj, start, stride, count);
  }
  if (obj instanceof List) {
    chargeList(thread.meter, count);
    return new List(everyNth(obj.items, start, stride, count));
  }
  if (obj instanceof Tuple) {
    chargeTuple(thread.meter, count);
    return new Tuple(everyNth(obj.items, start, stride, count));
  }
  if (obj instanceof Bytes) {
    chargeBytes(thread.meter, count);
    const bytes = new Uint8Array(count);
    for (let i = 0, at = start; i < count; i += 1, at += stride) bytes[i] = obj.bytes[at] as number;
    return new Bytes(bytes);
  }
  return rangeSlice(thread, obj as Range, start, end, stride, count);
}

function everyNth(items: Value[], start: number, stride: number, count: number): Value[] {
  const out: Value[] = [];
  for (let i = 0, at = start; i < count; i += 1, at += stride) out.push(items[at] as Value);
  return out;
}

function stringStride(text: string, start: number, stride: number, count: number): string {
  const parts: string[] = [];
  let units: number[] = [];
  for (let i = 0, at = start; i < count; i += 1, at += stride) {
    units.push(text.charCodeAt(at));
    if (units.length === 4096) {
      parts.push(String.fromCharCode(...units));
      units = [];
    }
  }
  parts.push(String.fromCharCode(...units));
  return parts.join('');
}
