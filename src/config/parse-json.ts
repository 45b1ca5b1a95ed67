// JSON with the place of every key and value.
//
//   text -> JsonNode | null
//
//   value  = object | array | string | number | "true" | "false" | "null"
//   object = "{" [ member { "," member } [ "," ] ] "}"        member = string ":" value
//   array  = "[" [ value { "," value } [ "," ] ] "]"
//   space  = blank | line end | "//" … line end | "/*" … "*/"
//
// Comments and trailing commas are allowed; without them the value equals that of JSON.parse (property test).
// `__proto__`, `constructor` and `prototype` are reported and dropped. Nothing throws: the first fault is reported and
// the result is `null`. Depth is limited.
import type { Report } from '../base/diagnostic.ts';
import type { Span } from '../base/span.ts';
import { placeOf } from '../base/span.ts';

const jsonLimits = { bytes: 1024 * 1024, depth: 32 } as const;

export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

export type JsonNode =
  | { readonly kind: 'scalar'; readonly value: null | boolean | number | string; readonly span: Span }
  | { readonly kind: 'list'; readonly items: readonly JsonNode[]; readonly span: Span }
  /** `dropped`: a key that no object may have was left out. */
  | {
      readonly kind: 'map';
      readonly members: readonly JsonMember[];
      readonly span: Span;
      readonly dropped?: true;
    };

/** Returns `null` after reporting why the text is not JSON. */
export function parseJsonNodes(text: string, report: Report): JsonNode | null {
  const reader = new JsonReader(text, report);
  try {
    return reader.document();
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    report('CONFIG_SYNTAX', fault.at, fault.message, fault.hint);
    return null;
  }
}

/** Leaves the reader at the first fault; never leaves this file. */
class SyntaxFault extends Error {
  readonly at: Span;
  readonly hint: string | undefined;
  constructor(at: Span, message: string, hint?: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}

const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$]*/y;
const escapes: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  private at = 0;
  private readonly text: string;
  private readonly report: Report;

  constructor(text: string, report: Report) {
    this.text = text;
    this.report = report;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  document(): JsonNode {
    if (this.text.length > jsonLimits.bytes) {
      throw new SyntaxFault(
        { start: 0, end: 0 },
        `the file has ${this.text.length} characters; the limit is ${jsonLimits.bytes}`,
      );
    }
    this.space();
    const node = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.unexpected('nothing more was expected here');
    return node;
  }

  private value(depth: number): JsonNode {
    const start = this.at;
    if (depth > jsonLimits.depth)
      throw new SyntaxFault({ start, end: start + 1 }, `nested deeper than ${jsonLimits.depth} levels`);
    const letter = this.text[start];
    if (letter === '{') return this.object(depth);
    if (letter === '[') return this.array(depth);
    if (letter === '"') return { kind: 'scalar', value: this.string(), span: { start, end: this.at } };
    const number = this.match(numberPattern);
    if (number !== null) {
      this.at += number.length;
      const value = Number(number);
      if (!Number.isFinite(value)) throw new SyntaxFault({ start, end: this.at }, 'the number is too large');
      return { kind: 'scalar', value, span: { start, end: this.at } };
    }
    const word = this.match(wordPattern);
    if (word === 'true' || word === 'false' || word === 'null') {
      this.at += word.length;
      return {
        kind: 'scalar',
        value: word === 'null' ? null : word === 'true',
        span: { start, end: this.at },
      };
    }
    throw this.unexpected(
      'a value was expected here',
      word === null ? undefined : 'text goes in double quotes',
    );
  }

  private object(depth: number): JsonNode {
    const start = this.at;
    const members: JsonMember[] = [];
    const seen = new Set<string>();
    let dropped = false;
    this.at += 1;
    for (;;) {
      this.space();
      if (this.take('}')) break;
      if (this.text[this.at] !== '"')
        throw this.unexpected('a key in double quotes was expected here', this.unclosedHint('{', start));
      const keyStart = this.at;
      const key = this.string();
      const keySpan = { start: keyStart, end: this.at };
      this.space();
      if (!this.take(':')) throw this.unexpected(`a ":" was expected after the key`);
      this.space();
      const value = this.value(depth + 1);
      if (forbiddenKeys.has(key)) {
        dropped = true;
        this.report('CONFIG_UNKNOWN_KEY', keySpan, `the key "${key}" is not allowed and was dropped`);
      } else if (seen.has(key))
        this.report(
          'CONFIG_VALUE',
          keySpan,
          `the key "${key}" is given twice; the first one counts`,
          'remove one of the two',
        );
      else members.push({ key, keySpan, value });
      seen.add(key);
      this.space();
      if (this.take(',')) continue;
      if (this.take('}')) break;
      throw this.unexpected('a "," or "}" was expected here', this.unclosedHint('{', start));
    }
    return { kind: 'map', members, span: { start, end: this.at }, ...(dropped ? { dropped } : {}) };
  }

  private array(depth: number): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    this.at += 1;
    for (;;) {
      this.space();
      if (this.take(']')) break;
      items.push(this.value(depth + 1));
      this.space();
      if (this.take(',')) continue;
      if (this.take(']')) break;
      throw this.unexpected('a "," or "]" was expected here', this.unclosedHint('[', start));
    }
    return { kind: 'list', items, span: { start, end: this.at } };
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let value = '';
    for (;;) {
      let end = this.at;
      while (end < this.text.length && !isStringStop(this.text.charCodeAt(end))) end += 1;
      value += this.text.slice(this.at, end);
      this.at = end;
      const stop = this.text[end];
      if (stop === '"') {
        this.at += 1;
        return value;
      }
      if (stop !== '\\')
        throw new SyntaxFault(
          { start, end },
          'the text opened here is not closed on its line',
          'end it with a double quote',
        );
      value += this.escape();
    }
  }

  private escape(): string {
    const start = this.at;
    const letter = this.text[start + 1] ?? '';
    if (letter === 'u') {
      const digits = this.text.slice(start + 2, start + 6);
      if (!/^[0-9A-Fa-f]{4}$/.test(digits))
        throw new SyntaxFault({ start, end: start + 2 }, '\\u needs four hexadecimal digits');
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const meant = escapes[letter];
    if (meant === undefined)
      throw new SyntaxFault(
        { start, end: start + 2 },
        'this escape does not exist in JSON',
        'write a backslash as \\\\',
      );
    this.at += 2;
    return meant;
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit === 32 || unit === 9 || unit === 10 || unit === 13) this.at += 1;
      else if (unit === 47 && this.text[this.at + 1] === '/') {
        while (this.at < this.text.length && !isLineEnd(this.text.charCodeAt(this.at))) this.at += 1;
      } else if (unit === 47 && this.text[this.at + 1] === '*') {
        const end = this.text.indexOf('*/', this.at + 2);
        if (end === -1)
          throw new SyntaxFault(
            { start: this.at, end: this.at + 2 },
            'the comment opened here is never closed',
          );
        this.at = end + 2;
      } else return;
    }
  }

  private take(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  private unclosedHint(bracket: string, start: number): string | undefined {
    if (this.at < this.text.length) return undefined;
    const { line, column } = placeOf(this.text, start);
    return `the "${bracket}" at ${line}:${column} is never closed`;
  }

  private unexpected(expected: string, hint?: string): SyntaxFault {
    const end = Math.min(this.at + 1, this.text.length);
    const message = this.at >= this.text.length ? `the file ends too early: ${expected}` : expected;
    return new SyntaxFault({ start: this.at, end }, message, hint);
  }
}

function isStringStop(unit: number): boolean {
  return unit === 34 || unit === 92 || unit < 32;
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}
