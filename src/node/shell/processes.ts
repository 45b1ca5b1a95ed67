// Finds the processes of a command and ends all of them.
//
//   the group of a command -> its members, what left the group, what a sandbox holds -> none of them alive
//
// A command leads a session and group of its own, and what stays in either is found by number. A daemon that left
// both is found by the mark in its environment, or as a descendant of a known process. Outside a sandbox a program
// that leaves the session, loses its parent and clears its environment is not found; inside one, the kernel ends
// everything with the first process of the sandbox. Processes from before the command are never signalled; start
// times tell a reused number apart.
//
// If techne is killed, a command outside a sandbox lives on. A second mark is the same for every attempt at the same
// command of a run, so the next attempt ends it first. /proc is read in slices, so that many processes do not block
// the event loop. Numbers are given in turn, so only processes with a higher number than the command are read, unless the
// numbers began anew since it started: reading all of them for each command was a fifth of the time of a worker.
import * as fs from 'node:fs';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../files/file-fault.ts';

interface KnownProcess {
  readonly pid: number;
  readonly startedAt: number;
}

interface ProcessRow extends KnownProcess {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Set for every command outside a sandbox: the marks of the commands it is part of, with commas between them. */
export const markVariable = 'TECHNE_COMMAND';

const hasProc = process.platform === 'linux';
const sliceLength = 64;
/** Of all numbers: when fewer were given since then, they have not come round. Some are given without being counted. */
const countedShare = 4;
// A process that hangs in the kernel cannot be ended.
const settleMs = 10_000;

export class CommandProcesses {
  readonly #leader: number;
  readonly #mark: string | null;
  readonly #startedAt: number;
  readonly #started: number | null = startedProcesses();
  #first: KnownProcess | null = null;
  /** Processes that were asked to end: one that lost its parents meanwhile is not found again, but must end as well. */
  #asked: readonly KnownProcess[] = [];

  /** `mark` is the last one in the variable, or `null` in a sandbox. */
  constructor(leader: number, mark: string | null) {
    this.#leader = leader;
    this.#mark = mark;
    this.#startedAt = rowOf(leader)?.startedAt ?? 0;
  }

  /** The first process of the sandbox, as soon as its number is known. */
  sandboxStarted(pid: number): void {
    const row = rowOf(pid);
    if (row !== null) this.#first = { pid, startedAt: row.startedAt };
  }

