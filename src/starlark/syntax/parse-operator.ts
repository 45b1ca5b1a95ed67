// Binary operators, and how tightly they bind.
//
//   or < and < not < comparison < | < ^ < & < shift < + - < * / // %
//
// An operator of Python that Starlark lacks (`is`, `**`) is reported, and read as the one that comes nearest.
import type { BinaryOperator } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';

export const precedences: Partial<Record<TokenKind, number>> = {
  or: 1,
  and: 2,
  '==': 4,
  '!=': 4,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  in: 4,
  not: 4,
  is: 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '//': 10,
  '%': 10,
  '**': 10,
};
export const notPrecedence = 3;
export const comparisonPrecedence = 4;

/** Reads a binary operator; of those that Starlark lacks, the one that comes nearest. */
export function parseOperator(c: Cursor): BinaryOperator {
  const { kind, start, end } = c;
  c.advance();
  if (kind === 'not') {
    c.expect('in', "between operands there is only 'not in'");
    return 'not in';
  }
  if (kind === 'is') {
    const negated = c.accept('not');
    const words = negated ? 'is not' : 'is';
    const instead = negated ? '!=' : '==';
    c.fault(
      'STAR_IS',
      start,
      c.lastEnd,
      `'${words}' is not an operator of Starlark`,
      `compare with ${instead}`,
    );
    return instead;
  }
  if (kind === '**') {
    c.fault(
      'STAR_POWER',
      start,
      end,
      "'**' is not an operator of Starlark",
      'multiply, in a loop if need be; 1 << n is a power of two',
    );
    return '*';
  }
  return kind as BinaryOperator;
}
