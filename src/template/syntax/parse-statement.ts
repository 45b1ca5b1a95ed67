// What tags say. Blocks, and how a fault is survived: blocks.ts.
//
//   if    = "if" test body { "elif" test body } [ "else" body ] "endif"
//   for   = "for" target "in" values [ "if" test ] [ "recursive" ] body [ "else" body ] "endfor"
//   set   = "set" target "=" values | "set" target { filter } body "endset"
//   with  = "with" [ target "=" value { "," target "=" value } ] body "endwith"
//   macro = "macro" name "(" parameters ")" body "endmacro"
//   call  = "call" [ "(" parameters ")" ] call-expression body "endcall"
//
//   target     = name | target { "," target } [ "," ] | "(" target ")"
//   parameters = "(" [ name [ "=" expression ] { "," name [ "=" expression ] } ] ")"
import type { Expression, Filter, Parameter, Statement, Target } from './ast.ts';
import { Blocks } from './blocks.ts';
import type { Cursor } from './cursor.ts';
import { noArguments } from './parse-arguments.ts';
import { parseExpression, parseOr } from './parse-expression.ts';
import { parseFilter } from './parse-filter.ts';
import { parsePrimary, parseTuple } from './parse-primary.ts';
import type { Token } from './token.ts';

/** Used where nothing could be understood. It never leaves the parser: a fault has been reported by then. */
const nothing: Expression = { kind: 'literal', type: 'none', value: null, start: 0, end: 0 };
const nowhere: Target = { kind: 'name-target', name: '', start: 0, end: 0 };

export function parseStatements(c: Cursor): readonly Statement[] {
  return new Blocks(c, parseTag).body();
}

function parseTag(blocks: Blocks, name: Token, start: number): readonly Statement[] | null {
  switch (name.text) {
    case 'if':
      return [parseIf(blocks, name, start)];
    case 'for':
      return [parseFor(blocks, name, start)];
    case 'set':
      return [parseSet(blocks, name, start)];
    case 'with':
      return [parseWith(blocks, name, start)];
    case 'macro':
      return [parseMacro(blocks, name, start)];
    case 'call':
      return [parseCall(blocks, name, start)];
    case 'filter':
      return [parseFilterBlock(blocks, name, start)];
    case 'print':
      return parsePrint(blocks.c, start);
    default:
      return null;
  }
}

function parseIf(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  const branches: { test: Expression; body: readonly Statement[] }[] = [];
  let otherwise: readonly Statement[] = [];
  let head: Token | null = name;
  while (head !== null) {
    const { tag, text } = head;
    if (text === 'else') {
      const last = blocks.block(name, tag, ['endif']);
      otherwise = last.body;
      blocks.endTag(last.ended);
      break;
    }
    const test = blocks.guard(tag, nothing, () => parseTuple(c, parseOr, null));
    const { body, ended } = blocks.block(name, tag, ['elif', 'else', 'endif']);
    branches.push({ test, body });
    if (ended?.text === 'endif') blocks.endTag(ended);
    head = ended === null || ended.text === 'endif' ? null : ended;
  }
  return { kind: 'if', branches, otherwise, start, end: c.end };
}

function parseFor(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  blocks.loops += 1;
  const head = blocks.guard(
    name.tag,
    { target: nowhere, iterable: nothing, test: null, recursive: false },
    () => {
      const target = parseTarget(c, true);
      c.expectWord('in');
      const iterable = parseTuple(c, parseOr, null);
      const test = c.skipName('if') ? parseExpression(c) : null;
      return { target, iterable, test, recursive: c.skipName('recursive') };
    },
  );
  const { body, ended } = blocks.block(name, name.tag, ['else', 'endfor']);
  let otherwise: readonly Statement[] = [];
  if (ended?.text === 'else') {
    const last = blocks.block(name, ended.tag, ['endfor']);
    otherwise = last.body;
    blocks.endTag(last.ended);
  } else {
    blocks.endTag(ended);
  }
  blocks.loops -= 1;
  return { kind: 'for', ...head, body, otherwise, start, end: c.end };
}