  /** Asks everything to end. In a sandbox, what runs in it: without its first process there is no time left to end. */
  async askToEnd(): Promise<void> {
    if (this.#first === null && this.#mark === null) return this.kill();
    const rows = await this.#find();
    const asked =
      this.#first === null
        ? rows
        : rows.filter(({ pid }) => pid !== this.#first?.pid && pid !== this.#leader);
    this.#asked = asked;
    for (const row of asked) {
      signal(row.pid, 'SIGTERM');
      signal(row.pid, 'SIGCONT');
    }
    if (this.#first === null) signal(-this.#leader, 'SIGTERM');
  }

  kill(): void {
    if (this.#first !== null && isSame(this.#first)) signal(this.#first.pid, 'SIGKILL');
    signal(-this.#leader, 'SIGKILL');
  }

  /** Ends what is left after the leader has ended; resolves when nothing is. */
  async settle(): Promise<void> {
    const deadline = performance.now() + settleMs;
    for (let waitMs = 1; ; waitMs = Math.min(20, waitMs * 2)) {
      this.kill();
      // The kernel has ended everything in the sandbox, so nothing has to be looked for.
      const rows = this.#first === null ? [...(await this.#find()), ...this.#asked.filter(isSame)] : [];
      for (const { pid } of rows) signal(pid, 'SIGKILL');
      if (rows.length === 0 && (this.#first === null || !isSame(this.#first)) && !groupExists(this.#leader))
        return;
      if (performance.now() > deadline) return;
      await sleep(waitMs);
    }
  }

  /** Everything alive that belongs to the command. */
  async #find(): Promise<readonly ProcessRow[]> {
    if (!hasProc) return [];
    const pids = numbersInProc();
    const newer = haveComeRound(this.#leader, this.#started, numbersNow())
      ? pids
      : pids.filter((pid) => pid >= this.#leader);
    const rows = (await rowsOf(newer)).filter(({ startedAt }) => startedAt >= this.#startedAt);
    return withDescendants(rows, (row) => this.#isMember(row));
  }

  #isMember(row: ProcessRow): boolean {
    if (row.pid === process.pid) return false;
    if (row.group === this.#leader || row.session === this.#leader) return true;
    if (this.#first !== null && row.pid === this.#first.pid && row.startedAt === this.#first.startedAt)
      return true;
    return this.#mark !== null && isAlive(row) && hasMark(row.pid, this.#mark);
  }
}

/** Ends everything that has this mark, unless this process is part of it. */
export async function endSurvivors(mark: string): Promise<void> {
  if (!hasProc || process.env[markVariable]?.split(',').includes(mark) === true) return;
  const deadline = performance.now() + settleMs;
  for (let waitMs = 1; performance.now() < deadline; waitMs = Math.min(20, waitMs * 2)) {
    const left = withDescendants(
      await rowsOf(numbersInProc()),
      (row) => isAlive(row) && hasMark(row.pid, mark),
    );
    if (left.length === 0) return;
    for (const { pid } of left) signal(pid, 'SIGKILL');
    await sleep(waitMs);
  }
}

/** The matching `rows` that are alive, and all their descendants; never this process. */
function withDescendants(
  rows: readonly ProcessRow[],
  isMeant: (row: ProcessRow) => boolean,
): readonly ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  for (const row of rows) if (isMeant(row)) found.set(row.pid, row);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.set(row.pid, row);
  }
  found.delete(process.pid);
  return [...found.values()].filter(isAlive);
}

function isAlive({ state }: ProcessRow): boolean {
  return state !== 'Z' && state !== 'X';
}

/** Whether the number still belongs to the same process, and it is alive. */
function isSame(known: KnownProcess): boolean {
  const row = rowOf(known.pid);
  return row !== null && row.startedAt === known.startedAt && isAlive(row);
}

function groupExists(leader: number): boolean {
  if (hasProc) return false; // #find has looked, and knows which of them only wait to be collected.
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return codeOf(error) === 'EPERM';
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // Gone, or never ours to signal.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error;
  }
}

function numbersInProc(): readonly number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

interface Numbers {
  /** Processes since the machine started. */
  readonly started: number | null;
  /** The number that was given last. */
  readonly last: number | null;
  /** Where they begin anew. */
  readonly most: number | null;
}

/** What the machine says of its processes; `null` what it does not say. */
function numbersNow(): Numbers {
  return {
    started: startedProcesses(),
    last: numberIn('/proc/loadavg', / (\d+)\s*$/),
    most: numberIn('/proc/sys/kernel/pid_max', /^(\d+)\s*$/),
  };
}

/** Whether a process that is newer than `leader` may have a lower number. `before`: how many had been started then. */
export function haveComeRound(leader: number, before: number | null, now: Numbers): boolean {
  const { started, last, most } = now;
  if (before === null || started === null || last === null || most === null) return true;
  return last < leader || started - before > most / countedShare;
}

/** Since the machine started; `null` where that is not counted. */
function startedProcesses(): number | null {
  return numberIn('/proc/stat', /^processes (\d+)$/m);
}

function numberIn(path: string, pattern: RegExp): number | null {
  const found = pattern.exec(procText(path) ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

async function rowsOf(pids: readonly number[]): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (let from = 0; from < pids.length; from += sliceLength) {
    if (from > 0) await turn();
    for (const pid of pids.slice(from, from + sliceLength)) {
      const row = rowOf(pid);
      if (row !== null) rows.push(row);
    }
  }
  return rows;
}

/** Fields 3 to 6 and 22 of /proc/PID/stat; the second is a name in brackets that may hold anything. */
function rowOf(pid: number): ProcessRow | null {
  const text = procText(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0] ?? 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startedAt: Number(fields[19]),
  };
}

function hasMark(pid: number, mark: string): boolean {
  const value = procText(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((entry) => entry.startsWith(`${markVariable}=`));
  return (
    value
      ?.slice(markVariable.length + 1)
      .split(',')
      .includes(mark) ?? false
  );
}

/** `null` for a process that is gone, of another user, or where there is no /proc. */
export function procText(path: string): string | null {
  if (!hasProc) return null;
  try {
    return fs.readFileSync(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}
