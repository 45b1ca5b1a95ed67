import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { RunOptions } from '../options.ts';
import { start } from './start.ts';

function endOf(body: string, options: RunOptions = {}): unknown {
  const compiled = compile(`def main():\n${body.replaceAll(/^/gm, '    ')}\n`, { predeclared: ['ask'] });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map(({ message }) => message).join('\n'));
  const run = start(compiled.program, { entry: 'main', maxMemoryBytes: 100_000, ...options });
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
}

describe('countLive', () => {
  it.each([
    ['lists', 'for i in range(20000):\n    x = [i] * 50\nreturn len(x)', 50],
    ['texts', 'for i in range(20000):\n    x = "ab" * 500 + str(i)\nreturn len(x)', 1005],
    ['a growing text', 's = ""\nfor i in range(20000):\n    s += "x"\nreturn len(s)', 20_000],
    ['floats', 'x = 0.0\nfor i in range(20000):\n    x += 0.5\nreturn int(x)', 10_000],
    ['large ints', 'x = 1 << 80\nfor i in range(20000):\n    x += 1\nreturn x % 10', 6],
    ['dicts', 'for i in range(5000):\n    x = {k: i for k in range(20)}\nreturn len(x)', 20],
    ['functions', 'for i in range(20000):\n    f = lambda y: y + i\nreturn f(1)', 20_000],
    [
      'what a key function sees',
      'xs = [3, 1, 2]\nfor i in range(2000):\n    xs = sorted(xs, key = lambda x: len([x] * 100))\nreturn xs',
      [3, 1, 2],
    ],
    ['answers of the host', 'for i in range(2000):\n    x = ask([i, i])\nreturn x', [1999, 1999]],
  ])('lets a program go on that drops %s', (_what, body, expected) => {
    expect(endOf(body)).toEqual(expected);
  });

  it.each([
    ['lists', 'x = []\nfor i in range(20000):\n    x.append([i])'],
    ['itself', 'x = []\nfor i in range(20000):\n    x.append([x])'],
    ['texts', 'x = {}\nfor i in range(20000):\n    x[i] = "text " + str(i)'],
    ['floats', 'x = []\nfor i in range(20000):\n    x.append(i * 0.5)'],
    ['large ints', 'x = [1 << 500]\nfor i in range(20000):\n    x.append(x[-1] + 1)'],
    ['functions', 'x = []\nfor i in range(20000):\n    x.append(lambda: i)'],
    ['bound methods', 'x = []\nfor i in range(20000):\n    x.append(x.append)'],
    ['keys of tuples', 'x = set()\nfor i in range(20000):\n    x.add((i, "a", i))'],
    ['results of a key function', 'return sorted(range(2000), key = lambda x: [x] * 5)'],
    ['a variable of an outer function', 'x = []\ndef f():\n    x.append(1)\nfor i in range(20000):\n    f()'],
  ])('stops a program that keeps %s', (_what, body) => {
    expect(endOf(body)).toBe('MEMORY_LIMIT');
  });

  it('counts a long text once, however many places it is in (recount#Q2)', () => {
    expect(
      endOf('t = "ab" * 1000\nx = []\nfor i in range(400):\n    x.append("ab" * 1000)\nreturn len(x)'),
    ).toBe(400);
    expect(endOf('x = []\nfor i in range(400):\n    x.append("ab" * 1000 + str(i))\nreturn len(x)')).toBe(
      'MEMORY_LIMIT',
    );
  });

  it('is charged for, so that it cannot be had for nothing (recount#Q1)', () => {
    const kept = 'x = [[] for i in range(1000)]\nfor i in range(1000):\n    y = [0] * 100\nreturn 1';
    expect(endOf(kept, { maxMemoryBytes: 150_000, maxSteps: 10_000_000 })).toBe(1);
    expect(endOf(kept, { maxMemoryBytes: 150_000, maxSteps: 150_000 })).toBe('STEP_LIMIT');
  });

  it('gives the same count at the same place in every run', () => {
    const compiled = compile(
      'def main():\n    d = {}\n    for i in range(3000):\n        d[i % 50] = [str(i), i * 0.5, (i, "x")]\n    return len(d)\n',
    );
    if (!compiled.ok) throw new Error('it does not compile');
    const usages = [Infinity, 100].map((slice) => {
      const run = start(compiled.program, { entry: 'main', maxMemoryBytes: 60_000 });
      while (run.run(slice).kind === 'paused');
      return run.usage;
    });
    expect(usages[0]).toEqual(usages[1]);
  });
});
