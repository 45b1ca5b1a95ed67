// Turns the text of a program into tokens.
//
//   text -> Tokens, faults
//
// Never throws and always ends in 'end of file'; time is linear in the text. Gives up when there are too many faults.
// Brackets in the tokens always match: a stray one is dropped and a missing one put in, with a fault. 'indent' and
// 'outdent' always match. Inside brackets there is no 'newline', 'indent' or 'outdent'. What cannot be misread (`&&`,
// a dash, a typographic quote) is reported and then read as what was meant, so that the parser finds no second fault in
// it.
import { placeOf } from '../../base/span.ts';
import {
  identifierEnd,
  isDigit,
  isLineEnd,
  isOddBlank,
  nameCharacter,
  describeKind,
  wordKind,
  isDash,
  typographicQuotes,
} from './token.ts';
import type { Faults } from './cursor.ts';
import { lexNumber, lexString } from './lex-literal.ts';
import type { Sign, TokenKind, TokenValue, Tokens } from './token.ts';

/** Words that begin a statement and are never part of an expression: inside brackets they show that one was not closed. */
const statementWords: ReadonlySet<string> = new Set([
  'def',
  'return',
  'pass',
  'break',
  'continue',
  'load',
  'elif',
  'class',
  'while',
  'import',
  'try',
  'except',
  'finally',
  'raise',
  'with',
  'del',
  'global',
  'nonlocal',
]);

const closers: Readonly<Record<string, ')' | ']' | '}'>> = { '(': ')', '[': ']', '{': '}' };

export function lex(text: string, faults: Faults): Tokens {
  reportForbidden(text, faults);
  const lexer = new Lexer(text, faults);
  lexer.run();
  return lexer;
}

/** What a text file in UTF-8 cannot hold, or must not, wherever it is. */
function reportForbidden(text: string, faults: Faults): void {
  for (const match of text.matchAll(/[\0\p{Cs}]/gu)) {
    const message =
      match[0] === '\0'
        ? 'a NUL character (U+0000)'
        : `half of a surrogate pair (U+${match[0].charCodeAt(0).toString(16).toUpperCase()})`;
    faults.add(
      'STAR_CHARACTER',
      match.index,
      match.index + 1,
      `unexpected character: ${message}`,
      'remove it',
    );
    if (faults.isFull) return;
  }
}

