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
  const program = programOf('def main(n):\n    return sum([fetch(i, twice = True) for i in range(n)])\ndef sum(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n');

  it('answers host calls, also those that take time', async () => {
    const host = { fetch: async ([n]: readonly unknown[], { twice }: { [name: string]: unknown }) => Promise.resolve((n as number) * (twice === true ? 2 : 1)) };
    const end = await execute(program, { entry: 'main', args: [10], host });
    expect(end).toEqual({ ok: true, value: 90, usage: { steps: expect.any(Number), memoryBytes: expect.any(Number), outputUnits: 0 } });
  });

  it('ends with EVAL_HOST when a host function throws, rejects or is missing', async () => {
    const failure = async (host: Parameters<typeof execute>[1]) => {
      const end = await execute(program, { entry: 'main', args: [1], ...host });
      return end.ok ? end.value : [end.failure.diagnostic.code, end.failure.diagnostic.message, end.failure.backtrace.length];
    };
    const boom = () => {
      throw new Error('boom');
    };
    expect(await failure({ host: { fetch: boom } })).toEqual(['EVAL_HOST', 'boom', 1]);
    expect(await failure({ host: { fetch: () => Promise.reject(new Error('later')) } })).toEqual(['EVAL_HOST', 'later', 1]);
    expect(await failure({})).toEqual(['EVAL_HOST', 'fetch is not available: the host has no such function', 1]);
    expect(await failure({ host: Object.create({ fetch: () => 1 }) as never })).toEqual(['EVAL_HOST', 'fetch is not available: the host has no such function', 1]);
    expect(await failure({ host: { fetch: () => undefined as never } })).toMatchObject(['EVAL_VALUE', expect.any(String), 1]);
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
    await expect(execute(spin, { entry: 'main', sliceSteps: 1000, yieldToHost, signal })).rejects.toThrow('enough');
    expect(yields).toBe(3);
  });
});
