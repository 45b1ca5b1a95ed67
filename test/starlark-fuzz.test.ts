// Random programs, a fixed number from a fixed seed; the long mode is scripts/fuzz-starlark.mjs.
import { describe, expect, it } from 'vitest';
import { readPrograms, seedPrograms, starFolders } from './fuzz/starlark/corpus.ts';
import { fuzzPrograms } from './fuzz/starlark/fuzz-programs.ts';
import { generateProgram } from './fuzz/starlark/generate-program.ts';
import { minimise } from './fuzz/starlark/minimise.ts';

const count = 2000;

describe('the interpreter', () => {
  it('keeps every promise on random programs, and leaves Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const corpus = [...seedPrograms, ...readPrograms(starFolders)];
    const { outcomes, failures } = fuzzPrograms({
      seed: 20260301,
      count,
      corpus,
      nowMs: () => performance.now(),
    });
    expect(
      failures.slice(0, 3).map(({ seed, why, smallest }) => `seed ${seed}: ${why}\n${smallest}`),
    ).toEqual([]);
    // Or the programs would say nothing: many run to their end, many fail while running, many do not compile.
    const statics = [...outcomes]
      .filter(([code]) => code.startsWith('STAR_'))
      .reduce((sum, [, times]) => sum + times, 0);
    const done = outcomes.get('done') ?? 0;
    expect([done > count / 20, statics > count / 10, count - done - statics > count / 10]).toEqual([
      true,
      true,
      true,
    ]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  }, 240_000);
});

describe('generateProgram', () => {
  it('gives the same program for the same numbers', () => {
    const counting = (): ((below: number) => number) => {
      let at = 0;
      return (below) => (at = (at * 31 + 7) % 1009) % below;
    };
    expect(generateProgram(counting())).toBe(generateProgram(counting()));
  });
});

describe('minimise', () => {
  it('keeps only what breaks', () => {
    expect(minimise('a = 1\nb = boom(2)\nc = 3\n', (text) => text.includes('boom'))).toBe('boom');
  });
});
