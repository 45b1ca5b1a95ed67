// Value -> JSON text, in one form: no white space, keys in order of their UTF-16 units.
//
// Floats are written with a point or an exponent, so that decoding gives floats again. Half of a surrogate pair
// becomes U+FFFD. NaN, infinities, functions, bytes and cycles are refused, with the path that leads to them.
import { LimitReached } from '../../base/meter.ts';
import { chargeList } from '../value/charge.ts';
import { MAX_VALUE_DEPTH } from '../value/depth.ts';
import { dictGet } from '../value/dict.ts';
import { EvalError } from '../value/eval-error.ts';
import { isIterable, viewArray } from '../value/iterate.ts';
import type { Thread } from '../value/native.ts';
import { floatText, intText } from '../value/number-text.ts';
import { excerpt } from '../value/parse-number.ts';
import { TextBuilder } from '../value/text-builder.ts';
import { typeName } from '../value/type-name.ts';
import { Dict, Float, Struct, type Value } from '../value/value.ts';
import { wellFormed } from '../value/boundary.ts';
import {
  JsonFault,
  nextToken,
  scanNumber,
  scanString,
  scanWord,
  shownUnit,
  skipSpace,
} from './json-decode.ts';

/** `name` is the function that asks, for messages. */
export function encodeJson(thread: Thread, v: Value, name: string): string {
  const encoder = new Encoder(thread, name);
  encoder.value(v, '');
  return encoder.out.finish();
}

class Encoder {
  readonly out: TextBuilder;
  private readonly thread: Thread;
  private readonly name: string;
  /** The containers being written, and the index or key in each: outermost first. */
  private readonly open: object[] = [];
  private readonly path: (number | string)[] = [];

  constructor(thread: Thread, name: string) {
    this.thread = thread;
    this.name = name;
    this.out = new TextBuilder(thread.meter);
  }

  /** Writes `v` after `lead`, in one piece where that is possible. */
  value(v: Value, lead: string): void {
    this.thread.meter.work(3);
    if (typeof v === 'string') this.string(v, lead, '');
    else if (typeof v === 'number' || typeof v === 'bigint') this.out.add(lead + intText(this.thread, v));
    else if (typeof v === 'boolean') this.out.add(v ? `${lead}true` : `${lead}false`);
    else if (v === null) this.out.add(`${lead}null`);
    else if (v instanceof Float) this.out.add(lead + this.float(v.value));
    else this.container(v, lead);
  }

  private float(n: number): string {
    if (!Number.isFinite(n)) throw this.fault(`cannot encode non-finite float ${floatText(n)}`);
    return floatText(n);
  }

  private container(
    v: Exclude<Value, null | boolean | number | bigint | string | Float>,
    lead: string,
  ): void {
    const isRecord = v instanceof Dict || v instanceof Struct;
    if (!isRecord && !isIterable(v)) throw this.fault(`cannot encode ${typeName(v)} as JSON`);
    this.thread.meter.work(4 + (this.open.length >> 3));
    if (this.open.includes(v)) throw this.fault('cycle in JSON structure');
    if (this.open.length >= MAX_VALUE_DEPTH) {
      throw new LimitReached(
        'DEPTH_LIMIT',
        `${this.name}: values are nested more than ${MAX_VALUE_DEPTH} deep`,
      );
    }
    this.open.push(v);
    if (isRecord) this.record(v, lead);
    else this.array(v, lead);
    this.open.pop();
  }

  private array(v: Value, lead: string): void {
    const items = viewArray(this.thread, v);
    this.out.add(`${lead}[`);
    for (let i = 0; i < items.length; i++) {
      this.path.push(i);
      this.value(items[i] as Value, i === 0 ? '' : ',');
      this.path.pop();
    }
    this.out.add(']');
  }

