// --max-asks, --max-commands and --timeout as limits of a run.
import { defaultLimits } from '../../run/budget/limits.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption } from '../parse-arguments.ts';
import type { ProgressLimits } from './progress.ts';

/** What was not given is left out. More than the host allows is cut by the engine, which says so. */
export function limitsOf(args: Arguments): Partial<RunLimits> {
  const asks = numberOption(args, 'max-asks', 1, 1_000_000);
  const commands = numberOption(args, 'max-commands', 0, 1_000_000);
  const timeout = numberOption(args, 'timeout', 1, 1_000_000);
  return { ...(asks === null ? {} : { asks }), ...(commands === null ? {} : { commands }), ...(timeout === null ? {} : { wallMs: timeout * 1_000 }) };
}

export function shownLimits(limits: Partial<RunLimits>, otherwise: ProgressLimits = defaultLimits): ProgressLimits {
  return { asks: limits.asks ?? otherwise.asks, commands: limits.commands ?? otherwise.commands };
}
