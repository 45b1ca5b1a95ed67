// A few measurements -> their 95 % confidence interval.
//
// A rate has Wilson's interval, which stays within 0 and 1 and is useful even if all or none succeeded. A mean has
// Student's interval; a single measurement has none.

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const normal = 1.96;
/** Student's t, two-sided 95 %, by degrees of freedom from 1. */
const student = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** `null` of no measurements. `successes` may be a fraction, where measurements are rates themselves. */
export function rateInterval(successes: number, measured: number): Interval | null {
  if (measured === 0) return null;
  const rate = successes / measured;
  const square = normal * normal;
  const centre = (rate + square / (2 * measured)) / (1 + square / measured);
  const half =
    (normal * Math.sqrt((rate * (1 - rate)) / measured + square / (4 * measured * measured))) /
    (1 + square / measured);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export function meanInterval(values: readonly number[]): Interval | null {
  const mean = meanOf(values);
  if (mean === null || values.length < 2) return null;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const freedom = values.length - 1;
  // Beyond the table within a thousandth.
  const t = student[freedom - 1] ?? normal + 2.4 / freedom;
  const half = t * Math.sqrt(variance / values.length);
  return { low: mean - half, high: mean + half };
}

export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
