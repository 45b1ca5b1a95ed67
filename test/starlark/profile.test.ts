// The page of the language profile: each line of it has a test, here or in `suite/profile.star`, and its programs run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Data, RunOptions, RunState } from '../../src/starlark/options.ts';
import { compile, start } from '../../src/starlark.ts';
import { universe } from '../../src/starlark/lib/universe.ts';
import { suiteFolder } from './run-chunk.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/starlark.md'), 'utf8');

function runSource(source: string, options: RunOptions = {}, predeclared: readonly string[] = []) {
  const compiled = compile(source, { path: 'profile.star', predeclared });
  if (!compiled.ok)
    throw new Error(compiled.diagnostics.map((fault) => `${fault.code}: ${fault.message}`).join('\n'));
  return start(compiled.program, options);
}

/** What `source` does with `data`, which it knows as `x`; its result is the global `y`. */
function give(data: unknown, source = 'y = x'): RunState | Data {
  const run = runSource(`def main(x):\n    ${source}\n    return y\n`, {
    entry: 'main',
    args: [data as Data],
  });
  const state = run.run();
  return state.kind === 'done' ? state.value : state;
}

function refusalOf(data: unknown, source?: string): string {
  const state = give(data, source) as RunState;
  return state?.kind === 'failed'
    ? `${state.failure.diagnostic.code}: ${state.failure.diagnostic.message}`
    : 'accepted';
}

const lines: { readonly [line: string]: () => void } = {
  P1: () => {
    const codes = (source: string): readonly string[] =>
      compile(source).diagnostics.map((fault) => fault.code);
    expect([codes('x = 1 # \0'), codes('x = "\ud83c"'), codes('x = "🌍"')]).toEqual([
      ['STAR_CHARACTER'],
      ['STAR_CHARACTER'],
      [],
    ]);
  },
  P5: () => {
    const compiled = compile(`x = 0x1${'0'.repeat(65_536 / 4)}`);
    expect(compiled.diagnostics.map((fault) => [fault.code, fault.message])).toEqual([
      ['STAR_NUMBER', 'the int literal has more than 65536 bits'],
    ]);
    expect(compile(`x = 0x${'f'.repeat(65_536 / 4)}`).ok).toBe(true);
  },
  P41: () => {
    expect([...universe.keys()]).toEqual([
      'None',
      'True',
      'False',
      'abs',
      'all',
      'any',
      'bool',
      'bytes',
      'dict',
      'dir',
      'enumerate',
      'fail',
      'float',
      'getattr',
      'hasattr',
      'hash',
      'int',
      'len',
      'list',
      'max',
      'min',
      'print',
      'range',
      'repr',
      'reversed',
      'set',
      'sorted',
      'str',
      'tuple',
      'type',
      'zip',
      'json',
    ]);
  },
  P42: () => {
    const printed: string[] = [];
    runSource('print("a", [1, "b"], x = 3)\nprint(1, 2, sep = "-")\nprint()', {
      print: (line) => void printed.push(line),
    }).run();
    expect(printed).toEqual(['a [1, "b"] x=3', '1-2', '']);
  },
  P60: () => {
    const steps = (count: number): number => {
      const run = runSource(`x = list(range(${count}))\ny = ${count - 1} in x`);
      run.run();
      return run.usage.steps;
    };
    expect(steps(1000)).toBe(steps(1000));
    // Making the list is a step for each element, looking through it a quarter of one.
    expect(steps(2000) - steps(1000)).toBe(1250);
  },
  P70: () => {
    const given = { list: [1] };
    expect(give(given, 'x["list"].append(2); y = x')).toEqual({ list: [1, 2] });
    expect(given).toEqual({ list: [1] });
    expect(refusalOf({}, 'y = x.constructor')).toContain('EVAL_ATTRIBUTE');
  },
  P71: () => {
    const data = [
      null,
      true,
      'a',
      1,
      -0,
      0.5,
      2 ** 53,
      10n,
      2n ** 70n,
      new Uint8Array([1]),
      { k: [] },
      Object.create(null),
    ];
    expect(give(data, 'y = [type(v) for v in x]')).toEqual([
      'NoneType',
      'bool',
      'string',
      'int',
      'int',
      'float',
      'float',
      'int',
      'int',
      'bytes',
      'dict',
      'dict',
    ]);
    expect(give(-0, 'y = str(x)')).toBe('0');
  },
  P72: () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const accessor = Object.defineProperty({}, 'k', { enumerable: true, get: () => 1 });
    const refused = [
      undefined,
      () => 1,
      Symbol('s'),
      Number.NaN,
      Infinity,
      new Date(0),
      new Map(),
      new Error('of a class'),
      accessor,
      // oxlint-disable-next-line no-sparse-arrays
      [, 1],
      cycle,
      [{ k: undefined }],
    ];
    expect(refused.map((data) => refusalOf(data).slice(0, 10))).toEqual(refused.map(() => 'EVAL_VALUE'));
    expect(refusalOf([{ k: undefined }])).toBe(
      'EVAL_VALUE: argument 1: at index 0: in key "k": undefined cannot be given to a program',
    );
  },
  P73: () => {
    expect(give(null, 'y = [1 << 53, 1, 1.0, 0.5, (1, 2), set([1]), range(2), b"\\x01"]')).toEqual([
      2n ** 53n,
      1,
      1,
      0.5,
      [1, 2],
      [1],
      [0, 1],
      new Uint8Array([1]),
    ]);
  },
  P74: () => {
    const record = give(null, 'y = {"__proto__": 1}') as { readonly [key: string]: Data };
    expect([Object.getPrototypeOf(record), Object.keys(record)]).toEqual([null, ['__proto__']]);
    expect(refusalOf(null, 'y = {1: 2}')).toContain('EVAL_VALUE');
  },
  P75: () => {
    const refused = [
      'y = len',
      'y = float("nan")',
      'y = float("inf")',
      'y = []; y.append(y)',
      'y = "a".elems()',
      'y = json',
    ];
    expect(refused.map((source) => refusalOf(null, source).slice(0, 10))).toEqual(
      refused.map(() => 'EVAL_VALUE'),
    );
  },
  P76: () => {
    expect(give('a\ud83c', 'y = [x, len(x), "🌍"[1:]]')).toEqual(['a\ufffd', 2, '\ufffd']);
  },
  P77: () => {
    const frozen = runSource('x.append(1)', { values: { x: [] } }, ['x']).run();
    expect(frozen.kind === 'failed' && frozen.failure.diagnostic.code).toBe('EVAL_FROZEN');
    expect(give([1], 'x.append(2); y = x')).toEqual([1, 2]);
  },
};

