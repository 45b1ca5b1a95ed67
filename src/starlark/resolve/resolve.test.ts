import { describe, expect, it } from 'vitest';
import { childrenOf, faultLines, read, readAndResolve } from '../../../test/support/starlark-tree.ts';
import type { DefStatement, Identifier, LambdaExpression, Module, Statement } from '../syntax/ast.ts';
import { resolveModule } from './resolve.ts';
import type { Binding, FunctionScope } from './scope.ts';

function showBinding(binding: Binding | null): string {
  switch (binding?.kind) {
    case 'local':
      return `local${binding.variable.index}`;
    case 'free':
      return `free${binding.index}`;
    case 'global':
      return `global${binding.index}`;
    case 'predeclared':
      return 'predeclared';
    case 'universal':
      return 'universal';
    case undefined:
      return 'none';
  }
}

/** Each identifier of the text in order, with what it means: `x local0`. */
function bindings(text: string, options: Parameters<typeof readAndResolve>[1] = {}): string[] {
  const { module, diagnostics } = readAndResolve(text, options);
  expect(diagnostics).toEqual([]);
  const found: Identifier[] = [];
  const walk = (node: object): void => {
    if ('kind' in node && node.kind === 'identifier') found.push(node as Identifier);
    for (const child of childrenOf(node)) walk(child);
  };
  walk(module as Module);
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ name, binding }) => `${name} ${showBinding(binding)}`);
}

function showScope(scope: FunctionScope | null): { locals: string[]; free: string[] } {
  return {
    locals: (scope?.locals ?? []).map(({ name, captured }) => (captured ? `${name}*` : name)),
    free: (scope?.free ?? []).map(({ variable, from, index }) => `${variable.name} ${from}${index}`),
  };
}

function functionScopes(text: string): Record<string, { locals: string[]; free: string[] }> {
  const { module, diagnostics } = readAndResolve(text);
  expect(diagnostics).toEqual([]);
  const scopes: Record<string, { locals: string[]; free: string[] }> = {
    '<module>': showScope(module?.scope?.body ?? null),
  };
  const walk = (node: object): void => {
    if ('kind' in node && (node.kind === 'def' || node.kind === 'lambda')) {
      const { scope } = node as DefStatement | LambdaExpression;
      scopes[node.kind === 'def' ? (node as DefStatement).name.name : 'lambda'] = showScope(scope);
    }
    for (const child of childrenOf(node)) walk(child);
  };
  walk(module as Module);
  return scopes;
}

