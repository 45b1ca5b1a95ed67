// Expressions. Each function is under its production.
//
//   Expressions = Expression {"," Expression}
//   Expression  = Lambda | Or ["if" Or "else" Expression]
//
// Operators bind by precedence, less tightly than unary ones, and these less than suffixes. Behind them: names, what can be
// assigned to, and formats that are bound to fail.
// oxlint-disable unicorn/no-thenable -- `then` of a node is a node, which is never awaited
import type {
  Argument,
  BinaryOperator,
  Expression,
  Identifier,
  TupleExpression,
  StringLiteral,
} from './ast.ts';
import type { Cursor } from './cursor.ts';
import {
  parseArguments,
  parseBraces,
  parseList,
  parseParenthesised,
  parseParameters,
} from './parse-brackets.ts';
import type { PartParsers } from './parse-brackets.ts';
import { refuseExpression } from './refuse.ts';
import type { TokenKind } from './token.ts';
import { keywords, reservedWords } from './token.ts';

/** `test`: any; `no-condition`: none of `a if b else c`; `or`: no lambda either. */
type Mode = 'test' | 'no-condition' | 'or';

const parts: PartParsers = {
  expression: parseExpression,
  loopVariables: parseLoopVariables,
  iterable: (c) => parseExpression(c, 'or'),
  condition: (c) => parseExpression(c, 'no-condition'),
};

export function parseExpression(c: Cursor, mode: Mode = 'test'): Expression {
  const outer = c.enter();
  const expression = c.at('lambda') && mode !== 'or' ? parseLambda(c, mode) : parseCondition(c, mode);
  c.leave(outer);
  return expression;
}

//   Or ["if" Or "else" Expression]
function parseCondition(c: Cursor, mode: Mode): Expression {
  const { start } = c;
  const then = parseBinary(c, 1);
  if (mode !== 'test' || !c.at('if')) return then;
  const ifStart = c.start;
  c.advance();
  const condition = nested(c, 1);
  if (!c.at('else'))
    c.fail(
      'STAR_SYNTAX',
      ifStart,
      ifStart + 2,
      'conditional expression without else clause',
      'write a if condition else b',
    );
  c.advance();
  const otherwise = parseExpression(c);
  return { kind: 'conditional', start, end: c.lastEnd, condition, then, otherwise };
}

//   Lambda = "lambda" [Parameters] ":" Expression
function parseLambda(c: Cursor, mode: Mode): Expression {
  const { start } = c;
  c.advance();
  const parameters = parseParameters(c, ':', parseExpression);
  c.expect(':');
  if (c.at('return') || c.at('pass') || c.at('raise') || c.at('for') || c.at('if') || c.at('while')) {
    c.fail(
      'STAR_LAMBDA',
      c.start,
      c.end,
      `got ${c.kind}, want primary expression: the body of a lambda is an expression`,
      c.at('return') ? 'leave out return' : 'write the function with def',
    );
  }
  const body = parseExpression(c, mode);
  return { kind: 'lambda', start, end: c.lastEnd, parameters, body, scope: null };
}

/** An operand of an operator, with all operators that bind more tightly. */
function nested(c: Cursor, precedence: number): Expression {
  const outer = c.enter();
  const expression = parseBinary(c, precedence);
  c.leave(outer);
  return expression;
}

function parseBinary(c: Cursor, lowest: number): Expression {
  const { start } = c;
  let left = c.at('not') ? parseNot(c, lowest) : parseUnary(c);
  /** The comparison just read, to which another one may not be chained. */
  let compared: BinaryOperator | null = null;
  for (;;) {
    const precedence = precedences[c.kind];
    if (precedence === undefined || precedence < lowest) return left;
    const operatorStart = c.start;
    if (c.at('or') || c.at('and')) {
      const operator = c.kind === 'or' ? 'or' : 'and';
      c.advance();
      const right = nested(c, precedence + 1);
      left = { kind: 'logical', start, end: c.lastEnd, operator, left, right };
      compared = null;
    } else {
      const operator = parseOperator(c);
      if (precedence === comparisonPrecedence && compared !== null) {
        c.fault(
          'STAR_CHAINED_COMPARISON',
          operatorStart,
          c.lastEnd,
          `${compared} does not associate with ${operator}: comparisons cannot be chained`,
          'join two comparisons with and: a < b and b < c',
        );
      }
      const right = nested(c, precedence + 1);
      if (operator === '%' && left.kind === 'string') checkFormat(c, left);
      left = { kind: 'binary', start, end: c.lastEnd, operator, operatorStart, left, right };
      compared = precedence === comparisonPrecedence ? operator : null;
    }
    c.link();
  }
}

