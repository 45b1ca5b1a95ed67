// The limits that a caller asks for -> the limits of a run, clamped to the host's maximum.
import { nearest } from '../../base/nearest.ts';
import type { RunLimits } from './limits.ts';
import { limitNames } from './limits.ts';

type ResolvedLimits =
  | { readonly ok: true; readonly limits: RunLimits; readonly clamped: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The least that a run can do anything with. */
const least: Partial<Record<keyof RunLimits, number>> = {
  commands: 0,
  traceEntries: 0,
  depth: 0,
  runs: 0,
  tokens: 0,
  costMicros: 0,
  resultUnits: 1_000,
  traceEntryUnits: 100,
  memoryBytes: 64 * 1024,
  steps: 1_000,
};

export function resolveLimits(
  asked: Partial<RunLimits>,
  defaults: RunLimits,
  maximum: RunLimits,
): ResolvedLimits {
  const limits: { -readonly [name in keyof RunLimits]: number } = { ...defaults };
  const clamped: string[] = [];
  for (const [name, value] of Object.entries(asked)) {
    if (!limitNames.includes(name as keyof RunLimits)) {
      const close = nearest(name, limitNames);
      return {
        ok: false,
        message: `there is no limit "${name}"${close === null ? '' : `; did you mean "${close}"?`}`,
      };
    }
    const key = name as keyof RunLimits;
    const floor = least[key] ?? 1;
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < floor)
      return {
        ok: false,
        message: `the limit ${name} must be an integer of at least ${floor}, not ${JSON.stringify(value)}`,
      };
    limits[key] = Math.min(value, maximum[key]);
    if (value > maximum[key]) clamped.push(name);
  }
  for (const key of limitNames) limits[key] = Math.min(limits[key], maximum[key]);
  return { ok: true, limits, clamped };
}
