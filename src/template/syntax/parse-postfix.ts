// What follows a value: parts of it, and calls.
//
//   postfix   = { "." name | "." int | "[" subscript "]" | arguments }
//   subscript = [ part { "," part } ]        part = expression | [ expression ] ":" [ expression ] [ ":" [ expression ] ]
import type { Expression } from './ast.ts';
import type { Cursor, Nest, ParseExpression } from './cursor.ts';
import { parseArguments } from './parse-arguments.ts';

/** `start` is where the first value begins, with its brackets. */
export function parsePostfix(
  c: Cursor,
  value: Expression,
  nest: Nest,
  start: number,
  parse: ParseExpression,
): Expression {
  let result = value;
  while (c.token.type === 'sign') {
    if (c.isSign('.')) result = parseDot(c, result, start);
    else if (c.isSign('[')) result = parseSubscript(c, result, start, parse);
    else if (c.isSign('(')) result = parseCall(c, result, start, parse);
    else break;
    c.nestOne(nest);
  }
  return result;
}

function parseDot(c: Cursor, object: Expression, start: number): Expression {
  c.take();
  const { token } = c;
  if (token.type !== 'name' && token.type !== 'int') return c.unexpected('a name or a number behind "."');
  c.take();
  if (token.type === 'name') return { kind: 'attribute', object, name: token.text, start, end: token.end };
  const index: Expression = {
    kind: 'literal',
    type: 'int',
    value: token.number,
    start: token.start,
    end: token.end,
  };
  return { kind: 'item', object, index, start, end: token.end };
}

function parseSubscript(c: Cursor, object: Expression, start: number, parse: ParseExpression): Expression {
  const bracket = c.take();
  const parts: (Expression | SliceParts)[] = [];
  c.deeper(() => {
    while (!c.isSign(']')) {
      if (parts.length > 0) c.expectSign(',');
      parts.push(parseSubscriptPart(c, parse));
    }
  });
  c.expectSign(']');
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    if (!('isSlice' in only)) return { kind: 'item', object, index: only, start, end: c.end };
    const { lower, upper, step } = only;
    return { kind: 'slice', object, lower, upper, step, start, end: c.end };
  }
  const items = parts.map((part) =>
    'isSlice' in part
      ? c.fail('TEMPLATE_SYNTAX', bracket, 'a slice cannot stand beside other subscripts')
      : part,
  );
  return {
    kind: 'item',
    object,
    index: { kind: 'tuple', items, start: bracket.start, end: c.end },
    start,
    end: c.end,
  };
}

interface SliceParts {
  readonly isSlice: true;
  readonly lower: Expression | null;
  readonly upper: Expression | null;
  readonly step: Expression | null;
}

function parseSubscriptPart(c: Cursor, parse: ParseExpression): Expression | SliceParts {
  let lower: Expression | null = null;
  if (!c.isSign(':')) {
    lower = parse(c);
    if (!c.isSign(':')) return lower;
  }
  c.take();
  const isOver = (): boolean => c.isSign(']') || c.isSign(',') || c.isSign(':');
  const upper = isOver() ? null : parse(c);
  const step = c.skipSign(':') && !isOver() ? parse(c) : null;
  return { isSlice: true, lower, upper, step };
}

export function parseCall(c: Cursor, callee: Expression, start: number, parse: ParseExpression): Expression {
  const args = parseArguments(c, parse);
  return { kind: 'call', callee, arguments: args, start, end: c.end };
}