//   "not" Comparison
function parseNot(c: Cursor, lowest: number): Expression {
  const { start } = c;
  if (lowest > notPrecedence)
    c.fault(
      'STAR_SYNTAX',
      start,
      c.end,
      'got not, want primary expression',
      'put it in parentheses: (not x)',
    );
  c.advance();
  const operand = nested(c, notPrecedence);
  return { kind: 'unary', start, end: c.lastEnd, operator: 'not', operand };
}

//   Unary = ("+" | "-" | "~") Unary | Primary
function parseUnary(c: Cursor): Expression {
  const { start, kind } = c;
  if (kind !== '-' && kind !== '+' && kind !== '~') return parsePrimary(c);
  c.advance();
  const outer = c.enter();
  const operand = parseUnary(c);
  c.leave(outer);
  return { kind: 'unary', start, end: c.lastEnd, operator: kind, operand };
}

//   Primary = Operand {"." identifier | "(" [Arguments [","]] ")" | "[" … "]"}
function parsePrimary(c: Cursor): Expression {
  const { start } = c;
  let object = parseOperand(c);
  for (;;) {
    const openStart = c.start;
    if (c.at('.')) {
      c.advance();
      const { name, start: nameStart } = parseName(c);
      object = { kind: 'dot', start, end: c.lastEnd, object, name, nameStart };
    } else if (c.at('(')) {
      c.advance();
      const args: readonly Argument[] = parseArguments(c, parts);
      c.expect(')');
      object = { kind: 'call', start, end: c.lastEnd, callee: object, args, openStart };
      checkFormatCall(c, object);
    } else if (c.at('[')) {
      c.advance();
      object = parseSubscript(c, start, object, openStart);
    } else {
      return object;
    }
    c.link();
  }
}

//   "[" Expressions "]" | "[" [Expressions] ":" [Expression] [":" [Expression]] "]"
function parseSubscript(c: Cursor, start: number, object: Expression, openStart: number): Expression {
  let from: Expression | null = null;
  let to: Expression | null = null;
  let step: Expression | null = null;
  if (!c.at(':')) {
    from = parseExpressions(c);
    if (c.accept(']')) return { kind: 'index', start, end: c.lastEnd, object, index: from, openStart };
  }
  if (c.accept(':') && !c.at(':') && !c.at(']')) to = parseExpression(c);
  if (c.accept(':') && !c.at(']')) step = parseExpression(c);
  c.expect(']');
  return { kind: 'slice', start, end: c.lastEnd, object, from, to, step, openStart };
}

//   Operand = identifier | literal | "(" [Expressions [","]] ")" | List | Dict
function parseOperand(c: Cursor): Expression {
  const { start, end, kind, value } = c;
  switch (kind as string) {
    case 'identifier':
      c.advance();
      return { kind: 'identifier', start, end, name: value as string, binding: null };
    case 'int literal':
      c.advance();
      return { kind: 'int', start, end, value: value as number | bigint };
    case 'float literal':
      c.advance();
      return { kind: 'float', start, end, value: value as number };
    case 'string literal':
      c.advance();
      skipAdjacent(c);
      return { kind: 'string', start, end: c.lastEnd, value: value as string };
    case 'bytes literal':
      c.advance();
      skipAdjacent(c);
      return { kind: 'bytes', start, end: c.lastEnd, value: value as Uint8Array };
    case '(':
      return parseParenthesised(c, parts);
    case '[':
      return parseList(c, parts);
    case '{':
      return parseBraces(c, parts);
    case 'assert':
      // A name where tests of the language are run, as in `assert.eq(x, y)`; no assert statement can begin here.
      c.advance();
      return { kind: 'identifier', start, end, name: 'assert', binding: null };
    default:
      return refuseExpression(c, parseExpression);
  }
}

function skipAdjacent(c: Cursor): void {
  while (c.at('string literal') || c.at('bytes literal')) {
    c.fault(
      'STAR_STRING_CONCATENATION',
      c.start,
      c.end,
      `got ${c.kind}, want an operator: strings side by side are not joined`,
      'put + between the strings',
    );
    c.advance();
  }
}

//   LoopVariables = Primary {"," Primary}
export function parseLoopVariables(c: Cursor): Expression {
  const { start } = c;
  const outer = c.enter();
  const first = parseUnary(c);
  let target = first;
  if (c.at(',')) {
    const items = [first];
    while (c.accept(',')) {
      if (c.at('in'))
        c.fail(
          'STAR_TRAILING_COMMA',
          c.start,
          c.end,
          'got in, want primary expression',
          'write a tuple of one in parentheses: for (x,) in y',
        );
      items.push(parseUnary(c));
    }
    target = { kind: 'tuple', start, end: c.lastEnd, items, parenthesised: false } satisfies TupleExpression;
  }
  c.leave(outer);
  checkTarget(c, target);
  return target;
}

