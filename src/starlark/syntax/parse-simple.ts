// Statements that take no block, and the line they are on.
//
//   Line   = Simple {";" Simple} [";"] newline
//   Simple = Return | "break" | "continue" | "pass" | Load | Assignment
//
// After a fault the rest of the line is skipped. What follows a whole statement is reported with a guess at what was
// meant.
import { nearest } from '../../base/nearest.ts';
import type {
  AugmentedStatement,
  BinaryOperator,
  Identifier,
  LoadBinding,
  LoadStatement,
  Statement,
  StringLiteral,
} from './ast.ts';
import { checkTarget, parseExpression, parseExpressions, parseName } from './parse-expression.ts';
import type { Cursor } from './cursor.ts';
import { foreignWords } from './refuse.ts';
import type { TokenKind } from './token.ts';
import { describeKind, keywords, reservedWords, identifierEnd } from './token.ts';

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

// Load statements.
//
//   Load = "load" "(" string {"," [identifier "="] string} [","] ")"

function parseLoad(c: Cursor): LoadStatement {
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
