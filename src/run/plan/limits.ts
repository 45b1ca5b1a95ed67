// The limits of a run of a plan.
//
// A plan is bounded by its steps, by tokens, cost and the wall clock. Asks and commands have no limit, unless the
// caller sets one.
import type { RunLimits } from '../budget/limits.ts';

/** Room for every step, item and attempt there can be. */
const planAllowance: Pick<RunLimits, 'asks' | 'commands' | 'wallMs'> = {
  asks: 100_000,
  commands: 100_000,
  wallMs: 1_800_000,
};

export function planLimitDefaults(defaults: RunLimits, maximum: RunLimits): RunLimits {
  return {
    ...defaults,
    ...planAllowance,
    wallMs: Math.max(defaults.wallMs, Math.min(planAllowance.wallMs, maximum.wallMs)),
    parallel: maximum.parallel,
  };
}

export function planMaximum(maximum: RunLimits): RunLimits {
  return {
    ...maximum,
    asks: Math.max(maximum.asks, planAllowance.asks),
    commands: Math.max(maximum.commands, planAllowance.commands),
  };
}

/** Whether the caller chose the number, so that it is a bound. */
export function isChosen(limit: number): boolean {
  return limit < Math.min(planAllowance.asks, planAllowance.commands);
}
