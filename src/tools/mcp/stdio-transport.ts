// Messages to and from a server that is a child process, one JSON value per line.
//
// The server leads its own process group, which is ended when the connection closes or this process ends. Its
// environment is that of a command, plus what the configuration sets. A line that is not a message is kept for error
// messages and skipped; too many of them, or one that is too long, close the connection. The end of stderr is kept
// for error messages.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { codeOf } from '../../node/files/file-fault.ts';
import { nodeCrypto } from '../../node/environment.ts';
import { decode } from '../../node/shell/output.ts';
import { CommandProcesses, markVariable } from '../../node/shell/processes.ts';
import { findProgram, startFault } from '../../node/shell/program.ts';

interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly cwd: string;
}

const limits = { lineBytes: 16 * 1024 * 1024, strangeLines: 100, wordsKept: 2_000, graceMs: 1_000 } as const;

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #server: StdioServer;
  #child: ChildProcess | null = null;
  #processes: CommandProcesses | null = null;
  #pieces: Buffer[] = [];
  #pending = 0;
  #strange = 0;
  #lastStrange = '';
  #stderr = '';
  #ended: string | null = null;
  #closing: Promise<void> | null = null;
  #over: Promise<void> = Promise.resolve();
  readonly #onExit = (): void => this.#processes?.kill();

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** Output of the server besides messages, and how it ended, for error messages. */
  get lastWords(): string {
    const words = [
      this.#ended,
      this.#stderr.trim() === '' ? null : `it wrote: ${this.#stderr.trim().slice(-500)}`,
      this.#lastStrange === '' ? null : `it printed a line that is not a message: ${this.#lastStrange}`,
    ];
    return words.filter((word) => word !== null).join('; ');
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  async start(): Promise<void> {
    const { command, args, environment, cwd } = this.#server;
    const program = findProgram(command, cwd, environment['PATH']);
    if (!program.ok) throw new Error(program.fault);
    const mark = nodeCrypto().randomBytes(12).toString('hex');
    const outer = process.env[markVariable];
    const child = spawn(program.file, args, {
      cwd,
      env: { ...environment, [markVariable]: outer === undefined ? mark : `${outer},${mark}` },
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) {
      const error = await new Promise<unknown>((resolve) => child.once('error', resolve));
      throw new Error(startFault(command, error));
    }
    this.#child = child;
    this.#processes = new CommandProcesses(child.pid, mark);
    process.once('exit', this.#onExit);
    child.on('error', (error) => this.onerror?.(error));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', (error) => {
        // The server closed the pipe; its end is reported below.
        if (codeOf(error) === '') throw error;
      });
    }
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + decode(chunk)).slice(-limits.wordsKept);
    });
    this.#over = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        // Ended by us, so this is not a fault of the server.
        if (this.#closing === null)
          this.#ended ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
        resolve();
        void this.close();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === null || stdin === undefined || this.#ended !== null || this.#closing !== null)
      throw new Error(this.lastWords === '' ? 'the server is gone' : `the server is gone: ${this.lastWords}`);
    const fault = await new Promise<Error | null>((resolve) =>
      stdin.write(`${JSON.stringify(message)}\n`, (error) => resolve(error ?? null)),
    );
    if (fault === null) return;
    // How the server ended is the better message, and is known in a moment.
    await within(this.#over, limits.graceMs);
    throw new Error(
      this.lastWords === '' ? `it does not read what it is sent: ${fault.message}` : this.lastWords,
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const [child, processes] = [this.#child, this.#processes];
    if (child !== null && processes !== null) {
      const exited =
        child.exitCode !== null || child.signalCode !== null
          ? Promise.resolve()
          : new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin?.end();
      if (!(await within(exited, limits.graceMs))) {
        await processes.askToEnd();
        await within(exited, limits.graceMs);
      }
      await processes.settle();
      for (const stream of child.stdio) stream?.destroy();
    }
    process.off('exit', this.#onExit);
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    for (let from = 0; ;) {
      const end = chunk.indexOf(10, from);
      const piece = chunk.subarray(from, end < 0 ? undefined : end);
      this.#pieces.push(piece);
      this.#pending += piece.length;
      if (this.#pending > limits.lineBytes)
        return this.#giveUp(`a message is longer than ${limits.lineBytes} bytes`);
      if (end < 0) return;
      const line = decode(Buffer.concat(this.#pieces)).trim();
      this.#pieces = [];
      this.#pending = 0;
      if (line !== '') this.#take(line);
      if (this.#closing !== null) return;
      from = end + 1;
    }
  }

  #take(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      message = null;
    }
    if (
      typeof message === 'object' &&
      message !== null &&
      (message as { jsonrpc?: unknown }).jsonrpc === '2.0'
    ) {
      this.onmessage?.(message as JSONRPCMessage);
      return;
    }
    this.#lastStrange = line.slice(0, 200);
    this.#strange += 1;
    if (this.#strange > limits.strangeLines) this.#giveUp('it prints too many lines that are not messages');
  }

  #giveUp(why: string): void {
    this.#ended ??= why;
    this.#pieces = [];
    this.onerror?.(new Error(why));
    void this.close();
  }
}

async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
