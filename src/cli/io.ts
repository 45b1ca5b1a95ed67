// Streams, environment and signals of a command, passed in so that tests can run every command; its output, and its colours.
import type { Readable, Writable } from 'node:stream';
import { TechneError } from '../base/error.ts';
import { renderJson } from '../base/printable.ts';
import type { Arguments } from './parse-arguments.ts';

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

/** A person can read a question and type an answer. */
export function isAtTerminal({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

// Buffered text for a stream.
//
// `flush` resolves when the reader has all of it, so an exit cuts nothing off. If the reader closes the stream (EPIPE), the rest
// is dropped without an error.

export class Output {
  /** The reader closed the stream. */
  left = false;
  /** Breaks a long line (wrap-text.ts), once a command is known. */
  wrap: (text: string, columns: number) => string = (text) => text;
  private readonly stream: Writable & TerminalStream;
  private fault: Error | null = null;
  private pending = 0;
  private wake: (() => void) | null = null;

  constructor(stream: Writable & TerminalStream) {
    this.stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => this.failed(error));
  }

  write(text: string): void {
    if (this.left || this.fault !== null || text === '') return;
    this.pending += 1;
    this.stream.write(text, (error) => {
      if (error !== null && error !== undefined) this.failed(error);
      this.pending -= 1;
      if (this.pending === 0) this.wake?.();
    });
  }

  /** A terminal of a known width gets a long line as `wrap` breaks it; `write` writes exactly. */
  line(text = ''): void {
    const { isTTY, columns = 0 } = this.stream;
    this.write(`${isTTY === true && columns > 0 ? this.wrap(text, columns) : text}\n`);
  }

  json(value: unknown): void {
    this.write(`${renderJson(value, 2)}\n`);
  }

  async flush(): Promise<void> {
    if (this.pending > 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.fault !== null)
      throw new TechneError('ENVIRONMENT', `the output cannot be written: ${this.fault.message}`, {
        cause: this.fault,
      });
  }

  private failed(error: NodeJS.ErrnoException): void {
    // The first error has the reason; later ones only report a closed stream.
    if (this.left || this.fault !== null) return;
    if (error.code === 'EPIPE') this.left = true;
    else this.fault = error;
  }
}

// Whether to use colours, and the few we use.

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
