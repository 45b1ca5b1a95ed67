import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import { disassemble } from '../../../test/support/disassemble.ts';
import type { Program } from './program.ts';

function programOf(source: string): Program {
  const result = compile(source, { path: 't.star', predeclared: ['ask'] });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.program;
}

/** The code of the function `f`, or of the body. */
function codeOf(source: string, name = 'f'): string[] {
  const code = programOf(source).functions.find((each) => each.name === name);
  if (code === undefined) throw new Error(`no function ${name}`);
  return disassemble(code)
    .split('\n')
    .map((line) => line.replace(/^\d+ /, ''));
}

describe('compileModule', () => {
  it('uses variables and constants where they are', () => {
    expect(codeOf('def f(x):\n    return x + 1 - x * 2\n')).toEqual([
      'ADD t0, x, 1',
      'MULTIPLY t1, x, 2',
      'SUBTRACT t0, t0, t1',
      'RETURN t0',
      'RETURN None',
    ]);
  });

  it('puts the test of a loop below its body, with the steps of a round', () => {
    expect(
      codeOf('def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n'),
    ).toEqual([
      'MOVE total, 0',
      'CALL t0, range, #1, n',
      'ITERATE t0, t0',
      'JUMP ->17',
      'ADD_IN_PLACE total, total, i',
      'FOR t0, i, #3, ->13',
      'RETURN total',
      'RETURN None',
    ]);
  });

  it('compares and jumps in one instruction', () => {
    expect(
      codeOf('def f(x, y):\n    if not (x < y and y in [x] or x == y):\n        return 1\n').filter((line) =>
        line.startsWith('JUMP'),
      ),
    ).toEqual(['JUMP_NOT_LESS x, y, ->12', 'JUMP_IN y, t0, ->18', 'JUMP_EQUAL x, y, ->18']);
  });

  it('swaps without a tuple', () => {
    expect(codeOf('def f(a, b):\n    a, b = b, a\n')).toEqual([
      'MOVE t0, b',
      'MOVE t1, a',
      'MOVE a, t0',
      'MOVE b, t1',
      'RETURN None',
    ]);
  });

  it('does not write a variable before all of the expression has read it', () => {
    expect(codeOf('def f(x, y):\n    x = y and x\n')).toEqual([
      'MOVE t0, y',
      'JUMP_UNLESS t0, ->9',
      'MOVE t0, x',
      'MOVE x, t0',
      'RETURN None',
    ]);
  });

  it('releases every open loop before a return, and the innermost before a break', () => {
    expect(
      codeOf(
        'def f(a):\n    for x in a:\n        for y in x:\n            if y:\n                return y\n            break\n',
      ).filter((line) => /END|RETURN/.test(line)),
    ).toEqual(['END_ITERATE t1', 'END_ITERATE t0', 'RETURN y', 'END_ITERATE t1', 'RETURN None']);
  });

  it('reduces a product at once (opcodes#I3)', () => {
    expect(codeOf('def f(a, b, c, m):\n    return [a * b % m, (a * b + c) & m, a * b - c % m]\n')).toEqual([
      'MULTIPLY_MODULO t0, a, b, m',
      'MULTIPLY_ADD_AND t1, a, b, c, m',
      'MULTIPLY t2, a, b',
      'MODULO t3, c, m',
      'SUBTRACT t2, t2, t3',
      'LIST t0, #3, t0, t1, t2',
      'RETURN t0',
      'RETURN None',
    ]);
  });

  it('reduces no product where what follows it could fail or be seen first', () => {
    const reduced = (body: string, before = '') =>
      codeOf(`${before}\ndef f(a, b, c, g):\n    ${body}\nM = 7\n`).some((line) =>
        line.startsWith('MULTIPLY_'),
      );
    expect(
      [
        'a * b % g(c)',
        'a * b & g[c]',
        '(a * b + g()) % 7',
        '(a * b + c) % -c',
        'a * b % M',
        '(a * b + M) & 7',
      ].filter((each) => reduced(`return ${each}`)),
    ).toEqual([]);
    expect([
      reduced('if a:\n        x = 1\n    return a * b % x'),
      reduced('return [a * b % c, lambda: c]'),
    ]).toEqual([false, false]);
    expect(
      ['a * b % 7', 'g() * b % c', '(a * b + -1) & 0xff'].map((each) => reduced(`return ${each}`)),
    ).toEqual([true, true, true]);
    expect(reduced('return a * b & N', 'N = 7')).toBe(true);
  });

  it('gives each way of calling its own instruction', () => {
    expect(
      codeOf('def f(g, x):\n    return [g(x), x.pop(1), g(x, k = 1), g(*x, **x), ask]\n').filter((line) =>
        line.startsWith('CALL'),
      ),
    ).toEqual([
      'CALL t0, g, #1, x',
      'CALL_METHOD t1, x, #0, #1, 1',
      'CALL_NAMED t2, g, #0, #2, x, 1',
      'CALL_SPREAD t3, g, #1, #3, x, x, #0',
    ]);
  });

  it('keeps captured variables in cells', () => {
    const source = 'def f(x):\n    def g():\n        return x\n    x += 1\n    return g\n';
    expect(codeOf(source)).toEqual([
      'CLOSURE g, #2, #0',
      'GET_CELL t0, x',
      'ADD_IN_PLACE t1, t0, 1',
      'SET_CELL x, t1',
      'RETURN g',
      'RETURN None',
    ]);
    expect(codeOf(source, 'g')).toEqual(['GET_FREE t0, #0', 'RETURN t0', 'RETURN None']);
    expect(programOf(source).functions.map(({ cells, freeNames }) => [cells, freeNames])).toEqual([
      [[], []],
      [[0], []],
      [[], ['x']],
    ]);
  });

  it('makes long displays in parts, so that few registers are needed', () => {
    const items = Array.from({ length: 100 }, (_, index) => `g(${index})`).join(', ');
    const list = programOf(`def f(g):\n    return [${items}]\n`).functions[1];
    expect(list?.registers).toBeLessThan(40);
    expect(codeOf(`def f(g):\n    return (${items})\n`).filter((line) => line.startsWith('TUPLE'))).toEqual([
      'TUPLE_OF t0, t0',
    ]);
  });

  it('checks a variable only where it may have no value', () => {
    const checks = (body: string) =>
      codeOf(`def f(c):\n${body.replaceAll(/^/gm, '    ')}\n`).filter((line) => line.startsWith('CHECK'));
    expect(checks('x = 1\nreturn x')).toEqual([]);
    expect(checks('if c:\n    x = 1\nelse:\n    x = 2\nreturn x')).toEqual([]);
    expect(checks('if c:\n    x = 1\nelse:\n    return 2\nreturn x')).toEqual([]);
    expect(checks('if c:\n    x = 1\nreturn x')).toEqual(['CHECK x']);
    expect(checks('for x in c:\n    pass\nreturn x')).toEqual(['CHECK x']);
    expect(checks('for y in c:\n    if y:\n        break\n    x = 1\n    c = x\nreturn x')).toEqual([
      'CHECK x',
    ]);
    expect(checks('return [a for a in c for b in d for d in c]')).toEqual(['CHECK d']);
    expect(checks('return [x for x in c if x] + [x for x in c]')).toEqual([]);
  });

  it('makes new variables for each evaluation of a comprehension', () => {
    expect(codeOf('def f(c):\n    return [lambda: x for x in c for y in x]\n').slice(0, 2)).toEqual([
      'NEW_CELL x',
      'CLEAR y',
    ]);
  });

  it('counts steps on the tree: statements, operations, items and arguments', () => {
    const cost = (body: string) => programOf(`def f(x):\n    ${body}\n`).functions[1]?.cost;
    expect([
      cost('pass'),
      cost('return x'),
      cost('return x + 1'),
      cost('return [x, x]'),
      cost('return x(1, 2)'),
      cost('return -1'),
    ]).toEqual([1, 1, 2, 4, 4, 1]);
  });

  it('gives the same program for the same text (program#P1)', () => {
    const source = 'def f(x = [1.5, 2.5, 1.5]):\n    return {b"a": x}\nload("m", "g")\n';
    expect(programOf(source)).toEqual(programOf(source));
    expect([programOf(source).loads, programOf(source).functions[1]?.constants.length]).toEqual([['m'], 2]);
  });
});
