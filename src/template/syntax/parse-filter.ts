// Filters and tests behind a value.
//
//   filters = { "|" name [ arguments ] | "is" [ "not" ] name [ arguments | primary postfix ] | arguments }
import type { Span } from '../../base/span.ts';
import type { Arguments, Expression, Filter, Test } from './ast.ts';
import type { Cursor, Nest, ParseExpression } from './cursor.ts';
import { noArguments, parseArguments } from './parse-arguments.ts';
import { parseCall, parsePostfix } from './parse-postfix.ts';
import { parsePrimary } from './parse-primary.ts';

/** Names after a test that are not its operand. */
const noOperand: ReadonlySet<string> = new Set(['else', 'or', 'and']);

export function parseFilters(
  c: Cursor,
  value: Expression,
  nest: Nest,
  start: number,
  parse: ParseExpression,
): Expression {
  let result = value;
  while (true) {
    if (c.skipSign('|')) result = { ...parseFilter(c, result, parse), start };
    else if (c.isName('is')) result = parseTest(c, result, start, parse);
    else if (c.isSign('(')) result = parseCall(c, result, start, parse);
    else return result;
    c.nestOne(nest);
  }
}

/** Behind the `|`. */
export function parseFilter(c: Cursor, input: Expression | null, parse: ParseExpression): Filter {
  const { name, span } = parseDottedName(c, 'the name of a filter');
  const args = c.isSign('(') ? parseArguments(c, parse) : noArguments;
  return {
    kind: 'filter',
    input,
    name,
    nameSpan: span,
    arguments: args,
    start: input?.start ?? span.start,
    end: c.end,
  };
}

function parseTest(c: Cursor, input: Expression, start: number, parse: ParseExpression): Expression {
  c.take();
  const negated = c.skipName('not');
  const { name, span } = parseDottedName(c, 'the name of a test');
  const args = parseTestArguments(c, parse);
  const test: Test = { kind: 'test', input, name, nameSpan: span, arguments: args, start, end: c.end };
  return negated ? { kind: 'unary', operator: 'not', operand: test, start, end: c.end } : test;
}

function parseTestArguments(c: Cursor, parse: ParseExpression): Arguments {
  if (c.isSign('(')) return parseArguments(c, parse);
  const { token } = c;
  const isValue =
    token.type === 'name'
      ? !noOperand.has(token.text)
      : token.type === 'string' ||
        token.type === 'int' ||
        token.type === 'float' ||
        c.isSign('[') ||
        c.isSign('{');
  if (!isValue) return noArguments;
  if (c.isName('is'))
    c.fail('TEMPLATE_SYNTAX', token, 'tests cannot be chained with "is"', 'join them with "and"');
  const { start } = c.token;
  const operand = parsePostfix(c, parsePrimary(c, parse), { depth: 0 }, start, parse);
  return { ...noArguments, positional: [operand] };
}

function parseDottedName(c: Cursor, what: string): { name: string; span: Span } {
  const first = c.expectName(what);
  let name = first.text;
  while (c.skipSign('.')) name += `.${c.expectName(what).text}`;
  return { name, span: { start: first.start, end: c.end } };
}
