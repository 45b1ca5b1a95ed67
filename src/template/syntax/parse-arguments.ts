// The arguments of a call, a filter or a test.
//
//   arguments = "(" [ argument { "," argument } [ "," ] ] ")"
//   argument  = expression | name "=" expression | "*" expression | "**" expression
//
// In this order: values, names with values, at most one `*`, at most one `**`; no name twice.
import type { Span } from '../../base/span.ts';
import type { Arguments, Expression } from './ast.ts';
import type { Cursor, ParseExpression } from './cursor.ts';

export const noArguments: Arguments = { positional: [], named: [], spread: null, namedSpread: null };

export function parseArguments(c: Cursor, parse: ParseExpression): Arguments {
  c.expectSign('(');
  const positional: Expression[] = [];
  const named: { name: string; value: Expression }[] = [];
  const names = new Set<string>();
  let spread: Expression | null = null;
  let namedSpread: Expression | null = null;
  const ensure = (isAllowed: boolean, at: Span): void => {
    if (!isAllowed)
      c.fail(
        'TEMPLATE_ARGUMENTS',
        at,
        'arguments must be in this order: values, names with values, "*list", "**dict"',
      );
  };
  c.deeper(() => {
    while (!c.isSign(')')) {
      const { token } = c;
      if (c.skipSign('*')) {
        ensure(spread === null && namedSpread === null, token);
        spread = parse(c);
      } else if (c.skipSign('**')) {
        ensure(namedSpread === null, token);
        namedSpread = parse(c);
      } else if (token.type === 'name' && c.ahead.type === 'sign' && c.ahead.text === '=') {
        ensure(namedSpread === null, token);
        if (names.has(token.text))
          c.fail('TEMPLATE_ARGUMENTS', token, `the argument "${token.text}" is given twice`);
        c.take();
        c.take();
        names.add(token.text);
        named.push({ name: token.text, value: parse(c) });
      } else {
        ensure(spread === null && namedSpread === null && named.length === 0, token);
        positional.push(parse(c));
      }
      if (!c.skipSign(',')) break;
    }
  });
  c.expectSign(')');
  return { positional, named, spread, namedSpread };
}
