// One process, from its start to the end of everything it started.
//
//   Launch × limits × signal -> CommandOutcome
//
// A process ends by itself, or gets SIGTERM on time-out and abort and SIGKILL after the grace period. The outcome is
// given when everything it left behind has ended too. Both streams are read to their end and kept within a bound
// (output.ts); a stream that an unknown process keeps open is waited for only briefly. Input that a command does not
// read is dropped.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Abort } from '../../base/abort.ts';
import { codeOf } from '../files/file-fault.ts';
import { withoutInherited } from './inherited.ts';
import { decode, OutputKeeper, WholeCharacters } from './output.ts';
import { CommandProcesses } from './processes.ts';
import { startFault } from './program.ts';
import { endingOfKilled, readReport } from '../sandbox/starter.ts';
import type { CommandOutcome, CommandRequest } from '../../ports/shell.ts';

export interface Launch {
  /** For messages. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly argv0: string;
  readonly environment: { readonly [name: string]: string };
  /** `/` in a sandbox, which changes to its own folder itself. */
  readonly cwd: string;
  /** The mark in the environment; `null` in a sandbox. */
  readonly mark: string | null;
  /** Descriptor -> what the process reads from it. */
  readonly inputs: ReadonlyMap<number, Buffer>;
  /** `null` without a sandbox. */
  readonly sandbox: SandboxLaunch | null;
}

interface SandboxLaunch {
  /** Where bubblewrap writes its status. */
  readonly statusDescriptor: number;
  /** Where the starter reports how the command ended. */
  readonly reportDescriptor: number;
  /** Where bubblewrap waits before it starts the command; `null`: it does not wait. */
  readonly gateDescriptor: number | null;
  /** The number of the first process is known; the command is started afterwards, if there is a gate. */
  onFirst(this: void, pid: number): void;
}

interface LaunchLimits extends Pick<CommandRequest, 'timeoutMs' | 'stdin' | 'maxOutputBytes'> {
  readonly graceMs: number;
  readonly onOutput: (text: string) => void;
}

// The longest time that a timer can be set for.
const longestTimerMs = 2 ** 31 - 1;
const lastWordsMs = 500;

export function notStarted(fault: string, aborted = false): CommandOutcome {
  return {
    started: false,
    fault,
    exitCode: null,
    signal: null,
    timedOut: false,
    aborted,
    stdout: '',
    stderr: '',
    combined: '',
    truncated: false,
    durationMs: 0,
  };
}

export async function launch(what: Launch, limits: LaunchLimits, signal: Abort): Promise<CommandOutcome> {
  const startedMs = performance.now();
  let child: ChildProcess;
  try {
    child = spawn(what.file, what.args, {
      argv0: what.argv0,
      cwd: what.cwd,
      env: what.environment,
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: stdioOf(what, limits.stdin !== null),
    });
  } catch (error) {
    return notStarted(startFault(what.name, error));
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once('error', resolve));
    return notStarted(startFault(what.name, error));
  }
  const processes = new CommandProcesses(pid, what.mark);
  const output = readOutput(child, limits);
  const status = readStatus(child, what.sandbox, processes);
  feed(child, what, limits.stdin);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) =>
    child.once('exit', (code, by) => resolve({ code, signal: by })),
  );

  const stop = watchLimits(processes, limits, signal);
  const end = await exited;
  const { timedOut, aborted } = await stop.ended();
  await processes.settle();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, lastWordsMs).unref())]);
  for (const stream of child.stdio) stream?.destroy();
  const durationMs = Math.max(0, performance.now() - startedMs);
  const printed = output();
  const ending = readReport(status.report) ?? (status.hasEnded ? endingOfKilled(end.code) : null);
  const isUnstarted = what.sandbox !== null && !status.hasEnded && !timedOut && !aborted;
  if (ending?.kind === 'fault' || (isUnstarted && end.signal === null)) {
    const reason = ending?.kind === 'fault' ? ending.message : sandboxFault(printed.stderr);
    return {
      ...notStarted(
        `"${what.name}" could not be started in the sandbox${reason === '' ? '' : `: ${reason}`}`,
      ),
      durationMs,
    };
  }
  return {
    started: true,
    fault: null,
    exitCode: ending === null ? end.code : ending.exitCode,
    signal: ending === null ? end.signal : ending.signal,
    timedOut,
    aborted,
    ...printed,
    durationMs,
  };
}

type Stdio = 'ignore' | 'pipe' | number;

function stdioOf({ inputs, sandbox }: Launch, hasStdin: boolean): Stdio[] {
  const stdio: Stdio[] = [hasStdin ? 'pipe' : 'ignore', 'pipe', 'pipe'];
  const put = (at: number, value: Stdio): void => {
    while (stdio.length < at) stdio.push('ignore');
    stdio[at] = value;
  };
  for (const descriptor of inputs.keys()) put(descriptor, 'pipe');
  if (sandbox !== null) {
    const { statusDescriptor, reportDescriptor, gateDescriptor } = sandbox;
    put(statusDescriptor, 'pipe');
    put(reportDescriptor, 'pipe');
    if (gateDescriptor !== null) put(gateDescriptor, 'pipe');
  }
  return withoutInherited(stdio);
}

