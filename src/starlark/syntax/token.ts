// The words, signs and characters a program is made of.
//
// A kind is its own description: 'for' or '+' as written, 'identifier' or 'end of file' in words. A word in `keywords`
// or `reservedWords` is never an 'identifier'.

const keywordList = [
  'and',
  'break',
  'continue',
  'def',
  'elif',
  'else',
  'for',
  'if',
  'in',
  'lambda',
  'load',
  'not',
  'or',
  'pass',
  'return',
] as const;

// Not in the grammar, but kept so that Starlark stays a part of Python's syntax.
const reservedList = [
  'as',
  'assert',
  'async',
  'await',
  'class',
  'del',
  'except',
  'finally',
  'from',
  'global',
  'import',
  'is',
  'nonlocal',
  'raise',
  'try',
  'while',
  'with',
  'yield',
] as const;

// The last line holds what is only read in order to say what to write in its place.
const signList = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '**',
  '~',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '.',
  ',',
  '=',
  ';',
  ':',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '>=',
  '<=',
  '==',
  '!=',
  '+=',
  '-=',
  '*=',
  '/=',
  '//=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<=',
  '>>=',
  '@',
  '->',
] as const;

type Keyword = (typeof keywordList)[number];
type ReservedWord = (typeof reservedList)[number];
export type Sign = (typeof signList)[number];
export type TokenKind =
  | Keyword
  | ReservedWord
  | Sign
  | 'identifier'
  | 'int literal'
  | 'float literal'
  | 'string literal'
  | 'bytes literal'
  | 'newline'
  | 'indent'
  | 'outdent'
  | 'end of file';

export const keywords: ReadonlySet<string> = new Set(keywordList);
export const reservedWords: ReadonlySet<string> = new Set(reservedList);
const signs: ReadonlySet<string> = new Set(signList);

const kindOfWord: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>(
  [...keywordList, ...reservedList].map((word) => [word, word]),
);

export function wordKind(word: string): TokenKind {
  return kindOfWord.get(word) ?? 'identifier';
}

/** How a message names a kind: signs are in quotes. */
export function describeKind(kind: TokenKind): string {
  return signs.has(kind) ? `'${kind}'` : kind;
}

/** The name of an identifier, the value of a literal; null for the rest. */
export type TokenValue = string | number | bigint | Uint8Array | null;

/** Columns of equal length, one entry per token; the last one is 'end of file'. */
export interface Tokens {
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly values: readonly TokenValue[];
}

// Which characters may be where, and which are often taken for others.

const letter = /\p{L}/u;
const letterOrDigit = /[\p{L}\p{Nd}]/u;

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

export function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The end of the identifier that starts at `at`; `at` itself when none does. */
export function identifierEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit < 128) {
      const lower = unit | 32;
      if ((lower >= 97 && lower <= 122) || unit === 95 || (end > at && isDigit(unit))) end += 1;
      else break;
    } else {
      const character = String.fromCodePoint(text.codePointAt(end) as number);
      if (!(end > at ? letterOrDigit : letter).test(character)) break;
      end += character.length;
    }
  }
  return end;
}

/** "U+00A0", and the character itself when it can be seen. */
export function nameCharacter(codePoint: number): string {
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(codePoint);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `'${character}' (${name})` : name;
}

/** Quotation marks of typography, each with the ones that may close it. */
export const typographicQuotes: ReadonlyMap<number, string> = new Map([
  [0x201c, '\u201C\u201D'],
  [0x201d, '\u201C\u201D'],
  [0x201e, '\u201C\u201D'],
  [0x201f, '\u201C\u201D'],
  [0x2018, '\u2018\u2019'],
  [0x2019, '\u2018\u2019'],
  [0x201a, '\u2018\u2019'],
  [0x201b, '\u2018\u2019'],
  [0x00ab, '\u00BB'],
  [0x00bb, '\u00AB'],
  [0x2039, '\u203A'],
  [0x203a, '\u2039'],
  [0x2032, '\u2032'],
  [0x2033, '\u2033'],
  [0xff02, '\uFF02'],
  [0xff07, '\uFF07'],
  [0x60, '`'],
  [0xb4, '\u00B4'],
]);

/** Blanks that are not the space: they are read as one after the fault is reported. */
export function isOddBlank(unit: number): boolean {
  return (
    unit === 0x0b ||
    unit === 0x0c ||
    unit === 0xfeff ||
    (unit >= 0x80 && /[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\x85]/u.test(String.fromCharCode(unit)))
  );
}

export function isDash(unit: number): boolean {
  return (unit >= 0x2010 && unit <= 0x2015) || unit === 0x2212 || unit === 0xff0d;
}
