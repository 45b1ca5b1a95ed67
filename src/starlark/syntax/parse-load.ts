// Load statements.
//
//   Load = "load" "(" string {"," [identifier "="] string} [","] ")"
import type { Identifier, LoadBinding, LoadStatement, StringLiteral } from './ast.ts';
import { identifierEnd } from './characters.ts';
import type { Cursor } from './cursor.ts';
import { parseName } from './parse-name.ts';
import { describeKind, keywords, reservedWords } from './token.ts';

export function parseLoad(c: Cursor): LoadStatement {
  const { start } = c;
  checkPlace(c);
  c.advance();
  const openStart = c.start;
  c.expect('(', 'load is a statement: load("file", "name")');
  if (!c.at('string literal'))
    c.fail('STAR_LOAD', c.start, c.end, 'first operand of load statement must be a string literal');
  const module: StringLiteral = { kind: 'string', start: c.start, end: c.end, value: c.value as string };
  c.advance();
  const bindings: LoadBinding[] = [];
  let named = 0;
  while (!c.at(')')) {
    c.expect(',');
    if (c.at(')')) break;
    named += 1;
    const binding = parseBinding(c);
    if (binding !== null) bindings.push(binding);
  }
  c.advance();
  if (named === 0)
    c.fault(
      'STAR_LOAD',
      openStart,
      c.lastEnd,
      'load statement must import at least 1 symbol',
      'name what to load: load("file", "name")',
    );
  return { kind: 'load', start, end: c.lastEnd, module, bindings };
}

function checkPlace(c: Cursor): void {
  const where =
    c.functions > 0
      ? 'a function'
      : c.topLoops > 0
        ? 'a loop'
        : c.topConditionals > 0
          ? 'a conditional'
          : null;
  if (where !== null && c.guesses === 0)
    c.fault('STAR_LOAD', c.start, c.end, `load statement within ${where}`, 'move it to the top of the file');
}

function parseBinding(c: Cursor): LoadBinding | null {
  const { start } = c;
  let local: Identifier | null = null;
  if (c.at('identifier') || (c.peek(1) === '=' && !c.at('string literal'))) {
    local = parseName(c);
    if (!c.at('='))
      c.fail(
        'STAR_LOAD',
        start,
        c.lastEnd,
        `load operand must be "${local.name}" or ${local.name}="originalname"`,
      );
    c.advance();
    if (!c.at('string literal'))
      c.fail(
        'STAR_LOAD',
        c.start,
        c.end,
        `original name of loaded symbol must be quoted: ${local.name}="originalname"`,
      );
  }
  if (!c.at('string literal'))
    c.fail(
      'STAR_LOAD',
      c.start,
      c.end,
      `load operand must be "name" or localname="name" (got ${describeKind(c.kind)})`,
    );
  const original = c.value as string;
  const at = c.start;
  const { end } = c;
  c.advance();
  const fault = nameFault(original);
  if (fault !== null) {
    c.fault('STAR_LOAD', at, end, `load: ${fault}`);
    if (local === null) return null;
  }
  local ??= { kind: 'identifier', start: at, end, name: original, binding: null };
  return { start, end, local, original };
}

function nameFault(name: string): string | null {
  if (name === '') return 'empty identifier';
  if (name.startsWith('_')) return `names with leading underscores are not exported: ${name.slice(0, 40)}`;
  // `assert` is a name where tests of the language are run.
  if (
    identifierEnd(name, 0) !== name.length ||
    keywords.has(name) ||
    (reservedWords.has(name) && name !== 'assert')
  )
    return `not an identifier: "${name.slice(0, 40)}"`;
  return null;
}
