import { describe, expect, it } from 'vitest';
import { meanInterval, meanOf, rateInterval } from './confidence.ts';

const rounded = (
  interval: { readonly low: number; readonly high: number } | null,
): readonly number[] | null =>
  interval === null ? null : [Number(interval.low.toFixed(3)), Number(interval.high.toFixed(3))];

describe('rateInterval', () => {
  it('is that of Wilson, and stays within 0 and 1', () => {
    expect(rounded(rateInterval(8, 10))).toEqual([0.49, 0.943]);
    expect(rounded(rateInterval(0, 3))).toEqual([0, 0.562]);
    expect(rounded(rateInterval(3, 3))).toEqual([0.438, 1]);
    expect(rateInterval(0, 0)).toBeNull();
  });
});

describe('meanInterval', () => {
  it('is that of Student', () => {
    expect(rounded(meanInterval([1, 2, 3]))).toEqual([-0.484, 4.484]);
    expect(rounded(meanInterval([2, 2, 2]))).toEqual([2, 2]);
    // Beyond the table: 41 values, t = 2.021.
    const many = Array.from({ length: 41 }, (_, at) => at % 2);
    expect(meanInterval(many)?.low).toBeCloseTo(20 / 41 - 2.021 * Math.sqrt((20 * 21) / 41 / 40 / 41), 3);
  });

  it('says nothing after one measurement', () => {
    expect(meanInterval([5])).toBeNull();
    expect(meanInterval([])).toBeNull();
    expect(meanOf([])).toBeNull();
  });
});
