// What Python calls the type of a value.
import { Dict } from './dict.ts';
import { Lazy, View } from './iterables.ts';
import { Bytes, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** `type(value).__name__` */
export function typeName(value: Value): string {
  if (typeof value === 'string') return 'str';
  if (typeof value === 'number' || typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'NoneType' : objectTypeName(value);
}

function objectTypeName(value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (value instanceof Float) return 'float';
  if (value instanceof Markup) return 'Markup';
  if (value instanceof List) return 'list';
  if (value instanceof Tuple) return value.fields === null ? 'tuple' : '_GroupTuple';
  if (value instanceof Dict) return 'dict';
  if (value instanceof View) return value.part === 'set' ? 'set' : `dict_${value.part}`;
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Undefined) return value.isLenient ? 'Undefined' : 'StrictUndefined';
  if (value instanceof Lazy) return value.typeName;
  return value.typeName;
}

const modules: ReadonlyMap<string, string> = new Map([
  ['Markup', 'markupsafe'],
  ['Macro', 'jinja2.runtime'],
  ['LoopContext', 'jinja2.runtime'],
  ['_GroupTuple', 'jinja2.filters'],
  ['Undefined', 'jinja2.runtime'],
  ['StrictUndefined', 'jinja2.runtime'],
]);

/** As Jinja names a value in "… has no attribute …". */
export function objectName(value: Value): string {
  if (value === null) return 'None';
  const name = typeName(value);
  const module = modules.get(name);
  return `${module === undefined ? name : `${module}.${name}`} object`;
}
