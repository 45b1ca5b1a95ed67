// Values as text: `repr(x)` and `str(x)`.
//
// Every piece is charged before it is added, so that a value that shares its parts ends in a limit and not in a text
// that fills the memory. A list or dict inside itself is written "[...]" or "{...}".
import { chargeScan, chargeString, stringBytes } from '../../python/charge.ts';
import { MAX_VALUE_DEPTH, tooDeep } from './depth.ts';
import type { Thread } from './native.ts';
import { floatText, intText } from './number-text.ts';
import { TextBuilder } from './text-builder.ts';
import { typeName } from './type-name.ts';
import { codePointAt, decodeReplacing, pointBytes } from './utf8.ts';
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
  Range,
  SetValue,
  Struct,
  Tuple,
  type Value,
} from './value.ts';

export function repr(thread: Thread, v: Value): string {
  if (typeof v === 'number') {
    const text = String(v);
    thread.meter.allocate(stringBytes(text.length));
    return text;
  }
  const writer = new Writer(thread, new TextBuilder(thread.meter));
  writer.value(v);
  return writer.out.finish();
}

export function str(thread: Thread, v: Value): string {
  if (typeof v === 'string') return v;
  if (v instanceof Bytes) {
    chargeString(thread.meter, v.bytes.length);
    // Decoding looks at each byte.
    thread.meter.work(v.bytes.length >> 2);
    return decodeReplacing(v.bytes);
  }
  return repr(thread, v);
}

/** What a message can show of a value: never more than a short line, and not charged. */
export function briefly(v: Value): string {
  const brief = new BriefText();
  new Writer(null, brief).value(v);
  return brief.text.length > BRIEF_UNITS ? `${cut(brief.text)}…` : brief.text;
}

const BRIEF_UNITS = 60;
/** What a list or dict costs besides its elements: the pieces around them are held until they are joined. */
const CONTAINER_STEPS = 4;
const CONTAINER_BYTES = 16;
/** For a unit or byte of a text that holds something to escape. */
const ESCAPE_STEPS = 3;
/** What is escaped at once, so that the pieces of a long text never exist all together. */
const BLOCK_UNITS = 1024;

/** Does not leave half of a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(BRIEF_UNITS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? BRIEF_UNITS - 1 : BRIEF_UNITS);
}

class BriefText {
  text = '';

  add(piece: string): void {
    this.text += piece;
  }
}

class Writer<Out extends { add(piece: string): void }> {
  readonly out: Out;
  /** Null when the text is for a message: then writing stops after `BRIEF_UNITS`. */
  private readonly thread: Thread | null;
  /** The lists and dicts that are being written, outermost first. */
  private readonly open: object[] = [];
  private depth = 0;

  constructor(thread: Thread | null, out: Out) {
    this.thread = thread;
    this.out = out;
  }

  private get full(): boolean {
    return this.out instanceof BriefText && this.out.text.length > BRIEF_UNITS;
  }

  private add(piece: string): void {
    this.out.add(piece);
  }

  value(v: Value): void {
    this.thread?.meter.work(1);
    if (typeof v === 'number') return this.add(String(v));
    if (typeof v === 'string') return this.string(v);
    if (typeof v === 'boolean') return this.add(v ? 'True' : 'False');
    if (typeof v === 'bigint') return this.bigint(v);
    return v === null ? this.add('None') : this.object(v);
  }

  private bigint(v: bigint): void {
    if (this.thread === null) return this.add('a huge int');
    this.add(intText(this.thread, v));
  }

  private string(v: string): void {
    if (this.thread === null) return this.add(quoteString(v.slice(0, BRIEF_UNITS + 1)));
    chargeScan(this.thread.meter, v.length);
    if (plain.test(v)) {
      this.add('"');
      this.add(v);
      this.add('"');
      return;
    }
    // By the block: the quoted text is charged where it is added, and an escape is up to six units for one.
    this.add('"');
    for (let from = 0, to = 0; from < v.length; from = to) {
      to = blockEnd(v, from);
      this.thread.meter.work((to - from) * ESCAPE_STEPS);
      this.add(escapeText(v.slice(from, to)));
    }
    this.add('"');
  }

  private bytes(v: Bytes): void {
    if (this.thread === null) return this.add(quoteBytes(v.bytes.subarray(0, BRIEF_UNITS + 1)));
    this.add('b"');
    for (let from = 0, to = 0; from < v.bytes.length; from = to) {
      to = byteBlockEnd(v.bytes, from);
      this.thread.meter.work((to - from) * ESCAPE_STEPS);
      this.add(escapeBytes(v.bytes.subarray(from, to)));
    }
    this.add('"');
  }

  private object(v: Exclude<Value, null | boolean | number | bigint | string>): void {
    if (v instanceof Float) return this.add(floatText(v.value));
    if (v instanceof List) return this.list(v);
    if (v instanceof Tuple) return this.tuple(v);
    if (v instanceof Dict) return this.dict(v);
    if (v instanceof SetValue) return this.sequence('set([', v.items, '])');
    if (v instanceof Bytes) return this.bytes(v);
    if (v instanceof Struct) return this.struct(v);
    if (v instanceof Range) return this.add(rangeText(v));
    if (v instanceof Elems) {
      this.value(v.of);
      return this.add('.elems()');
    }
    if (v instanceof Closure) return this.add(`<function ${v.code.name}>`);
    if (v instanceof Builtin) return this.add(`<built-in function ${v.native.name}>`);
    if (v instanceof HostFunction) return this.add(`<built-in function ${v.name}>`);
    if (v instanceof BoundMethod)
      return this.add(`<built-in method ${v.native.name} of ${typeName(v.self)} value>`);
    return this.add(`<module ${quoteString(v.name)}>`);
  }

  private enter(): void {
    this.depth += 1;
    this.thread?.meter.work(CONTAINER_STEPS);
    this.thread?.meter.allocate(CONTAINER_BYTES);
    if (this.depth > MAX_VALUE_DEPTH) {
      if (this.thread === null) return;
      tooDeep('repr');
    }
  }

  /** Whether `v` may be written: it is not written already, further out. */
  private begin(v: object): boolean {
    this.thread?.meter.work(1 + (this.open.length >> 3));
    if (this.open.includes(v)) return false;
    this.open.push(v);
    return true;
  }

  private list(v: List): void {
    if (!this.begin(v)) return this.add('[...]');
    this.sequence('[', v.items, ']');
    this.open.pop();
  }

  private tuple(v: Tuple): void {
    this.sequence('(', v.items, v.items.length === 1 ? ',)' : ')');
  }

  private sequence(open: string, items: readonly (Value | undefined)[], close: string): void {
    this.enter();
    this.add(open);
    let separator = '';
    for (let i = 0; i < items.length && !this.full; i += 1) {
      const item = items[i];
      if (item === undefined) continue;
      if (separator !== '') this.add(separator);
      separator = ', ';
      this.value(item);
    }
    this.add(close);
    this.depth -= 1;
  }

  private dict(v: Dict): void {
    if (!this.begin(v)) return this.add('{...}');
    this.enter();
    this.add('{');
    let separator = '';
    for (let i = 0; i < v.keys.length && !this.full; i += 1) {
      const key = v.keys[i];
      if (key === undefined) continue;
      if (separator !== '') this.add(separator);
      separator = ', ';
      this.value(key);
      this.add(': ');
      this.value(v.values[i] as Value);
    }
    this.add('}');
    this.depth -= 1;
    this.open.pop();
  }

  private struct(v: Struct): void {
    this.enter();
    this.add('struct(');
    let separator = '';
    for (const [name, member] of v.members) {
      if (this.full) break;
      this.add(`${separator}${name} = `);
      separator = ', ';
      this.value(member);
    }
    this.add(')');
    this.depth -= 1;
  }
}

