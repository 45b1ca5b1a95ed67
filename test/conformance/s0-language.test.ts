// Seed S0 §6: the program, its input, and what it cannot reach.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { fakeRunHost } from '../support/fake-run-host.ts';
import { loadedHost, metaskill, runOf } from '../support/metaskills.ts';

const run = (program: string): ReturnType<ReturnType<typeof fakeRunHost>['run']> =>
  fakeRunHost().run(program);

/** How programs end that use each of these names. */
async function using(names: readonly string[]): Promise<readonly string[]> {
  const ends: string[] = [];
  for (const name of names) {
    const { status, run: id, error, text } = await run(runOf(`return str(${name})`));
    ends.push(
      `${name}: ${status} ${id === null ? 'before it began' : 'later'} ${error?.code} ${/SKILL\.star:\d+:\d+/.exec(text)?.[0]}`,
    );
  }
  return ends;
}

const refused = (names: readonly string[]): readonly string[] =>
  names.map((name) => `${name}: failed before it began PROGRAM_INVALID SKILL.star:2:16`);

describe('S0 §6 runtime language', () => {
  it('§6.1 a program must define run(input)', async () => {
    for (const program of ['x = 1\n', 'def main(input):\n    return 1\n', '']) {
      const result = await run(program);
      expect([result.status, result.run]).toEqual(['failed', null]);
      expect(result.text).toContain('a metaskill must define a run(input) function');
    }
    expect((await run('def run(input):\n    return "done"\n')).envelope?.['answer']).toBe('done');
  });

  it('§6.2 run is called exactly once for each execution', async () => {
    const host = fakeRunHost({
      programs: { once: runOf('print("called")', 'command(["a"])', 'return "done"') },
    });
    for (const executions of [1, 2]) {
      const result = await host.runner.start({ skill: 'once', input: { go: true } });
      expect(host.commands.done).toHaveLength(executions);
      expect((await host.runner.inspect(result.run as string)).trace.map(({ data }) => data)).toEqual([
        { print: 'called' },
      ]);
    }
  });

  it('§6.3 input is the dictionary of the caller, whole and of the same types', async () => {
    const host = fakeRunHost();
    const input = {
      text: 'grün 🌍',
      int: 7,
      big: 2 ** 53 - 1,
      fraction: 1.5,
      yes: true,
      nothing: null,
      list: [1, [2]],
      map: { k: { l: [] } },
    };
    const result = await host.run(runOf('return {"i": input, "t": [type(input[k]) for k in input]}'), input);
    expect(result.envelope).toMatchObject({
      i: input,
      t: ['string', 'int', 'int', 'float', 'bool', 'NoneType', 'list', 'dict'],
    });
  });

  it.each<[string, Json]>([
    ['a list', [1]],
    ['text', 'task'],
    ['a number', 5],
    ['a boolean', true],
  ])('§6.4 the input is JSON-like, and a dictionary: not %s', async (_, input) => {
    const host = fakeRunHost({ programs: { one: runOf('return "done"') } });
    const result = await host.runner.start({ skill: 'one', input });
    expect([
      result.status,
      result.error?.code,
      result.text.startsWith("error: the input of skill 'one' must be an object of keys, not "),
    ]).toEqual(['refused', 'INPUT_INVALID', true]);
  });

  it('§6.5 the environment is hermetic: what a program sees is the language, json and the four host functions, and the same twice', async () => {
    const known =
      'None True False abs all any bool bytes dict dir enumerate fail float getattr hasattr hash int len list max min print range repr reversed set sorted str tuple type zip json ask command trace ask_all';
    const host = fakeRunHost();
    expect(
      (await host.run(runOf(`return {"n": len([${known.split(' ').join(', ')}])}`))).envelope?.['n'],
    ).toBe(known.split(' ').length);
    expect((await host.run(runOf('return {"j": dir(json)}'))).envelope?.['j']).toEqual([
      'decode',
      'encode',
      'encode_indent',
      'indent',
    ]);
    const program = runOf('return str([hash("a"), dir(""), {"b": 1, "a": 2}, set([3, 1, 2])])');
    expect((await host.run(program)).text).toBe((await host.run(program)).text);
  });

  it('§6.6 no file system', async () => {
    const names = ['open', 'file', 'read_file', 'write_file', 'glob', 'os', 'pathlib', 'fs', '__file__'];
    expect(await using(names)).toEqual(refused(names));
  });

  it('§6.7 no network', async () => {
    const names = ['fetch', 'http', 'urllib', 'requests', 'socket', 'XMLHttpRequest'];
    expect(await using(names)).toEqual(refused(names));
  });

  it('§6.8 no environment variables', async () => {
    const names = ['environ', 'env', 'getenv', 'process', 'sys'];
    expect(await using(names)).toEqual(refused(names));
  });

  it('§6.9 no processes', async () => {
    const names = ['exec', 'system', 'subprocess', 'spawn', 'popen', 'eval', 'compile'];
    expect(await using(names)).toEqual(refused(names));
  });

  it.each(['load("other.star", "x")', 'load("@std//os.star", "x")', 'load("/etc/passwd", "x")'])(
    '§6.10 no imports and no module loading: %s',
    async (load) => {
      const { start } = await loadedHost({
        ...metaskill('tides', `${load}\n${runOf('return x')}`),
        '/work/skills/tides/other.star': 'x = 1\n',
      });
      const result = await start('tides');
      expect([result.status, result.error?.code]).toEqual(['failed', 'LOAD_DENIED']);
      expect(result.text).toMatch(/^error: metaskill 'tides': /);
      expect((await run(`import os\n${runOf('return 1')}`)).text).toMatch(
        /^error: metaskill 'one': syntax error: SKILL\.star:1:1: /,
      );
    },
  );

  it('§6.11 no other object of the host: not its globals, and nothing to climb from', async () => {
    const names = [
      'agent',
      'globalThis',
      'Function',
      'constructor',
      '__builtins__',
      'require',
      'Deno',
      'Bun',
      'host',
      'self',
    ];
    expect(await using(names)).toEqual(refused(names));
    for (const [expression, code] of [
      ['ask.__class__', 'EVAL_ATTRIBUTE'],
      ['ask.constructor', 'EVAL_ATTRIBUTE'],
      ['"".__class__', 'EVAL_ATTRIBUTE'],
      ['input.__proto__', 'EVAL_ATTRIBUTE'],
      ['getattr(input, "constructor")', 'EVAL_ATTRIBUTE'],
    ] as const) {
      expect([expression, (await run(runOf(`return str(${expression})`))).error?.code]).toEqual([
        expression,
        code,
      ]);
    }
    expect((await run(runOf('return {"d": dir(ask), "h": hasattr(ask, "call")}'))).envelope).toMatchObject({
      d: [],
      h: false,
    });
  });

  it('§6.12 other languages may come: one that techne does not have is refused by name', async () => {
    const { start } = await loadedHost(metaskill('tides', 'return 1', 'metaskill_language: lua\n'));
    expect((await start('tides')).text).toContain(
      'metaskill_language is "lua", and only starlark is supported',
    );
  });

  it('§6.13 a portable program in starlark runs with nothing declared beyond it', async () => {
    const { start } = await loadedHost(
      metaskill('tides', runOf('return "done"'), 'metaskill: SKILL.star\nmetaskill_language: starlark\n'),
    );
    expect((await start('tides')).status).toBe('completed');
  });
});
