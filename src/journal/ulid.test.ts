import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUlids, isUlid, ulidTimeMs } from './ulid.ts';

describe('createUlids', () => {
  it('writes the time in ten digits and chance in sixteen', () => {
    expect(createUlids({ nowMs: () => 1469918176385, randomBytes: (count) => new Uint8Array(count) })()).toBe(
      '01ARYZ6S410000000000000000',
    );
    expect(createUlids({ nowMs: () => 0, randomBytes: (count) => new Uint8Array(count).fill(255) })()).toBe(
      '0000000000ZZZZZZZZZZZZZZZZ',
    );
  });

  it('gives different ones in order, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2 ** 48 - 2), { minLength: 1, maxLength: 50 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (times, bytes) => {
          let at = 0;
          const next = createUlids({ nowMs: () => times[at++] as number, randomBytes: () => bytes });
          const made = times.map(() => next());
          expect([...new Set(made)].sort()).toEqual(made);
          expect(made.every(isUlid)).toBe(true);
          expect(ulidTimeMs(made[0] as string)).toBe(times[0]);
        },
      ),
    );
  });

  it('goes to the next millisecond when one is used up', () => {
    const next = createUlids({ nowMs: () => 5, randomBytes: (count) => new Uint8Array(count).fill(255) });
    expect([next(), next(), next()]).toEqual([
      '0000000005ZZZZZZZZZZZZZZZZ',
      '0000000006ZZZZZZZZZZZZZZZZ',
      '0000000007ZZZZZZZZZZZZZZZZ',
    ]);
  });
});

describe('isUlid', () => {
  it('knows other text', () => {
    for (const text of [
      '',
      '01ARYZ6S41000000000000000',
      '01ARYZ6S4100000000000000000',
      '81ARYZ6S410000000000000000',
      '01arYZ6S410000000000000000',
      '01ARYZ6S41000000000000000U',
    ]) {
      expect([isUlid(text), ulidTimeMs(text)]).toEqual([false, null]);
    }
  });
});