  private record(v: Dict | Struct, lead: string): void {
    const keys = v instanceof Dict ? this.keys(v) : [...v.members.keys()].sort();
    this.out.add(`${lead}{`);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      this.path.push(key);
      this.string(key, i === 0 ? '' : ',', ':');
      this.value((v instanceof Dict ? dictGet(this.thread, v, key) : v.members.get(key)) as Value, '');
      this.path.pop();
    }
    this.out.add('}');
  }

  private keys(dict: Dict): string[] {
    chargeList(this.thread.meter, dict.keys.length);
    const keys: string[] = [];
    let last = '';
    let sorted = true;
    for (const key of dict.keys) {
      if (key === undefined) continue;
      if (typeof key !== 'string')
        throw this.fault(`dict has ${typeName(key)} key, want string`, 'use str(x) to make a string key');
      keys.push(key);
      if (key < last) sorted = false;
      last = key;
    }
    if (sorted) return keys;
    this.thread.meter.work(Math.ceil(keys.length * Math.log2(keys.length)));
    return keys.sort();
  }

  private string(text: string, before: string, after: string): void {
    this.thread.meter.work(3 + (text.length >> 2));
    if (text.length <= BLOCK_UNITS) {
      this.out.add(before + (special.test(text) ? JSON.stringify(wellFormed(text)) : `"${text}"`) + after);
      return;
    }
    // An escape is six units, so a long text is quoted in blocks that are charged one by one.
    const whole = wellFormed(text);
    this.out.add(`${before}"`);
    for (let from = 0; from < whole.length;) {
      let to = Math.min(from + BLOCK_UNITS, whole.length);
      if ((whole.charCodeAt(to - 1) & 0xfc00) === 0xd800) to += 1;
      this.out.add(JSON.stringify(whole.slice(from, to)).slice(1, -1));
      from = to;
    }
    this.out.add(`"${after}`);
  }

  private fault(message: string, hint: string | null = null): EvalError {
    const steps = this.path.map((step, i) => this.shownStep(this.open[i] as Value, step));
    const shown = steps.length <= 8 ? steps : [...steps.slice(0, 4), '…', ...steps.slice(-3)];
    return new EvalError('EVAL_VALUE', [this.name, ...shown, message].join(': '), hint);
  }

  private shownStep(container: Value, step: number | string): string {
    if (typeof step === 'number') return `at ${typeName(container)} index ${step}`;
    return container instanceof Struct ? `in struct field .${step}` : `in dict key ${excerpt(step)}`;
  }
}

const BLOCK_UNITS = 4096;
/** What may need more than quotes around it. */
const special = /["\\\0-\x1f\ud800-\udfff]/;

// JSON text -> the same JSON with each element and entry on a line of its own. An empty array or object stays `[]`, `{}`.
//
// Strings and numbers are copied as they are written; what is not JSON is refused as by decoding.

/** Throws a JsonFault when `text` is not JSON. */
export function indentJson(thread: Thread, text: string, prefix: string, indent: string): string {
  thread.meter.work(text.length >> 1);
  const indenter = new Indenter(thread, text, prefix, indent);
  const end = skipSpace(text, indenter.value(0, 0));
  if (end < text.length) throw new JsonFault(end, `unexpected character ${shownUnit(text, end)} after value`);
  return indenter.out.finish();
}

class Indenter {
  readonly out: TextBuilder;
  private readonly thread: Thread;
  private readonly text: string;
  private readonly prefix: string;
  private readonly indent: string;

  constructor(thread: Thread, text: string, prefix: string, indent: string) {
    this.thread = thread;
    this.text = text;
    this.prefix = prefix;
    this.indent = indent;
    this.out = new TextBuilder(thread.meter);
  }

  /** Writes the value at or after `from` and gives the place after it. */
  value(from: number, depth: number): number {
    const { text } = this;
    const at = nextToken(text, from);
    this.thread.meter.work(1);
    switch (text.charCodeAt(at)) {
      case 0x5b /* [ */:
        return this.container(at, ']', depth);
      case 0x7b /* { */:
        return this.container(at, '}', depth);
      case 0x22 /* " */:
        return this.copy(at, scanString(text, at).end);
      case 0x6e /* n */:
        return this.copy(at, scanWord(text, at, 'null'));
      case 0x74 /* t */:
        return this.copy(at, scanWord(text, at, 'true'));
      case 0x66 /* f */:
        return this.copy(at, scanWord(text, at, 'false'));
      default:
        return this.copy(at, scanNumber(text, at).end);
    }
  }

  private container(open: number, close: ']' | '}', depth: number): number {
    const { text } = this;
    if (depth >= MAX_VALUE_DEPTH)
      throw new LimitReached(
        'DEPTH_LIMIT',
        `json.indent: at offset ${open}, arrays and objects are nested more than ${MAX_VALUE_DEPTH} deep`,
      );
    this.out.add(text[open] as string);
    let at = nextToken(text, open + 1);
    if (text[at] !== close) {
      for (;;) {
        this.newLine(depth + 1);
        at = nextToken(text, close === '}' ? this.entry(at, depth) : this.value(at, depth + 1));
        if (text[at] === close) break;
        if (text[at] !== ',') throw new JsonFault(at, `got ${shownUnit(text, at)}, want ',' or '${close}'`);
        this.out.add(',');
        at = nextToken(text, at + 1);
      }
      this.newLine(depth);
    }
    this.out.add(close);
    return at + 1;
  }

  private entry(at: number, depth: number): number {
    const { text } = this;
    if (text[at] !== '"') throw new JsonFault(at, `got ${shownUnit(text, at)} for object key, want string`);
    const colon = nextToken(text, this.copy(at, scanString(text, at).end));
    if (text[colon] !== ':')
      throw new JsonFault(colon, `after object key, got ${shownUnit(text, colon)}, want ':'`);
    this.out.add(': ');
    return this.value(colon + 1, depth + 1);
  }

  private copy(from: number, to: number): number {
    this.out.add(this.text.slice(from, to));
    return to;
  }

  private newLine(depth: number): void {
    this.out.add('\n');
    this.out.add(this.prefix);
    for (let i = 0; i < depth; i++) this.out.add(this.indent);
  }
}
