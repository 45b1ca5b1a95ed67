// Starts a program and passes on the lines it prints.
//
// The program has its own process group, which is killed on abort, on time-out and when the program ends; nothing of
// it is alive when the promise settles. Memory is bounded: one line, and the end of standard error. A longer line is
// dropped.
import { spawn } from 'node:child_process';
import type { Abort } from '../base/abort.ts';
import { codeOf } from '../node/files/file-fault.ts';

interface RunLines {
  readonly argv: readonly [string, ...(readonly string[])];
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly stdin: string;
  readonly signal: Abort;
  readonly timeoutMs: number | null;
  readonly onLine: (line: string) => void;
}

interface LinesEnded {
  /** `exit code 1`, `SIGKILL`, `time-out`. */
  readonly how: string;
  readonly stderr: string;
}

const maxLineUnits = 8 * 1024 * 1024;
const maxErrorUnits = 4000;

/** Rejects when it cannot be started and when `signal` aborts. */
export function runLines({
  argv: [program, ...args],
  cwd,
  variables,
  stdin,
  signal,
  timeoutMs,
  onLine,
}: RunLines): Promise<LinesEnded> {
  if (signal.aborted) return Promise.reject(new Error('stopped'));
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let timedOut = false;
    let stderr = '';
    const killGroup = (): void => {
      if (child.pid === undefined) return;
      try {
        if (process.platform === 'win32') child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // All of it has ended already.
        if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error;
      }
    };
    const timer =
      timeoutMs === null
        ? null
        : setTimeout(() => {
            timedOut = true;
            killGroup();
          }, timeoutMs);
    signal.addEventListener('abort', killGroup);
    const settle = (): void => {
      if (timer !== null) clearTimeout(timer);
      signal.removeEventListener('abort', killGroup);
    };
    child.once('error', (error) => {
      settle();
      reject(new Error(`${program} cannot be started (${codeOf(error) || error.message})`, { cause: error }));
    });
    // Processes that it left behind would keep its pipes open, and `close` would not fire.
    child.once('exit', killGroup);
    child.once('close', (code, by) => {
      settle();
      if (signal.aborted) reject(new Error('stopped'));
      else resolve({ how: timedOut ? 'time-out' : (by ?? `exit code ${code}`), stderr });
    });
    const lines = new LineCutter(onLine);
    child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => lines.push(text))
      .once('end', () => lines.end());
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-maxErrorUnits);
    });
    // A program that does not read its input closes the pipe; its exit is the better message.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

class LineCutter {
  readonly #onLine: (line: string) => void;
  #parts: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#add(first);
    for (const line of rest) {
      this.end();
      this.#add(line);
    }
  }

  end(): void {
    if (this.#length <= maxLineUnits) {
      const line = this.#parts.join('').trim();
      if (line !== '') this.#onLine(line);
    }
    this.#parts = [];
    this.#length = 0;
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length > maxLineUnits) this.#parts = [];
    else this.#parts.push(text);
  }
}
