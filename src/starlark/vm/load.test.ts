import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import type { RunOptions, RunState } from '../options.ts';
import { start } from './start.ts';

function programOf(source: string, path = 't.star'): Program {
  const result = compile(source, { path, predeclared: ['ask'] });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.program;
}

function run(
  files: { readonly [name: string]: string },
  options: RunOptions = {},
): { state: RunState; printed: string[]; loads: string[] } {
  const printed: string[] = [];
  const loads: string[] = [];
  const load = (name: string, from: string) => {
    loads.push(`${name} from ${from}`);
    const source = files[name];
    return source === undefined ? null : programOf(source, name);
  };
  const machine = start(programOf(files['main'] as string, 'main'), {
    load,
    print: (text) => printed.push(text),
    ...options,
  });
  let state = machine.run();
  while (state.kind === 'host-call') {
    machine.resume(state.args[0] ?? null);
    state = machine.run();
  }
  return { state, printed, loads };
}

function failure(files: { readonly [name: string]: string }, options: RunOptions = {}): string {
  const { state } = run(files, options);
  return state.kind === 'failed'
    ? `${state.failure.diagnostic.code}: ${state.failure.diagnostic.message}`
    : state.kind;
}

describe('load', () => {
  it('is denied unless the embedder finds modules', () => {
    const state = start(programOf('load("x", "y")\n')).run();
    expect(state).toMatchObject({
      kind: 'failed',
      failure: { diagnostic: { code: 'LOAD_DENIED', message: 'load is not available in this program' } },
    });
  });

  it('runs a module once, in its own globals, and shares what it exports', () => {
    const { printed, loads } = run({
      main: 'load("a", "f", g = "h")\nload("b", "f2")\nprint(f(1), g, f2(1))\n',
      a: 'print("a runs")\nx = 10\ndef f(y):\n    return x + y\nh = ask("host")\n',
      b: 'load("a", "f")\nf2 = lambda y: f(y) * 2\n',
    });
    expect(printed).toEqual(['a runs', '11 host 22']);
    expect(loads).toEqual(['a from main', 'b from main', 'a from b']);
  });

  it('takes one name from two files for two modules, and two names of one file for one', () => {
    const files: { readonly [path: string]: string } = {
      'a/use.star': 'load("own.star", "x")\na = x\n',
      'a/own.star': 'print("a")\nx = 1\n',
      'b/use.star': 'load("own.star", "x")\nload("../a/own.star", y = "x")\nb = [x, y]\n',
      'b/own.star': 'print("b")\nx = 2\n',
    };
    const load = (name: string, from: string): Program | null => {
      const path = new URL(name, `file:///${from}`).pathname.slice(1);
      const source = files[path];
      return source === undefined ? null : programOf(source, path);
    };
    const main = 'load("a/use.star", "a")\nload("b/use.star", "b")\nprint(a, b)\n';
    const { printed } = run({ main }, { load });
    expect(printed).toEqual(['a', 'b', '1 [2, 1]']);
  });

  it('freezes what the module made', () => {
    expect(failure({ main: 'load("a", "xs")\nxs.append(1)\n', a: 'xs = []\nxs.append(0)\n' })).toMatch(
      /^EVAL_FROZEN/,
    );
    expect(
      failure({ main: 'load("a", "f")\nf(1)\n', a: 'def f(x, seen = []):\n    seen.append(x)\nf(0)\n' }),
    ).toMatch(/^EVAL_FROZEN/);
  });

  it('does not give private names, those the module loaded itself, or unknown ones', () => {
    const a = 'load("b", "y")\nlength = y\n';
    expect(failure({ main: 'load("a", "y")\n', a, b: 'y = 1\n' })).toBe(
      'EVAL_LOAD: load: name "y" not found in module "a"',
    );
    expect(failure({ main: 'load("a", "lenght")\n', a, b: 'y = 1\n' })).toBe(
      'EVAL_LOAD: load: name "lenght" not found in module "a"',
    );
  });

  it('fails for modules that are missing, faulty or in a cycle', () => {
    expect(failure({ main: 'load("a", "y")\n' })).toBe('EVAL_LOAD: cannot load "a": there is no such module');
    expect(failure({ main: 'load("a", "y")\n', a: 'load("b", "y")\n', b: 'load("a", "y")\n' })).toMatch(
      /^EVAL_LOAD: cannot load "a": it is being loaded already/,
    );
    const faulty = compile('x = \n', { path: 'a' });
    expect(failure({ main: 'load("a", "y")\n' }, { load: () => faulty.diagnostics })).toBe(
      'EVAL_LOAD: cannot load "a": a:1:5: got newline, want primary expression',
    );
  });

  it('says where the first error of a module is, with its hint', () => {
    const faulty = compile('x = 1\ny = null\nz = nil\n', { path: 'lib/a.star' });
    const { state } = run({ main: 'load("a", "y")\n' }, { load: () => faulty.diagnostics });
    expect(state).toMatchObject({
      kind: 'failed',
      failure: {
        diagnostic: {
          message: 'cannot load "a": lib/a.star:2:5: undefined: null (and 1 more)',
          hint: 'write None',
        },
      },
    });
  });

  it('fails with what the loader throws, and keeps it', () => {
    const thrown = new RangeError('the disk is gone');
    const { state } = run(
      { main: 'load("a", "y")\n' },
      {
        load: () => {
          throw thrown;
        },
      },
    );
    expect(state).toMatchObject({
      kind: 'failed',
      failure: { diagnostic: { code: 'EVAL_LOAD', message: 'cannot load "a": the disk is gone' } },
    });
    expect(state.kind === 'failed' && state.failure.cause).toBe(thrown);
  });

  it.each([
    [
      undefined,
      'load("a") gave undefined: give a program, an array of diagnostics, or null if there is no such module',
    ],
    [
      { nothing: 1 },
      'load("a") gave an object: give a program, an array of diagnostics, or null if there is no such module',
    ],
    [
      compile('y = 1\n'),
      'load("a") gave an object: from what compile gave, give its program or its diagnostics',
    ],
    [Promise.resolve(null), 'load("a") gave a promise: only execute awaits a loader'],
  ])('throws when the loader gives %j', (given, message) => {
    const broken = start(programOf('load("a", "y")\n'), { load: () => given as never });
    expect(() => broken.run()).toThrow(new TypeError(message));
    expect(() => broken.run()).toThrow('the run was broken off: a function of the embedder threw');
  });

  it('shows the way through the modules', () => {
    const { state } = run({ main: 'load("a", "f")\n', a: 'x = 1\ny = x // 0\nf = 1\n' });
    expect(state).toMatchObject({
      kind: 'failed',
      failure: {
        backtrace: [
          { function: '<toplevel>', path: 'main', line: 1 },
          { function: '<toplevel>', path: 'a', line: 2 },
        ],
      },
    });
  });
});
