// Which methods a value has: one table per type, so that a call site can remember what it found by the table.
import type { Native } from '../value/native.ts';
import { Bytes, Dict, List, SetValue, type Value } from '../value/value.ts';
import { bytesMethods } from './bytes-methods.ts';
import { dictMethods } from './dict-methods.ts';
import { listMethods } from './list-methods.ts';
import { setMethods } from './set-methods.ts';
import { stringMethods } from './string-methods.ts';

export function methodsOf(v: Value): ReadonlyMap<string, Native> | null {
  if (typeof v === 'string') return stringMethods;
  if (v instanceof List) return listMethods;
  if (v instanceof Dict) return dictMethods;
  if (v instanceof SetValue) return setMethods;
  if (v instanceof Bytes) return bytesMethods;
  return null;
}
