// What people write that Starlark does not have, and what to write in its place.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Expression } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';
import { describeKind, reservedWords } from './token.ts';

interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

const noTry: Refusal = {
  code: 'STAR_TRY',
  message: 'exceptions are not part of Starlark',
  hint: 'check before you act, for example with "x in d" or d.get(x); an error ends the program',
};
const noImport: Refusal = {
  code: 'STAR_IMPORT',
  message: 'imports are not part of Starlark',
  hint: 'load("file", "name") loads another program, where the host allows it',
};
const noGlobal: Refusal = {
  code: 'STAR_GLOBAL',
  message: 'global and nonlocal are not part of Starlark',
  hint: 'return the new value, or keep it in a list or dict that the function changes',
};

/** Statements that begin with a word Starlark reserves. `block`: lines below may belong to it. */
export const refusedStatements: Partial<Record<TokenKind, Refusal & { readonly block: boolean }>> = {
  while: {
    code: 'STAR_WHILE',
    message: 'while loops are not part of Starlark',
    hint: 'write for i in range(n), with break to leave it early',
    block: true,
  },
  try: { ...noTry, block: true },
  except: { ...noTry, block: true },
  finally: { ...noTry, block: true },
  raise: { ...noTry, hint: 'end the program with fail("message")', block: false },
  class: {
    code: 'STAR_CLASS',
    message: 'classes are not part of Starlark',
    hint: 'keep data in a dict and write functions that take it',
    block: true,
  },
  with: {
    code: 'STAR_WITH',
    message: 'with statements are not part of Starlark',
    hint: 'call the function and use what it returns',
    block: true,
  },
  import: { ...noImport, block: false },
  from: { ...noImport, block: false },
  del: {
    code: 'STAR_DEL',
    message: 'del is not part of Starlark',
    hint: 'remove an entry with d.pop(key) or x.pop(index)',
    block: false,
  },
  global: { ...noGlobal, block: false },
  nonlocal: { ...noGlobal, block: false },
  assert: {
    code: 'STAR_ASSERT',
    message: 'assert statements are not part of Starlark',
    hint: 'write if not condition: fail("message")',
    block: false,
  },
};

export const noAsync: Refusal = {
  code: 'STAR_ASYNC',
  message: 'async and await are not part of Starlark',
  hint: 'call the function as any other: the host waits where it must',
};
const noYield: Refusal = {
  code: 'STAR_YIELD',
  message: 'yield is not part of Starlark',
  hint: 'collect the values in a list and return it',
};

/** Reported when two words follow one another and the first is one of these. */
export const foreignWords: ReadonlyMap<string, string> = new Map([
  ['let', 'assign with name = value'],
  ['var', 'assign with name = value'],
  ['const', 'assign with name = value'],
  ['function', 'define a function with def name(parameters):'],
  ['func', 'define a function with def name(parameters):'],
  ['fn', 'define a function with def name(parameters):'],
  ['foreach', 'write for x in y:'],
  ['until', 'write for i in range(n):, with break'],
  ['unless', 'write if not x:'],
  ['match', 'write if and elif'],
  ['switch', 'write if and elif'],
  ['case', 'write if and elif'],
  ['elseif', 'write elif'],
  ['elsif', 'write elif'],
  ['throw', 'end the program with fail("message")'],
  ['echo', 'write print(x)'],
  ['require', noImport.hint],
  ['use', noImport.hint],
  ['include', noImport.hint],
]);

/** At a token that begins no expression: reports the fault, and gives what the parser may continue with, if it may. */
export function refuseExpression(c: Cursor, parse: (c: Cursor) => Expression): Expression {
  const { kind, start, end } = c;
  const got = `got ${describeKind(kind)}, want primary expression`;
  if (kind === 'await' || kind === 'yield') {
    const { code, message, hint } = kind === 'await' ? noAsync : noYield;
    c.fault(code, start, end, message, hint);
    c.advance();
    if (c.at('from')) c.advance();
    // `yield` alone has no operand.
    if (c.at('newline') || c.at(')')) return { kind: 'tuple', start, end, items: [], parenthesised: true };
    return parse(c);
  }
  if (kind === '*')
    return c.fail(
      'STAR_STARRED',
      start,
      end,
      got,
      'lists are joined with +; * before a value only stands in a call: f(*x)',
    );
  if (kind === '**')
    return c.fail(
      'STAR_STARRED',
      start,
      end,
      got,
      'dicts are joined with |; ** before a value only stands in a call: f(**x)',
    );
  if (kind === 'newline' || kind === ')' || kind === ';') {
    const sign = c.peek(-1);
    if ((sign === '+' || sign === '-') && c.peek(-2) === sign) {
      return c.fail(
        'STAR_INCREMENT',
        start - 2,
        start,
        `'${sign}${sign}' is not an operator of Starlark`,
        `write x ${sign}= 1`,
      );
    }
  }
  if (kind === '.' && c.peek(1) === '.' && c.peek(2) === '.')
    return c.fail(
      'STAR_SYNTAX',
      start,
      end + 2,
      got,
      'use pass for an empty block, None for a missing value',
    );
  if (kind === 'not') return c.failWanting('primary expression', 'put it in parentheses: (not x)');
  if (kind === 'lambda') return c.failWanting('primary expression', 'put the lambda in parentheses');
  if (kind === 'load')
    return c.failWanting('primary expression', 'load is a statement of its own: load("file", "name")');
  if (kind === 'if' || kind === 'for' || kind === 'def')
    return c.failWanting('primary expression', 'begin the statement on a line of its own');
  if (kind === 'is') return c.fail('STAR_IS', start, end, got, 'compare with ==');
  if (reservedWords.has(kind))
    return c.fail('STAR_RESERVED', start, end, got, `${kind} is a reserved word and cannot be a name`);
  return c.failWanting('primary expression');
}
