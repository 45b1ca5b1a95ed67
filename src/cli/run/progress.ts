// Shows the progress of a run on standard error.
//
// At a terminal one line is redrawn (live-line.ts), elsewhere lines are printed (plain-lines.ts); with --quiet nothing is. For a
// plan, progress counts steps and shows their outcomes; it omits retries, items, pauses and nested runs. Text from skills, models
// and commands is printed with control characters escaped.
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
  /** Removes the line while a question is asked. */
  hold(): void;
  release(): void;
  end(): void;
}

/** `limits` of a program; a plan reports its own. `before`: the earlier part of a resumed run. */
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
