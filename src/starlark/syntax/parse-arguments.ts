// The arguments of a call.
//
//   Arguments = Argument {"," Argument}
//   Argument  = Expression | identifier "=" Expression | "*" Expression | "**" Expression
//
// In this order: positional, named, at most one `*`, at most one `**`; no name twice.
import type { Argument, Comprehension, Expression } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';
import { keywords, reservedWords } from './token.ts';

type ParseGenerator = (c: Cursor, start: number, body: Expression, closer: TokenKind) => Comprehension;

interface Seen {
  readonly names: Set<string>;
  star: boolean;
  doubleStar: boolean;
}

/** Reads up to the `)`, which it leaves. */
export function parseArguments(
  c: Cursor,
  parse: (c: Cursor) => Expression,
  parseGenerator: ParseGenerator,
): Argument[] {
  const args: Argument[] = [];
  const seen: Seen = { names: new Set(), star: false, doubleStar: false };
  while (!c.at(')')) {
    if (args.length > 0) c.expect(',', 'put a comma between arguments');
    if (c.at(')')) break;
    args.push(parseArgument(c, seen, parse, parseGenerator));
  }
  return args;
}

function parseArgument(
  c: Cursor,
  seen: Seen,
  parse: (c: Cursor) => Expression,
  parseGenerator: ParseGenerator,
): Argument {
  const { start, end, kind } = c;
  if (kind === '*' || kind === '**') {
    c.advance();
    const value = parse(c);
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
    return { kind: 'named', start, name: kind, value: parse(c), end: c.lastEnd };
  }
  const value = parse(c);
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
    const given = parse(c);
    if (name !== null) checkNamed(c, seen, name, start, end);
    return { kind: 'named', start, end: c.lastEnd, name: name ?? '', value: given };
  }
  checkPositional(c, seen, start);
  if (c.at('for')) {
    const generator = parseGenerator(c, start, value, ')');
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
