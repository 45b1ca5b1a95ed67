// What every command is given.
import type { Io } from './io.ts';
import type { Output } from './output.ts';
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
  /** Cells of a line on standard output; `null` when it is not a terminal, so nothing is cut. */
  readonly columns: number | null;
}
