// The world as a command sees it, passed in so that every command can be run inside a test.
import type { Readable, Writable } from 'node:stream';

export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Keys as they are pressed, instead of whole lines. Default: it cannot do that. */
  readonly setRawMode?: (raw: boolean) => unknown;
}

/** Cells of a line; `null` when it is no terminal. Some do not know how wide they are and say 0. */
export function columnsOf({ isTTY, columns = 0 }: TerminalStream): number | null {
  return isTTY !== true ? null : columns <= 0 ? 80 : Math.max(10, columns);
}

export interface Io {
  readonly stdin: Readable & TerminalStream;
  readonly stdout: Writable & TerminalStream;
  readonly stderr: Writable & TerminalStream;
  readonly env: { readonly [name: string]: string | undefined };
  /** The folder the command was started in, absolute. */
  readonly cwd: string;
  readonly homeFolder: string;
  readonly platform: string;
  /** Calls `heard` at the first Ctrl-C, which then does nothing else; what is returned takes that back. Default: Ctrl-C ends the process. */
  readonly onInterrupt?: (heard: () => void) => () => void;
  /** The same for SIGTERM and SIGHUP, with the exit code that shells expect. Default: they end the process. */
  readonly onTerminate?: (heard: (exitCode: number) => void) => () => void;
}
