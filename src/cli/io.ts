// Streams, environment and signals of a command, passed in so that tests can run every command.
import type { Readable, Writable } from 'node:stream';

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Switches between keys and whole lines. Default: not supported. */
  readonly setRawMode?: (raw: boolean) => unknown;
}

/** The width in cells; `null` if it is not a terminal. Some terminals do not know their width and report 0. */
export function columnsOf({ isTTY, columns = 0 }: TerminalStream): number | null {
  return isTTY !== true ? null : columns <= 0 ? 80 : Math.max(10, columns);
}

export interface Io {
  readonly stdin: Readable & TerminalStream;
  readonly stdout: Writable & TerminalStream;
  readonly stderr: Writable & TerminalStream;
  readonly env: { readonly [name: string]: string | undefined };
  /** The current folder, absolute. */
  readonly cwd: string;
  readonly homeFolder: string;
  readonly platform: string;
  /** Calls `heard` at the first Ctrl-C instead of ending the process; the returned function stops listening. Default: Ctrl-C ends the process. */
  readonly onInterrupt?: (heard: () => void) => () => void;
  /** The same for SIGTERM and SIGHUP, with the exit code that shells expect. Default: they end the process. */
  readonly onTerminate?: (heard: (exitCode: number) => void) => () => void;
}
