// Whether a value counts as true in a condition.
import { Bytes, Dict, Elems, Float, List, Range, SetValue, Tuple, type Value } from './value.ts';

export function truth(v: Value): boolean {
  if (typeof v === 'boolean') return v;
  if (typeof v === 'number') return v !== 0;
  if (typeof v === 'string') return v !== '';
  // A bigint is never 0.
  return typeof v === 'bigint' || (v !== null && objectTruth(v));
}

function objectTruth(v: object): boolean {
  if (v instanceof List || v instanceof Tuple) return v.items.length > 0;
  if (v instanceof Dict || v instanceof SetValue) return v.index.size > 0;
  // NaN is true: it is not equal to zero.
  if (v instanceof Float) return v.value !== 0;
  if (v instanceof Range) return v.length > 0;
  if (v instanceof Bytes) return v.bytes.length > 0;
  if (v instanceof Elems) return typeof v.of === 'string' ? v.of !== '' : v.of.bytes.length > 0;
  return true;
}
