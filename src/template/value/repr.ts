// The text of values: `str(x)`, which templates print, and `repr(x)`, which is used inside lists and dicts.
import type { Int } from '../../python/int.ts';
import { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import { bitsOf } from './int.ts';
import { View } from './iterables.ts';
import { floatText } from '../../python/float-text.ts';
import { quote, quoteBytes } from './quote.ts';
import { failUndefined, valueError } from './template-error.ts';
import { Bytes, Callable, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** Python writes no longer ints. */
const maxIntDigits = 4300;

/** `str(value)` */
export function strOf(e: Evaluation, value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return value.isLenient ? '' : failUndefined(value);
  return reprOf(e, value);
}

/** `repr(value)` */
export function reprOf(e: Evaluation, value: Value): string {
  const parts: string[] = [];
  write(e, value, parts);
  return parts.length === 1 ? (parts[0] as string) : parts.join('');
}

function write(e: Evaluation, value: Value, into: string[]): void {
  if (value instanceof List) return writeItems(e, value.items, '[', ']', into);
  if (value instanceof Tuple)
    return writeItems(e, value.items, '(', value.items.length === 1 ? ',)' : ')', into);
  if (value instanceof Dict) return writeDict(e, value, into);
  if (value instanceof View) return writeView(e, value, into);
  const text = scalarRepr(e, value);
  e.makeText(text.length);
  into.push(text);
}

function scalarRepr(e: Evaluation, value: Exclude<Value, List | Tuple | Dict | View>): string {
  if (typeof value === 'string') return quote(e, value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number' || typeof value === 'bigint') return intText(e, value);
  if (value === null) return 'None';
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Markup) return `Markup(${quote(e, value.text)})`;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Bytes) return quoteBytes(e, value.bytes);
  return value instanceof Callable ? value.text(e) : `<${value.typeName} object>`;
}

export function intText(e: Evaluation, value: Int): string {
  if (typeof value === 'number') return String(value);
  const bits = bitsOf(value);
  e.work(1 + Math.floor((bits / 256) ** 2));
  const digits = bits > maxIntDigits * 3.4 ? maxIntDigits + 1 : value.toString().replace('-', '').length;
  if (digits > maxIntDigits)
    return valueError(`an int of more than ${maxIntDigits} digits cannot be written`);
  return value.toString();
}

function writeItems(
  e: Evaluation,
  items: readonly Value[],
  open: string,
  close: string,
  into: string[],
): void {
  e.enter();
  into.push(open);
  for (const [at, item] of items.entries()) {
    e.makeItems(1, 16);
    if (at > 0) into.push(', ');
    write(e, item, into);
  }
  into.push(close);
  e.leave();
}

function writeDict(e: Evaluation, dict: Dict, into: string[]): void {
  e.enter();
  const values = dict.values();
  e.makeItems(values.length, 48);
  into.push('{');
  for (const [at, key] of dict.keys().entries()) {
    if (at > 0) into.push(', ');
    write(e, key, into);
    into.push(': ');
    write(e, values[at] as Value, into);
  }
  into.push('}');
  e.leave();
}

function writeView(e: Evaluation, view: View, into: string[]): void {
  if (view.part === 'set') {
    if (view.dict.size === 0) into.push('set()');
    else writeItems(e, viewItems(view), '{', '}', into);
    return;
  }
  into.push(`dict_${view.part}(`);
  writeItems(e, viewItems(view), '[', ']', into);
  into.push(')');
}

export function viewItems(view: View): readonly Value[] {
  const { dict, part } = view;
  if (part === 'keys' || part === 'set') return dict.keys();
  const values = dict.values();
  return part === 'values' ? values : dict.keys().map((key, at) => new Tuple([key, values[at] as Value]));
}
