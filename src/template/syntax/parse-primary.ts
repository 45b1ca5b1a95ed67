// A value by itself: a name, a literal, or what is in brackets.
//
//   primary = name | constant | int | float | string { string } | "(" tuple ")" | list | dict
//   tuple   = [ expression { "," expression } [ "," ] ]        list = "[" tuple "]"
//   dict    = "{" [ expression ":" expression { "," expression ":" expression } [ "," ] ] "}"
import type { Expression } from './ast.ts';
import type { Cursor, ParseExpression } from './cursor.ts';
import type { Token } from './token.ts';

export function parsePrimary(c: Cursor, parse: ParseExpression): Expression {
  const { token } = c;
  const { type, start, end } = token;
  if (type === 'string') return parseStrings(c);
  if (type === 'name') return nameOrConstant(c.take());
  if (type === 'int' || type === 'float') {
    c.take();
    return { kind: 'literal', type, value: token.number, start, end };
  }
  if (c.isSign('(')) return parseParenthesis(c, parse);
  if (c.isSign('[')) return parseList(c, parse);
  if (c.isSign('{')) return parseDict(c, parse);
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

function parseParenthesis(c: Cursor, parse: ParseExpression): Expression {
  const { start } = c.take();
  const value = c.deeper(() => parseTuple(c, parse, start));
  c.expectSign(')');
  // The brackets belong to a tuple, and not to a value that happens to be in brackets.
  return value.kind === 'tuple' && value.start === start ? { ...value, end: c.end } : value;
}

/**
 * One value, or several with commas between them. `bracket` is where the bracket before it is: without one, there must
 * be a value.
 */
export function parseTuple(c: Cursor, parse: ParseExpression, bracket: number | null): Expression {
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

function parseList(c: Cursor, parse: ParseExpression): Expression {
  const { start } = c.take();
  const items: Expression[] = [];
  c.deeper(() => {
    while (!c.isSign(']')) {
      items.push(parse(c));
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign(']');
  return { kind: 'list', items, start, end: c.end };
}

function parseDict(c: Cursor, parse: ParseExpression): Expression {
  const { start } = c.take();
  const entries: { key: Expression; value: Expression }[] = [];
  c.deeper(() => {
    while (!c.isSign('}')) {
      const key = parse(c);
      c.expectSign(':');
      entries.push({ key, value: parse(c) });
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign('}');
  return { kind: 'dict', entries, start, end: c.end };
}
