// JSON text -> value.
//
// A number without a point and an exponent is an int, however long; any other is a float. Strict: no trailing commas,
// no comments, no NaN, no second entry of the same key, nothing after the value. Half of a surrogate pair, escaped or
// not, becomes U+FFFD; two escaped halves become one character.
import { LIST_BYTES, SLOT_BYTES, stringBytes } from '../../python/charge.ts';
import { LimitReached } from '../../base/meter.ts';
import { MAX_VALUE_DEPTH } from '../value/depth.ts';
import { dictSet, newDict } from '../value/dict.ts';
import type { Thread } from '../value/native.ts';
import { excerpt, intFromText } from '../value/parse-number.ts';
import { FLOAT_BYTES, Float, List, type Dict, type Value } from '../value/value.ts';
import { sliceText } from '../../python/slice.ts';
import { typeName } from '../value/type-name.ts';
import { wellFormed } from '../value/boundary.ts';
import { EvalError } from '../value/eval-error.ts';

/** Throws a JsonFault when `text` is not JSON. */
export function decodeJson(thread: Thread, text: string): Value {
  // The text is gone through unit by unit.
  thread.meter.work(text.length);
  const decoder = new Decoder(thread, wellFormed(text));
  const value = decoder.value(0);
  decoder.end();
  return value;
}

class Decoder {
  private readonly thread: Thread;
  private readonly text: string;
  private at = 0;

  constructor(thread: Thread, text: string) {
    this.thread = thread;
    this.text = text;
  }

  value(depth: number): Value {
    this.at = nextToken(this.text, this.at);
    this.thread.meter.work(4);
    switch (this.text.charCodeAt(this.at)) {
      case 0x22 /* " */:
        return this.string();
      case 0x5b /* [ */:
        return this.array(depth);
      case 0x7b /* { */:
        return this.object(depth);
      case 0x6e /* n */:
        this.at = scanWord(this.text, this.at, 'null');
        return null;
      case 0x74 /* t */:
        this.at = scanWord(this.text, this.at, 'true');
        return true;
      case 0x66 /* f */:
        this.at = scanWord(this.text, this.at, 'false');
        return false;
      default:
        return this.number();
    }
  }

  end(): void {
    const at = skipSpace(this.text, this.at);
    if (at < this.text.length)
      throw new JsonFault(at, `unexpected character ${shownUnit(this.text, at)} after value`);
  }

  private array(depth: number): List {
    this.checkDepth(depth);
    this.thread.meter.allocate(LIST_BYTES);
    const items: Value[] = [];
    this.at = nextToken(this.text, this.at + 1);
    if (this.text[this.at] !== ']') {
      for (;;) {
        this.thread.meter.allocate(SLOT_BYTES);
        items.push(this.value(depth + 1));
        this.at = nextToken(this.text, this.at);
        const next = this.text[this.at];
        if (next === ']') break;
        if (next !== ',')
          throw new JsonFault(this.at, `got ${shownUnit(this.text, this.at)}, want ',' or ']'`);
        this.at += 1;
      }
    }
    this.at += 1;
    return new List(items);
  }

  private object(depth: number): Dict {
    this.checkDepth(depth);
    const dict = newDict(this.thread);
    this.at = nextToken(this.text, this.at + 1);
    if (this.text[this.at] !== '}') {
      for (;;) {
        this.entry(dict, depth);
        const next = this.text[this.at];
        if (next === '}') break;
        if (next !== ',')
          throw new JsonFault(this.at, `in object, got ${shownUnit(this.text, this.at)}, want ',' or '}'`);
        this.at = nextToken(this.text, this.at + 1);
      }
    }
    this.at += 1;
    return dict;
  }

  private entry(dict: Dict, depth: number): void {
    const start = this.at;
    const key = this.value(depth + 1);
    if (typeof key !== 'string')
      throw new JsonFault(start, `got ${typeName(key)} for object key, want string`);
    this.at = nextToken(this.text, this.at);
    if (this.text[this.at] !== ':')
      throw new JsonFault(this.at, `after object key, got ${shownUnit(this.text, this.at)}, want ':'`);
    this.at += 1;
    const value = this.value(depth + 1);
    // Of a key that is given twice the last value counts, as in every JSON reader people know.
    dictSet(this.thread, dict, key, value);
    this.at = nextToken(this.text, this.at);
  }

  private string(): string {
    const start = this.at + 1;
    const { end, escaped } = scanString(this.text, this.at);
    this.at = end;
    this.thread.meter.allocate(stringBytes(end - 1 - start));
    const inside = sliceText(this.text, start, end - 1);
    if (!escaped) return inside;
    this.thread.meter.work(4);
    return wellFormed(unescape(inside));
  }

  private number(): Value {
    const start = this.at;
    const { end, isFloat } = scanNumber(this.text, start);
    this.at = end;
    if (!isFloat) return intFromText(this.thread, this.text.slice(start, end), 10);
    const value = Number(this.text.slice(start, end));
    if (!Number.isFinite(value))
      throw new JsonFault(
        start,
        `invalid number: ${excerpt(this.text.slice(start, end)).slice(1, -1)}: floating-point number too large`,
      );
    this.thread.meter.allocate(FLOAT_BYTES);
    return new Float(value);
  }

