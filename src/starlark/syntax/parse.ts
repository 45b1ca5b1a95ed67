// Turns the text of a program into a tree.
//
//   text -> tokens (lex) -> Module, faults
//
// Never throws. All faults that can be found are reported, in the order of the text, and no fault that only follows from
// another one. Time is linear in the text; however it nests, the JavaScript stack does not run out.
// oxlint-disable unicorn/no-thenable -- `then` of a node is a node, which is never awaited
import type { Report } from '../../base/diagnostic.ts';
import type { Module, Statement, DefStatement, Expression, IfStatement } from './ast.ts';
import { Cursor, Faults, isAbandoned } from './cursor.ts';
import { lex } from './lex.ts';
import { parseExpression, parseExpressions, parseLoopVariables, parseName } from './parse-expression.ts';
import { parseParameters } from './parse-brackets.ts';
import { parseSimpleLine } from './parse-simple.ts';
import { noAsync, refusedStatements } from './refuse.ts';
import type { TokenKind } from './token.ts';

export interface ParseOptions {
  readonly maxDepth: number;
  readonly maxSourceUnits: number;
  readonly interactive: boolean;
}

/** The tree, also of a program with faults; null when there are too many, or the program is too large or too deep. */
export function parseModule(source: string, options: ParseOptions, report: Report): Module | null {
  if (source.length > options.maxSourceUnits) {
    report(
      'STAR_TOO_LARGE',
      null,
      `the program has ${source.length} characters, more than the ${options.maxSourceUnits} allowed`,
    );
    return null;
  }
  const faults = new Faults();
  const cursor = new Cursor(lex(source, faults), faults, options);
  const body = faults.isFull ? null : parseBody(cursor);
  faults.reportTo(report);
  if (body === null) return null;
  return {
    kind: 'module',
    start: 0,
    end: source.length,
    source,
    doubtful: cursor.doubtful,
    body,
    scope: null,
  };
}

function parseBody(cursor: Cursor): Statement[] | null {
  try {
    return parseStatements(cursor);
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return null;
  }
}

// Statements.
//
//   File      = {Statement | newline} eof
//   Statement = Def | If | For | Line
//   Suite     = newline indent {Statement} outdent | Line        Line: parse-simple.ts
//
// After a fault the parser continues at the next line; a block under a line that could not be read is still read. What
// was not understood leaves an `if` without a meaning around its block, so that the names bound there are known. Such
// a tree never reaches the compiler, since a fault was reported.

function parseStatements(c: Cursor): Statement[] {
  const statements: Statement[] = [];
  while (!c.at('end of file') && !c.at('outdent')) parseStatement(c, statements);
  return statements;
}

function parseStatement(c: Cursor, into: Statement[]): void {
  c.lineStart = c.start;
  if (c.missedBlock) {
    c.missedBlock = false;
    c.guesses += 1;
    parseStatement(c, into);
    c.guesses -= 1;
    return;
  }
  const refusal = refusedStatements[c.kind];
  if (refusal !== undefined && !(c.at('assert') && c.peek(1) === '.')) {
    parseRefused(c, into, refusal);
    return;
  }
  switch (c.kind as string) {
    case 'newline':
      c.advance();
      return;
    case 'indent':
      c.fault(
        'STAR_INDENT',
        c.start,
        c.start + 1,
        'unexpected indent',
        'begin the line in the same column as the line before',
      );
      into.push(meaningless(c, parseBlock(c)));
      return;
    case 'def':
      into.push(parseDef(c));
      return;
    case 'if':
      into.push(parseIf(c));
      return;
    case 'for':
      into.push(parseFor(c));
      return;
    case 'async':
      c.fault(noAsync.code, c.start, c.end, noAsync.message, noAsync.hint);
      while (c.accept('async'));
      parseStatement(c, into);
      return;
    case '@':
      c.fault(
        'STAR_DECORATOR',
        c.start,
        c.end,
        'decorators are not part of Starlark',
        'call the function: f = decorate(f_before)',
      );
      c.skipLine();
      c.advance();
      return;
    case 'elif':
    case 'else':
      c.fault(
        'STAR_SYNTAX',
        c.start,
        c.end,
        `got ${c.kind}, want a statement`,
        `${c.kind} must follow the block of an if, in the same column`,
      );
      into.push(parseUnread(c));
      return;
    default:
      // Lines below that are indented belong to what could not be read.
      if (!parseSimpleLine(c, into) && c.at('indent')) into.push(parseUnreadBlock(c));
  }
}

