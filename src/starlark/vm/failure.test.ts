import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { RunOptions } from '../options.ts';
import { start } from './start.ts';

/** The way to the error, as `function line:column`, and the text it points at. */
function failureOf(source: string, options: RunOptions = {}) {
  const compiled = compile(source, { path: 't.star', testing: true });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map(({ message }) => message).join('\n'));
  const state = start(compiled.program, options).run();
  if (state.kind !== 'failed') throw new Error(`it is ${state.kind}`);
  const { diagnostic, backtrace } = state.failure;
  return {
    way: backtrace.map((frame) => `${frame.function} ${frame.line}:${frame.column}`),
    at: diagnostic.span === null ? null : source.slice(diagnostic.span.start, diagnostic.span.end),
    message: `${diagnostic.path}: ${diagnostic.code}: ${diagnostic.message}`,
  };
}

describe('a failure', () => {
  it('has the way that led to it, outermost first (failure#B1)', () => {
    expect(
      failureOf('def f(x):\n    return g(x) + 1\n\ndef g(x):\n    y = [x]\n    return y[x]\n\nprint(f(2))\n'),
    ).toEqual({
      way: ['<toplevel> 8:7', 'f 2:12', 'g 6:12'],
      at: 'y[x]',
      message: 't.star: EVAL_INDEX: list index 2 out of range [-1:0]',
    });
  });

  it('leads through a key function and names a lambda', () => {
    expect(failureOf('def f(xs):\n    return sorted(xs, key = lambda x: 1 // x)\nf([1, 0])\n')).toMatchObject(
      { way: ['<toplevel> 3:1', 'f 2:12', 'lambda 2:39'], at: '1 // x' },
    );
  });

  it('of what is done with the keys is that of the call', () => {
    expect(failureOf('def f(xs):\n    return sorted(xs, key = lambda x: x)\nf([1, "a"])\n')).toMatchObject({
      way: ['<toplevel> 3:1', 'f 2:12'],
      at: 'sorted(xs, key = lambda x: x)',
    });
  });

  it.each([
    ['def f():\n    for x in 5:\n        pass\nf()\n', '5'],
    ['def f(x):\n    return x.nope\nf(1)\n', 'x.nope'],
    ['def f(x):\n    return x.nope(1)\nf(1)\n', 'x.nope(1)'],
    ['def f(x):\n    a, b = x\nf([1])\n', 'a, b = x'],
    ['def f(x):\n    for a, b in x:\n        pass\nf([[1]])\n', 'a, b'],
    ['def f(x):\n    x[5] = 1\nf([1])\n', 'x[5] = 1'],
    ['def f(x):\n    x += [1]\nf(1)\n', 'x += [1]'],
    ['def f(x):\n    return -x\nf("")\n', '-x'],
    ['def f(x):\n    return 1 if x < "" else 2\nf(1)\n', 'x < ""'],
    ['def f(x):\n    return {x: 1}\nf([])\n', 'x: 1'],
    ['def f(x):\n    return {"a": 1, "b": 2, x: 3}\nf("a")\n', 'x: 3'],
    ['def f(x):\n    return {y: 1 for y in x}\nf([[]])\n', 'y'],
    ['def f(x):\n    return x(1)\nf(2)\n', 'x(1)'],
    ['def f(x):\n    x.y = 1\nf(1)\n', 'x.y = 1'],
    ['x = 1\nfail("no", x)\n', 'fail("no", x)'],
    ['def f():\n    g()\ndef g():\n    f()\nf()\n', 'f()'],
    ['def f():\n    return x\nf()\nx = 1\n', 'x'],
  ])('%j points at what is wrong', (source, at) => {
    expect(failureOf(source).at).toBe(at);
  });

  it('of the step limit points at the loop', () => {
    const source = 'def spin():\n    x = 0\n    for i in range(1000000):\n        x += 1\nspin()\n';
    expect(failureOf(source, { maxSteps: 1000 })).toEqual({
      way: ['<toplevel> 5:1', 'spin 3:5'],
      at: 'for i in range(1000000)',
      message: 't.star: STEP_LIMIT: stopped after 1000 steps',
    });
  });

  it('of too many steps or too much output cannot be caught (failure#B2)', () => {
    expect(
      failureOf('def spin():\n    for i in range(1000000):\n        pass\nprint(catch(spin))\n', {
        maxSteps: 1000,
      }).message,
    ).toMatch('STEP_LIMIT');
    expect(failureOf('print(catch(lambda: print("x" * 100)))\n', { maxOutputUnits: 50 }).message).toMatch(
      'OUTPUT_LIMIT',
    );
  });

  it('inside a failed assertion is that of the assertion', () => {
    expect(failureOf('def f():\n    assert.fails(lambda: 1, "nope")\nf()\n')).toMatchObject({
      way: ['<toplevel> 3:1', 'f 2:5'],
      message: expect.stringContaining('evaluation succeeded unexpectedly'),
    });
    expect(failureOf('def f():\n    assert.fails(lambda: 1 // 0, "nope")\nf()\n')).toMatchObject({
      way: ['<toplevel> 3:1', 'f 2:5'],
      message: expect.stringContaining('did not match "nope"'),
    });
  });
});

