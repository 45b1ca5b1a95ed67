// Runs in real processes: start, kill, resume, and look at what the world wrote down.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileBlobs } from '../../../src/node/files/blobs.ts';
import { createFileRunStore } from '../../../src/node/store-file/run-store.ts';
import { createNodeFiles } from '../../../src/node/files/files.ts';
import { createNodeIds, nodeSha256 } from '../../../src/node/environment.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { RunResult } from '../../../src/run/result/result.ts';
import type { Runner } from '../../../src/run/runner.ts';
import { createRunner } from '../../../src/run/create-runner.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { actsIn, countOf, mustBeComplete, mustBeKnown, mustNotRepeat } from './crash-program.ts';
import type { DriveLine, DriveRequest } from './drive-request.ts';
import type { KillHow } from './kill-switch.ts';
import { realHost } from './real-host.ts';

export interface Driving {
  readonly child: ChildProcess;
  /** What it has said so far. */
  readonly lines: DriveLine[];
  /** The first line that fits, now or later; rejects when it ends before. */
  line<T extends DriveLine['type']>(type: T): Promise<Extract<DriveLine, { type: T }>>;
  /** How it ended: with a result, an error, or by a signal. */
  readonly ended: Promise<{
    readonly result: RunResult | null;
    readonly code: string | null;
    readonly signal: string | null;
    readonly calls: number;
  }>;
}

/** A folder with runs, blobs and the log of the world, and this process's own runner over them. */
export class RealRuns {
  readonly folder = mkdtempSync(join(tmpdir(), 'techne-real-runs-'));
  readonly logFile = join(this.folder, 'world.log');
  readonly store: RunStore;
  readonly runner: Runner;
  readonly #program: Pick<ChildProgram, 'start'>;
  readonly #children: ChildProcess[] = [];

  constructor(program: Pick<ChildProgram, 'start'>) {
    this.#program = program;
    writeFileSync(this.logFile, '');
    this.store = createFileRunStore({ folder: join(this.folder, 'runs'), pollMs: 100 });
    const blobs = createFileBlobs(join(this.folder, 'blobs'), createNodeFiles(), nodeSha256);
    this.runner = createRunner(
      realHost({ store: this.store, blobs, log: this.logFile, ids: createNodeIds() }),
    );
  }

  get log(): readonly string[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  drive(request: Omit<DriveRequest, 'folder' | 'log'> = {}): Driving {
    const child = this.#program.start(JSON.stringify({ folder: this.folder, log: this.logFile, ...request }));
    this.#children.push(child);
    return watch(child);
  }

  /** The only run there is, or null. */
  async run(): Promise<string | null> {
    if (!existsSync(join(this.folder, 'runs'))) return null;
    return (await this.store.list({ limit: 1 })).runs[0]?.run ?? null;
  }

  async entries(run: string): Promise<readonly JournalEntry[]> {
    return (await this.store.read(run)).map(({ entry }) => entry);
  }

  async close(): Promise<void> {
    for (const child of this.#children)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await this.store.close();
    // What a killed process left behind may still be writing into its log.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function watch(child: ChildProcess): Driving {
  const lines: DriveLine[] = [];
  const waiting: (() => void)[] = [];
  let rest = '';
  let isOver = false;
  const tell = (): void => {
    for (const look of waiting) look();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
    const whole = rest.split('\n');
    rest = whole.pop() as string;
    lines.push(...whole.map((line) => JSON.parse(line) as DriveLine));
    tell();
  });
  const ended = once(child, 'close').then(([, signal]) => {
    isOver = true;
    tell();
    const last = lines.findLast((line) => line.type === 'result' || line.type === 'error');
    return {
      result: last?.type === 'result' ? last.result : null,
      calls: last?.type === 'result' ? last.calls : 0,
      code: last?.type === 'error' ? (last.code ?? last.message) : null,
      signal: signal as string | null,
    };
  });
  return {
    child,
    lines,
    ended,
    line: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => line.type === type);
          if (found !== undefined) resolve(found as Extract<DriveLine, { type: typeof type }>);
          else if (isOver) reject(new Error(`the process ended without ${type}: ${JSON.stringify(lines)}`));
        };
        waiting.push(look);
        look();
      }),
  };
}

/** The run without a fault. */
export async function cleanRealRun(
  program: Pick<ChildProgram, 'start'>,
): Promise<{ readonly text: string; readonly calls: number }> {
  const runs = new RealRuns(program);
  try {
    const { result, calls } = await runs.drive().ended;
    if (result?.status !== 'completed')
      throw new Error(`the clean run did not complete: ${JSON.stringify(result)}`);
    mustBeComplete(runs.log, 1);
    return { text: result.text, calls };
  } finally {
    await runs.close();
  }
}

/** Kills a process at one call and lets another one finish. Throws when a promise was broken. Gives whether it was killed. */
export async function crashReal(
  program: Pick<ChildProgram, 'start'>,
  killAt: number,
  killHow: KillHow,
  text: string,
): Promise<boolean> {
  const runs = new RealRuns(program);
  try {
    const first = await runs.drive({ killAt, killHow }).ended;
    if (first.signal === null) {
      // Where several things are under way, a run may take a call more or less.
      if (first.result?.text !== text) throw new Error(`not killed, and ${first.code ?? first.result?.text}`);
      return false;
    }
    const run = await runs.run();
    const before = run === null ? [] : await runs.entries(run);
    mustBeKnown(before, runs.log);
    const ended = new Map(actsIn(before, 'effect.ended').map((name) => [name, countOf(runs.log, name)]));
    const second = await runs.drive(run === null ? {} : { run }).ended;
    if (second.result?.text !== text)
      throw new Error(`another result: ${second.code ?? second.result?.text ?? second.signal}`);
    mustBeComplete(runs.log, 2);
    mustNotRepeat(ended, runs.log);
    const replayed = await runs.runner.replay(second.result.run as string);
    if (!replayed.same || replayed.text !== text)
      throw new Error(`the replay differs: ${replayed.divergences[0]?.message}`);
    return true;
  } catch (error) {
    throw new Error(`killed ${killHow} call ${killAt}: ${(error as Error).message}`, { cause: error });
  } finally {
    await runs.close();
  }
}