describe('resolveModule', () => {
  it.each([
    ['x = len; host(x)', ['x global0', 'len universal', 'host predeclared', 'x global0']],
    ['print(x); x = 1', ['print universal', 'x global0', 'x global0']],
    ['a = len; len = 1', ['a global0', 'len global1', 'len global1']],
    ['load("m", "a", b="c"); d = b', ['a global0', 'b global1', 'd global2', 'b global1']],
    [
      'def f(a):\n  b = a\n  return c\nc = f',
      ['f global0', 'a local0', 'b local1', 'a local0', 'c global1', 'c global1', 'f global0'],
    ],
    [
      'x = 1\ndef f():\n  print(x)\n  x = 2',
      ['x global0', 'f global1', 'print universal', 'x local0', 'x local0'],
    ],
    [
      'def f():\n  for a, b[0] in range(1):\n    a += 1\n    b = a',
      ['f global0', 'a local0', 'b local1', 'range universal', 'a local0', 'b local1', 'a local0'],
    ],
    ['x = [x for x in x]', ['x global0', 'x local0', 'x local0', 'x global0']],
    [
      '_ = [1 for x in [] for y in z for z in ()]',
      ['_ global0', 'x local0', 'y local1', 'z local2', 'z local2'],
    ],
    [
      '_ = {k: v for k, v in [] if [k for k in v]}',
      ['_ global0', 'k local0', 'v local1', 'k local0', 'v local1', 'k local2', 'k local2', 'v local1'],
    ],
    [
      'def f(x = host, y = len): return x',
      ['f global0', 'x local0', 'host predeclared', 'y local1', 'len universal', 'x local0'],
    ],
    [
      'def f(x):\n  g = lambda y = x: y + x\n  return g',
      ['f global0', 'x local0', 'g local1', 'y local0', 'x local0', 'y local0', 'x free0', 'g local1'],
    ],
  ])('binds the names of %j', (text, expected) => {
    expect(bindings(text)).toEqual(expected);
  });

  it('orders the locals: positional, keyword-only, *args, **kwargs, others', () => {
    expect(
      functionScopes('def f(a, b = 1, *c, d, e = 2, **g):\n  h = [i for i in a]\n  return h')['f'],
    ).toEqual({ locals: ['a', 'b', 'd', 'e', 'c', 'g', 'h', 'i'], free: [] });
  });

  it('captures variables through all functions in between, each once', () => {
    expect(
      functionScopes(
        'def f(a, b):\n  c = 1\n  def g():\n    def h():\n      return a + c + a\n    return h, c\n  return g, b',
      ),
    ).toEqual({
      '<module>': { locals: [], free: [] },
      f: { locals: ['a*', 'b', 'c*', 'g'], free: [] },
      g: { locals: ['h'], free: ['a local0', 'c local2'] },
      h: { locals: [], free: ['a free0', 'c free1'] },
    });
  });

  it('captures variables of comprehensions, also of the module', () => {
    expect(functionScopes('fs = [lambda: x + y for x in range(3) for y in range(x)]')).toEqual({
      '<module>': { locals: ['x*', 'y*'], free: [] },
      lambda: { locals: [], free: ['y local1', 'x local0'] },
    });
  });

  it('lets an inner binding hide an outer one', () => {
    expect(
      functionScopes('def f(x):\n  def g():\n    x = 1\n    return x\n  return [x for x in [x]], g'),
    ).toEqual({
      '<module>': { locals: [], free: [] },
      f: { locals: ['x', 'g', 'x'], free: [] },
      g: { locals: ['x'], free: [] },
    });
  });

  it('lists globals in the order of their first binding, and which were loaded', () => {
    const scope = readAndResolve('load("m", "z", y="q")\nb, [a, c[0]] = 1, [2, 3]\ndef c(): pass\n_ = 1')
      .module?.scope;
    expect({ globals: scope?.globals, loaded: [...(scope?.loaded ?? [])] }).toEqual({
      globals: ['z', 'y', 'b', 'a', 'c', '_'],
      loaded: ['z', 'y'],
    });
  });

  it.each([
    ['x', ['1:1 STAR_UNDEFINED undefined: x']],
    ['def f():\n  if False:\n    g()', ['3:5 STAR_UNDEFINED undefined: g']],
    ['_ = [x for x in "a"]\nprint(x)', ['2:7 STAR_UNDEFINED undefined: x']],
    ['_ = [y for x in x]', ['1:6 STAR_UNDEFINED undefined: y', '1:17 STAR_UNDEFINED undefined: x']],
    ['def f(x = y): y = x', ['1:11 STAR_UNDEFINED undefined: y']],
    ['x = 1\nx = 2', ['2:1 STAR_REASSIGNED cannot reassign global x declared on line 1']],
    ['x = 1\n\nx += 2', ['3:1 STAR_REASSIGNED cannot reassign global x declared on line 1']],
    ['x, x = 1, 2', ['1:4 STAR_REASSIGNED cannot reassign global x declared on line 1']],
    ['def f(): pass\ndef f(): pass', ['2:5 STAR_REASSIGNED cannot reassign global f declared on line 1']],
    ['load("m", "x")\nx = 1', ['2:1 STAR_REASSIGNED cannot reassign local x, loaded on line 1']],
    ['x = 1\nload("m", "x")', ['2:11 STAR_REASSIGNED cannot reassign top-level x, bound on line 1']],
    ['load("m", "x", x="y")', ['1:16 STAR_REASSIGNED cannot reassign top-level x, bound on line 1']],
  ])('tells of %j', (text, faults) => {
    expect(faultLines(text, readAndResolve(text))).toEqual(faults);
  });

  it.each([
    'len = 1',
    'host = 2',
    'z += 3',
    'def f():\n  x = 1\n  x = 2',
    '_ = [[a for a in b] for b in []]\nc = [a for a in []]',
    'def f(): return g()\ndef g(): return f()',
  ])('allows %j', (text) => {
    expect(readAndResolve(text).diagnostics).toEqual([]);
  });

  it.each([
    ['hello = 1\nprint(hollo)', 'did you mean hello?'],
    ['def f(abc): return abd', 'did you mean abc?'],
    ['x = true', 'did you mean True?'],
    ['x = none', 'did you mean None?'],
    ['x = lenght', null],
    ['x = rnage(3)', 'did you mean range?'],
    ['x = null', 'write None'],
    ['x = isinstance(1, 2)', 'compare type(x) with the name of a type: type(x) == "string"'],
    ['x = sum([1])', 'add in a for loop: total += x'],
    ['x = chr(65)', 'write "%c" % n'],
    ['x = ord("A")', 'write bytes(x)[0] for an ASCII character'],
    ['a = b', null],
    ['x = __name__', 'a program has no main guard: call the function, or let the host call it'],
  ])('guesses what was meant by %j', (text, hint) => {
    expect(readAndResolve(text).diagnostics.map((d) => d.hint)).toEqual([hint]);
  });

  it('names what the host gives before what the language has', () => {
    const options = { predeclared: new Set(['ask']), universal: new Set(['abs']) };
    expect(readAndResolve('aks(1)', options).diagnostics.map((d) => d.hint)).toEqual(['did you mean ask?']);
  });

  it('tells nothing that only follows from a fault of syntax', () => {
    const text =
      'import os\nx = 1 +\ndef f(a b):\n  return a + b\nclass C: pass\nwith open(y) as z:\n  z.read()\nos.path(x, f, C, z)\nfor i in x:\n  t = 1\n  t = 2\nprint(t, i, missing)';
    expect(
      faultLines(text, readAndResolve(text)).map((line) => line.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      '1:1 STAR_IMPORT',
      '2:8 STAR_SYNTAX',
      '3:9 STAR_SYNTAX',
      '5:1 STAR_CLASS',
      '6:1 STAR_WITH',
      '9:1 STAR_OUTSIDE_FUNCTION',
      '12:13 STAR_UNDEFINED',
    ]);
  });

  it('trusts that a star import binds any name', () => {
    const text = 'from m import *\nsqrt(2)';
    expect(faultLines(text, readAndResolve(text))).toEqual([
      '1:1 STAR_IMPORT imports are not part of Starlark',
    ]);
  });

  it('lets globals be bound again in interactive mode, and be read before as what they were', () => {
    expect(
      bindings('host = host + 1\nhost = host\nif host:\n  len = len\ndef f(): return range\nrange = 1', {
        interactive: true,
      }),
    ).toEqual([
      'host global0',
      'host predeclared',
      'host global0',
      'host global0',
      'host global0',
      'len global1',
      'len universal',
      'f global2',
      'range global3',
      'range global3',
    ]);
  });

  it('lists 50 faults of many', () => {
    const { diagnostics } = readAndResolve(
      Array.from({ length: 20_000 }, (_, i) => `name${i} = nam${i}`).join('\n'),
    );
    expect(diagnostics.length).toBe(51);
    expect(diagnostics[50]?.code).toBe('STAR_MORE');
  });

  it.each([
    ['lists', `x = ${'['.repeat(490)}1${']'.repeat(490)}`],
    ['lambdas', `x = ${'lambda: '.repeat(490)}1`],
    ['comprehensions', `x = ${'['.repeat(240)}1${' for a in []]'.repeat(240)}`],
    ['a sum', `x = 1${' + 1'.repeat(1_100)}`],
    ['elif', `def f(x):\n  if x: pass\n${'  elif x: pass\n'.repeat(1_100)}`],
    [
      'functions',
      Array.from({ length: 490 }, (_, i) => `${' '.repeat(i)}def f${i}(x${i}):\n`).join('') +
        `${' '.repeat(490)}return x0 + x489\n`,
    ],
  ])('walks the deepest %s', (_, text) => {
    expect(readAndResolve(text, { maxDepth: 500 }).diagnostics).toEqual([]);
  });

  it('refuses more functions than anybody writes', () => {
    const text = (count: number) => `x = [\n${'lambda: 0,\n'.repeat(count)}]`;
    expect(readAndResolve(text(10_000)).diagnostics).toEqual([]);
    expect(faultLines(text(10_002), readAndResolve(text(10_002)))).toEqual([
      '10002:1 STAR_TOO_LARGE the program has more than 10000 functions',
    ]);
  });

  it('leaves the tree as it was but for bindings and scopes', () => {
    const text = 'def f(a):\n  return [a for b in a]\nx = f(lambda: 1)';
    const strip = (key: string, value: unknown): unknown =>
      key === 'binding' || key === 'scope' ? null : value instanceof Set ? [...value] : value;
    const module = read(text).module as Module;
    const before = JSON.stringify(module, strip);
    resolveModule(module, { predeclared: new Set(), universal: new Set(), interactive: false }, () => {});
    expect(JSON.stringify(module, strip)).toBe(before);
    expect((module.body[0] as Statement & { kind: 'def' }).scope).not.toBeNull();
  });
});
