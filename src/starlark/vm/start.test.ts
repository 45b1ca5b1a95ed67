import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { CompileOptions, RunOptions, RunState } from '../options.ts';
import { type Run, start } from './start.ts';
import type { Program } from '../compile/program.ts';

function programOf(source: string, options: CompileOptions = {}): Program {
  const result = compile(source, { path: 't.star', predeclared: ['ask'], ...options });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.program;
}

/** Drives a run to its end; the host gives back the first argument. */
function drive(run: Run, slice?: number): RunState {
  for (;;) {
    const state = run.run(slice);
    if (state.kind === 'done' || state.kind === 'failed') return state;
    if (state.kind === 'host-call') run.resume(state.args[0] ?? null);
  }
}

function resultOf(source: string, options: RunOptions = {}): unknown {
  const state = drive(start(programOf(source), options));
  return state.kind === 'done'
    ? state.value
    : state.kind === 'failed'
      ? `${state.failure.diagnostic.code}: ${state.failure.diagnostic.message}`
      : state;
}

const busy = `
def inner(n):
    return [x * x for x in range(n) if x % 2]

def run(n):
    d = {}
    for i in range(n):
        d[i] = inner(i)
        for k in d:
            d[k].append(ask(i)) if len(d[k]) < 3 else None
    return [sorted(d[n - 1], key = lambda x: -x), str(d)]
`;

describe('start', () => {
  it('runs the body, then the entry with its arguments', () => {
    const source = 'base = 40\ndef main(a, b = 0):\n    return {"sum": base + a + b}\n';
    expect(resultOf(source, { entry: 'main', args: [1], named: { b: 1 } })).toEqual({ sum: 42 });
    expect(resultOf(source)).toBe(null);
  });

  it('fails when there is no such entry', () => {
    expect(resultOf('def main():\n    pass\n', { entry: 'mian' })).toBe(
      'EVAL_ATTRIBUTE: the program has no function mian',
    );
  });

  it('predeclares null as None, and not as a host function', () => {
    expect(
      resultOf('def main():\n    return [type(ask), ask]\n', { entry: 'main', values: { ask: null } }),
    ).toEqual(['NoneType', null]);
  });

  it('gives the entry arguments that it may change, and the run values that it may not', () => {
    expect(
      resultOf('def main(xs):\n    xs.append(1)\n    return xs\n', { entry: 'main', args: [[0]] }),
    ).toEqual([0, 1]);
    expect(resultOf('ask.append(1)\n', { values: { ask: [0] } })).toMatch(/^EVAL_FROZEN/);
  });

  it('fails at the beginning when what it is given is no data', () => {
    expect(resultOf('def main(x):\n    return x\n', { entry: 'main', args: [Symbol('x') as never] })).toMatch(
      /^EVAL_VALUE/,
    );
    expect(resultOf('x = ask\n', { values: { ask: (() => 1) as never } })).toMatch(/^EVAL_VALUE/);
  });

  it('freezes the globals when the body has ended', () => {
    expect(resultOf('xs = [1]\nxs.append(2)\ndef main():\n    xs.append(3)\n', { entry: 'main' })).toMatch(
      /^EVAL_FROZEN/,
    );
    expect(
      resultOf('def f(x = []):\n    x.append(1)\nf()\ndef main():\n    f()\n', { entry: 'main' }),
    ).toMatch(/^EVAL_FROZEN/);
  });
});