function rangeText(v: Range): string {
  if (v.step !== 1) return `range(${v.start}, ${v.stop}, ${v.step})`;
  return v.start === 0 ? `range(${v.stop})` : `range(${v.start}, ${v.stop})`;
}

// Strings and bytes as literals, between double quotes.
//
// The literal of valid text denotes that text. What cannot be seen is escaped: control characters, and code points
// that hide or reorder what is beside them. The set is fixed, so that no Unicode version changes a result. A lone
// surrogate is `\udXXX` and a byte outside of valid UTF-8 is `\xXX`.

const named: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** Control characters, and code points that hide or reorder what is beside them. */
const invisible =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';
/** Whole pairs are found too, so that only a half of one is escaped. */
const special = new RegExp(`["\\\\${invisible}]|[\\ud800-\\udbff][\\udc00-\\udfff]|[\\ud800-\\udfff]`, 'g');
const plain = /^[ !#-[\]-~]*$/;

function quoteString(text: string): string {
  return `"${plain.test(text) ? text : escapeText(text)}"`;
}

function escapeText(text: string): string {
  return text.replace(special, (found) => (found.length === 2 ? found : escapePoint(found.charCodeAt(0))));
}

/** The end of the block that begins at `from`: never between the halves of a pair. */
function blockEnd(text: string, from: number): number {
  const to = from + BLOCK_UNITS;
  if (to >= text.length) return text.length;
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
}

/** The same for bytes: never within a character. */
function byteBlockEnd(bytes: Uint8Array, from: number): number {
  let to = from + BLOCK_UNITS;
  if (to >= bytes.length) return bytes.length;
  // A character has at most three bytes after its first.
  for (let more = 0; more < 3 && ((bytes[to] as number) & 0xc0) === 0x80; more += 1) to += 1;
  return Math.min(to, bytes.length);
}

function escapePoint(point: number): string {
  const name = named.get(point);
  if (name !== undefined) return name;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return `\\u${hex(point, 4)}`;
}

function quoteBytes(bytes: Uint8Array): string {
  return `b"${escapeBytes(bytes)}"`;
}

/** What each ASCII character is in a literal. */
const asciiTexts = Array.from({ length: 0x80 }, (_, point) => {
  const text = String.fromCharCode(point);
  return plain.test(text) ? text : escapePoint(point);
});

function escapeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length;) {
    const byte = bytes[i] as number;
    if (byte < 0x80) {
      parts.push(asciiTexts[byte] as string);
      i += 1;
      continue;
    }
    const point = codePointAt(bytes, i);
    if (point < 0) {
      parts.push(`\\x${byte.toString(16)}`);
      i += 1;
    } else {
      parts.push(quoteString(String.fromCodePoint(point)).slice(1, -1));
      i += pointBytes(point);
    }
  }
  return parts.join('');
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0');
}
