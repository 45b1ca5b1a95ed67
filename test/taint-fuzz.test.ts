// The check of templates against what they really let through; the long mode is scripts/fuzz-taint.mjs.
import { describe, expect, it } from 'vitest';
import { fuzzTaint } from './fuzz/taint/taint-fuzz.ts';

const count = 3000;

describe('the taint check', () => {
  it('tells of everything that random templates let through', () => {
    const { rendered, leaking, failures } = fuzzTaint({ seed: 20_260_401, count });
    expect(
      failures.slice(0, 3).map(({ seed, why, template }) => `seed ${seed}: ${why}\n${template}`),
    ).toEqual([]);
    // Or the templates would say nothing.
    expect([rendered > count / 3, leaking > count / 10]).toEqual([true, true]);
  }, 240_000);
});
