// An option that is a span of time -> seconds.
import { TechneError } from '../base/error.ts';
import { parseAge } from './commands/runs-prune.ts';
import type { CommandContext } from './context.ts';

/** Throws USAGE. */
export function secondsOption(
  args: CommandContext['args'],
  name: string,
  { default: usual, most }: { readonly default: number; readonly most: number },
): number {
  const text = args.value(name);
  const seconds = text === null ? usual : parseAge(text, name) / 1_000;
  if (seconds > most)
    throw new TechneError('USAGE', `--${name} can be at most ${most / 86_400} days`, {
      hint: `such as --${name} 2d`,
    });
  return seconds;
}