function meaningless(c: Cursor, body: readonly Statement[]): IfStatement {
  const start = body[0]?.start ?? c.lastEnd;
  const condition: Expression = { kind: 'tuple', start, end: start, items: [], parenthesised: false };
  return { kind: 'if', start, end: Math.max(start, c.lastEnd), condition, then: body, otherwise: [] };
}

/** Skips the line, whose fault has been reported, and reads the block under it. */
function parseUnread(c: Cursor): Statement {
  c.skipLine();
  c.accept('newline');
  return parseUnreadBlock(c);
}

function parseUnreadBlock(c: Cursor): Statement {
  c.guesses += 1;
  const body = c.at('indent') ? parseBlock(c) : [];
  c.guesses -= 1;
  return meaningless(c, body);
}

function parseRefused(
  c: Cursor,
  into: Statement[],
  refusal: (typeof refusedStatements)[TokenKind] & {},
): void {
  const { kind } = c;
  c.fault(refusal.code, c.start, c.end, refusal.message, refusal.hint);
  if (kind === 'from' || kind === 'import') {
    for (let ahead = 1; c.peek(ahead) !== 'newline' && c.peek(ahead) !== 'end of file'; ahead += 1) {
      if (c.peek(ahead) === '*') c.doubtful.add('*');
    }
  }
  into.push(parseUnread(c));
  if (!refusal.block) return;
  // What belongs to the same statement is not reported again.
  while (c.at('except') || c.at('finally') || c.at('else')) {
    c.lineStart = c.start;
    into.push(parseUnread(c));
  }
}

//   newline indent {Statement} outdent, after the newline
function parseBlock(c: Cursor): Statement[] {
  const outer = c.enter();
  c.advance();
  const body = parseStatements(c);
  c.accept('outdent');
  c.leave(outer);
  return body;
}

function parseSuite(c: Cursor): Statement[] {
  if (!c.at('newline')) {
    const body: Statement[] = [];
    parseSimpleLine(c, body);
    return body;
  }
  c.advance();
  if (c.at('indent')) return parseBlock(c);
  let ahead = 0;
  while (c.peek(ahead) === 'outdent') ahead += 1;
  const isEnd = c.peek(ahead) === 'end of file';
  const got = isEnd
    ? 'end of file'
    : c.at('outdent')
      ? 'a line that is indented less'
      : 'a line that is not indented';
  c.missedBlock = true;
  c.fault(
    isEnd ? 'STAR_UNFINISHED' : 'STAR_INDENT',
    c.start,
    c.end,
    `got ${got}, want indent: a block must follow ':'`,
    'indent the lines of the block, or write pass',
  );
  return [];
}

/** Reads a first line up to its `:` with `parse`, then its block; `null` when the line could not be read. */
function parseHeader<T>(
  c: Cursor,
  parse: () => T,
): { readonly head: T | null; readonly body: () => Statement[] } {
  const head = c.guard(() => {
    const read = { value: parse() };
    expectColon(c);
    return read;
  });
  if (head !== null) return { head: head.value, body: () => parseSuite(c) };
  return {
    head: null,
    body: () => {
      c.accept('newline');
      return c.at('indent') ? parseBlock(c) : [];
    },
  };
}

function expectColon(c: Cursor): void {
  if (c.at('newline')) {
    c.fault('STAR_SYNTAX', c.lastEnd, c.lastEnd, "got newline, want ':'", "end the line with ':'");
    return;
  }
  c.expect(
    ':',
    c.at('=') ? 'compare with ==' : c.at('{') ? "blocks begin with ':' and are indented" : undefined,
  );
}

