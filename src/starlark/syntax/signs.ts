// The sign at a place of the text, and what people of other languages write in its place.
import type { Sign, TokenKind } from './token.ts';

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
export function signAt(text: string, at: number): Sign | null {
  for (const sign of signsByFirst[text.charAt(at)] ?? []) if (text.startsWith(sign, at)) return sign;
  return null;
}

export function mistakeAt(text: string, at: number): Mistake | null {
  if (!'=!&|<:'.includes(text.charAt(at))) return null;
  for (const each of mistakes) if (text.startsWith(each.written, at)) return each;
  return null;
}
