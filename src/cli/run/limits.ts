// The limit options (--max-asks, --timeout, …) -> limits of a run.
import { defaultLimits } from '../../run/budget/limits.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption, usage } from '../parse-arguments.ts';
import type { ProgressLimits } from './progress.ts';

/** Only the given limits. The engine reduces those that exceed what the host allows, and reports it. */
export function limitsOf(args: Arguments): Partial<RunLimits> {
  const asks = numberOption(args, 'max-asks', 1, 1_000_000);
  const commands = numberOption(args, 'max-commands', 0, 1_000_000);
  const tokens = numberOption(args, 'max-tokens', 1, 1_000_000_000);
  const costMicros = dollarsOption(args, 'max-cost');
  const runs = numberOption(args, 'max-runs', 0, 1_000_000);
  const timeout = numberOption(args, 'timeout', 1, 1_000_000);
  const given = {
    asks,
    commands,
    tokens,
    costMicros,
    runs,
    wallMs: timeout === null ? null : timeout * 1_000,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, limit]) => limit !== null),
  ) as Partial<RunLimits>;
}

/** In millionths of a dollar. */
function dollarsOption(args: Arguments, name: string): number | null {
  const text = args.value(name);
  if (text === null) return null;
  const micros = Math.round(Number(text) * 1_000_000);
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text) && micros > 0) return micros;
  throw usage(`--${name} must be an amount of dollars from 0.000001 to 999999, such as 0.50`, args.command);
}

export function shownLimits(
  limits: Partial<RunLimits>,
  otherwise: ProgressLimits = defaultLimits,
): ProgressLimits {
  return { asks: limits.asks ?? otherwise.asks, commands: limits.commands ?? otherwise.commands };
}
