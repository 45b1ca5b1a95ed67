// `tojson`: Python's `json.dumps` with sorted keys and ASCII only, made safe for HTML.
import { keyText } from '../value/data.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { floatText } from '../../python/float-text.ts';
import { asIndex } from '../value/numbers.ts';
import { intText } from '../value/repr.ts';
import { failUndefined, TemplateError, typeError } from '../value/template-error.ts';
import { asText, compareText } from '../value/text.ts';
import { sorted } from '../value/sort.ts';
import { typeName } from '../value/type-name.ts';
import { Float, List, Markup, Tuple, Undefined, type Value } from '../value/value.ts';
import { filter, type FilterEntry } from './define.ts';

/** Quotes, and what is not plain ASCII or is special in HTML. */
const special = /["\\<>&'\x00-\x1f\x7f-\uffff]/g;
const isPlain = /^[ !#$%(-;=?-[\]-~]*$/;
const shorthand: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\f', '\\f'],
  ['\b', '\\b'],
]);

function quoted(e: Evaluation, text: string): string {
  e.makeText(text.length + 2);
  if (isPlain.test(text)) return `"${text}"`;
  e.work(text.length);
  const body = text.replace(
    special,
    (unit) => shorthand.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  e.makeText(body.length);
  return `"${body}"`;
}

/** Keys are mostly text, which needs no general order. */
function sortedKeys(e: Evaluation, keys: Value[]): readonly Value[] {
  if (!keys.every((key) => typeof key === 'string')) return sorted(e, keys, (key) => key, false);
  e.work(keys.length * 4);
  return keys.sort(compareText);
}

class JsonWriter {
  private readonly e: Evaluation;
  /** What one level is indented by; null when all is on one line. */
  private readonly by: string | null;
  private readonly parts: string[] = [];
  private level = 0;

  constructor(e: Evaluation, by: string | null) {
    this.e = e;
    this.by = by;
  }

  text(): string {
    return this.parts.join('');
  }

  write(value: Value): void {
    if (value instanceof Dict) this.dict(value);
    else if (value instanceof List || value instanceof Tuple) this.list(value.items);
    else this.parts.push(scalar(this.e, value));
  }

  private list(items: readonly Value[]): void {
    this.nested('[', ']', items.length, (at) => this.write(items[at] as Value));
  }

  private dict(dict: Dict): void {
    const keys = sortedKeys(this.e, dict.keys());
    this.nested('{', '}', keys.length, (at) => {
      const key = keys[at] as Value;
      this.parts.push(quoted(this.e, keyText(key)), ': ');
      this.write(dict.get(key) as Value);
    });
  }

  private nested(open: string, close: string, count: number, write: (at: number) => void): void {
    const { e, parts } = this;
    parts.push(open);
    e.enter();
    this.level += 1;
    for (let at = 0; at < count; at += 1) {
      e.makeItems(1, 32);
      if (at > 0) parts.push(this.by === null ? ', ' : ',');
      this.line();
      write(at);
    }
    this.level -= 1;
    e.leave();
    if (count > 0) this.line();
    parts.push(close);
  }

  private line(): void {
    if (this.by === null) return;
    this.e.makeText(1 + this.by.length * this.level);
    this.parts.push(`\n${this.by.repeat(this.level)}`);
  }
}

function scalar(e: Evaluation, value: Exclude<Value, Dict | List | Tuple>): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' || typeof value === 'bigint') return intText(e, value);
  const text = asText(value);
  if (text !== null) return quoted(e, text);
  if (value instanceof Float)
    return Number.isFinite(value.value)
      ? floatText(value.value)
      : Number.isNaN(value.value)
        ? 'NaN'
        : value.value > 0
          ? 'Infinity'
          : '-Infinity';
  const message = `Object of type ${typeName(value)} is not JSON serializable`;
  if (value instanceof Undefined)
    throw new TemplateError('EVAL_TYPE', message, value.describe().message, value.span);
  return typeError(message);
}

/** A text, or a number of blanks. */
function indentation(e: Evaluation, indent: Value): string | null {
  if (indent === null) return null;
  const text = asText(indent);
  if (text !== null) return text;
  if (indent instanceof Undefined) failUndefined(indent);
  const blanks = Math.max(
    asIndex(indent) ?? typeError(`can't multiply sequence by non-int of type '${typeName(indent)}'`),
    0,
  );
  e.makeText(blanks);
  return ' '.repeat(blanks);
}

function toJson(e: Evaluation, value: Value, indent: Value): string {
  const writer = new JsonWriter(e, indentation(e, indent));
  writer.write(value);
  return writer.text();
}

export const jsonFilters: readonly FilterEntry[] = [
  filter('tojson', [['indent', null]], (e, value, indent) => new Markup(toJson(e, value, indent))),
];
