// `x.name`
import { nearest } from '../../base/nearest.ts';
import { EvalError } from '../value/eval-error.ts';
import type { Thread } from '../value/native.ts';
import { BOUND_METHOD_BYTES } from '../value/sizes.ts';
import { typeName } from '../value/type-name.ts';
import { BoundMethod, Module, Struct, type Value } from '../value/value.ts';
import { methodsOf } from './methods.ts';
import { insteadOf } from './python-methods.ts';

export function getAttribute(thread: Thread, v: Value, name: string): Value | undefined {
  if (v instanceof Module || v instanceof Struct) return v.members.get(name);
  const native = methodsOf(v)?.get(name);
  if (native === undefined) return undefined;
  thread.meter.allocate(BOUND_METHOD_BYTES);
  return new BoundMethod(v, native);
}

export function hasAttribute(v: Value, name: string): boolean {
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