function feed(child: ChildProcess, { inputs }: Launch, stdin: string | null): void {
  for (const [descriptor, bytes] of inputs) write(child.stdio[descriptor] as Writable, bytes);
  if (stdin !== null) write(child.stdin as Writable, stdin);
}

function write(stream: Writable, data: Buffer | string): void {
  // EPIPE, or the stream was closed: input that a command does not read is dropped.
  stream.on('error', (error) => {
    if (codeOf(error) === '') throw error;
  });
  stream.end(data);
}

/** Passes on what was printed so far. */
function readOutput(
  child: ChildProcess,
  { maxOutputBytes, onOutput }: LaunchLimits,
): () => Pick<CommandOutcome, 'stdout' | 'stderr' | 'combined' | 'truncated'> {
  const [stdout, stderr] = [new OutputKeeper(maxOutputBytes), new OutputKeeper(maxOutputBytes)];
  // Twice as much: where both streams are whole, so are they together.
  const combined = new OutputKeeper(maxOutputBytes * 2);
  const cutters: WholeCharacters[] = [];
  let shown = 0;
  const show = (bytes: Buffer): void => {
    if (bytes.length === 0 || shown > maxOutputBytes) return;
    shown += bytes.length;
    onOutput(shown > maxOutputBytes ? '\n[… further output is not shown while it comes …]\n' : decode(bytes));
  };
  const read = (stream: Readable, keeper: OutputKeeper): void => {
    const cutter = new WholeCharacters();
    cutters.push(cutter);
    stream.on('data', (chunk: Buffer) => {
      keeper.add(chunk);
      const whole = cutter.next(chunk);
      combined.add(whole);
      show(whole);
    });
    stream.on('error', (error) => {
      if (codeOf(error) === '') throw error;
    });
  };
  read(child.stdout as Readable, stdout);
  read(child.stderr as Readable, stderr);
  return () => {
    for (const cutter of cutters) combined.add(cutter.end());
    return {
      stdout: stdout.text(),
      stderr: stderr.text(),
      combined: combined.text(),
      truncated: stdout.truncated || stderr.truncated,
    };
  };
}

/** A command that got hold of the report can write what it likes. */
const maxReport = 1000;

/**
 * bubblewrap writes one JSON value in a line: the first process at the start, the exit code of a command that was started.
 * The report is of the process that started the command.
 */
function readStatus(
  child: ChildProcess,
  sandbox: Launch['sandbox'],
  processes: CommandProcesses,
): { readonly hasEnded: boolean; readonly report: string } {
  const status = { hasEnded: false, report: '' };
  if (sandbox === null) return status;
  const read = (descriptor: number, onText: (text: string) => void): void => {
    const stream = child.stdio[descriptor] as Readable;
    stream.on('data', (chunk: Buffer) => onText(chunk.toString('latin1')));
    stream.on('error', (error) => {
      if (codeOf(error) === '') throw error;
    });
  };
  let text = '';
  read(sandbox.statusDescriptor, (more) => {
    const before = text;
    text += more;
    const pattern = /"child-pid":\s*(\d+)\b/;
    const pid = pattern.exec(text)?.[1];
    if (pid !== undefined && !pattern.test(before)) {
      processes.sandboxStarted(Number(pid));
      sandbox.onFirst(Number(pid));
      if (sandbox.gateDescriptor !== null) write(child.stdio[sandbox.gateDescriptor] as Writable, 'x');
    }
    status.hasEnded = /"exit-code":/.test(text);
  });
  read(sandbox.reportDescriptor, (more) => (status.report = (status.report + more).slice(0, maxReport)));
  return status;
}

/** What bubblewrap said last. */
function sandboxFault(stderr: string): string {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return /^bwrap: execvp .*?: ([^:]+)$/.exec(said)?.[1] ?? said.replace(/^bwrap: /, '');
}

interface Stop {
  /** Clears the timers; returns what stopped the process, if anything did. */
  ended(): Promise<{ readonly timedOut: boolean; readonly aborted: boolean }>;
}

function watchLimits(processes: CommandProcesses, { timeoutMs, graceMs }: LaunchLimits, signal: Abort): Stop {
  let cause: 'timeout' | 'abort' | null = null;
  let asking: Promise<void> = Promise.resolve();
  let killing: NodeJS.Timeout | null = null;
  const stop = (why: 'timeout' | 'abort'): void => {
    if (cause !== null) return;
    cause = why;
    asking = processes.askToEnd();
    killing = setTimeout(() => processes.kill(), graceMs);
  };
  const onAbort = (): void => stop('abort');
  const timer = setTimeout(() => stop('timeout'), Math.min(Math.max(1, timeoutMs), longestTimerMs));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    async ended() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await asking;
      if (killing !== null) clearTimeout(killing);
      return { timedOut: cause === 'timeout', aborted: cause === 'abort' };
    },
  };
}