//   Def = "def" identifier "(" [Parameters [","]] ")" ":" Suite
function parseDef(c: Cursor): Statement {
  const { start } = c;
  const header = parseHeader(c, () => {
    c.advance();
    const name = parseName(c);
    c.expect('(');
    const parameters = parseParameters(c, ')', parseExpression);
    c.expect(')');
    if (c.at('->')) {
      const arrow = c.start;
      c.advance();
      parseExpression(c);
      c.fault(
        'STAR_ANNOTATION',
        arrow,
        c.lastEnd,
        "got '->', want ':': type annotations are not part of Starlark",
        'remove the annotation',
      );
    }
    return { name, parameters };
  });
  const { functions, loops } = c;
  c.functions += 1;
  c.loops = 0;
  const body = header.body();
  c.functions = functions;
  c.loops = loops;
  if (header.head === null) return meaningless(c, body);
  const { name, parameters } = header.head;
  const first = body[0];
  const documentation =
    first?.kind === 'expression' && first.expression.kind === 'string' ? first.expression.value : null;
  return {
    kind: 'def',
    start,
    end: c.lastEnd,
    name,
    parameters,
    body,
    documentation,
    scope: null,
  } satisfies DefStatement;
}

function parseCondition(c: Cursor): { readonly condition: Expression; readonly then: readonly Statement[] } {
  const { start } = c;
  const header = parseHeader(c, () => {
    c.advance();
    return parseExpression(c);
  });
  const then = header.body();
  return {
    condition: header.head ?? { kind: 'tuple', start, end: start, items: [], parenthesised: true },
    then,
  };
}

//   If = "if" Expression ":" Suite {"elif" Expression ":" Suite} ["else" ":" Suite]
function parseIf(c: Cursor): Statement {
  const isTop = c.functions === 0;
  checkTop(c, 'if statement', 'put it into a function and call that, or write a if condition else b');
  if (isTop) c.topConditionals += 1;
  const arms = [{ start: c.start, ...parseCondition(c) }];
  let otherwise: readonly Statement[] = [];
  while (c.at('elif') || c.at('else')) {
    c.lineStart = c.start;
    const { start } = c;
    if (c.at('else') && c.peek(1) === 'if') {
      c.fault('STAR_ELSE_IF', start, c.end, "got if, want ':'", 'write elif');
      c.advance();
    } else if (c.at('else')) {
      otherwise = parseHeader(c, () => c.advance()).body();
      break;
    }
    c.linkAbove();
    arms.push({ start, ...parseCondition(c) });
  }
  c.unlinkAbove(arms.length - 1);
  if (isTop) c.topConditionals -= 1;
  const end = c.lastEnd;
  let statement: IfStatement | null = null;
  for (const { start, condition, then } of arms.reverse()) {
    statement = {
      kind: 'if',
      start,
      end,
      condition,
      then,
      otherwise: statement === null ? otherwise : [statement],
    };
  }
  return statement as IfStatement;
}

//   For = "for" LoopVariables "in" Expressions ":" Suite
function parseFor(c: Cursor): Statement {
  const { start } = c;
  const isTop = c.functions === 0;
  checkTop(
    c,
    'for loop',
    'put it into a function and call that, or write a comprehension: [f(x) for x in y]',
  );
  const header = parseHeader(c, () => {
    c.advance();
    const target = parseLoopVariables(c);
    c.expect('in');
    return { target, iterable: parseExpressions(c) };
  });
  c.loops += 1;
  if (isTop) c.topLoops += 1;
  const body = header.body();
  c.loops -= 1;
  if (isTop) c.topLoops -= 1;
  const end = c.lastEnd;
  if (c.at('else')) {
    c.lineStart = c.start;
    c.fault(
      'STAR_SYNTAX',
      c.start,
      c.end,
      'got else, want a statement',
      'a for loop has no else in Starlark: set a variable before break and test it afterwards',
    );
    parseUnread(c);
  }
  const nothing: Expression = { kind: 'tuple', start, end: start, items: [], parenthesised: true };
  const { target, iterable } = header.head ?? { target: nothing, iterable: nothing };
  return { kind: 'for', start, end, target, iterable, body };
}

function checkTop(c: Cursor, what: string, hint: string): void {
  // What is inside a reported one is not reported again.
  if (c.functions > 0 || c.interactive || c.guesses > 0 || c.topConditionals > 0 || c.topLoops > 0) return;
  c.fault('STAR_OUTSIDE_FUNCTION', c.start, c.end, `${what} not within a function`, hint);
}
