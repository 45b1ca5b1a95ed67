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
//   postfix     = { "." name | "." int | "[" subscript "]" | arguments }
//   filters     = { "|" name [ arguments ] | "is" [ "not" ] name [ arguments | primary postfix ] | arguments }
//
// So `-x|abs` is `(-x)|abs`, `2 ** 3 ** 2` is 64, and `a ~ b + c` is `(a ~ b) + c`: odd, but so are Jinja's.
import type { Span } from '../../base/span.ts';
import type { Arguments, BinaryOperator, ComparisonOperator, Expression, Filter, Test } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './token.ts';

const noArguments: Arguments = { positional: [], named: [], spread: null, namedSpread: null };
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Operators that lean left are as deep as their chain is long. */
type Nest = { depth: number };

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

function parseLogic(c: Cursor, operator: 'and' | 'or', parse: (c: Cursor) => Expression): Expression {
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

function parseBinary(c: Cursor, operators: readonly BinaryOperator[], parse: (c: Cursor) => Expression): Expression {
  let left = parse(c);
  const nest: Nest = { depth: 0 };
  for (let operator = operators.find((each) => c.isSign(each)); operator !== undefined; operator = operators.find((each) => c.isSign(each))) {
    c.take();
    nestOne(c, nest);
    const right = parse(c);
    left = { kind: 'binary', operator, left, right, start: left.start, end: c.end };
  }
  return left;
}

function nestOne(c: Cursor, nest: Nest): void {
  nest.depth += 1;
  c.bound(nest.depth);
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
    value = parsePrimary(c);
  }
  value = parsePostfix(c, value, nest, token.start);
  return withFilters ? parseFilters(c, value, nest, token.start) : value;
}

export function parsePrimary(c: Cursor): Expression {
  const { token } = c;
  const { type, start, end } = token;
  if (type === 'string') return parseStrings(c);
  if (type === 'name') return nameOrConstant(c.take());
  if (type === 'int' || type === 'float') {
    c.take();
    return { kind: 'literal', type, value: token.number, start, end };
  }
  if (c.isSign('(')) return parseParenthesis(c);
  if (c.isSign('[')) return parseList(c);
  if (c.isSign('{')) return parseDict(c);
  return c.unexpected('a value', hintFor(token));
}

function hintFor(token: Token): string | undefined {
  return token.type === 'sign' && token.text === '=' ? 'to compare, write "=="' : undefined;
}

function nameOrConstant(token: Token): Expression {
  const { text, start, end } = token;
  switch (text) {
    case 'true':
    case 'True':
      return { kind: 'literal', type: 'boolean', value: true, start, end };
    case 'false':
    case 'False':
      return { kind: 'literal', type: 'boolean', value: false, start, end };
    case 'none':
    case 'None':
      return { kind: 'literal', type: 'none', value: null, start, end };
    default:
      return { kind: 'name', name: text, start, end };
  }
}

/** Strings side by side are one. */
function parseStrings(c: Cursor): Expression {
  const { start } = c.token;
  let value = '';
  while (c.is('string')) value += c.take().text;
  return { kind: 'literal', type: 'string', value, start, end: c.end };
}

function parseParenthesis(c: Cursor): Expression {
  const { start } = c.take();
  const value = c.deeper(() => parseTuple(c, parseExpression, start));
  c.expectSign(')');
  // The brackets belong to a tuple, and not to a value that happens to be in brackets.
  return value.kind === 'tuple' && value.start === start ? { ...value, end: c.end } : value;
}

/**
 * One value, or several with commas between them. `bracket` is where the bracket before it is: without one, there must
 * be a value.
 */
export function parseTuple(c: Cursor, parse: (c: Cursor) => Expression, bracket: number | null): Expression {
  const items: Expression[] = [];
  let isTuple = false;
  while (!isTupleEnd(c)) {
    items.push(parse(c));
    if (!c.skipSign(',')) break;
    isTuple = true;
  }
  const [first] = items;
  if (first !== undefined && !isTuple) return first;
  if (first === undefined && bracket === null) return c.unexpected('a value');
  return { kind: 'tuple', items, start: bracket ?? (first as Expression).start, end: c.end };
}

function isTupleEnd(c: Cursor): boolean {
  return c.is('output-end') || c.is('block-end') || c.isSign(')');
}

