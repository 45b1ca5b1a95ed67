// Statements that take no block, and the line they are on.
//
//   Line   = Simple {";" Simple} [";"] newline
//   Simple = Return | "break" | "continue" | "pass" | Load | Assignment
//
// After a fault the rest of the line is skipped. What follows a whole statement is reported with a guess at what was
// meant.
import { nearest } from '../../base/nearest.ts';
import type { AugmentedStatement, BinaryOperator, Statement } from './ast.ts';
import { checkTarget } from './check-target.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression, parseExpressions } from './parse-expression.ts';
import { parseLoad } from './parse-load.ts';
import { foreignWords } from './refuse.ts';
import type { TokenKind } from './token.ts';
import { keywords } from './token.ts';

const augmented: ReadonlySet<TokenKind> = new Set<TokenKind>([
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
]);

/** Gives false when not all of the line could be read. */
export function parseSimpleLine(c: Cursor, into: Statement[]): boolean {
  const wasRead = c.guard(() => {
    do {
      into.push(parseSimple(c));
    } while (c.accept(';') && !c.at('newline') && !c.at('end of file'));
    if (!c.at('newline') && !c.at('end of file')) failAtRest(c, into[into.length - 1] as Statement);
    return true;
  });
  c.accept('newline');
  return wasRead === true;
}

/** There is more on the line than the statement `last`. */
function failAtRest(c: Cursor, last: Statement): never {
  const { kind } = c;
  const word =
    last.kind === 'expression' && last.expression.kind === 'identifier' ? last.expression.name : null;
  const isOperand = kind === 'identifier' || kind.endsWith(' literal');
  if (word === 'print' && isOperand)
    c.failWanting('newline', 'print is a function: write print(x)', 'STAR_PRINT');
  if (kind === '=' && last.kind === 'assign' && last.value.kind === 'lambda')
    c.failWanting('newline: a lambda cannot assign', 'write the function with def', 'STAR_LAMBDA');
  const before = c.peek(-1);
  let hint: string | undefined;
  const keyword = word === null || word.length > 12 ? null : nearest(word, keywords);
  if (word !== null && foreignWords.has(word)) hint = foreignWords.get(word);
  else if (keyword !== null) hint = `did you mean ${keyword}?`;
  else if (
    kind === 'identifier' &&
    c.touchesPrevious &&
    (before === 'int literal' || before === 'float literal')
  )
    hint = 'a name cannot begin with a digit';
  else if (kind === '=') hint = 'assign to one target at a time';
  else if (kind === ':') hint = 'only def, if, elif, else and for begin a block';
  return c.failWanting('newline', hint);
}

function parseSimple(c: Cursor): Statement {
  const { start, end, kind } = c;
  switch (kind as string) {
    case 'return': {
      if (c.functions === 0 && c.guesses === 0)
        c.fault('STAR_OUTSIDE_FUNCTION', start, end, 'return statement not within a function');
      c.advance();
      const value = c.at('newline') || c.at(';') || c.at('end of file') ? null : parseExpressions(c);
      return { kind: 'return', start, end: c.lastEnd, value };
    }
    case 'break':
    case 'continue':
      if (c.loops === 0 && c.guesses === 0) c.fault('STAR_OUTSIDE_LOOP', start, end, `${kind} not in a loop`);
      c.advance();
      return { kind: kind === 'break' ? 'break' : 'continue', start, end };
    case 'pass':
      c.advance();
      return { kind: 'pass', start, end };
    case 'load':
      return parseLoad(c);
    default:
      return parseAssignment(c);
  }
}

//   Expressions [("=" | "+=" | "-=" | …) Expressions]
function parseAssignment(c: Cursor): Statement {
  const { start } = c;
  const target = parseExpressions(c);
  if (
    c.at(':') &&
    c.peek(1) !== 'newline' &&
    (target.kind === 'identifier' || target.kind === 'dot' || target.kind === 'index')
  ) {
    const colon = c.start;
    c.advance();
    parseExpression(c);
    c.fault(
      'STAR_ANNOTATION',
      colon,
      c.lastEnd,
      "got ':', want newline: type annotations are not part of Starlark",
      'remove the annotation',
    );
    if (!c.at('=')) return { kind: 'assign', start, end: c.lastEnd, target, value: target };
  }
  if (c.at('=')) {
    c.advance();
    const value = parseExpressions(c);
    checkTarget(c, target);
    return { kind: 'assign', start, end: c.lastEnd, target, value };
  }
  if (!augmented.has(c.kind)) return { kind: 'expression', start, end: c.lastEnd, expression: target };
  const operatorStart = c.start;
  const operator = c.kind.slice(0, -1) as BinaryOperator;
  c.advance();
  const value = parseExpressions(c);
  if (target.kind === 'identifier' || target.kind === 'index' || target.kind === 'dot') {
    return {
      kind: 'augmented',
      start,
      end: c.lastEnd,
      operator,
      operatorStart,
      target,
      value,
    } satisfies AugmentedStatement;
  }
  if (target.kind === 'tuple' || target.kind === 'list') {
    c.fault(
      'STAR_TARGET',
      target.start,
      target.end,
      `can't use ${target.kind} expression in augmented assignment`,
      'write one statement for each variable',
    );
  } else {
    checkTarget(c, target);
  }
  return { kind: 'expression', start, end: c.lastEnd, expression: value };
}
