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
import { wellFormed } from '../value/well-formed.ts';

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