describe('the language profile', () => {
  const onPage = [...page.matchAll(/^\| (P\d+) \|/gm)].map(([, line]) => line as string);

  it('has a test for each line, and a line for each test', () => {
    const inSuite = [...readFileSync(join(suiteFolder, 'profile.star'), 'utf8').matchAll(/^# (P\d+)$/gm)].map(
      ([, line]) => line as string,
    );
    const tested = new Set([...inSuite, ...Object.keys(lines)]);
    expect(onPage.filter((line) => !tested.has(line))).toEqual([]);
    expect([...tested].filter((line) => !onPage.includes(line))).toEqual([]);
    expect(new Set(onPage).size).toBe(onPage.length);
  });

  it.each(Object.entries(lines))('%s holds', (_, check) => {
    expect.hasAssertions();
    check();
  });
});

describe('the language page', () => {
  it('prints what its programs say', () => {
    for (const [, source] of page.matchAll(/```python\n([\s\S]*?)```/g)) {
      const printed: string[] = [];
      const state = runSource(source as string, { print: (line) => void printed.push(line) }).run();
      expect(state).toEqual({ kind: 'done', value: null });
      expect(printed).toEqual(
        [...(source as string).matchAll(/^print\(.*\)\s+# (.*)$/gm)].map(([, text]) => text),
      );
    }
  });

  it('names the defaults of the limits', () => {
    const row = (option: string): string | undefined =>
      new RegExp(`^\\| \`${option}\` \\| ([\\d,]+) \\|`, 'm').exec(page)?.[1]?.replaceAll(',', '');
    const message = (source: string): string => {
      const state = runSource(source).run();
      return state.kind === 'failed' ? state.failure.diagnostic.message : state.kind;
    };
    expect(message('def f():\n    for i in range(1 << 50):\n        pass\nf()')).toContain(row('maxSteps'));
    expect(message('x = "a" * (1 << 28)')).toContain(row('maxMemoryBytes'));
    expect(message('x = 1 << 100000')).toContain(row('maxIntBits'));
    expect(message('def f():\n    for i in range(1 << 20):\n        print("x" * 100)\nf()')).toContain(
      row('maxOutputUnits'),
    );
    const chain = Array.from({ length: 1100 }, (_, i) => `def f${i}(): return f${i + 1}()`).join('\n');
    expect(message(`${chain}\ndef f1100(): return 1\nf0()`)).toContain(row('maxCallDepth'));
    const nested = compile(`x = ${'('.repeat(300)}1${')'.repeat(300)}`)
      .diagnostics.map((fault) => fault.message)
      .join();
    expect(nested).toContain(row('maxDepth'));
    expect(
      compile(`# ${'x'.repeat(1_000_000)}`)
        .diagnostics.map((fault) => fault.message)
        .join(),
    ).toContain(row('maxSourceUnits'));
  });
});
