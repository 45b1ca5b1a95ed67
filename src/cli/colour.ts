// Whether to use colours, and the few we use.
import type { Io } from './io.ts';
import type { Arguments } from './parse-arguments.ts';

/** Options first, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function wantsColour(args: Arguments, io: Io): boolean {
  if (args.flag('no-color')) return false;
  if (args.flag('color')) return true;
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return io.stdout.isTTY === true && TERM !== 'dumb';
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export function createPaint(colour: boolean): Paint {
  const paint = (code: number) => (text: string) =>
    colour && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
  return { bold: paint(1), dim: paint(2), red: paint(31), yellow: paint(33), green: paint(32) };
}
