import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import { execute } from './execute.ts';

function programOf(source: string): Program {
  const result = compile(source, { path: 't.star', predeclared: ['fetch', 'other'] });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.program;
}

describe('execute', () => {
  const program = programOf(
    'def main(n):\n    return sum([fetch(i, twice = True) for i in range(n)])\ndef sum(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n',
  );

  it('answers host calls, also those that take time', async () => {
    const host = {
      fetch: async ([n]: readonly unknown[], { twice }: { [name: string]: unknown }) =>
        Promise.resolve((n as number) * (twice === true ? 2 : 1)),
    };
    const end = await execute(program, { entry: 'main', args: [10], host });
    expect(end).toEqual({
      ok: true,
      value: 90,
      usage: { steps: expect.any(Number), memoryBytes: expect.any(Number), outputUnits: 0 },
    });
  });

  it('ends with EVAL_HOST when a host function throws, rejects or is missing', async () => {
    const failure = async (host: Parameters<typeof execute>[1]) => {
      const end = await execute(program, { entry: 'main', args: [1], ...host });
      return end.ok
        ? end.value
        : [end.failure.diagnostic.code, end.failure.diagnostic.message, end.failure.backtrace.length];
    };
    const boom = () => {
      throw new Error('boom');
    };
    expect(await failure({ host: { fetch: boom } })).toEqual(['EVAL_HOST', 'fetch: boom', 1]);
    expect(await failure({ host: { fetch: () => Promise.reject(new Error('later')) } })).toEqual([
      'EVAL_HOST',
      'fetch: later',
      1,
    ]);
    expect(await failure({})).toEqual(['EVAL_HOST', 'fetch: the host has no such function', 1]);
    expect(await failure({ host: { fetch: () => Promise.reject(undefined as never) } })).toEqual([
      'EVAL_HOST',
      'fetch: it failed without saying why',
      1,
    ]);
    expect(await failure({ host: { fetch: () => Promise.reject('no network' as never) } })).toEqual([
      'EVAL_HOST',
      'fetch: no network',
      1,
    ]);
    expect(await failure({ host: { fetch: () => Promise.reject(Object.create(null) as never) } })).toEqual([
      'EVAL_HOST',
      'fetch: it failed without saying why',
      1,
    ]);
    expect(await failure({ host: { fetch: () => Promise.reject(new SyntaxError('')) } })).toEqual([
      'EVAL_HOST',
      'fetch: SyntaxError',
      1,
    ]);
  });

  it('finds no host function that the object does not have itself', async () => {
    const constructor = compile('constructor()\n', { predeclared: ['constructor'] });
    const end = await execute(constructor.ok ? constructor.program : program, { host: {} });
    expect(end).toMatchObject({
      ok: false,
      failure: { diagnostic: { message: 'constructor: the host has no such function' } },
    });
  });

  it('says what to return for None', async () => {
    const end = await execute(program, {
      entry: 'main',
      args: [1],
      host: { fetch: () => undefined as never },
    });
    expect(end).toMatchObject({
      ok: false,
      failure: {
        diagnostic: {
          code: 'EVAL_VALUE',
          message: 'fetch: the host gave undefined',
          hint: 'return null for None',
        },
      },
    });
  });

  it('keeps what the host threw, but not in JSON', async () => {
    const thrown = new Error('boom');
    const end = await execute(program, {
      entry: 'main',
      args: [1],
      host: { fetch: () => Promise.reject(thrown) },
    });
    expect(!end.ok && end.failure.cause).toBe(thrown);
    expect(Object.keys(end.ok ? {} : end.failure)).toEqual(['diagnostic', 'backtrace']);
  });

  it('rejects with what print throws', async () => {
    const thrown = new RangeError('the pipe is closed');
    const print = () => {
      throw thrown;
    };
    await expect(execute(programOf('print(1)\n'), { print })).rejects.toBe(thrown);
  });

  it('gives the process a chance between slices, and can be aborted', async () => {
    const spin = programOf('def main():\n    for i in range(1 << 40):\n        pass\n');
    const signal = { aborted: false, reason: new Error('enough') };
    let yields = 0;
    const yieldToHost = () => {
      yields += 1;
      signal.aborted = yields === 3;
      return Promise.resolve();
    };
    await expect(execute(spin, { entry: 'main', sliceSteps: 1000, yieldToHost, signal })).rejects.toThrow(
      'enough',
    );
    expect(yields).toBe(3);
  });

  it('lets timers run between slices without being told how', async () => {
    const spin = programOf('def main():\n    for i in range(1 << 40):\n        pass\n');
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('time is up')), 5);
    await expect(
      execute(spin, {
        entry: 'main',
        sliceSteps: 1000,
        maxSteps: Number.MAX_SAFE_INTEGER,
        signal: controller.signal,
      }),
    ).rejects.toThrow('time is up');
  });

  it('does not wait for the host once it is aborted, whatever the host does later', async () => {
    const controller = new AbortController();
    let late: (error: Error) => void = () => {};
    const host = {
      fetch: () =>
        new Promise<never>((_, reject) => {
          late = reject;
          setImmediate(() => controller.abort(new Error('enough')));
        }),
    };
    await expect(
      execute(program, { entry: 'main', args: [1], host, signal: controller.signal }),
    ).rejects.toThrow('enough');
    late(new Error('nobody hears this'));
    await expect(
      execute(program, { entry: 'main', args: [1], host, signal: controller.signal }),
    ).rejects.toThrow('enough');
  });

  it('loads modules ahead when the loader takes its time', async () => {
    const files: { readonly [name: string]: string } = {
      a: 'load("b", "y")\nx = y + 1\n',
      b: 'y = 1\n',
      c: 'load("a", "x")\nz = x\n',
    };
    const asked: string[] = [];
    const load = async (name: string, from: string) => {
      asked.push(`${name} from ${from}`);
      const compiled = await Promise.resolve(compile(files[name] ?? 'load("gone", "x")\n', { path: name }));
      if (name === 'gone') throw new Error('no such file');
      return compiled.ok ? compiled.program : compiled.diagnostics;
    };
    const main = (source: string) =>
      execute(programOf(`${source}def main():\n    return [x, z]\n`), { entry: 'main', load });
    expect(await main('load("a", "x")\nload("c", "z")\n')).toMatchObject({ ok: true, value: [2, 2] });
    expect(asked).toEqual(['a from t.star', 'b from a', 'c from t.star', 'a from c']);
    expect(await main('load("d", "x")\nz = 1\n')).toMatchObject({
      ok: false,
      failure: { diagnostic: { path: 'd', message: 'cannot load "gone": no such file' } },
    });
    await expect(
      execute(programOf('load("a", "x")\n'), { load: () => Promise.resolve(undefined as never) }),
    ).rejects.toThrow(
      new TypeError(
        'load("a") gave undefined: give a program, an array of diagnostics, or null if there is no such module',
      ),
    );
  });

  it('ends loading ahead when modules never end', async () => {
    let count = 0;
    const load = (name: string) => {
      count += 1;
      const compiled = compile(`load("${name}x", "y")\n`, { path: name });
      return Promise.resolve(compiled.ok ? compiled.program : null);
    };
    const end = await execute(programOf('load("x", "y")\n'), { load, maxCallDepth: 20 });
    expect(end).toMatchObject({ ok: false, failure: { diagnostic: { code: 'DEPTH_LIMIT' } } });
    expect(count).toBe(21);
  });
});