/** A single expression, or a tuple without parentheses. */
export function parseExpressions(c: Cursor): Expression {
  const { start } = c;
  const first = parseExpression(c);
  if (!c.at(',')) return first;
  const items = [first];
  while (c.at(',')) {
    const comma = c.start;
    c.advance();
    if (endsExpressions(c.kind)) {
      c.fault(
        'STAR_TRAILING_COMMA',
        comma,
        comma + 1,
        'unparenthesized tuple with trailing comma',
        'put the tuple in parentheses, or remove the comma',
      );
      break;
    }
    items.push(parseExpression(c));
  }
  return { kind: 'tuple', start, end: c.lastEnd, items, parenthesised: false };
}

function endsExpressions(kind: TokenKind): boolean {
  return (
    kind === 'newline' ||
    kind === 'end of file' ||
    kind === '=' ||
    kind === ']' ||
    kind === ')' ||
    kind === '}' ||
    kind === ';'
  );
}

// Binary operators, and how tightly they bind.
//
//   or < and < not < comparison < | < ^ < & < shift < + - < * / // %
//
// An operator of Python that Starlark lacks (`is`, `**`) is reported, and read as the one that comes nearest.

const precedences: Partial<Record<TokenKind, number>> = {
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
const notPrecedence = 3;
const comparisonPrecedence = 4;

/** Reads a binary operator; of those that Starlark lacks, the one that comes nearest. */
function parseOperator(c: Cursor): BinaryOperator {
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

// A name where only a name can be: behind a dot or `def`, in a load.

/** An identifier, or after a fault the reserved word in its place. */
export function parseName(c: Cursor): Identifier {
  const { start, end, kind } = c;
  if (kind !== 'identifier' && !keywords.has(kind) && !reservedWords.has(kind))
    c.failWanting('identifier: not an identifier');
  if (kind !== 'identifier')
    c.fault(
      'STAR_RESERVED',
      start,
      end,
      `not an identifier: ${kind} is a reserved word`,
      'choose another name',
    );
  const name = kind === 'identifier' ? (c.value as string) : kind;
  c.advance();
  return { kind: 'identifier', start, end, name, binding: null };
}

// What can be assigned to: a name, x[i], x.f, and tuples and lists of these.

const unassignable: Partial<Record<Expression['kind'], string>> = {
  int: 'literal',
  float: 'literal',
  string: 'literal',
  bytes: 'literal',
  call: 'call expression',
  slice: 'slice expression',
  comprehension: 'comprehension',
  conditional: 'conditional expression',
  dict: 'dict expression',
  lambda: 'lambda expression',
  binary: 'binary expression',
  logical: 'binary expression',
  unary: 'unary expression',
};

/** Says what of `target` cannot be assigned to. */
export function checkTarget(c: Cursor, target: Expression): void {
  if (target.kind === 'tuple' || target.kind === 'list') {
    for (const item of target.items) checkTarget(c, item);
    return;
  }
  const name = unassignable[target.kind];
  if (name === undefined) return;
  const hint =
    target.kind === 'slice'
      ? 'assign to each element, or build a new list'
      : 'a name, x[i] or x.f can be assigned to';
  c.fault('STAR_TARGET', target.start, target.end, `can't assign to ${name}`, hint);
}

// Formats of other languages that are bound to fail when they run.

//   "%" "(" name ")" flags width "." precision letter
// The repeats are bounded, so that the time is linear however the text continues.
const conversion = /%(?:%|(?:\([^()]{0,100}\))?([-+ #0]{0,5}[0-9*]{0,9}(?:\.[0-9*]{0,9})?)([a-zA-Z]))/g;
const field = /\{\{|\}\}|\{[^{}:]*(:)[^{}]*\}/g;

/** `format` is on the left of `%`. */
function checkFormat(c: Cursor, format: StringLiteral): void {
  for (const [written, extra, letter] of format.value.matchAll(conversion)) {
    if (extra === undefined || extra === '') continue;
    c.fault(
      'STAR_FORMAT',
      format.start,
      format.end,
      `${written} has a width, precision or flag, which % does not take`,
      extra.includes(' ')
        ? 'write %% for a percent sign'
        : `write %${letter}, and pad or round the value yourself`,
    );
    return;
  }
}

/** `"…{:5}…".format(x)` */
function checkFormatCall(c: Cursor, call: Expression): void {
  if (
    call.kind !== 'call' ||
    call.callee.kind !== 'dot' ||
    call.callee.name !== 'format' ||
    call.callee.object.kind !== 'string'
  )
    return;
  const format = call.callee.object;
  for (const [written, colon] of format.value.matchAll(field)) {
    if (colon === undefined) continue;
    c.fault(
      'STAR_FORMAT',
      format.start,
      format.end,
      `${written.slice(0, 40)} has a format after the colon, which format does not take`,
      'write {}, and pad or round the value yourself',
    );
    return;
  }
}