describe('Run', () => {
  it('suspends for a host function from anywhere', () => {
    const source = `
def twice(f):
    return f() + f()
def main():
    a = [ask(x) for x in [1, 2] if ask(x) > 1]
    b = sorted([3, 1, 2], key = ask, reverse = True)
    c = max([1, 5, 3], key = lambda x: ask(-x))
    def g(x = ask(7)):
        return twice(lambda: ask(x))
    return [a, b, c, g(), {ask("k"): ask("v")}, ask(*[1], **{}), "%s" % ask(3), (ask)(4)]
`;
    expect(resultOf(source, { entry: 'main' })).toEqual([[2], [3, 2, 1], 1, 14, { k: 'v' }, 1, '3', 4]);
  });

  it('tells the host name, arguments and names', () => {
    const run = start(programOf('ask(1, [2, (3,)], k = "v")\n'));
    expect(run.run()).toEqual({ kind: 'host-call', name: 'ask', args: [1, [2, [3]]], named: { k: 'v' } });
  });

  it('ends the program where the host refused', () => {
    const run = start(programOf('def f():\n    return ask(1)\nf()\n'));
    run.run();
    run.refuse('no network');
    const state = run.run();
    expect(state).toMatchObject({
      kind: 'failed',
      failure: {
        diagnostic: { code: 'EVAL_HOST', message: 'ask: no network', span: { start: 20, end: 26 } },
      },
    });
    expect(run.run()).toBe(state);
  });

  it('fails at the call when the answer is no data', () => {
    const run = start(programOf('ask(1)\n'));
    run.run();
    run.resume(undefined as never);
    expect(run.run()).toMatchObject({ kind: 'failed', failure: { diagnostic: { code: 'EVAL_VALUE' } } });
  });

  it('throws when it is used out of order', () => {
    const run = start(programOf('ask(1)\n'));
    expect(() => run.resume(1)).toThrow('there is no host call to resume');
    run.run();
    expect(() => run.run()).toThrow('the call of ask has no answer yet');
    run.resume(1);
    expect(run.run()).toEqual({ kind: 'done', value: null });
    expect(run.run()).toEqual({ kind: 'done', value: null });
    expect(() => run.snapshot()).toThrow('the run is over');
  });

  it('can refuse host calls while a body runs', () => {
    const source = 'def f():\n    return ask(1)\nx = 1\ndef main():\n    return f()\n';
    expect(resultOf(source, { entry: 'main', hostCallsAtModuleLevel: false })).toBe(1);
    expect(resultOf(`${source}f()\n`, { entry: 'main', hostCallsAtModuleLevel: false })).toBe(
      'EVAL_HOST: ask cannot be called while a module is being set up',
    );
  });

  it('uses the same steps and gives the same result in slices of any size (run-loop#X3)', () => {
    const whole = start(programOf(busy), { entry: 'run', args: [12] });
    const expected = [drive(whole), whole.usage];
    for (const slice of [1, 2, 3, 7, 50, 1000]) {
      const run = start(programOf(busy), { entry: 'run', args: [12] });
      expect([drive(run, slice), run.usage]).toEqual(expected);
    }
  });

  it('stops a pure loop at the end of its slice, about where it should', () => {
    const run = start(programOf('def spin():\n    for i in range(1 << 40):\n        pass\nspin()\n'));
    expect(run.run(10_000)).toEqual({ kind: 'paused' });
    expect(run.usage.steps).toBeGreaterThan(9000);
    expect(run.usage.steps).toBeLessThan(10_010);
    expect(run.run(10_000)).toEqual({ kind: 'paused' });
  });

  it('stops at the step limit at the same step whatever the slices', () => {
    const ends = [1, 10, 333, Infinity].map((slice) => {
      const run = start(programOf('def spin():\n    for i in range(1 << 40):\n        x = i + 1\nspin()\n'), {
        maxSteps: 10_000,
      });
      const state = drive(run, slice);
      return [state.kind === 'failed' && state.failure.diagnostic.code, run.usage.steps];
    });
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
    expect(ends[0]?.[0]).toBe('STEP_LIMIT');
  });

  it('counts a body without loops and calls too', () => {
    const source = Array.from({ length: 100 }, (_, index) => `x${index} = 1`).join('\n');
    expect(resultOf(source, { maxSteps: 50 })).toBe('STEP_LIMIT: stopped after 50 steps');
  });

  it('limits the output and the depth of calls', () => {
    expect(resultOf('print("x" * 10)\nprint("y")\n', { maxOutputUnits: 12 })).toBe(
      'OUTPUT_LIMIT: stopped: more than 12 characters were printed',
    );
    expect(resultOf('def a():\n    return b()\ndef b():\n    return 1\na()\n', { maxCallDepth: 1 })).toBe(
      'DEPTH_LIMIT: stopped: calls are nested more than 1 deep',
    );
    expect(resultOf('def a():\n    return b()\ndef b():\n    return 1\na()\n', { maxCallDepth: 3 })).toBe(
      null,
    );
  });

  it('exports data by name, without functions, private names and what is no data', () => {
    const run = start(programOf('a = [1, {"k": (2,)}]\n_b = 1\ndef c():\n    pass\nd = {1: 2}\n'));
    run.run();
    expect(run.exports()).toEqual({ a: [1, { k: [2] }] });
  });
});

describe('recursion', () => {
  it.each([
    'def f(n):\n    return f(n - 1)\nf(3)\n',
    'def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\nf(3)\n',
    'Y = lambda f: (lambda x: x(x))(lambda y: f(lambda *args: y(y)(*args)))\nfibgen = lambda fib: lambda x: (x if x < 2 else fib(x - 1) + fib(x - 2))\nfib = Y(fibgen)\n[fib(x) for x in range(10)]\n',
    'def f(n):\n    return sorted([2, 1], key = f)\nf(3)\n',
    'def f(n):\n    return f(n = 1)\nf(3)\n',
    'def f(n):\n    return f(*[1])\nf(3)\n',
  ])('is refused: %j', (source) => {
    expect(resultOf(source)).toMatch(/^EVAL_RECURSION: function \w+ called recursively$/);
  });

  it('is not what calling the same function again is', () => {
    expect(
      resultOf('def f(n):\n    return n\ndef main():\n    return f(f(f(1))) + f(2)\n', { entry: 'main' }),
    ).toBe(3);
  });
});