class Lexer implements Tokens {
  readonly kinds: TokenKind[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly values: TokenValue[] = [];
  private at = 0;
  /** Where the current line begins. */
  private line = 0;
  /** No token of this line has been read yet. */
  private isFresh = true;
  /** Offsets of the brackets that are open. */
  private readonly open: number[] = [];
  private readonly indents: number[] = [0];
  private firstTab = -1;
  private tabLines = 0;
  private leftOpen = 0;

  private readonly text: string;
  private readonly faults: Faults;

  constructor(text: string, faults: Faults) {
    this.text = text;
    this.faults = faults;
  }

  run(): void {
    const { text } = this;
    if (text.charCodeAt(0) === 0xfeff) this.at = this.line = 1;
    while (this.at < text.length && !this.faults.isFull) {
      if (!this.blank()) {
        if (this.isFresh && this.open.length === 0) this.beginLine();
        this.token();
      }
    }
    this.finish();
  }

  private push(kind: TokenKind, start: number, end: number, value: TokenValue = null): void {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.values.push(value);
    this.isFresh = false;
    this.at = end;
  }

  /** Skips a blank, a comment, a line end or a continuation; false when a token is here. */
  private blank(): boolean {
    const { text } = this;
    const unit = text.charCodeAt(this.at);
    switch (unit) {
      case 32:
      case 9:
      case 0:
        this.at += 1;
        return true;
      case 35:
        while (this.at < text.length && !isLineEnd(text.charCodeAt(this.at))) this.at += 1;
        return true;
      case 10:
      case 13:
        this.endLine();
        return true;
      case 92:
        this.continueLine();
        return true;
      default:
        if (!isOddBlank(unit)) return false;
        this.faults.add(
          'STAR_CHARACTER',
          this.at,
          this.at + 1,
          `unexpected character ${nameCharacter(unit)}`,
          'use an ordinary space',
        );
        this.at += 1;
        return true;
    }
  }

  private endLine(): void {
    const start = this.at;
    const end =
      this.text.charCodeAt(start) === 13 && this.text.charCodeAt(start + 1) === 10 ? start + 2 : start + 1;
    if (this.open.length === 0 && !this.isFresh) this.push('newline', start, end);
    this.at = this.line = end;
    this.isFresh = true;
  }

  //   continuation = "\" line end
  private continueLine(): void {
    const { text } = this;
    const start = this.at;
    let next = start + 1;
    while (text.charCodeAt(next) === 32 || text.charCodeAt(next) === 9) next += 1;
    const unit = text.charCodeAt(next);
    if (isLineEnd(unit)) {
      if (next > start + 1)
        this.faults.add(
          'STAR_CHARACTER',
          start,
          next,
          'stray backslash: blanks follow it',
          'end the line right after the backslash',
        );
      // A continuation before the first token leaves the indentation as it is.
      if (this.isFresh && this.open.length === 0) this.beginLine();
      this.isFresh = false;
      this.at = unit === 13 && text.charCodeAt(next + 1) === 10 ? next + 2 : next + 1;
    } else {
      const atEnd = next >= text.length;
      this.faults.add(
        atEnd ? 'STAR_UNFINISHED' : 'STAR_CHARACTER',
        start,
        start + 1,
        'stray backslash in program',
        'a backslash may only end a line, or stand in a string',
      );
      this.faults.scar(start);
      this.at = next;
    }
  }

  /** Compares the indentation of this line, whose first token is at `at`, with that of the lines before. */
  private beginLine(): void {
    const { text, indents, at } = this;
    let column = 0;
    let tab = -1;
    for (let i = this.line; i < at; i += 1) {
      if (text.charCodeAt(i) === 9) {
        if (tab < 0) tab = i;
        column += 8 - (column % 8);
      } else {
        column += 1;
      }
    }
    if (tab >= 0) {
      this.tabLines += 1;
      if (this.firstTab < 0) this.firstTab = tab;
    }
    const current = indents[indents.length - 1] as number;
    if (column > current) {
      indents.push(column);
      this.push('indent', at, at);
      return;
    }
    while (column < (indents[indents.length - 1] as number)) {
      if (column > (indents[indents.length - 2] as number)) {
        // Between two blocks: taken for the inner one, so that nothing else is wrong with the line.
        indents[indents.length - 1] = column;
        this.faults.add(
          'STAR_INDENT',
          at,
          at + 1,
          'unindent does not match any outer indentation level',
          'begin the line in the same column as the block it belongs to',
        );
        return;
      }
      indents.pop();
      this.push('outdent', at, at);
    }
  }

  private token(): void {
    const { text, at } = this;
    const unit = text.charCodeAt(at);
    if (unit === 34 || unit === 39) {
      this.string(at, at, false, false);
    } else if (isDigit(unit) || (unit === 46 && isDigit(text.charCodeAt(at + 1)))) {
      const number = lexNumber(text, at, this.faults);
      this.push(number.kind, at, number.end, number.value);
    } else {
      const end = identifierEnd(text, at);
      if (end > at) this.word(at, end);
      else this.sign();
    }
  }

  private string(start: number, quoteAt: number, raw: boolean, bytes: boolean): void {
    const token = lexString(
      this.text,
      start,
      quoteAt,
      { raw, bytes, inBrackets: this.open.length > 0, leftOpen: this.leftOpen },
      this.faults,
    );
    this.leftOpen = token.leftOpen;
    this.push(bytes ? 'bytes literal' : 'string literal', start, token.end, token.value);
  }

  private word(start: number, end: number): void {
    const { text } = this;
    const word = text.slice(start, end);
    const next = text.charCodeAt(end);
    if (end - start <= 3 && (next === 34 || next === 39) && this.prefixed(start, end, word)) return;
    const kind = wordKind(word);
    if (
      this.open.length > 0 &&
      this.isFresh &&
      statementWords.has(word) &&
      !/[ \t]*[=,)\]}]/y.test(text.slice(end, end + 20))
    ) {
      this.closeAll(start, kind);
      return;
    }
    this.push(kind, start, end, kind === 'identifier' ? word : null);
  }

  //   prefix = "r" | "b" | "rb" | "br"
  private prefixed(start: number, end: number, word: string): boolean {
    const lower = word.toLowerCase();
    if (!/^[a-z]{1,2}$/.test(lower) || wordKind(word) !== 'identifier') return false;
    if (!/^(?:r|b|rb|br)$/.test(word)) {
      if (lower.includes('f') || lower.includes('t')) {
        this.faults.add(
          'STAR_FSTRING',
          start,
          end,
          'f-strings are not part of Starlark',
          'write "hello %s" % name or "hello {}".format(name)',
        );
      } else {
        const hint =
          lower === word
            ? 'a string may have the prefix r, a bytes literal b or rb'
            : 'write the prefix in lower case';
        this.faults.add('STAR_STRING_PREFIX', start, end, `unknown string prefix ${word}`, hint);
      }
    }
    this.string(start, end, lower.includes('r'), lower.includes('b'));
    return true;
  }

  private sign(): void {
    const { text, at } = this;
    const first = text.charAt(at);
    if (closers[first] !== undefined) {
      this.open.push(at);
      this.push(first as Sign, at, at + 1);
      return;
    }
    if (first === ')' || first === ']' || first === '}') {
      this.close(first);
      return;
    }
    const wrong = mistakeAt(text, at);
    if (wrong !== null) {
      const { written, meant, code, message, hint } = wrong;
      this.faults.add(code, at, at + written.length, message, hint);
      if (code === 'STAR_WALRUS') this.faults.scar(at);
      this.push(meant, at, at + written.length);
      return;
    }
    const sign = signAt(text, at);
    if (sign === null) this.unexpected();
    else this.push(sign, at, at + sign.length);
  }

  private unexpected(): void {
    const { kind, end } = lexUnexpected(this.text, this.at, this.faults);
    if (kind !== null) {
      this.push(kind, this.at, end, kind === 'string literal' ? '' : null);
      return;
    }
    this.isFresh = false;
    this.at = end;
  }

  private close(closer: ')' | ']' | '}'): void {
    const { text, at, open, faults } = this;
    const top = open[open.length - 1];
    if (top === undefined) {
      faults.add('STAR_BRACKET', at, at + 1, `unexpected '${closer}'`, 'no bracket is open here');
      faults.scar(at);
      this.isFresh = false;
      this.at += 1;
      return;
    }
    const wanted = closers[text.charAt(top)] as ')' | ']' | '}';
    if (wanted !== closer) {
      faults.add('STAR_BRACKET', at, at + 1, `got '${closer}', want '${wanted}'`, this.openedAt(top));
      faults.scar(top);
      // Most likely the inner one was forgotten.
      const below = open[open.length - 2];
      if (below !== undefined && closers[text.charAt(below)] === closer) {
        open.pop();
        this.push(wanted, at, at);
      }
    }
    this.push(closers[text.charAt(open.pop() as number)] as Sign, at, at + 1);
  }

  private openedAt(opener: number): string {
    const { line, column } = placeOf(this.text, opener);
    return `the '${this.text.charAt(opener)}' on line ${line}, column ${column} is not closed`;
  }

  /** Puts in what closes all brackets before the statement at `at`, and begins its line anew. */
  private closeAll(at: number, kind: TokenKind): void {
    const { open, faults } = this;
    const innermost = open[open.length - 1] as number;
    const isEnd = kind === 'end of file';
    const wanted = closers[this.text.charAt(innermost)] as string;
    faults.add(
      isEnd ? 'STAR_UNFINISHED' : 'STAR_BRACKET',
      at,
      isEnd ? at : at + kind.length,
      `got ${describeKind(kind)}, want '${wanted}'`,
      this.openedAt(innermost),
    );
    faults.scar(innermost);
    const end = isEnd ? at : this.line;
    while (open.length > 0) this.push(closers[this.text.charAt(open.pop() as number)] as Sign, end, end);
    if (isEnd) return;
    this.push('newline', end, end);
    this.isFresh = true;
  }

  private finish(): void {
    const end = this.text.length;
    if (this.open.length > 0) this.closeAll(end, 'end of file');
    if (this.kinds.length > 0 && this.kinds[this.kinds.length - 1] !== 'newline')
      this.push('newline', end, end);
    for (let i = this.indents.length; i > 1; i -= 1) this.push('outdent', end, end);
    this.push('end of file', end, end);
    if (this.tabLines > 0) {
      const further = this.tabLines === 1 ? '' : `, and on ${this.tabLines - 1} more`;
      this.faults.add(
        'STAR_TABS',
        this.firstTab,
        this.firstTab + 1,
        `a tab is used for indentation on this line${further}`,
        'indent with spaces only',
      );
    }
  }
}

