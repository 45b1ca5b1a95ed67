// Tokens -> an expression, as Jinja's grammar has it.
//
//   expression  = or { "if" or [ "else" expression ] }
//   or          = and { "or" and }            and  = not { "and" not }        not = "not" not | comparison
//   comparison  = sum { ("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not" "in") sum }
//   sum         = concat { ("+" | "-") concat }
//   concat      = product { "~" product }
//   product     = power { ("*" | "/" | "//" | "%") power }
//   power       = unary { "**" unary }
//   unary       = ("-" | "+") unary-without-filters postfix filters | primary postfix filters
//
// So `-x|abs` is `(-x)|abs`, `2 ** 3 ** 2` is 64, and `a ~ b + c` is `(a ~ b) + c`: odd, but so are Jinja's.
// What primary, postfix and filters are is said in parse-primary.ts, parse-postfix.ts and parse-filter.ts.
import type { BinaryOperator, ComparisonOperator, Expression } from './ast.ts';
import type { Cursor, Nest, ParseExpression } from './cursor.ts';
import { parseFilters } from './parse-filter.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parsePrimary } from './parse-primary.ts';

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

export function parseExpression(c: Cursor): Expression {
  return c.deeper(() => {
    let value = parseOr(c);
    while (c.skipName('if')) {
      const test = parseOr(c);
      const otherwise = c.skipName('else') ? parseExpression(c) : null;
      value = { kind: 'conditional', test, value, otherwise, start: value.start, end: c.end };
    }
    return value;
  });
}

/** Without an inline `if`: where an `if` means something else. */
export function parseOr(c: Cursor): Expression {
  return parseLogic(c, 'or', (inner) => parseLogic(inner, 'and', parseNot));
}

function parseLogic(c: Cursor, operator: 'and' | 'or', parse: ParseExpression): Expression {
  const first = parse(c);
  if (!c.isName(operator)) return first;
  const operands = [first];
  while (c.skipName(operator)) operands.push(parse(c));
  return { kind: 'logic', operator, operands, start: first.start, end: c.end };
}

function parseNot(c: Cursor): Expression {
  if (!c.isName('not')) return parseComparison(c);
  const { start } = c.take();
  const operand = c.deeper(() => parseNot(c));
  return { kind: 'unary', operator: 'not', operand, start, end: c.end };
}

function parseComparison(c: Cursor): Expression {
  const first = parseSum(c);
  const rest: { operator: ComparisonOperator; operand: Expression }[] = [];
  for (let operator = comparisonHere(c); operator !== null; operator = comparisonHere(c)) {
    c.take();
    if (operator === 'not in') c.take();
    rest.push({ operator, operand: parseSum(c) });
  }
  return rest.length === 0 ? first : { kind: 'comparison', first, rest, start: first.start, end: c.end };
}

function comparisonHere(c: Cursor): ComparisonOperator | null {
  const { token } = c;
  if (token.type === 'sign') return comparisons.has(token.text) ? (token.text as ComparisonOperator) : null;
  if (c.isName('in')) return 'in';
  return c.isName('not') && c.ahead.type === 'name' && c.ahead.text === 'in' ? 'not in' : null;
}

function parseSum(c: Cursor): Expression {
  return parseBinary(c, ['+', '-'], parseConcat);
}

function parseConcat(c: Cursor): Expression {
  const first = parseProduct(c);
  if (!c.isSign('~')) return first;
  const parts = [first];
  while (c.skipSign('~')) parts.push(parseProduct(c));
  return { kind: 'concat', parts, start: first.start, end: c.end };
}

function parseProduct(c: Cursor): Expression {
  return parseBinary(c, ['*', '/', '//', '%'], parsePower);
}

function parsePower(c: Cursor): Expression {
  return parseBinary(c, ['**'], (inner) => parseUnary(inner, true));
}

function parseBinary(c: Cursor, operators: readonly BinaryOperator[], parse: ParseExpression): Expression {
  let left = parse(c);
  const nest: Nest = { depth: 0 };
  for (
    let operator = operators.find((each) => c.isSign(each));
    operator !== undefined;
    operator = operators.find((each) => c.isSign(each))
  ) {
    c.take();
    c.nestOne(nest);
    const right = parse(c);
    left = { kind: 'binary', operator, left, right, start: left.start, end: c.end };
  }
  return left;
}

function parseUnary(c: Cursor, withFilters: boolean): Expression {
  const { token } = c;
  const nest: Nest = { depth: 0 };
  let value: Expression;
  if (c.isSign('-') || c.isSign('+')) {
    c.take();
    const operand = c.deeper(() => parseUnary(c, false));
    value = { kind: 'unary', operator: token.text as '-' | '+', operand, start: token.start, end: c.end };
  } else {
    value = parsePrimary(c, parseExpression);
  }
  value = parsePostfix(c, value, nest, token.start, parseExpression);
  return withFilters ? parseFilters(c, value, nest, token.start, parseExpression) : value;
}
