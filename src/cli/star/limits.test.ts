import { describe, expect, it } from 'vitest';
import { parseArguments } from '../parse-arguments.ts';
import { starLimitsOf } from './limits.ts';

const limits = (...argv: readonly string[]) => starLimitsOf(parseArguments(['star', ...argv]));

describe('limitsOf', () => {
  it('leaves what is not given to the interpreter', () => {
    expect(limits()).toEqual({});
  });

  it('takes steps and sizes', () => {
    expect(limits('--steps', '5000', '--memory', '4096')).toEqual({ maxSteps: 5000, maxMemoryBytes: 4096 });
    expect(['500', '100k', '1m', '2G'].map((steps) => limits('--steps', steps).maxSteps)).toEqual([
      500, 100_000, 1_000_000, 2_000_000_000,
    ]);
    expect(limits('--output', '2k')).toEqual({ maxOutputUnits: 2048 });
    expect(
      ['64k', '64K', '1m', '2MB', '2MiB', '1g'].map((size) => limits('--memory', size).maxMemoryBytes),
    ).toEqual([65_536, 65_536, 1_048_576, 2_097_152, 2_097_152, 1_073_741_824]);
  });

  it.each([
    ['--memory', 'lots'],
    ['--memory', '10'],
    ['--memory', '4g'],
    ['--memory', '-5m'],
    ['--steps', '0'],
    ['--steps', '1e6'],
    ['--steps', '1kb'],
    ['--output', 'all'],
  ])('refuses %s %s', (option, value) => {
    expect(() => limits(`${option}=${value}`)).toThrow(option);
  });
});
