// What is in brackets: tuples, lists, dicts and comprehensions.
//
//   Tuple = "(" [Expressions [","]] ")"        List, Dict and Clauses are at their functions.
//
// What only Python has (sets in braces, generators) is reported, and read as the list that comes nearest.
import type { Clause, Comprehension, DictEntry, Expression } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';
import { describeKind } from './token.ts';

/** The parser of expressions, which displays are a part of and are made of. */
export interface PartParsers {
  readonly expression: (c: Cursor) => Expression;
  readonly loopVariables: (c: Cursor) => Expression;
  /** Of a `for` clause. */
  readonly iterable: (c: Cursor) => Expression;
  /** Of an `if` clause. */
  readonly condition: (c: Cursor) => Expression;
}

export function parseParenthesised(c: Cursor, parts: PartParsers): Expression {
  const { start } = c;
  c.advance();
  if (c.accept(')')) return { kind: 'tuple', start, end: c.lastEnd, items: [], parenthesised: true };
  const first = parts.expression(c);
  if (c.at('for')) {
    const generator = parseGenerator(c, parts, start, first, ')');
    c.expect(')');
    return generator;
  }
  if (!c.at(',')) {
    c.expect(')');
    return first;
  }
  const items = parseItems(c, parts, first, ')');
  c.expect(')', commaHint(c));
  return { kind: 'tuple', start, end: c.lastEnd, items, parenthesised: true };
}

//   List = "[" [Expressions [","]] "]" | "[" Expression Clauses "]"
export function parseList(c: Cursor, parts: PartParsers): Expression {
  const { start } = c;
  c.advance();
  if (c.accept(']')) return { kind: 'list', start, end: c.lastEnd, items: [] };
  const first = parts.expression(c);
  if (c.at('for')) {
    const clauses = parseClauses(c, parts, ']');
    c.expect(']');
    return { kind: 'comprehension', start, end: c.lastEnd, key: null, body: first, clauses };
  }
  const items = parseItems(c, parts, first, ']');
  c.expect(']', commaHint(c));
  return { kind: 'list', start, end: c.lastEnd, items };
}

//   Dict  = "{" [Entry {"," Entry} [","]] "}" | "{" Entry Clauses "}"
//   Entry = Expression ":" Expression
export function parseBraces(c: Cursor, parts: PartParsers): Expression {
  const { start } = c;
  c.advance();
  if (c.accept('}')) return { kind: 'dict', start, end: c.lastEnd, entries: [] };
  const entryStart = c.start;
  const key = parts.expression(c);
  if (c.at(',') || c.at('}') || c.at('for')) return parseSetDisplay(c, parts, start, key);
  const first = parseValue(c, parts, entryStart, key);
  if (c.at('for')) {
    const clauses = parseClauses(c, parts, '}');
    c.expect('}');
    return { kind: 'comprehension', start, end: c.lastEnd, key: first.key, body: first.value, clauses };
  }
  const entries = [first];
  while (c.accept(',') && !c.at('}')) {
    const at = c.start;
    entries.push(parseValue(c, parts, at, parts.expression(c)));
  }
  c.expect('}', commaHint(c));
  return { kind: 'dict', start, end: c.lastEnd, entries };
}

function parseValue(c: Cursor, parts: PartParsers, start: number, key: Expression): DictEntry {
  c.expect(':', c.at('=') ? 'write key: value' : undefined);
  const value = parts.expression(c);
  return { start, end: c.lastEnd, key, value };
}

/** `{1, 2}` or `{x for …}`, read as a list after the fault. */
function parseSetDisplay(c: Cursor, parts: PartParsers, start: number, first: Expression): Expression {
  const hint = c.at('for') ? 'write set([x for x in y])' : 'write set([1, 2])';
  c.fault(
    'STAR_SET_DISPLAY',
    c.start,
    c.end,
    `got ${describeKind(c.kind)}, want ':': sets are not written in braces`,
    hint,
  );
  if (c.at('for')) {
    const clauses = parseClauses(c, parts, '}');
    c.expect('}');
    return { kind: 'comprehension', start, end: c.lastEnd, key: null, body: first, clauses };
  }
  const items = parseItems(c, parts, first, '}');
  c.expect('}');
  return { kind: 'list', start, end: c.lastEnd, items };
}

/** `{"," Expression} [","]` after `first`. */
function parseItems(c: Cursor, parts: PartParsers, first: Expression, closer: TokenKind): Expression[] {
  const items = [first];
  while (c.accept(',') && !c.at(closer)) items.push(parts.expression(c));
  return items;
}

function commaHint(c: Cursor): string | undefined {
  return c.at('identifier') || c.kind.endsWith(' literal') ? 'put a comma between the elements' : undefined;
}

/** `x for …` where no list is being written, read as a comprehension after the fault. */
export function parseGenerator(
  c: Cursor,
  parts: PartParsers,
  start: number,
  body: Expression,
  closer: TokenKind,
): Comprehension {
  c.fault(
    'STAR_GENERATOR',
    c.start,
    c.end,
    `got for, want ${describeKind(closer)}: generator expressions are not part of Starlark`,
    'write a list comprehension: [x for x in y]',
  );
  const clauses = parseClauses(c, parts, closer);
  return { kind: 'comprehension', start, end: c.lastEnd, key: null, body, clauses };
}

//   Clauses = ForClause {ForClause | IfClause}
//   ForClause = "for" LoopVariables "in" Or        IfClause = "if" (Or | Lambda)
function parseClauses(c: Cursor, parts: PartParsers, closer: TokenKind): Clause[] {
  const clauses: Clause[] = [];
  // Each clause is a block inside the one before it.
  const outer: number[] = [];
  while (!c.at(closer)) {
    const { start } = c;
    outer.push(c.enter());
    if (c.accept('for')) {
      const target = parts.loopVariables(c);
      c.expect('in');
      const iterable = parts.iterable(c);
      clauses.push({ kind: 'for', start, end: c.lastEnd, target, iterable });
    } else if (c.accept('if')) {
      const condition = parts.condition(c);
      clauses.push({ kind: 'if', start, end: c.lastEnd, condition });
    } else {
      const hint = c.at(',')
        ? 'put the tuple in parentheses'
        : c.at('else')
          ? 'put the conditional expression before for, or in parentheses'
          : undefined;
      c.failWanting(`${describeKind(closer)}, for, or if`, hint);
    }
  }
  while (outer.length > 0) c.leave(outer.pop() as number);
  return clauses;
}
