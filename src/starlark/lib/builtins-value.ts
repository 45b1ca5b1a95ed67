// The functions that apply to any value, and those that speak to the host: abs, dir, fail, getattr, hasattr, hash,
// print, repr, type.
import { EvalError } from '../value/eval-error.ts';
import { chargeList } from '../value/charge.ts';
import { isInt } from '../value/int.ts';
import { fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { negateInt, newFloat } from '../value/number-operations.ts';
import { repr, str } from '../value/repr.ts';
import { TextBuilder } from '../value/text-builder.ts';
import { typeName } from '../value/type-name.ts';
import {
  BoundMethod,
  Bytes,
  Float,
  List,
  Module,
  Struct,
  type Value,
  BOUND_METHOD_BYTES,
} from '../value/value.ts';
import { refuseNamed, wrongType, methodsOf } from './methods.ts';
import { nearest } from '../../base/nearest.ts';

function abs(thread: Thread, x: Value): Value {
  if (isInt(x)) return x < 0 ? negateInt(thread, x) : x;
  if (x instanceof Float) return newFloat(thread, Math.abs(x.value));
  throw new EvalError('EVAL_TYPE', `abs: got ${typeName(x)}, want int or float`);
}

function getattr(thread: Thread, x: Value, name: Value, otherwise: Value | undefined): Value {
  if (typeof name !== 'string') throw wrongType('getattr', 'name', name, 'string');
  const found = getAttribute(thread, x, name);
  if (found !== undefined) return found;
  if (otherwise === undefined) throw missingAttribute(x, name);
  return otherwise;
}

function hash(thread: Thread, x: Value): number {
  if (typeof x === 'string') {
    thread.meter.work(1 + (x.length >> 1));
    // As java.lang.String.hashCode: 32 bits, signed.
    let sum = 0;
    for (let i = 0; i < x.length; i += 1) sum = (Math.imul(sum, 31) + x.charCodeAt(i)) | 0;
    return sum;
  }
  if (!(x instanceof Bytes))
    throw new EvalError('EVAL_TYPE', `hash: got ${typeName(x)}, want string or bytes`);
  thread.meter.work(1 + (x.bytes.length >> 1));
  // FNV-1a: 32 bits, not signed.
  let sum = 0x811c9dc5;
  for (const byte of x.bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** The texts of `args` and then `name=text` for each of `named`, with the separator that `named` gives between. */
function joined(
  thread: Thread,
  name: string,
  args: readonly Value[],
  named: readonly (readonly [string, Value])[],
): string {
  let separator = ' ';
  const pieces: string[] = args.map((arg) => str(thread, arg));
  for (const [key, value] of named) {
    if (key !== 'sep') pieces.push(`${key}=${str(thread, value)}`);
    else if (typeof value === 'string') separator = value;
    else throw wrongType(name, 'sep', value, 'string');
  }
  const out = new TextBuilder(thread.meter);
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) out.add(separator);
    out.add(piece);
  }
  return out.finish();
}

/** A message longer than this is cut: it is for a person to read. */
const MAX_MESSAGE_UNITS = 10_000;

export const valueBuiltins: readonly Native[] = [
  fixed('abs', 'x, /', (thread, _self, x) => abs(thread, x as Value)),
  fixed('dir', 'x, /', (thread, _self, x) => {
    const names = attributeNames(x as Value);
    // They are sorted, too.
    thread.meter.work(names.length * 3);
    chargeList(thread.meter, names.length);
    return new List(names);
  }),
  variadic('fail', (thread, _self, args, named) => {
    refuseNamed(
      'fail',
      named.filter(([key]) => key !== 'sep'),
    );
    const text = joined(thread, 'fail', args, named);
    throw new EvalError(
      'EVAL_FAIL',
      `fail: ${text.length > MAX_MESSAGE_UNITS ? `${text.slice(0, MAX_MESSAGE_UNITS)}…` : text}`,
    );
  }),
  fixed('getattr', 'x, name, default?, /', (thread, _self, x, name, otherwise) =>
    getattr(thread, x as Value, name as Value, otherwise),
  ),
  fixed('hasattr', 'x, name, /', (_thread, _self, x, name) => {
    if (typeof name !== 'string') throw wrongType('hasattr', 'name', name as Value, 'string');
    return hasAttribute(x as Value, name);
  }),
  fixed('hash', 'x, /', (thread, _self, x) => hash(thread, x as Value)),
  variadic('print', (thread, _self, args, named) => {
    thread.print(joined(thread, 'print', args, named));
    return null;
  }),
  fixed('repr', 'x, /', (thread, _self, x) => repr(thread, x as Value)),
  fixed('type', 'x, /', (_thread, _self, x) => typeName(x as Value)),
];

// `x.name`

export function getAttribute(thread: Thread, v: Value, name: string): Value | undefined {
  if (v instanceof Module || v instanceof Struct) return v.members.get(name);
  const native = methodsOf(v)?.get(name);
  if (native === undefined) return undefined;
  thread.meter.allocate(BOUND_METHOD_BYTES);
  return new BoundMethod(v, native);
}

function hasAttribute(v: Value, name: string): boolean {
  if (v instanceof Module || v instanceof Struct) return v.members.has(name);
  return methodsOf(v)?.has(name) ?? false;
}

/** Sorted. */
export function attributeNames(v: Value): string[] {
  const table = v instanceof Module || v instanceof Struct ? v.members : methodsOf(v);
  return table === null ? [] : [...table.keys()].sort();
}

/** Names longer than this are not compared with others: the time is the product of the lengths. */
const LONG_NAME = 100;

export function missingAttribute(v: Value, name: string): EvalError {
  const owner = v instanceof Module ? `module ${v.name}` : typeName(v);
  const shown = name.length > LONG_NAME ? `${name.slice(0, LONG_NAME)}…` : name;
  const near = name.length > LONG_NAME ? null : nearest(name, attributeNames(v));
  const hint = insteadOf(typeName(v), name) ?? (near === null ? null : `did you mean .${near}?`);
  return new EvalError('EVAL_ATTRIBUTE', `${owner} has no .${shown} field or method`, hint);
}

// Methods that Python has and Starlark lacks, and what to write instead: hints for EVAL_ATTRIBUTE.

const pad = 'pad by hand: " " * (n - len(s)) + s';
const loop = 'use d.keys(), d.values() or d.items()';

const instead: ReadonlyMap<string, string> = new Map([
  ['list.sort', 'use sorted(x), which gives a new list'],
  ['list.reverse', 'use reversed(x), which gives a new list'],
  ['list.copy', 'use list(x)'],
  ['list.count', 'use len([e for e in x if e == y])'],
  ['list.push', 'use append'],
  ['list.add', 'use append'],
  ['list.join', 'use sep.join(x)'],
  ['list.length', 'use len(x)'],
  ['tuple.append', 'a tuple cannot be changed: use a list'],
  ['tuple.index', 'make a list of it: list(x).index(y)'],
  ['tuple.count', 'use len([e for e in x if e == y])'],
  ['dict.has_key', 'use key in d'],
  ['dict.iteritems', loop],
  ['dict.iterkeys', loop],
  ['dict.itervalues', loop],
  ['dict.copy', 'use dict(x)'],
  ['dict.fromkeys', 'use {key: value for key in keys}'],
  ['set.copy', 'use set(x)'],
  ['set.append', 'use add'],
  ['set.push', 'use add'],
  ['string.zfill', 'pad by hand: "0" * (n - len(s)) + s'],
  ['string.rjust', pad],
  ['string.ljust', pad],
  ['string.center', pad],
  ['string.encode', 'use bytes(s)'],
  ['string.length', 'use len(s)'],
  ['string.trim', 'use strip()'],
  ['string.includes', 'use part in s'],
  ['string.contains', 'use part in s'],
  ['string.casefold', 'use lower()'],
  ['string.isnumeric', 'use isdigit()'],
  ['string.isdecimal', 'use isdigit()'],
  ['bytes.decode', 'use str(b)'],
]);

function insteadOf(type: string, method: string): string | null {
  return instead.get(`${type}.${method}`) ?? null;
}