describe('a failure of the entry', () => {
  const source = '\nrun = 5\ndef main(x):\n    print(x)\n    return lambda: 1\n';

  it.each([
    [{ entry: 'mian' }, 0, '', 'the program has no function mian', 'did you mean main?'],
    [{ entry: 'other' }, 0, '', 'the program has no function other', 'define it: def other(): …'],
    [
      { entry: 'main()' },
      0,
      '',
      'the entry "main()" is not the name of a function',
      'give the name alone: main',
    ],
    [{ entry: '' }, 0, '', 'the entry "" is not the name of a function', 'give the name alone'],
    [{ entry: 'run' }, 0, '', 'run is not a function but a value of type int', 'define it: def run(): …'],
    [{ entry: 'main' }, 13, 'main', 'function main missing 1 argument (x)', null],
    [
      { entry: 'main', args: [1, 2] },
      13,
      'main',
      'function main accepts 1 positional argument (2 given)',
      null,
    ],
    [{ entry: 'main', args: [1] }, 13, 'main', 'the result: a function cannot leave a program', null],
    [
      { args: [undefined as never] },
      0,
      '',
      'argument 1: undefined cannot be given to a program',
      'use null for None',
    ],
  ])('%j has a place', (options, from, at, message, hint) => {
    const compiled = compile(source, { path: 't.star' });
    const state = compiled.ok ? runOf(compiled.program, options) : null;
    expect(state).toMatchObject({
      kind: 'failed',
      failure: {
        diagnostic: { path: 't.star', span: { start: from, end: from + at.length }, message, hint },
      },
    });
    expect(source.slice(from, from + at.length)).toBe(at);
  });

  it('is known before the program runs when there is no such name', () => {
    const compiled = compile('print("runs")\n', { path: 't.star' });
    const printed: string[] = [];
    const state = compiled.ok
      ? runOf(compiled.program, { entry: 'main', print: (text) => printed.push(text) })
      : null;
    expect([state?.kind, printed]).toEqual(['failed', []]);
  });
});

function runOf(...[program, options]: Parameters<typeof start>) {
  return start(program, options).run();
}

describe('catch', () => {
  it('leaves the functions that failed ready to be called again', () => {
    const compiled = compile(
      'def f(x):\n    return [1 // y for y in x]\nprint(catch(lambda: f([0])), f([1]), catch(lambda: f([0])), catch(f), catch(len))\n',
      { testing: true },
    );
    const printed: string[] = [];
    if (compiled.ok) start(compiled.program, { print: (text) => printed.push(text) }).run();
    expect(printed).toEqual([
      'floored division by zero [1] floored division by zero function f missing 1 argument (x) len: got 0 arguments, want 1',
    ]);
  });

  it('gives None when nothing failed, and can be nested', () => {
    const compiled = compile(
      'print(catch(lambda: 1), catch(lambda: catch(lambda: fail("a")) + fail("b")))\n',
      { testing: true },
    );
    const printed: string[] = [];
    if (compiled.ok) start(compiled.program, { print: (text) => printed.push(text) }).run();
    expect(printed).toEqual(['None fail: b']);
  });
});
