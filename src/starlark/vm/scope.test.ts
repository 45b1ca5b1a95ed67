import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import { Scope } from './scope.ts';
import { start } from './start.ts';

/** Types lines at a prompt; what each shows. */
function prompt(): (line: string) => unknown {
  const scope = new Scope();
  return (line) => {
    const compiled = compile(line, { interactive: true, predeclared: ['ask', ...scope.names] });
    if (!compiled.ok) return compiled.diagnostics.map(({ message }) => message);
    const run = start(compiled.program, { scope });
    let state = run.run();
    while (state.kind === 'host-call') {
      run.resume(state.args[0] ?? null);
      state = run.run();
    }
    return state.kind === 'done'
      ? state.value
      : state.kind === 'failed'
        ? state.failure.diagnostic.code
        : state.kind;
  };
}

describe('Scope', () => {
  it('carries variables from one input to the next, and shows the last expression', () => {
    const type = prompt();
    expect([
      type('x = 1\n'),
      type('x + 1\n'),
      type('x = x + 1\n'),
      type('(x, "é", len)\n'),
      type('None\n'),
      type('ask(7)\n'),
    ]).toEqual([null, '2', null, '(2, "é", <built-in function len>)', null, '7']);
  });

  it('keeps None as the value of a variable', () => {
    const type = prompt();
    type('x = None\n');
    expect([type('x\n'), type('type(x)\n'), type('x == None\n'), type('def f():\n    return [x]\n')]).toEqual(
      [null, '"NoneType"', 'True', null],
    );
    expect([type('f()\n'), type('ask = None\n'), type('type(ask)\n')]).toEqual([
      '[None]',
      null,
      '"NoneType"',
    ]);
  });

  it('lets a list be changed again when the input that looked at it failed or was dropped', () => {
    const scope = new Scope();
    const begin = (line: string) => {
      const compiled = compile(line, { interactive: true, predeclared: ['ask', ...scope.names] });
      if (!compiled.ok) throw new Error(line);
      return start(compiled.program, { scope }).run();
    };
    begin('x = [1, 2]\n');
    expect(begin('max(x, key = ask)\n').kind).toBe('host-call');
    expect(begin('x.append(3)\n').kind).toBe('done');
    expect(begin('max(x, key = lambda e: x.pop())\n').kind).toBe('failed');
    expect(begin('max(x, key = int, other = 1)\n').kind).toBe('failed');
    expect(begin('max([x], key = int)\n').kind).toBe('failed');
    expect(begin('x.append(4)\n').kind).toBe('done');
    expect(begin('x\n')).toEqual({ kind: 'done', value: '[1, 2, 3, 4]' });
  });

  it('lets functions see what is bound later', () => {
    const type = prompt();
    type('x = 1\n');
    type('def f():\n    return x\n');
    expect(type('f()\n')).toBe('1');
    type('x = 5\n');
    expect(type('f()\n')).toBe('5');
    expect(type('[f() for x in [9]]\n')).toBe('[5]');
  });

  it('keeps lists changeable, and loops at the top', () => {
    const type = prompt();
    type('xs = []\n');
    type('for i in range(3):\n    xs.append(i)\n');
    expect(type('xs\n')).toBe('[0, 1, 2]');
    expect(type('xs[9]\n')).toBe('EVAL_INDEX');
    expect(type('xs\n')).toBe('[0, 1, 2]');
  });

  it('keeps what was bound before an error, and frees the functions that failed', () => {
    const type = prompt();
    type('def f(x):\n    return 1 // x\n');
    expect([type('y = 1\nf(0)\n'), type('y + f(1)\n')]).toEqual(['EVAL_ZERO_DIVISION', '2']);
  });

  it('belongs to programs for a prompt, and only to them', () => {
    const plain = compile('x = 1\n');
    const typed = compile('x = 1\n', { interactive: true });
    if (!plain.ok || !typed.ok) throw new Error('they do not compile');
    expect(() => start(plain.program, { scope: new Scope() })).toThrow(
      'a program for a prompt needs a scope',
    );
    expect(() => start(typed.program)).toThrow('a program for a prompt needs a scope');
  });
});