function parseList(c: Cursor): Expression {
  const { start } = c.take();
  const items: Expression[] = [];
  c.deeper(() => {
    while (!c.isSign(']')) {
      items.push(parseExpression(c));
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign(']');
  return { kind: 'list', items, start, end: c.end };
}

function parseDict(c: Cursor): Expression {
  const { start } = c.take();
  const entries: { key: Expression; value: Expression }[] = [];
  c.deeper(() => {
    while (!c.isSign('}')) {
      const key = parseExpression(c);
      c.expectSign(':');
      entries.push({ key, value: parseExpression(c) });
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign('}');
  return { kind: 'dict', entries, start, end: c.end };
}

/** `start` is where the first value begins, with its brackets. */
function parsePostfix(c: Cursor, value: Expression, nest: Nest, start: number): Expression {
  let result = value;
  while (c.token.type === 'sign') {
    if (c.isSign('.')) result = parseDot(c, result, start);
    else if (c.isSign('[')) result = parseSubscript(c, result, start);
    else if (c.isSign('(')) result = parseCall(c, result, start);
    else break;
    nestOne(c, nest);
  }
  return result;
}

function parseDot(c: Cursor, object: Expression, start: number): Expression {
  c.take();
  const { token } = c;
  if (token.type !== 'name' && token.type !== 'int') return c.unexpected('a name or a number behind "."');
  c.take();
  if (token.type === 'name') return { kind: 'attribute', object, name: token.text, start, end: token.end };
  const index: Expression = { kind: 'literal', type: 'int', value: token.number, start: token.start, end: token.end };
  return { kind: 'item', object, index, start, end: token.end };
}

function parseSubscript(c: Cursor, object: Expression, start: number): Expression {
  const bracket = c.take();
  const parts: (Expression | SliceParts)[] = [];
  c.deeper(() => {
    while (!c.isSign(']')) {
      if (parts.length > 0) c.expectSign(',');
      parts.push(parseSubscriptPart(c));
    }
  });
  c.expectSign(']');
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    if (!('isSlice' in only)) return { kind: 'item', object, index: only, start, end: c.end };
    const { lower, upper, step } = only;
    return { kind: 'slice', object, lower, upper, step, start, end: c.end };
  }
  const items = parts.map((part) => ('isSlice' in part ? c.fail('TEMPLATE_SYNTAX', bracket, 'a slice cannot stand beside other subscripts') : part));
  return { kind: 'item', object, index: { kind: 'tuple', items, start: bracket.start, end: c.end }, start, end: c.end };
}

interface SliceParts {
  readonly isSlice: true;
  readonly lower: Expression | null;
  readonly upper: Expression | null;
  readonly step: Expression | null;
}

function parseSubscriptPart(c: Cursor): Expression | SliceParts {
  let lower: Expression | null = null;
  if (!c.isSign(':')) {
    lower = parseExpression(c);
    if (!c.isSign(':')) return lower;
  }
  c.take();
  const isOver = (): boolean => c.isSign(']') || c.isSign(',') || c.isSign(':');
  const upper = isOver() ? null : parseExpression(c);
  const step = c.skipSign(':') && !isOver() ? parseExpression(c) : null;
  return { isSlice: true, lower, upper, step };
}

function parseCall(c: Cursor, callee: Expression, start: number): Expression {
  const args = parseArguments(c);
  return { kind: 'call', callee, arguments: args, start, end: c.end };
}

function parseArguments(c: Cursor): Arguments {
  c.expectSign('(');
  const positional: Expression[] = [];
  const named: { name: string; value: Expression }[] = [];
  const names = new Set<string>();
  let spread: Expression | null = null;
  let namedSpread: Expression | null = null;
  const ensure = (isAllowed: boolean, at: Span): void => {
    if (!isAllowed) c.fail('TEMPLATE_ARGUMENTS', at, 'arguments must be in this order: values, names with values, "*list", "**dict"');
  };
  c.deeper(() => {
    while (!c.isSign(')')) {
      const { token } = c;
      if (c.skipSign('*')) {
        ensure(spread === null && namedSpread === null, token);
        spread = parseExpression(c);
      } else if (c.skipSign('**')) {
        ensure(namedSpread === null, token);
        namedSpread = parseExpression(c);
      } else if (token.type === 'name' && c.ahead.type === 'sign' && c.ahead.text === '=') {
        ensure(namedSpread === null, token);
        if (names.has(token.text)) c.fail('TEMPLATE_ARGUMENTS', token, `the argument "${token.text}" is given twice`);
        c.take();
        c.take();
        names.add(token.text);
        named.push({ name: token.text, value: parseExpression(c) });
      } else {
        ensure(spread === null && namedSpread === null && named.length === 0, token);
        positional.push(parseExpression(c));
      }
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign(')');
  return { positional, named, spread, namedSpread };
}

function parseFilters(c: Cursor, value: Expression, nest: Nest, start: number): Expression {
  let result = value;
  while (true) {
    if (c.skipSign('|')) result = { ...parseFilter(c, result), start };
    else if (c.isName('is')) result = parseTest(c, result, start);
    else if (c.isSign('(')) result = parseCall(c, result, start);
    else return result;
    nestOne(c, nest);
  }
}

/** Behind the `|`. */
export function parseFilter(c: Cursor, input: Expression | null): Filter {
  const { name, span } = parseDottedName(c, 'the name of a filter');
  const args = c.isSign('(') ? parseArguments(c) : noArguments;
  return { kind: 'filter', input, name, nameSpan: span, arguments: args, start: input?.start ?? span.start, end: c.end };
}

function parseTest(c: Cursor, input: Expression, start: number): Expression {
  c.take();
  const negated = c.skipName('not');
  const { name, span } = parseDottedName(c, 'the name of a test');
  const args = parseTestArguments(c);
  const test: Test = { kind: 'test', input, name, nameSpan: span, arguments: args, start, end: c.end };
  return negated ? { kind: 'unary', operator: 'not', operand: test, start, end: c.end } : test;
}

const noOperand: ReadonlySet<string> = new Set(['else', 'or', 'and']);

function parseTestArguments(c: Cursor): Arguments {
  if (c.isSign('(')) return parseArguments(c);
  const { token } = c;
  const isValue = token.type === 'name' ? !noOperand.has(token.text) : token.type === 'string' || token.type === 'int' || token.type === 'float' || c.isSign('[') || c.isSign('{');
  if (!isValue) return noArguments;
  if (c.isName('is')) c.fail('TEMPLATE_SYNTAX', token, 'tests cannot be chained with "is"', 'join them with "and"');
  const { start } = c.token;
  const operand = parsePostfix(c, parsePrimary(c), { depth: 0 }, start);
  return { ...noArguments, positional: [operand] };
}

function parseDottedName(c: Cursor, what: string): { name: string; span: Span } {
  const first = c.expectName(what);
  let name = first.text;
  while (c.skipSign('.')) name += `.${c.expectName(what).text}`;
  return { name, span: { start: first.start, end: c.end } };
}
