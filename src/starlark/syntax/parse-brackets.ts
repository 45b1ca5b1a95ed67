// What is in brackets: tuples, lists, dicts and comprehensions, the arguments of a call, and the parameters of a function.
// Each function is under its production.
//
// What only Python has (sets in braces, generators) is reported, and read as the list that comes nearest.
import type { Clause, Comprehension, DictEntry, Expression, Argument, Identifier, Parameter } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';
import { describeKind, keywords, reservedWords } from './token.ts';

/** The parser of expressions, which brackets are a part of and hold. */
export interface PartParsers {
  readonly expression: (c: Cursor) => Expression;
  readonly loopVariables: (c: Cursor) => Expression;
  /** Of a `for` clause. */
  readonly iterable: (c: Cursor) => Expression;
  /** Of an `if` clause. */
  readonly condition: (c: Cursor) => Expression;
}

//   Tuple = "(" [Expressions [","]] ")"
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
function parseGenerator(
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

// The arguments of a call.
//
//   Arguments = Argument {"," Argument}
//   Argument  = Expression | identifier "=" Expression | "*" Expression | "**" Expression
//
// In this order: positional, named, at most one `*`, at most one `**`; no name twice.

interface Seen {
  readonly names: Set<string>;
  star: boolean;
  doubleStar: boolean;
}

/** Reads up to the `)`, which it leaves. */
export function parseArguments(c: Cursor, parts: PartParsers): Argument[] {
  const args: Argument[] = [];
  const seen: Seen = { names: new Set(), star: false, doubleStar: false };
  while (!c.at(')')) {
    if (args.length > 0) c.expect(',', 'put a comma between arguments');
    if (c.at(')')) break;
    args.push(parseArgument(c, seen, parts));
  }
  return args;
}

function parseArgument(c: Cursor, seen: Seen, parts: PartParsers): Argument {
  const { start, end, kind } = c;
  if (kind === '*' || kind === '**') {
    c.advance();
    const value = parts.expression(c);
    checkStar(c, seen, kind, start, end);
    return { kind: kind === '*' ? 'star' : 'double-star', start, end: c.lastEnd, name: null, value };
  }
  if ((keywords.has(kind) || reservedWords.has(kind)) && c.peek(1) === '=') {
    c.fault(
      'STAR_RESERVED',
      start,
      end,
      `not an identifier: ${kind} is a reserved word`,
      `pass it as **{"${kind}": value}`,
    );
    c.advance();
    c.advance();
    return { kind: 'named', start, name: kind, value: parts.expression(c), end: c.lastEnd };
  }
  const value = parts.expression(c);
  if (c.at('=')) {
    const name =
      value.kind === 'identifier' && value.start === start && value.end === c.lastEnd ? value.name : null;
    if (value.kind === 'lambda')
      c.fault(
        'STAR_LAMBDA',
        start,
        c.end,
        'keyword argument must have form name=expr: a lambda cannot assign',
        'write the function with def',
      );
    else if (name === null)
      c.fault('STAR_ARGUMENTS', start, c.end, 'keyword argument must have form name=expr', 'compare with ==');
    c.advance();
    const given = parts.expression(c);
    if (name !== null) checkNamed(c, seen, name, start, end);
    return { kind: 'named', start, end: c.lastEnd, name: name ?? '', value: given };
  }
  checkPositional(c, seen, start);
  if (c.at('for')) {
    const generator = parseGenerator(c, parts, start, value, ')');
    return { kind: 'positional', start, end: c.lastEnd, name: null, value: generator };
  }
  return { kind: 'positional', start, end: c.lastEnd, name: null, value };
}

function checkStar(c: Cursor, seen: Seen, kind: '*' | '**', start: number, end: number): void {
  if (kind === '**') {
    if (seen.doubleStar)
      c.fault('STAR_ARGUMENTS', start, end, 'multiple **kwargs not allowed', 'join the dicts with |');
    seen.doubleStar = true;
  } else {
    if (seen.doubleStar) c.fault('STAR_ARGUMENTS', start, end, '*args may not follow **kwargs', 'swap them');
    else if (seen.star)
      c.fault('STAR_ARGUMENTS', start, end, 'multiple *args not allowed', 'join the lists with +');
    seen.star = true;
  }
}

function checkNamed(c: Cursor, seen: Seen, name: string, start: number, end: number): void {
  const after = seen.doubleStar ? '**kwargs' : seen.star ? '*args' : null;
  if (after !== null)
    c.fault(
      'STAR_ARGUMENTS',
      start,
      end,
      `keyword argument may not follow ${after}`,
      `move it before ${after}`,
    );
  if (seen.names.has(name)) c.fault('STAR_ARGUMENTS', start, end, `keyword argument "${name}" is repeated`);
  seen.names.add(name);
}

function checkPositional(c: Cursor, seen: Seen, start: number): void {
  const after = seen.star ? '*args' : seen.doubleStar ? '**kwargs' : seen.names.size > 0 ? 'named' : null;
  if (after === null) return;
  const hint = after === 'named' ? 'move it before the named arguments' : `move it before ${after}`;
  c.fault('STAR_ARGUMENTS', start, c.lastEnd, `positional argument may not follow ${after}`, hint);
}

// The parameters of a function.
//
//   Parameters = Parameter {"," Parameter} [","]
//   Parameter  = identifier ["=" Expression] | "*" [identifier] | "**" identifier
//
// Those with a default follow those without; after a star, in any order, are those that are given by name only; `**`
// is the last. No name occurs twice.

/** Reads up to `closer`, which it leaves: `)` of a def, `:` of a lambda. */
export function parseParameters(c: Cursor, closer: ')' | ':', parse: (c: Cursor) => Expression): Parameter[] {
  const parameters: Parameter[] = [];
  let isFirst = true;
  let annotated = false;
  while (!c.at(closer)) {
    if (!isFirst) {
      c.expect(',');
      if (c.at(closer)) break;
    }
    isFirst = false;
    const { start, kind } = c;
    if (kind === '*' || kind === '**') {
      c.advance();
      const name = kind === '**' || isWord(c.kind) ? parseParameterName(c) : null;
      if (skipAnnotation(c, closer, annotated, parse)) annotated = true;
      parameters.push({
        kind: kind === '*' ? 'star' : 'double-star',
        start,
        end: c.lastEnd,
        name,
        defaultValue: null,
      });
    } else if (kind === '/') {
      c.fault(
        'STAR_PARAMETERS',
        start,
        c.end,
        "got '/', want identifier: positional-only parameters are not part of Starlark",
        'leave it out',
      );
      c.advance();
    } else {
      const name = parseParameterName(c);
      if (skipAnnotation(c, closer, annotated, parse)) annotated = true;
      const defaultValue = c.accept('=') ? parse(c) : null;
      parameters.push({ kind: 'plain', start, end: c.lastEnd, name, defaultValue });
    }
  }
  checkParameters(c, parameters);
  return parameters;
}

function isWord(kind: TokenKind): boolean {
  return kind === 'identifier' || keywords.has(kind) || reservedWords.has(kind);
}

function parseParameterName(c: Cursor): Identifier {
  const { start, end, kind } = c;
  if (!isWord(kind)) c.failWanting('identifier: not an identifier', undefined, 'STAR_PARAMETERS');
  if (kind !== 'identifier')
    c.fault(
      'STAR_RESERVED',
      start,
      end,
      `not an identifier: ${kind} is a reserved word`,
      'choose another name',
    );
  const name = kind === 'identifier' ? (c.value as string) : kind;
  c.advance();
  return { kind: 'identifier', start, end, name, binding: null };
}

/** Whether there was one; only the first of a function is reported. */
function skipAnnotation(
  c: Cursor,
  closer: ')' | ':',
  reported: boolean,
  parse: (c: Cursor) => Expression,
): boolean {
  if (closer === ':' || !c.at(':')) return false;
  const { start } = c;
  c.advance();
  parse(c);
  if (!reported)
    c.fault(
      'STAR_ANNOTATION',
      start,
      c.lastEnd,
      "got ':', want ',' or ')': type annotations are not part of Starlark",
      'remove the annotations',
    );
  return true;
}

function checkParameters(c: Cursor, parameters: readonly Parameter[]): void {
  const names = new Set<string>();
  let star: Parameter | null = null;
  let doubleStar = false;
  let optional = false;
  let keywordOnly = false;
  const fault = (
    { start, end }: { readonly start: number; readonly end: number },
    message: string,
    hint?: string,
  ): void => c.fault('STAR_PARAMETERS', start, end, message, hint);
  for (const parameter of parameters) {
    const { kind, name, defaultValue } = parameter;
    if (kind === 'double-star') {
      if (doubleStar) fault(parameter, 'multiple ** parameters not allowed');
      doubleStar = true;
    } else if (kind === 'star') {
      if (doubleStar)
        fault(parameter, '* parameter may not follow **kwargs', 'put it before the ** parameter');
      else if (star !== null) fault(parameter, 'multiple * parameters not allowed');
      star ??= parameter;
    } else if (doubleStar) {
      fault(parameter, 'parameter may not follow **kwargs', 'put it before the ** parameter');
    } else if (star !== null) {
      keywordOnly = true;
    } else if (defaultValue !== null) {
      optional = true;
    } else if (optional) {
      fault(parameter, 'required parameter may not follow optional', 'put it first, or give it a default');
    }
    if (name !== null) {
      if (names.has(name.name)) fault(name, `duplicate parameter: ${name.name}`);
      names.add(name.name);
    }
  }
  if (star !== null && star.name === null && !keywordOnly) {
    fault(star, 'bare * must be followed by keyword-only parameters', 'remove it, or name it *args');
  }
}
