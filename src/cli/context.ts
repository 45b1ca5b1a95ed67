// The context of every command.
import type { Io, Output } from './io.ts';
import type { Arguments } from './parse-arguments.ts';

export interface CommandContext {
  readonly io: Io;
  readonly args: Arguments;
  readonly out: Output;
  readonly err: Output;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Colours on standard output. */
  readonly colour: boolean;
  /** The width of standard output in cells; `null` if it is not a terminal, and nothing is cut. */
  readonly columns: number | null;
}
