// `x in container`
import { chargeScan } from '../../python/charge.ts';
import { dictHas } from './dict.ts';
import { equals } from './compare.ts';
import { EvalError } from './eval-error.ts';
import { indexOfText } from '../../python/find-text.ts';
import { isInt } from './int.ts';
import type { Thread } from './native.ts';
import { rangeHas } from './range.ts';
import { Bytes, Dict, Float, List, Range, SetValue, Tuple, type Value } from './value.ts';
import { setHas } from './set.ts';
import { typeName } from './type-name.ts';

export function contains(thread: Thread, item: Value, container: Value): boolean {
  if (container instanceof Dict) return dictHas(thread, container, item);
  if (container instanceof SetValue) return setHas(thread, container, item);
  if (container instanceof List || container instanceof Tuple)
    return indexOfEqual(thread, container.items, item, 0, container.items.length) >= 0;
  if (typeof container === 'string') {
    if (typeof item !== 'string') throw leftOperand('string', 'string', item);
    return indexOfText(thread.meter, container, item, 0) >= 0;
  }
  if (container instanceof Range) {
    if (isInt(item)) return typeof item === 'number' && rangeHas(container, item);
    if (item instanceof Float) return rangeHas(container, item.value);
    throw leftOperand('range', 'a number', item);
  }
  if (container instanceof Bytes) return bytesContain(thread, item, container.bytes);
  throw new EvalError(
    'EVAL_TYPE',
    `unsupported binary operation: ${typeName(item)} in ${typeName(container)}`,
  );
}

function leftOperand(container: string, want: string, item: Value): EvalError {
  return new EvalError(
    'EVAL_TYPE',
    `'in <${container}>' requires ${want} as left operand, not ${typeName(item)}`,
  );
}

/** The first index in `from..to` whose element equals `item`, or -1. */
export function indexOfEqual(
  thread: Thread,
  items: readonly Value[],
  item: Value,
  from: number,
  to: number,
): number {
  // A look at an element is much less than a step; equals() charges what is more.
  thread.meter.work((to - from) >> 2);
  const plain =
    typeof item === 'number' ||
    (typeof item === 'string' && item.length < 32) ||
    item === null ||
    typeof item === 'boolean';
  for (let i = from; i < to; i += 1) {
    const other = items[i] as Value;
    if (plain) {
      if (other === item || (other instanceof Float && other.value === item)) return i;
    } else if (equals(thread, item, other)) return i;
  }
  return -1;
}

function bytesContain(thread: Thread, item: Value, bytes: Uint8Array): boolean {
  if (isInt(item)) {
    if (!(item >= 0 && item <= 255))
      throw new EvalError(
        'EVAL_VALUE',
        `int in bytes: ${typeof item === 'number' ? item : 'a huge int'} out of range 0-255`,
      );
    chargeScan(thread.meter, bytes.length);
    return bytes.includes(Number(item));
  }
  if (!(item instanceof Bytes)) throw leftOperand('bytes', 'bytes or int', item);
  return subsequence(thread, item.bytes, bytes);
}

/** Knuth-Morris-Pratt: linear, whatever the bytes are. */
function subsequence(thread: Thread, part: Uint8Array, whole: Uint8Array): boolean {
  if (part.length === 0) return true;
  if (part.length > whole.length) return false;
  thread.meter.work(1 + ((part.length + whole.length) >> 2));
  thread.meter.allocate(4 * part.length);
  const fallback = new Int32Array(part.length);
  for (let i = 1, matched = 0; i < part.length; i += 1) {
    while (matched > 0 && part[i] !== part[matched]) matched = fallback[matched - 1] as number;
    if (part[i] === part[matched]) matched += 1;
    fallback[i] = matched;
  }
  for (let i = 0, matched = 0; i < whole.length; i += 1) {
    while (matched > 0 && whole[i] !== part[matched]) matched = fallback[matched - 1] as number;
    if (whole[i] === part[matched]) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}
