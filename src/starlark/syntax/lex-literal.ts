// Number, string and bytes literals.
//
//   text at the start of a literal -> its value and end, faults
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Faults } from './cursor.ts';
import { hexValue, identifierEnd, isDigit } from './token.ts';

// Numbers.
//
//   int      = "0" {"0"} | "1"…"9" {digit} | "0x" hex {hex} | "0o" octal {octal} | "0b" bit {bit}
//   float    = digits "." [digits] [exponent] | digits exponent | "." digits [exponent]
//   exponent = ("e" | "E") ["+" | "-"] digits
//
// `0b` is not in the specification; other implementations and Python have it.

/** An int literal may have as many bits as an int may have by default when a program runs. */
const maxLiteralBits = 65_536;

interface NumberToken {
  readonly kind: 'int literal' | 'float literal';
  readonly end: number;
  readonly value: number | bigint;
}

const radixes: Readonly<
  Record<
    string,
    { readonly radix: number; readonly bits: number; readonly name: string; readonly digits: RegExp }
  >
> = {
  x: { radix: 16, bits: 4, name: 'hex', digits: /[0-9a-fA-F]*/y },
  o: { radix: 8, bits: 3, name: 'octal', digits: /[0-7]*/y },
  b: { radix: 2, bits: 1, name: 'binary', digits: /[01]*/y },
};

/** Reads the number at `start`, where a digit is, or a point before a digit. */
export function lexNumber(text: string, start: number, faults: Faults): NumberToken {
  const form = text.charCodeAt(start) === 48 ? radixes[text.charAt(start + 1).toLowerCase()] : undefined;
  if (form !== undefined) {
    const { digits: pattern, name, bits } = form;
    pattern.lastIndex = start + 2;
    const digits = (pattern.exec(text) as RegExpExecArray)[0];
    const end = start + 2 + digits.length;
    if (digits === '') {
      faults.add(
        'STAR_NUMBER',
        start,
        end,
        `invalid ${name} literal: no digit follows ${text.slice(start, end)}`,
      );
      return { kind: 'int literal', end, value: 0 };
    }
    if (text.charCodeAt(end) === 95) return withUnderscores(text, start, faults);
    return { kind: 'int literal', end, value: intValue(text, start, end, digits.length * bits, faults) };
  }
  let end = digitsEnd(text, start);
  let isFloat = false;
  if (text.charCodeAt(end) === 46) {
    isFloat = true;
    end = digitsEnd(text, end + 1);
  }
  if ((text.charCodeAt(end) | 32) === 101) {
    const signed = text.charCodeAt(end + 1) === 43 || text.charCodeAt(end + 1) === 45;
    const digits = end + (signed ? 2 : 1);
    const exponentEnd = digitsEnd(text, digits);
    if (exponentEnd > digits) {
      isFloat = true;
      end = exponentEnd;
    } else if (signed || identifierEnd(text, end) === end + 1) {
      faults.add(
        'STAR_NUMBER',
        start,
        digits,
        'invalid float literal: the exponent has no digits',
        'write it as 1e5 or 1e-5',
      );
      return { kind: 'float literal', end: digits, value: 0 };
    }
  }
  if (text.charCodeAt(end) === 95) return withUnderscores(text, start, faults);
  const suffix = text.charAt(end).toLowerCase();
  if ((suffix === 'j' || suffix === 'l') && identifierEnd(text, end) === end + 1) {
    const what =
      suffix === 'j'
        ? 'complex numbers are not part of Starlark'
        : 'an int needs no suffix: it may have any size';
    faults.add(
      'STAR_NUMBER',
      start,
      end + 1,
      `invalid number literal: ${what}`,
      `write ${clip(text.slice(start, end))}`,
    );
    return { kind: isFloat ? 'float literal' : 'int literal', end: end + 1, value: 0 };
  }
  if (isFloat) {
    const value = Number(text.slice(start, end));
    if (Number.isFinite(value)) return { kind: 'float literal', end, value };
    faults.add(
      'STAR_NUMBER',
      start,
      end,
      'the float literal is too large',
      'the largest float is about 1.8e308',
    );
    return { kind: 'float literal', end, value: 0 };
  }
  if (text.charCodeAt(start) === 48 && /[1-9]/.test(text.slice(start, end))) {
    const digits = text.slice(start, end).replace(/^0+/, '');
    const octal = /^[0-7]+$/.test(digits);
    faults.add(
      'STAR_NUMBER',
      start,
      end,
      octal ? 'obsolete form of octal literal' : 'invalid int literal: it begins with 0',
      octal
        ? `write 0o${clip(digits)} for the octal number, or ${clip(digits)} for the decimal one`
        : `write ${clip(digits)}`,
    );
    return { kind: 'int literal', end, value: 0 };
  }
  // 3 bits and a third for each digit, rounded up.
  return {
    kind: 'int literal',
    end,
    value: intValue(text, start, end, Math.ceil(((end - start) * 10) / 3), faults),
  };
}