// The sign at a place of the text, and what people of other languages write in its place.

/** Longest first, by first character. */
const signsByFirst: Readonly<Record<string, readonly Sign[]>> = {
  '+': ['+=', '+'],
  '-': ['-=', '->', '-'],
  '*': ['**', '*=', '*'],
  '/': ['//=', '//', '/=', '/'],
  '%': ['%=', '%'],
  '~': ['~'],
  '&': ['&=', '&'],
  '|': ['|=', '|'],
  '^': ['^=', '^'],
  '<': ['<<=', '<<', '<=', '<'],
  '>': ['>>=', '>>', '>=', '>'],
  '.': ['.'],
  ',': [','],
  ';': [';'],
  ':': [':'],
  '=': ['==', '='],
  '!': ['!='],
  '@': ['@'],
};

interface Mistake {
  readonly written: string;
  readonly meant: TokenKind;
  readonly code: 'STAR_OPERATOR' | 'STAR_WALRUS';
  readonly message: string;
  readonly hint: string;
}

function mistake(written: string, meant: TokenKind, hint = `write ${meant}`): Mistake {
  return {
    written,
    meant,
    code: 'STAR_OPERATOR',
    message: `'${written}' is not an operator of Starlark`,
    hint,
  };
}

const mistakes: readonly Mistake[] = [
  mistake('===', '=='),
  mistake('!==', '!='),
  mistake('&&', 'and'),
  mistake('||', 'or'),
  mistake('<>', '!='),
  mistake('=>', '>='),
  {
    written: ':=',
    meant: '=',
    code: 'STAR_WALRUS',
    message: "':=' is not an operator of Starlark",
    hint: 'assign with = in a statement of its own',
  },
];

