// A TOML text -> its statements with their positions.
//
//   text -> [table] · [[table]] · key = value, or the first invalid line
//
// Parsing is strict: an accepted document has no duplicate table or key, after unquoting and unescaping. Strings are decoded;
// numbers, dates and booleans keep their notation, because nothing here needs their values.
import { TomlDefinitions } from './toml-definitions.ts';

export class TomlFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface TomlScalar {
  readonly written: string;
}

export type TomlValue = string | TomlScalar | readonly TomlValue[] | ReadonlyMap<string, TomlValue>;

export interface TomlStatement {
  readonly kind: 'table' | 'tables' | 'pair';
  /** From the root; for a pair it includes the table. */
  readonly path: readonly string[];
  /** How many keys of the path are in this statement; more than one means dotted keys. */
  readonly written: number;
  readonly line: number;
  /** The start of this statement's line and of the next one. */
  readonly start: number;
  readonly end: number;
  /** For a pair, else null. `from` and `to`: its position. */
  readonly value: { readonly from: number; readonly to: number; readonly read: TomlValue } | null;
}

const maxDepth = 100;
const escapes: { readonly [letter: string]: string } = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001B',
  '"': '"',
  '\\': '\\',
};
const scalar =
  /^(?:true|false|[+-]?(?:inf|nan)|[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?|0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/** Throws TomlFault. */
export function readToml(text: string): readonly TomlStatement[] {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): readonly TomlStatement[] {
    this.#at = this.#text.startsWith('\uFEFF') ? 1 : 0;
    const statements: TomlStatement[] = [];
    const definitions = new TomlDefinitions();
    let table: readonly string[] = [];
    while (this.#at < this.#text.length) {
      const start = this.#at;
      this.#blanks();
      if (this.#isLineOver()) {
        this.#lineEnd();
        continue;
      }
      const line = this.#line;
      const head = this.#next('[') ? this.#header() : null;
      const keys = head === null ? this.#keys() : head.path;
      const path = head === null ? [...table, ...keys] : keys;
      const value = head === null ? this.#pairValue() : null;
      const kind = head?.kind ?? 'pair';
      this.#blanks();
      this.#lineEnd();
      const clash =
        head === null ? definitions.pair(table, keys) : definitions.header(keys, kind === 'tables');
      if (clash !== null) throw new TomlFault(line, clash);
      if (head !== null) table = head.path;
      statements.push({ kind, path, written: keys.length, line, start, end: this.#at, value });
    }
    return statements;
  }

  #header(): { readonly kind: 'table' | 'tables'; readonly path: readonly string[] } {
    const kind = this.#next('[[') ? 'tables' : 'table';
    const width = kind === 'tables' ? 2 : 1;
    this.#at += width;
    const path = this.#keys();
    if (!this.#next(']'.repeat(width))) throw this.#fault('the name of a table is not closed');
    this.#at += width;
    return { kind, path };
  }

  #keys(): readonly string[] {
    const keys: string[] = [];
    do {
      if (keys.length > 0) this.#at += 1;
      this.#blanks();
      keys.push(this.#key());
      this.#blanks();
    } while (this.#next('.'));
    return keys;
  }

  #key(): string {
    if (this.#next('"""') || this.#next("'''")) throw this.#fault('a key must be on one line');
    if (this.#next('"') || this.#next("'")) return this.#string();
    const [bare] = this.#match(/[\w-]+/y) ?? [];
    if (bare === undefined) throw this.#fault('a key is missing');
    return bare;
  }

  #pairValue(): NonNullable<TomlStatement['value']> {
    if (!this.#next('=')) throw this.#fault('a "=" is missing');
    this.#at += 1;
    this.#blanks();
    const from = this.#at;
    const read = this.#value();
    return { from, to: this.#at, read };
  }

  #value(): TomlValue {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#fault(`it is nested more than ${maxDepth} deep`);
    const value =
      this.#next('"') || this.#next("'")
        ? this.#string()
        : this.#next('[')
          ? this.#array()
          : this.#next('{')
            ? this.#inlineTable()
            : this.#scalar();
    this.#depth -= 1;
    return value;
  }

  #scalar(): TomlScalar {
    // A date may have a space before its time.
    const [written] = this.#match(/\d{4}-\d\d-\d\d \d\d:[\d:.+Zz-]*|[\w+.:-]+/y) ?? [];
    if (written === undefined || !scalar.test(written)) throw this.#fault('a value is missing or malformed');
    return { written };
  }

  #array(): readonly TomlValue[] {
    const items: TomlValue[] = [];
    this.#at += 1;
    for (;;) {
      this.#blanksAndLines();
      if (this.#next(']')) break;
      items.push(this.#value());
      this.#blanksAndLines();
      if (this.#next(',')) this.#at += 1;
      else if (!this.#next(']')) throw this.#fault('a list is not closed');
    }
    this.#at += 1;
    return items;
  }

  #inlineTable(): ReadonlyMap<string, TomlValue> {
    const members = new Map<string, TomlValue>();
    const definitions = new TomlDefinitions();
    this.#at += 1;
    for (;;) {
      this.#blanksAndLines();
      if (this.#next('}')) break;
      const keys = this.#keys();
      const clash = definitions.pair([], keys);
      if (clash !== null) throw this.#fault(clash);
      members.set(keys.join('.'), this.#pairValue().read);
      this.#blanksAndLines();
      if (this.#next(',')) this.#at += 1;
      else if (!this.#next('}')) throw this.#fault('an inline table is not closed');
    }
    this.#at += 1;
    return members;
  }

  #string(): string {
    const quote = this.#text[this.#at] as string;
    const isLong = this.#next(quote.repeat(3));
    const end = isLong ? quote.repeat(3) : quote;
    this.#at += end.length;
    if (isLong) this.#match(/\r?\n/y);
    let read = '';
    while (this.#at < this.#text.length) {
      if (this.#next(end)) {
        // Up to two quotes may precede the closing ones.
        const more = isLong ? (this.#match(new RegExp(`${quote}{0,2}(?=${end})`, 'y'))?.[0] ?? '') : '';
        this.#at += end.length;
        return read + more;
      }
      const character = this.#text[this.#at] as string;
      if (character === '\n' && !isLong) break;
      if (character === '\\' && quote === '"') read += this.#escape(isLong);
      else if (isControl(character) && !(isLong && (character === '\n' || this.#next('\r\n'))))
        throw this.#fault('a string contains a control character');
      else {
        read += character;
        this.#at += 1;
      }
    }
    throw this.#fault('a string is never closed');
  }

  #escape(isLong: boolean): string {
    const [, hex] =
      this.#match(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2}))/y)?.filter(
        (part) => part !== undefined,
      ) ?? [];
    if (hex !== undefined) {
      const point = Number.parseInt(hex, 16);
      if (point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff))
        throw this.#fault('a string is malformed');
      return String.fromCodePoint(point);
    }
    // A backslash at the end of a line removes the white space after it.
    if (isLong && this.#match(/\\[ \t]*\r?\n\s*/y) !== null) return '';
    const read = escapes[this.#text[this.#at + 1] ?? ''];
    if (read === undefined) throw this.#fault('a string is malformed');
    this.#at += 2;
    return read;
  }

  #blanks(): void {
    this.#match(/[ \t]*/y);
  }

  #blanksAndLines(): void {
    this.#match(/(?:[ \t]|\r?\n|#[^\n]*(?:\n|$))*/y);
  }

  #isLineOver(): boolean {
    return this.#at === this.#text.length || this.#next('#') || this.#next('\n') || this.#next('\r\n');
  }

  #lineEnd(): void {
    if (!this.#isLineOver()) throw this.#fault('there is text after the value');
    this.#match(/(?:#[^\n]*)?(?:\r?\n|$)/y);
  }

  #next(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  get #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length;
  }

  #fault(message: string): TomlFault {
    return new TomlFault(this.#line, message);
  }
}

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code < 0x20 && code !== 0x09) || code === 0x7f;
}