/** `bits` is at most a digit more than the value has. */
function intValue(text: string, start: number, end: number, bits: number, faults: Faults): number | bigint {
  if (bits <= 50) return Number(text.slice(start, end));
  if (bits <= maxLiteralBits + 64) {
    const value = BigInt(text.slice(start, end));
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    if (value >> BigInt(maxLiteralBits) === 0n) return value;
  }
  faults.add('STAR_NUMBER', start, end, `the int literal has more than ${maxLiteralBits} bits`);
  return 0;
}

function withUnderscores(text: string, start: number, faults: Faults): NumberToken {
  const pattern = /[0-9A-Za-z_]*(?:\.[0-9][0-9_]*)?/y;
  pattern.lastIndex = start;
  const written = (pattern.exec(text) as RegExpExecArray)[0];
  const end = start + written.length;
  faults.scar(start);
  faults.add(
    'STAR_NUMBER',
    start,
    end,
    'invalid number literal: underscores are not allowed between digits',
    `write ${clip(written.replaceAll('_', ''))}`,
  );
  return { kind: 'int literal', end, value: 0 };
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function clip(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}…`;
}

// Strings and bytes.
//
//   literal = ["r"] ["b"] (quote {character | escape} quote | quote×3 {character | escape | line end} quote×3)
//   escape  = "\" ("a" | "b" | "f" | "n" | "r" | "t" | "v" | "\" | "'" | '"' | line end
//           | octal [octal [octal]] | "x" hex×2 | "u" hex×4 | "U" hex×8)
//
// A line end inside a literal is "\n", however the file writes it. Octal and \x escapes are ASCII in a string and any
// byte in a bytes literal; \u and \U are never surrogates. In a raw literal a backslash stands for itself, and a quote
// after it does not close the literal.

interface StringForm {
  readonly raw: boolean;
  readonly bytes: boolean;
  /** Whether an unclosed literal ends before the brackets and commas that end its line. */
  readonly inBrackets: boolean;
  /** The quote of a string left open on a line before, or 0: the same quote at the end of a line was meant to close it. */
  readonly leftOpen: number;
}

interface StringToken {
  readonly end: number;
  readonly value: string | Uint8Array;
  /** The quote that is missing, or 0. */
  readonly leftOpen: number;
}

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
};

/** Reads the literal that begins (with its prefix) at `start` and whose first quote is at `quoteAt`. */
export function lexString(
  text: string,
  start: number,
  quoteAt: number,
  form: StringForm,
  faults: Faults,
): StringToken {
  const quote = text.charCodeAt(quoteAt);
  const triple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
  const content = form.bytes ? new BytesContent() : new TextContent();
  let at = quoteAt + (triple ? 3 : 1);
  let plain = at;
  for (;;) {
    const unit = text.charCodeAt(at);
    // NaN after the end of the text.
    if (!(unit >= 0)) {
      content.add(text, plain, at);
      faults.scar(start);
      if (triple)
        faults.add(
          'STAR_UNFINISHED',
          start,
          quoteAt + 3,
          'unexpected end of file in string: the quotes opened here are never closed',
        );
      else unclosed(start, at, 'end of file', faults);
      return { end: at, value: content.value, leftOpen: quote };
    }
    if (
      unit === quote &&
      (!triple || (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote))
    ) {
      content.add(text, plain, at);
      return { end: at + (triple ? 3 : 1), value: content.value, leftOpen: 0 };
    }
    if (unit === 10 || unit === 13) {
      if (!triple) {
        const end = form.inBrackets ? beforeBrackets(text, quoteAt + 1, at) : at;
        content.add(text, plain, Math.max(plain, end));
        faults.scar(start);
        if (form.leftOpen === quote && text.slice(quoteAt + 1, at).trim() === '')
          return { end, value: content.value, leftOpen: 0 };
        unclosed(start, end, 'newline', faults);
        return { end, value: content.value, leftOpen: quote };
      }
      content.add(text, plain, at);
      content.addCodePoint(10);
      plain = at = lineEnd(text, at);
    } else if (unit !== 92) {
      at += 1;
    } else if (form.raw) {
      const next = text.charCodeAt(at + 1);
      if (next === 10 || next === 13) {
        content.add(text, plain, at + 1);
        content.addCodePoint(10);
        plain = at = lineEnd(text, at + 1);
      } else {
        at += at + 1 < text.length ? 2 : 1;
      }
    } else {
      content.add(text, plain, at);
      plain = at = escape(text, at, content, faults);
    }
  }
}

function unclosed(start: number, end: number, by: string, faults: Faults): void {
  faults.add(
    'STAR_STRING_UNCLOSED',
    start,
    end,
    `unexpected ${by} in string: it is not closed on its line`,
    'close it with the same quote, or use three quotes for a text of several lines',
  );
}

/** The offset after the line end at `at`. */
function lineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
}

/** Where the closing brackets, commas and colons begin that end the line `from`…`to`. */
function beforeBrackets(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && ')]},: \t'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Decodes the escape at `at` into `content` and gives the offset after it. */
function escape(text: string, at: number, content: Content, faults: Faults): number {
  const letter = text.charAt(at + 1);
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    content.addCodePoint(simple);
    return at + 2;
  }
  if (letter === '\n' || letter === '\r') return lineEnd(text, at + 1);
  if (letter >= '0' && letter <= '7') return octalEscape(text, at, content, faults);
  if (letter === 'x') return hexEscape(text, at, 2, content, faults);
  if (letter === 'u') return hexEscape(text, at, 4, content, faults);
  if (letter === 'U') return hexEscape(text, at, 8, content, faults);
  // The end of the text is the caller's to report.
  if (letter === '') return at + 1;
  const character = String.fromCodePoint(text.codePointAt(at + 1) as number);
  const hint =
    letter === 'N'
      ? 'write the character itself, or \\uXXXX'
      : `write \\\\${character} for a backslash, or put r before the string`;
  faults.add('STAR_ESCAPE', at, at + 1 + character.length, `invalid escape sequence \\${character}`, hint);
  return at + 1 + character.length;
}

function octalEscape(text: string, at: number, content: Content, faults: Faults): number {
  let end = at + 1;
  let value = 0;
  for (; end < at + 4; end += 1) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 7)) break;
    value = value * 8 + digit;
  }
  addUnit(text, at, end, value, 'octal', content, faults);
  return end;
}

/** A single byte of a bytes literal, or a single ASCII character of a string. */
function addUnit(
  text: string,
  at: number,
  end: number,
  value: number,
  form: string,
  content: Content,
  faults: Faults,
): void {
  if (value <= content.maxUnit) {
    content.addUnit(value);
  } else if (content.maxUnit === 255) {
    faults.add(
      'STAR_ESCAPE',
      at,
      end,
      `invalid escape sequence ${text.slice(at, end)}: a byte is at most \\377`,
    );
  } else {
    const code = value.toString(16).toUpperCase().padStart(4, '0');
    faults.add(
      'STAR_ESCAPE',
      at,
      end,
      `non-ASCII ${form} escape ${text.slice(at, end)}`,
      `write \\u${code} for the character U+${code}, or use a bytes literal`,
    );
  }
}

function hexEscape(text: string, at: number, digits: number, content: Content, faults: Faults): number {
  const value = hexDigits(text, at + 2, digits);
  if (value < 0) {
    let end = at + 2;
    while (end < at + 2 + digits && hexValue(text.charCodeAt(end)) >= 0) end += 1;
    faults.add(
      'STAR_ESCAPE',
      at,
      end,
      `truncated or invalid escape sequence ${text.slice(at, end)}: \\${text.charAt(at + 1)} needs ${digits} hexadecimal digits`,
    );
    return end;
  }
  const end = at + 2 + digits;
  if (digits === 2) {
    addUnit(text, at, end, value, 'hex', content, faults);
  } else if (value > 0x10ffff) {
    faults.add(
      'STAR_ESCAPE',
      at,
      end,
      `code point out of range: ${text.slice(at, end)}`,
      'the largest is \\U0010FFFF',
    );
  } else if (value >= 0xd800 && value <= 0xdfff) {
    return surrogate(text, at, end, value, faults);
  } else {
    content.addCodePoint(value);
  }
  return end;
}

/** Two escapes that would make a pair are one fault, and the hint gives the character they stand for. */
function surrogate(text: string, at: number, end: number, value: number, faults: Faults): number {
  const low = text.startsWith('\\u', end) ? hexDigits(text, end + 2, 4) : -1;
  const name = `U+${value.toString(16).toUpperCase()}`;
  const message = `invalid Unicode code point ${name}: it is half of a surrogate pair`;
  if (value <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) {
    const codePoint = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
    faults.add(
      'STAR_ESCAPE',
      at,
      end + 6,
      message,
      `write \\U${codePoint.toString(16).toUpperCase().padStart(8, '0')} for the character`,
    );
    return end + 6;
  }
  faults.add('STAR_ESCAPE', at, end, message);
  return end;
}

/** The value of exactly `count` digits, or -1. */
function hexDigits(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i += 1) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

type Content = TextContent | BytesContent;

class TextContent {
  readonly maxUnit = 127;
  value = '';

  add(text: string, from: number, to: number): void {
    if (to > from) this.value += text.slice(from, to);
  }

  addUnit(unit: number): void {
    this.value += String.fromCharCode(unit);
  }

  addCodePoint(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }
}

class BytesContent {
  readonly maxUnit = 255;
  private readonly bytes: number[] = [];

  get value(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }

  /** Half a surrogate pair becomes U+FFFD; it has been reported with the text as a whole. */
  add(text: string, from: number, to: number): void {
    if (to > from) for (const byte of encodeUtf8(text.slice(from, to))) this.bytes.push(byte);
  }

  addUnit(unit: number): void {
    this.bytes.push(unit);
  }

  addCodePoint(codePoint: number): void {
    for (const byte of encodeUtf8(String.fromCodePoint(codePoint))) this.bytes.push(byte);
  }
}
