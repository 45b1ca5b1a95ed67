// Template text -> tokens.
//
//   template = { text | "{{" words "}}" | "{%" words "%}" | "{#" comment "#}" | raw }
//
// `-` inside a tag's sign takes the white space on that side with it; `+` takes none (which is the rule anyway). A tag
// ends at its sign only when all brackets inside it are closed: `{{ {'a': {}} }}`. Never throws: a tag that is never
// closed is reported, and lexing continues at the next tag, but not for ever: each of them is read to the end of the
// text.
import { isName, skipSpace, spaceClass, trimEndAt, wordPattern } from './characters.ts';
import type { Faults } from './faults.ts';
import { readString } from './lex-string.ts';
import type { Token, TokenType } from './token.ts';

const tagSign = /\{[{%#]/g;
const rawBegin = new RegExp(`\\{%[-+]?${spaceClass}*raw${spaceClass}*(-?)%\\}`, 'y');
const rawEnd = new RegExp(`\\{%([-+]?)${spaceClass}*endraw${spaceClass}*([-+]?)%\\}`, 'g');
const floatPattern = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][-+]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const intPattern = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const stringPattern = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const signPattern = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;

const closing: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
/** Lexing stops after so many tags that are never closed. */
const maxUnclosed = 3;
/** More digits than Python reads. */
const maxIntDigits = 4300;

/** `inTag`: the whole text is the inside of a `{{ }}`. */
export function lex(source: string, inTag: boolean, faults: Faults): readonly Token[] {
  const lexer = new Lexer(readSource(source), faults);
  lexer.run(inTag);
  return lexer.tokens;
}

class Lexer {
  readonly tokens: Token[] = [];
  private readonly text: string;
  private readonly source: SourceText;
  private readonly faults: Faults;
  /** What is before this offset is read, or taken by a tag's `-`. */
  private at = 0;
  private unclosed = 0;

  constructor(source: SourceText, faults: Faults) {
    this.source = source;
    this.text = source.text;
    this.faults = faults;
  }

  run(inTag: boolean): void {
    if (inTag) this.words('}}', 0);
    while (this.at < this.text.length) this.piece();
    this.push('end', '', this.text.length, this.text.length, 0);
  }

  /** Text up to the next tag, and that tag. */
  private piece(): void {
    tagSign.lastIndex = this.at;
    const found = tagSign.exec(this.text);
    if (found === null) return this.data(this.text.length, false, this.text.length);
    const begin = found.index;
    const sign = this.text[begin + 2];
    const next = begin + (sign === '-' || sign === '+' ? 3 : 2);
    rawBegin.lastIndex = begin;
    const raw = found[0] === '{%' ? rawBegin.exec(this.text) : null;
    if (raw !== null) {
      this.data(begin, sign === '-', begin + raw[0].length);
      if (raw[1] === '-') this.at = skipSpace(this.text, this.at);
      this.raw(begin);
      return;
    }
    this.data(begin, sign === '-', next);
    if (found[0] === '{#') this.comment(begin);
    else this.tag(begin, next, found[0] === '{{' ? '}}' : '%}');
  }

  private data(end: number, trim: boolean, next: number): void {
    const stop = trim ? trimEndAt(this.text, this.at, end) : end;
    if (stop > this.at) this.push('data', this.text.slice(this.at, stop), this.at, stop, this.at);
    this.at = next;
  }

  private comment(begin: number): void {
    const end = this.text.indexOf('#}', this.at);
    if (end < 0) {
      this.fault(
        begin,
        'TEMPLATE_UNCLOSED',
        begin,
        begin + 2,
        'the comment that begins here is never closed',
        'close it with "#}"',
      );
      this.at = this.text.length;
      return;
    }
    const trim = end > this.at && this.text[end - 1] === '-';
    this.at = trim ? skipSpace(this.text, end + 2) : end + 2;
  }

  private raw(begin: number): void {
    rawEnd.lastIndex = this.at;
    const end = rawEnd.exec(this.text);
    if (end === null) {
      this.fault(
        begin,
        'TEMPLATE_UNCLOSED',
        begin,
        this.at,
        'the raw block that begins here is never closed',
        'close it with {% endraw %}',
      );
      this.at = this.text.length;
      return;
    }
    this.data(end.index, end[1] === '-', end.index + end[0].length);
    if (end[2] === '-') this.at = skipSpace(this.text, this.at);
  }

  private tag(begin: number, next: number, end: '}}' | '%}'): void {
    const before = this.tokens.length;
    this.push(end === '}}' ? 'output-begin' : 'block-begin', '', begin, next, begin);
    this.at = next;
    if (this.words(end, begin)) return;
    // Never closed: what was read of it means nothing.
    this.tokens.length = before;
    this.fault(
      begin,
      'TEMPLATE_UNCLOSED',
      begin,
      next,
      `the tag that begins here is never closed with "${end}"`,
      'or one of its brackets or quotes is not closed',
    );
    this.unclosed += 1;
    tagSign.lastIndex = next;
    this.at =
      this.unclosed < maxUnclosed ? (tagSign.exec(this.text)?.index ?? this.text.length) : this.text.length;
  }

  /** The inside of a tag with its end. False when the text is over before. */
  private words(end: '}}' | '%}', tag: number): boolean {
    const brackets: string[] = [];
    while (true) {
      this.at = skipSpace(this.text, this.at);
      if (this.at >= this.text.length) return false;
      if (brackets.length === 0 && this.tagEnd(end, tag)) return true;
      if (!this.word(end, tag, brackets)) return false;
    }
  }

  private tagEnd(end: '}}' | '%}', tag: number): boolean {
    const first = this.text[this.at];
    const signed = first === '-' || (first === '+' && end === '%}');
    const begin = this.at;
    if (!this.text.startsWith(end, signed ? begin + 1 : begin)) return false;
    const stop = begin + (signed ? 3 : 2);
    this.push(end === '}}' ? 'output-end' : 'block-end', '', begin, stop, tag);
    this.at = first === '-' ? skipSpace(this.text, stop) : stop;
    return true;
  }

  /** One word or sign. False when the rest of this tag cannot be read. */
  private word(end: '}}' | '%}', tag: number, brackets: string[]): boolean {
    const begin = this.at;
    const unit = this.text.charCodeAt(begin);
    if (unit >= 0x30 && unit <= 0x39) return this.number(tag);
    const word = this.match(wordPattern);
    if (word !== null) {
      if (!isName(word))
        this.fault(
          tag,
          'TEMPLATE_CHARACTER',
          begin,
          this.at,
          `"${word}" is not a name`,
          'names are letters, digits and "_", and begin with no digit',
        );
      this.push('name', word, begin, this.at, tag);
      return true;
    }
    if (unit === 0x27 || unit === 0x22) return this.string(end, tag, brackets);
    const sign = this.match(signPattern);
    if (sign === null) {
      const point = String.fromCodePoint(this.text.codePointAt(begin) as number);
      this.at += point.length;
      const hint = point === '!' ? 'write "not"' : point === '&' ? 'write "and"' : undefined;
      this.fault(
        tag,
        'TEMPLATE_CHARACTER',
        begin,
        this.at,
        `"${point}" is not part of the template language`,
        hint,
      );
      return true;
    }
    this.bracket(sign, begin, tag, brackets);
    this.push('sign', sign, begin, this.at, tag);
    return true;
  }

  private bracket(sign: string, begin: number, tag: number, brackets: string[]): void {
    const close = closing.get(sign);
    if (close !== undefined) brackets.push(close);
    if (sign !== ')' && sign !== ']' && sign !== '}') return;
    const expected = brackets.pop();
    if (expected === sign) return;
    if (expected === undefined)
      this.fault(tag, 'TEMPLATE_BRACKET', begin, this.at, `"${sign}" closes nothing`);
    else
      this.fault(
        tag,
        'TEMPLATE_BRACKET',
        begin,
        this.at,
        `"${sign}" stands where "${expected}" should close the bracket`,
      );
  }

  private number(tag: number): boolean {
    const begin = this.at;
    const float = this.text[begin - 1] === '.' ? null : this.match(floatPattern);
    if (float !== null) {
      this.push('float', float, begin, this.at, tag, Number(float.replaceAll('_', '')));
      return true;
    }
    const digits = (this.match(intPattern) as string).replaceAll('_', '');
    if (digits.length > maxIntDigits)
      this.fault(
        tag,
        'TEMPLATE_NUMBER',
        begin,
        this.at,
        `an int of ${digits.length} digits: ${maxIntDigits} are the most`,
      );
    const big = digits.length > maxIntDigits ? 0n : BigInt(digits);
    const small = Number(big);
    this.push('int', digits, begin, this.at, tag, Number.isSafeInteger(small) ? small : big);
    return true;
  }

  private string(end: '}}' | '%}', tag: number, brackets: string[]): boolean {
    const begin = this.at;
    const quoted = this.match(stringPattern);
    if (quoted === null) {
      this.fault(tag, 'TEMPLATE_STRING', begin, begin + 1, 'the string that begins here is never closed');
      const stop = this.text.indexOf(end, begin);
      if (stop < 0) return false;
      brackets.length = 0;
      this.at = stop;
      return true;
    }
    const value = readString(quoted.slice(1, -1));
    if (typeof value === 'string') {
      this.push('string', value, begin, this.at, tag);
      return true;
    }
    const from = begin + 1 + value.at;
    this.fault(tag, 'TEMPLATE_STRING', from, from + value.length, value.message, value.hint);
    this.push('string', '', begin, this.at, tag);
    return true;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private push(
    type: TokenType,
    text: string,
    start: number,
    end: number,
    tag: number,
    number: number | bigint = 0,
  ): void {
    const { original } = this.source;
    this.tokens.push({ type, text, number, start: original(start), end: original(end), tag: original(tag) });
  }

  private fault(
    tag: number,
    code: Parameters<Faults['addIn']>[1],
    start: number,
    end: number,
    message: string,
    hint?: string,
  ): void {
    const { original } = this.source;
    this.faults.addIn(original(tag), code, { start: original(start), end: original(end) }, message, hint);
  }
}

/** The text that is lexed, and the way from an offset in it back to the source. */
interface SourceText {
  readonly text: string;
  readonly original: (offset: number) => number;
}

const same = (offset: number): number => offset;

/** As in Jinja, every line end is `\n`, and one at the very end is dropped. */
function readSource(source: string): SourceText {
  if (!source.includes('\r')) return { text: withoutLastLineEnd(source), original: same };
  // Where, in the text, a unit of the source went missing just before.
  const dropped: number[] = [];
  const text = source.replace(/\r\n?/g, (end: string, at: number) => {
    if (end.length === 2) dropped.push(at + 1 - dropped.length);
    return '\n';
  });
  return { text: withoutLastLineEnd(text), original: (offset) => offset + countUpTo(dropped, offset) };
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
