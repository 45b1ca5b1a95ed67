// What `type(x)` says.
import {
  BoundMethod,
  Builtin,
  Bytes,
  Closure,
  Dict,
  Elems,
  Float,
  HostFunction,
  List,
  Module,
  Range,
  SetValue,
  Tuple,
  type Value,
} from './value.ts';

export function typeName(v: Value): string {
  if (typeof v === 'number' || typeof v === 'bigint') return 'int';
  if (typeof v === 'string') return 'string';
  if (typeof v === 'boolean') return 'bool';
  return v === null ? 'NoneType' : objectTypeName(v);
}

function objectTypeName(v: object): string {
  if (v instanceof List) return 'list';
  if (v instanceof Dict) return 'dict';
  if (v instanceof Tuple) return 'tuple';
  if (v instanceof Float) return 'float';
  if (v instanceof SetValue) return 'set';
  if (v instanceof Bytes) return 'bytes';
  if (v instanceof Range) return 'range';
  if (v instanceof Closure) return 'function';
  if (v instanceof Builtin || v instanceof BoundMethod || v instanceof HostFunction)
    return 'builtin_function_or_method';
  if (v instanceof Elems) return typeof v.of === 'string' ? 'string.elems' : 'bytes.elems';
  if (v instanceof Module) return 'module';
  return 'struct';
}
