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
import { FLOAT_BYTES } from '../value/sizes.ts';
import { sliceText } from '../../python/slice-text.ts';
import { typeName } from '../value/type-name.ts';
import { Float, List, type Dict, type Value } from '../value/value.ts';
import { wellFormed } from '../value/well-formed.ts';
import {
  JsonFault,
  nextToken,
  scanNumber,
  scanString,
  scanWord,
  shownUnit,
  skipSpace,
  unescape,
} from './json-scan.ts';

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
