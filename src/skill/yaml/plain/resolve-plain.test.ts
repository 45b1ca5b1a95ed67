import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resolvePlain } from './scalars.ts';

describe('resolvePlain', () => {
  it('knows the words and numbers of the core schema, and nothing of YAML 1.1', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['', null],
      ['~', null],
      ['null', null],
      ['Null', null],
      ['NULL', null],
      ['nULL', 'nULL'],
      ['true', true],
      ['True', true],
      ['TRUE', true],
      ['tRue', 'tRue'],
      ['false', false],
      ['FALSE', false],
      ['yes', 'yes'],
      ['on', 'on'],
      ['0', 0],
      ['-12', -12],
      ['+7', 7],
      ['007', 7],
      ['0o17', 15],
      ['0x1F', 31],
      ['-0x1F', '-0x1F'],
      ['1.0', 1],
      ['.5', 0.5],
      ['-.5', -0.5],
      ['1.', 1],
      ['1e3', 1000],
      ['1.5E-2', 0.015],
      ['.', '.'],
      ['-', '-'],
      ['1_000', '1_000'],
      ['1.2.3', '1.2.3'],
      ['2024-01-01', '2024-01-01'],
      ['1e', '1e'],
      ['12:30', '12:30'],
    ];
    for (const [raw, value] of cases) expect([raw, resolvePlain(raw)]).toEqual([raw, value]);
  });

  it('leaves a number that JSON cannot carry exactly as text', () => {
    for (const raw of [
      '.nan',
      '.NaN',
      '.inf',
      '-.Inf',
      '1e999',
      '9007199254740992',
      '-9007199254740993',
      '0x20000000000000',
    ]) {
      expect(resolvePlain(raw)).toBe(raw);
    }
    expect(resolvePlain('9007199254740991')).toBe(9007199254740991);
    expect(Object.is(resolvePlain('-0'), 0)).toBe(true);
  });

  it('agrees with the yaml package on every other plain scalar', () => {
    const parts = fc.constantFrom(
      '0',
      '1',
      '9',
      'x',
      'o',
      'e',
      'E',
      '.',
      '-',
      '+',
      'a',
      'F',
      'nan',
      'inf',
      'null',
      'true',
      'False',
      '~',
      '_',
      'N',
    );
    const scalar = fc.array(parts, { minLength: 1, maxLength: 7 }).map((list) => list.join(''));
    fc.assert(
      fc.property(scalar, (raw) => {
        fc.pre(!/^[-?]$/.test(raw));
        const expected: unknown = parse(`k: ${raw}\n`, { schema: 'core' }).k;
        const carried =
          typeof expected !== 'number' ||
          (Number.isFinite(expected) &&
            (!Number.isInteger(expected) ||
              /[.eE]/.test(raw.replace(/^0x.*/, '')) ||
              Number.isSafeInteger(expected)));
        expect(resolvePlain(raw)).toEqual(carried ? (expected === 0 ? 0 : expected) : raw);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