describe('loops', () => {
  const testing = (source: string) => {
    const printed: string[] = [];
    const state = drive(start(programOf(source, { testing: true }), { print: (text) => printed.push(text) }));
    return state.kind === 'done' ? printed : state;
  };

  it('release what they iterate over at their end, on break, on return and when an error is caught (iterator#L1)', () => {
    expect(
      testing(`
def ended(xs):
    for x in xs:
        pass
def broken(xs):
    for x in xs:
        for y in xs:
            break
        break
def returned(xs):
    for x in xs:
        for y in xs:
            return y
def failed(xs):
    for x in xs:
        for y in [z for z in xs]:
            fail("stop")
def check():
    for xs in [[1, 2], {1: 1, 2: 2}, set([1, 2])]:
        for f in [ended, broken, returned]:
            f(xs)
        print(catch(lambda: failed(xs)))
        xs.clear()
check()
`),
    ).toEqual(['fail: stop', 'fail: stop', 'fail: stop']);
  });

  it('lock what they iterate over, however deep', () => {
    expect(
      resultOf(
        'def f():\n    xs = [1]\n    for x in xs:\n        for y in xs:\n            pass\n        xs.append(1)\nf()\n',
      ),
    ).toMatch(/^EVAL_ITERATING/);
    expect(resultOf('def f():\n    d = {1: 2}\n    return [d.pop(k) for k in d]\nf()\n')).toMatch(
      /^EVAL_ITERATING/,
    );
  });

  it('go over every kind of iterable', () => {
    expect(
      resultOf(
        'def main():\n    d = {1: 1, 2: 2, 3: 3}\n    d.pop(2)\n    s = set([1, 2, 3])\n    s.remove(1)\n    return [[x for x in it] for it in [[1], (2,), d, s, range(3, 0, -2), "ab".elems(), b"ab".elems()]]\n',
        { entry: 'main' },
      ),
    ).toEqual([[1], [2], [1, 3], [2, 3], [3, 1], ['a', 'b'], [97, 98]]);
  });
});

describe('variables', () => {
  it('fail when they are read before they have a value', () => {
    expect(resultOf('def f():\n    print(x)\n    x = 1\nf()\n')).toBe(
      'EVAL_UNASSIGNED: local variable x referenced before assignment',
    );
    expect(resultOf('def f():\n    return y\nf()\ny = 1\n')).toBe(
      'EVAL_UNASSIGNED: global variable y referenced before assignment',
    );
    expect(resultOf('def f():\n    def g():\n        return z\n    g()\n    z = 1\nf()\n')).toBe(
      'EVAL_UNASSIGNED: local variable z referenced before assignment',
    );
    expect(resultOf('def f():\n    g = lambda: w\n    if w:\n        pass\n    w = 1\nf()\n')).toBe(
      'EVAL_UNASSIGNED: local variable w referenced before assignment',
    );
    expect(resultOf('x = [1 for x in [1] for y in z for z in ()]\n')).toBe(
      'EVAL_UNASSIGNED: local variable z referenced before assignment',
    );
  });

  it('have no value left from the last call, nor from the last evaluation of a comprehension', () => {
    expect(
      resultOf('def f(first):\n    if first:\n        x = 1\n    return x\nf(True)\nf(False)\n'),
    ).toMatch(/^EVAL_UNASSIGNED/);
    expect(
      resultOf(
        'def main():\n    fs = [[lambda: x for x in [i]][0] for i in range(3)]\n    return [f() for f in fs]\n',
        { entry: 'main' },
      ),
    ).toEqual([0, 1, 2]);
  });

  it('are shared with the functions that capture them', () => {
    expect(
      resultOf(
        'def main():\n    res = []\n    x = 1\n    def get():\n        res.append(x)\n    get()\n    x = 2\n    get()\n    return res\n',
        { entry: 'main' },
      ),
    ).toEqual([1, 2]);
  });
});

describe('products that are reduced at once', () => {
  it('are exact', () => {
    const source = `
def main(rows):
    out = []
    for a, b, c, m in rows:
        p = a * b
        q = p + c
        out.append([a * b % m == p % m, a * b & m == p & m, (a * b + c) % m == q % m, (a * b + c) & m == q & m])
    return out
`;
    const numbers = [
      0,
      1,
      -1,
      7,
      65_535,
      65_536,
      2 ** 31 - 1,
      -(2 ** 31),
      2 ** 32 - 1,
      2 ** 32,
      2 ** 32 + 1,
      1_103_515_245,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
      2n ** 64n,
    ];
    const moduli = [
      1,
      7,
      97,
      65_536,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 32 + 1,
      2 ** 53 - 1,
      -7,
      2n ** 70n,
    ];
    const rows = numbers.flatMap((a) =>
      numbers.flatMap((b) => [0, 12_345, -1, 2 ** 53 - 1].flatMap((c) => moduli.map((m) => [a, b, c, m]))),
    );
    const compiled = programOf(
      source
        .replaceAll('a * b & m ==', '(a * b & m) ==')
        .replaceAll('(a * b + c) & m == q & m', '((a * b + c) & m) == (q & m)')
        .replaceAll('== p & m', '== (p & m)'),
    );
    const state = drive(start(compiled, { entry: 'main', args: [rows], maxMemoryBytes: 1e9 }));
    expect(state.kind === 'done' && (state.value as boolean[][]).flat().every((same) => same)).toBe(true);
  });
});