  private checkDepth(depth: number): void {
    if (depth >= MAX_VALUE_DEPTH)
      throw new LimitReached(
        'DEPTH_LIMIT',
        `json.decode: at offset ${this.at}, arrays and objects are nested more than ${MAX_VALUE_DEPTH} deep`,
      );
  }
}

// The tokens of JSON (RFC 8259), strictly.
//
// Each function takes the place of a token's first unit and gives the place after it, or throws a JsonFault: the
// offset, in UTF-16 units, of the unit that cannot be there.

/** A fault of the text. Not of the program: `json.decode` may have a default for it. */
export class JsonFault extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }

  toEvalError(name: string): EvalError {
    return new EvalError('EVAL_VALUE', `${name}: at offset ${this.offset}, ${this.message}`);
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

/** The first place at or after `from` that is not white space; there must be one. */
export function nextToken(text: string, from: number): number {
  const at = skipSpace(text, from);
  if (at >= text.length) throw new JsonFault(at, 'unexpected end of file');
  return at;
}

// What cannot be in a string as it is. Searched for, not matched over: that needs no stack.
const special = /["\\\0-\x1f]/g;

/** The place after the string that begins at `at`; `escaped` tells whether it holds escapes. */
export function scanString(text: string, at: number): { readonly end: number; readonly escaped: boolean } {
  let escaped = false;
  special.lastIndex = at + 1;
  while (special.test(text)) {
    const found = special.lastIndex - 1;
    const unit = text.charCodeAt(found);
    if (unit === QUOTE) return { end: found + 1, escaped };
    if (unit !== BACKSLASH)
      throw new JsonFault(found, `invalid character ${shownUnit(text, found)} in string literal`);
    escaped = true;
    special.lastIndex = scanEscape(text, found);
  }
  throw new JsonFault(text.length, 'unclosed string literal');
}

function scanEscape(text: string, at: number): number {
  const letter = text[at + 1];
  if (letter === undefined) throw new JsonFault(at, 'incomplete escape');
  if ('"\\/bfnrt'.includes(letter)) return at + 2;
  if (letter !== 'u') throw new JsonFault(at, `invalid escape '\\${letter}'`);
  for (let i = at + 2; i < at + 6; i++) {
    if (i >= text.length) throw new JsonFault(at, 'incomplete \\uXXXX escape');
    if (!isHexDigit(text.charCodeAt(i)))
      throw new JsonFault(i, `invalid hex char ${shownUnit(text, i)} in \\uXXXX escape`);
  }
  return at + 6;
}

/** What the escapes of `text`, the inside of a string that was scanned, stand for. */
function unescape(text: string): string {
  // Only well-formed literals get here, so nothing is refused, and the whole is read once.
  return JSON.parse(`"${text}"`) as string;
}

//   number = [ "-" ] ( "0" | digit1-9 digits ) [ "." digits+ ] [ ( "e" | "E" ) [ "+" | "-" ] digits+ ]
export function scanNumber(text: string, from: number): { readonly end: number; readonly isFloat: boolean } {
  let at = from;
  let isFloat = false;
  const start = text.charCodeAt(from);
  if (start === MINUS) at += 1;
  else if (start < ZERO || start > NINE) throw unexpected(text, from);
  const first = at;
  at = digits(text, at);
  let valid = at > first && (text.charCodeAt(first) !== ZERO || at === first + 1);
  if (text.charCodeAt(at) === POINT) {
    isFloat = true;
    const fraction = digits(text, at + 1);
    valid &&= fraction > at + 1;
    at = fraction;
  }
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    isFloat = true;
    const sign = text.charCodeAt(at + 1);
    const power = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    const exponent = digits(text, power);
    valid &&= exponent > power;
    at = exponent;
  }
  if (!valid)
    throw new JsonFault(
      from,
      `invalid number: ${excerpt(text.slice(from, Math.max(at, from + 1))).slice(1, -1)}`,
    );
  return { end: at, isFloat };
}

/** The place after `null`, `true` or `false` at `at`, where its first letter is. */
export function scanWord(text: string, at: number, word: string): number {
  if (!text.startsWith(word, at)) throw unexpected(text, at);
  return at + word.length;
}

function unexpected(text: string, at: number): JsonFault {
  return new JsonFault(at, `unexpected character ${shownUnit(text, at)}`);
}

/** The character at `at`, as a literal would write it. */
export function shownUnit(text: string, at: number): string {
  const point = text.codePointAt(at) as number;
  return JSON.stringify(String.fromCodePoint(point));
}

function digits(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit >= ZERO && unit <= NINE; unit = text.charCodeAt(at)) at += 1;
  return at;
}

function isHexDigit(unit: number): boolean {
  return (unit >= ZERO && unit <= NINE) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66 && unit < 0x80);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
