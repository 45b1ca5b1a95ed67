// What a run is doing, on standard error, while it does it.
//
// P1. At a terminal one line is redrawn (live-line.ts), elsewhere lines are written (plain-lines.ts). With --quiet nothing is.
// P2. Of a plan steps are told, not calls: how many of them are done, and what became of each. Retries, items, pauses and
//     what the runs inside a step do are not told.
// P3. Everything that comes from a skill, a model or a command goes through the printer that is safe for terminals.
import type { RunEvent } from '../../run/events.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { CommandContext } from '../context.ts';
import { LiveLine } from './live-line.ts';
import { PlainLines } from './plain-lines.ts';

export interface ProgressLimits {
  readonly asks: number;
  readonly commands: number;
}

export interface Progress {
  readonly onEvent: (event: RunEvent) => void;
  /** Takes the line away while somebody is asked something. */
  hold(): void;
  release(): void;
  end(): void;
}

/** `limits` of a program; those of a plan are told by its run. `before`: what there is of the run already. */
export function createProgress(
  context: CommandContext,
  limits: ProgressLimits,
  before: RunView | null,
): Progress {
  const { quiet, io } = context;
  if (quiet) return { onEvent: () => {}, hold: () => {}, release: () => {}, end: () => {} };
  return io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'
    ? new LiveLine(context, limits, before)
    : new PlainLines(context, before);
}
