// The names that a tag binds: targets of `set`, `for` and `with`, and parameters of macros.
//
//   target     = name | target { "," target } [ "," ] | "(" target ")"
//   parameters = "(" [ name [ "=" expression ] { "," name [ "=" expression ] } ] ")"
import type { Expression, Parameter, Target } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parsePrimary, parseTuple } from './parse-primary.ts';
import type { Token } from './token.ts';

/** `isLoopTaken`: `loop` is the name of the loop's own variable here. */
export function parseTarget(c: Cursor, isLoopTaken: boolean): Target {
  const value = parseTuple(c, (inner) => parsePrimary(inner, parseExpression), null);
  return asTarget(c, value, isLoopTaken);
}

function asTarget(c: Cursor, value: Expression, isLoopTaken: boolean): Target {
  const { start, end } = value;
  if (value.kind === 'tuple')
    return {
      kind: 'tuple-target',
      items: value.items.map((item) => asTarget(c, item, isLoopTaken)),
      start,
      end,
    };
  if (value.kind !== 'name')
    return c.fail('TEMPLATE_TARGET', value, 'only names, and tuples of names, can be assigned to');
  if (isLoopTaken && value.name === 'loop')
    c.fail('TEMPLATE_TARGET', value, '"loop" is the loop\'s own variable', 'take another name');
  return { kind: 'name-target', name: value.name, start, end };
}

/** One name that can be bound. */
export function parseBoundName(c: Cursor): Token {
  const token = c.expectName('a name');
  if (/^(?:[tT]rue|[fF]alse|[nN]one)$/.test(token.text))
    c.fail('TEMPLATE_TARGET', token, `"${token.text}" is a constant`);
  return token;
}

export function parseParameters(c: Cursor): readonly Parameter[] {
  const parameters: Parameter[] = [];
  const names = new Set<string>();
  c.expectSign('(');
  while (!c.isSign(')')) {
    if (parameters.length > 0) c.expectSign(',');
    const { text, start, end } = parseBoundName(c);
    if (names.has(text))
      c.fail('TEMPLATE_ARGUMENTS', { start, end }, `the parameter "${text}" is named twice`);
    names.add(text);
    const fallback = c.skipSign('=') ? parseExpression(c) : null;
    if (fallback === null && parameters.at(-1)?.fallback)
      c.fail(
        'TEMPLATE_ARGUMENTS',
        { start, end },
        'a parameter without a default follows one with a default',
      );
    parameters.push({ name: text, fallback, start, end });
  }
  c.expectSign(')');
  return parameters;
}
