// The words and signs a program is made of.
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
