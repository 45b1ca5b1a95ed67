// The arguments and limit options of a command line -> the input object and the limits of a run (techne/run-input.ts).
import { Readable } from 'node:stream';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import type { ReadNamed } from '../../techne/run-input.ts';
import { parseRunInput, whereFrom } from '../../techne/run-input.ts';
import type { Io } from '../io.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption, usage } from '../parse-arguments.ts';
import { readBytes } from '../star/read-program.ts';
import type { ProgressLimits } from './progress.ts';

const maxInputBytes = 16_000_000;

export function readRunInput(words: readonly string[], io: Io): Promise<JsonObject | null> {
  return parseRunInput(words, (from) => readText(from, io));
}

/** For a conversation: standard input is the keyboard, and is not read. */
export function readNamedFiles(io: Io): ReadNamed {
  return (from) => readText(from, { ...io, stdin: Readable.from([]) });
}

async function readText(from: string, io: Io): Promise<string> {
  const bytes = await readBytes(from, io, maxInputBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new TechneError('USAGE', `${whereFrom(from)} is not UTF-8 text`, { cause: error });
  }
}

// The limit options (--max-asks, --timeout, …) -> limits of a run.

/** Only the given limits. The engine reduces those that exceed what the host allows, and reports it. */
export function limitsOf(args: Arguments): Partial<RunLimits> {
  const asks = numberOption(args, 'max-asks', 1, 1_000_000);
  const commands = numberOption(args, 'max-commands', 0, 1_000_000);
  const tokens = numberOption(args, 'max-tokens', 1, 1_000_000_000);
  const costMicros = dollarsOption(args, 'max-cost');
  const runs = numberOption(args, 'max-runs', 0, 1_000_000);
  const steps = numberOption(args, 'max-steps', 1, 1_000_000_000);
  const timeout = numberOption(args, 'timeout', 1, 1_000_000);
  const given = {
    asks,
    commands,
    tokens,
    costMicros,
    runs,
    steps,
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
