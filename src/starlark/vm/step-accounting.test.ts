import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import { start } from './start.ts';

function usage(source: string, maxSteps = 100_000_000) {
  const compiled = compile(source, { path: 't.star' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map(({ message }) => message).join('\n'));
  const run = start(compiled.program, { maxSteps });
  const state = run.run();
  return { code: state.kind === 'failed' ? state.failure.diagnostic.code : null, steps: run.usage.steps };
}

/** The steps of one more run of `statement`, after `setup`, in a function. */
function stepsOf(setup: string, statement: string): number {
  const [few, many] = [10, 20].map((rounds) =>
    usage(`${setup}\ndef f():\n    for i in range(${rounds}):\n        ${statement}\nf()\n`),
  );
  expect([few?.code, many?.code]).toEqual([null, null]);
  return ((many?.steps as number) - (few?.steps as number)) / 10;
}

function listed(count: number, item: (index: number) => string, between = ', '): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(between);
}

describe('steps', () => {
  it('are charged for each default that a call fills in', () => {
    const call = (count: number, given = '') =>
      stepsOf(`def g(${listed(count, (index) => `a${index}=0`)}):\n    return 0`, `g(${given})`);
    expect(call(2000)).toBeGreaterThan(call(1000) + 500);
    expect(call(2000, 'a7=1')).toBeGreaterThan(call(1000, 'a7=1') + 500);
    expect(call(2000, '**{"a7": 1}')).toBeGreaterThan(call(1000, '**{"a7": 1}') + 500);
  });

  it('are charged for many registers, though the code that needs them never runs', () => {
    const variables = (count: number) =>
      `def g():\n    for _ in []:\n${listed(count, (index) => `        a${index} = 0`, '\n')}`;
    expect(stepsOf(variables(2000), 'g()')).toBe(stepsOf(variables(1000), 'g()') + 125);
    const temporaries = (count: number) =>
      `def g():\n    for _ in []:\n        g(${listed(count, () => 'g()')})`;
    expect(stepsOf(temporaries(2000), 'g()')).toBe(stepsOf(temporaries(1000), 'g()') + 125);
    const cells = (count: number) =>
      `${variables(count)}\n        lambda: ${listed(count, (index) => `a${index}`, ' + ')}`;
    expect(stepsOf(cells(150), 'g()')).toBeGreaterThan(stepsOf(cells(100), 'g()') + 50);
    expect(stepsOf(variables(60), 'g()')).toBe(stepsOf(variables(1), 'g()'));
  });

  it('are charged for the defaults and captured variables of a closure that is made', () => {
    const defaults = (count: number) =>
      stepsOf('', `g = lambda ${listed(count, (index) => `a${index}=0`)}: 0`);
    expect(defaults(2000)).toBe(defaults(1000) + 1125);
    const captured = (count: number) => {
      const names = listed(count, (index) => `a${index}`);
      return stepsOf(
        `def g(${names}):\n    for i in range(100):\n        h = lambda: [${names}]`,
        `g(${listed(count, () => '0')})`,
      );
    };
    expect(captured(20)).toBeGreaterThan(captured(10) + 1000);
  });

  it('of a call with many names are the same whichever function was called before, and stop it soon', () => {
    const parameters = listed(4000, (index) => `a${index}`);
    const functions = `def g(${parameters}):\n    return 0\ndef h(${parameters}):\n    return 0`;
    const given = listed(4000, (index) => `a${3999 - index}=0`);
    expect(stepsOf(functions, `(g if i % 2 else h)(${given})`)).toBe(
      stepsOf(functions, `(g if i % 2 else g)(${given})`),
    );
    expect(
      usage(
        `${functions}\ndef f():\n    for i in range(1000000):\n        (g if i % 2 else h)(${given})\nf()\n`,
        2_000_000,
      ).code,
    ).toBe('STEP_LIMIT');
    // When each call searched the parameters for each name, this took 27 seconds; it takes one.
  }, 15_000);

  it.each(['d = {i: 0 for i in range(2000)}', 'd = set(range(2000))'])(
    'are charged for the holes that a loop skips: %s',
    (made) => {
      const remove = (from: number, to: number) =>
        `${made}\n[d.${made.includes('set') ? 'remove' : 'pop'}(i) for i in range(${from}, ${to})]`;
      const first = 'for k in d:\n            break';
      // Those at the front are passed over once.
      expect(stepsOf(remove(0, 900), first)).toBe(stepsOf(remove(0, 1), first));
      const second =
        'n = 0\n        for k in d:\n            n += 1\n            if n == 2:\n                break';
      expect(stepsOf(remove(1, 900), second)).toBe(stepsOf(remove(1, 2), second) + 898);
    },
  );

  it('are charged for the depth at which json.encode meets a list', () => {
    const encode = (depth: number) =>
      stepsOf(
        `def nest():\n    x = [[]] * 100\n    for _ in range(${depth}):\n        x = [x]\n    return x\nx = nest()`,
        'json.encode(x)',
      );
    expect(encode(400)).toBeGreaterThan(encode(80) + 100 * 40);
  });

  it('are the same for each run in a process, whatever was hashed in the one before', () => {
    const source = 'd = {tuple(): 1, (tuple(),): 2}\n';
    expect(usage(source)).toEqual(usage(source));
  });

  it('are charged for what a text or bytes need to be written as a literal', () => {
    expect(stepsOf('s = "\\n" * 10000', 'repr(s)')).toBeGreaterThan(30_000);
    expect(stepsOf('s = ["\\x00" * 10000]', 'str(s)')).toBeGreaterThan(30_000);
    expect(stepsOf('b = b"\\xff" * 10000', 'repr(b)')).toBeGreaterThan(30_000);
    expect(stepsOf('s = "n" * 10000', 'repr(s)')).toBeLessThan(1000);
  });

  it('are charged for making a key of bytes, tuples and floats', () => {
    const key = (value: string) => stepsOf(`d = {}\nk = ${value}`, 'k in d');
    expect(key('b"x" * 10000')).toBeGreaterThan(10_000);
    expect(key('b"x"')).toBeGreaterThan(key('"x"') + 8);
    expect(key('0.5')).toBeGreaterThan(key('1'));
    const fresh = (items: string) => stepsOf('d = {}', `(i, ${items}) in d`);
    expect(fresh('0.1, 0.2')).toBeGreaterThan(fresh('"a", "b"') + 15);
  });

  it('are charged for names that go to many parameters, and for sorted names', () => {
    const names = listed(1000, (index) => `p${index}=0`);
    const setup = `def g(${names}):\n    return 0\nd = {"p%d" % i: i for i in range(1000)}`;
    expect(stepsOf(setup, 'g(**d)')).toBeGreaterThan(8000);
    expect(stepsOf('', 'dir("")')).toBeGreaterThan(120);
  });

  it('are charged for a key that is looked for in a table beyond the cache of the processor', () => {
    const look = (size: number) => stepsOf(`d = {i: i for i in range(${size})}`, 'd[7]');
    expect(look(5000)).toBe(look(100) + 6);
    const ring = (size: number) =>
      usage(
        `def f():\n    s = set(range(${size}))\n    for i in range(4 * ${size}):\n        s.add(s.pop())\nf()\n`,
      ).steps;
    // Closing the gaps is work for each element that is left.
    expect(ring(4000)).toBeGreaterThan(4 * 4000 * 32);
  });

  it('are charged for bytes that are compared', () => {
    expect(stepsOf('a = b"x" * 4000\nb = b"x" * 4000 + b"y"', 'a < b')).toBeGreaterThan(1000);
    expect(stepsOf('a = b"x"\nb = b"y"', 'a < b')).toBeGreaterThan(stepsOf('a = 1\nb = 2', 'a < b') + 1);
  });
});