function parseSet(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  if (c.ahead.type === 'sign' && c.ahead.text === '.') {
    c.fail(
      'TEMPLATE_TARGET',
      c.token,
      'a part of a value cannot be assigned to',
      'values never change here; build a new one and {% set %} a name to it',
    );
  }
  const target = parseTarget(c, blocks.loops > 0);
  if (c.skipSign('=')) {
    const value = parseTuple(c, parseExpression, null);
    c.expect('block-end', '"%}"');
    return { kind: 'assign', target, value, start, end: c.end };
  }
  const filter = parseFilterChain(c, null);
  if (!c.isSign(':') && !c.is('block-end')) c.unexpected('"=" or "%}"');
  const { body, ended } = blocks.block(name, name.tag, ['endset']);
  blocks.endTag(ended);
  return { kind: 'assign-block', target, filter, body, start, end: c.end };
}

function parseFilterChain(c: Cursor, first: Filter | null): Filter | null {
  let filter = first;
  while (c.skipSign('|')) filter = parseFilter(c, filter, parseExpression);
  return filter;
}

function parseWith(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  const bindings: { target: Target; value: Expression }[] = [];
  blocks.guard(name.tag, undefined, () => {
    while (!c.is('block-end')) {
      if (bindings.length > 0) c.expectSign(',');
      const target = parseTarget(c, false);
      c.expectSign('=');
      bindings.push({ target, value: parseExpression(c) });
    }
  });
  const { body, ended } = blocks.block(name, name.tag, ['endwith']);
  blocks.endTag(ended);
  return { kind: 'with', bindings, body, start, end: c.end };
}

function parseMacro(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  const head = blocks.guard(name.tag, { name: '', parameters: [] }, () => {
    const { text } = parseBoundName(c);
    return { name: text, parameters: parseParameters(c) };
  });
  const { body, ended } = blocks.block(name, name.tag, ['endmacro']);
  blocks.endTag(ended);
  return { kind: 'macro', ...head, body, start, end: c.end };
}

function parseCall(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  const empty: Expression = { kind: 'call', callee: nothing, arguments: noArguments, start: 0, end: 0 };
  const head = blocks.guard(name.tag, { parameters: [], call: empty }, () => {
    const parameters = c.isSign('(') ? parseParameters(c) : [];
    const call = parseExpression(c);
    if (call.kind !== 'call')
      c.fail('TEMPLATE_SYNTAX', call, 'a call must stand here', 'write {% call macro(…) %}');
    return { parameters, call };
  });
  const { body, ended } = blocks.block(name, name.tag, ['endcall']);
  blocks.endTag(ended);
  const call = head.call.kind === 'call' ? head.call : empty;
  return { kind: 'call-block', parameters: head.parameters, call, body, start, end: c.end };
}

function parseFilterBlock(blocks: Blocks, name: Token, start: number): Statement {
  const { c } = blocks;
  const none: Filter = {
    kind: 'filter',
    input: null,
    name: '',
    nameSpan: name,
    arguments: noArguments,
    start: 0,
    end: 0,
  };
  const filter =
    blocks.guard(name.tag, none, () => parseFilterChain(c, parseFilter(c, null, parseExpression))) ?? none;
  const { body, ended } = blocks.block(name, name.tag, ['endfilter']);
  blocks.endTag(ended);
  return { kind: 'filter-block', filter, body, start, end: c.end };
}

function parsePrint(c: Cursor, start: number): readonly Statement[] {
  const values: Expression[] = [];
  while (!c.is('block-end')) {
    if (values.length > 0) c.expectSign(',');
    values.push(parseExpression(c));
  }
  c.take();
  return values.map((value) => ({ kind: 'output', value, start, end: c.end }));
}

/** `isLoopTaken`: `loop` is the name of the loop's own variable here. */
function parseTarget(c: Cursor, isLoopTaken: boolean): Target {
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
function parseBoundName(c: Cursor): Token {
  const token = c.expectName('a name');
  if (/^(?:[tT]rue|[fF]alse|[nN]one)$/.test(token.text))
    c.fail('TEMPLATE_TARGET', token, `"${token.text}" is a constant`);
  return token;
}

function parseParameters(c: Cursor): readonly Parameter[] {
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