/** The longest one; `null` when none is there. Brackets are not looked for. */
function signAt(text: string, at: number): Sign | null {
  for (const sign of signsByFirst[text.charAt(at)] ?? []) if (text.startsWith(sign, at)) return sign;
  return null;
}

function mistakeAt(text: string, at: number): Mistake | null {
  if (!'=!&|<:'.includes(text.charAt(at))) return null;
  for (const each of mistakes) if (text.startsWith(each.written, at)) return each;
  return null;
}

// A character that begins no token.
//
//   text at a place -> what was most likely meant, fault
//
// What cannot be misread is read as what was meant: a string in typographic quotes, a dash, `!`. Anything else is
// passed over.

interface Meant {
  /** `null`: nothing that could be read. */
  readonly kind: 'string literal' | '-' | 'not' | null;
  readonly end: number;
}

function lexUnexpected(text: string, at: number, faults: Faults): Meant {
  const unit = text.charCodeAt(at);
  const codePoint = text.codePointAt(at) as number;
  const closing = typographicQuotes.get(unit);
  const message = `unexpected character ${nameCharacter(codePoint)}`;
  if (closing !== undefined) {
    let end = at + 1;
    while (end < text.length && !isLineEnd(text.charCodeAt(end)) && !closing.includes(text.charAt(end)))
      end += 1;
    if (closing.includes(text.charAt(end)) && end < text.length) end += 1;
    faults.add('STAR_CHARACTER', at, at + 1, message, 'write a string in straight quotes, " or \'');
    faults.scar(at);
    return { kind: 'string literal', end };
  }
  if (isDash(unit)) {
    faults.add('STAR_CHARACTER', at, at + 1, message, 'write -');
    return { kind: '-', end: at + 1 };
  }
  if (unit === 33) {
    faults.add('STAR_OPERATOR', at, at + 1, "unexpected character '!'", 'write not');
    return { kind: 'not', end: at + 1 };
  }
  const end = at + (codePoint > 0xffff ? 2 : 1);
  faults.scar(at);
  if (unit === 63) {
    faults.add('STAR_TERNARY', at, end, "unexpected character '?'", 'write a if condition else b');
  } else if (unit < 0xd800 || unit > 0xdfff || end === at + 2) {
    // Full-width forms of ASCII signs.
    const narrow =
      codePoint > 0xff00 && codePoint < 0xff5f
        ? `write ${String.fromCharCode(codePoint - 0xfee0)}`
        : undefined;
    faults.add('STAR_CHARACTER', at, end, message, narrow);
  }
  return { kind: null, end };
}
