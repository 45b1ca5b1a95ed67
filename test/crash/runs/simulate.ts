// Whole runs on a disk that loses what was not synced, and on journals that were cut or changed; all in memory.
//
// Z1. The world outlives every process: what was done is done. A process that has stopped does nothing more to it.
// Z2. Between two lives the journal is only looked at, never synced: that is for the next owner to do.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileBlobs } from '../../../src/node/files/blobs.ts';
import { createFileRunStore } from '../../../src/node/store-file/run-store.ts';
import { parseRunNames, segmentName } from '../../../src/node/store-file/claims.ts';
import { nodeSha256 } from '../../../src/node/environment.ts';
import { createNodeFiles } from '../../../src/node/files/files.ts';
import type { JournalFiles } from '../../../src/node/store-file/journal-files.ts';
import type { OwnerRecord } from '../../../src/node/files/owner-record.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import type { Watching } from '../../../src/ports/watching.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { createMemoryBlobs } from '../../../src/ports/memory-blobs.ts';
import type { RunResult } from '../../../src/run/result/result.ts';
import type { Runner } from '../../../src/run/runner.ts';
import { createRunner } from '../../../src/run/create-runner.ts';
import type { FaultPlan } from '../../support/faulty-journal-files.ts';
import { FaultyDisk, seededRandom } from '../../support/faulty-journal-files.ts';
import { crashHost } from './crash-host.ts';
import {
  actsIn,
  allActs,
  countOf,
  crashInput,
  crashLimits,
  mustBeComplete,
  mustBeKnown,
  mustNotRepeat,
} from './crash-program.ts';
import { faultyCalls } from './faulty-calls.ts';

const self: OwnerRecord = { pid: 1, startedAt: null, bootId: null, pidSpace: null, host: 'here' };
const watching: Watching = { watchFolder: () => ({ close: () => {} }), after: () => ({ close: () => {} }) };
const runsFolder = '/runs';
let realFolder: string | null = null;

export interface SimulatedHost {
  readonly runner: Runner;
  readonly store: RunStore;
  /** What it does to the world from now on does not happen. */
  die(): void;
}

/** `blobs`: on the disk, unless they are given. */
function openHost(
  disk: FaultyDisk,
  log: string[],
  padUnits: number,
  blobs: Blobs | null,
  durable = true,
): SimulatedHost {
  let alive = true;
  const store = createFileRunStore({
    folder: runsFolder,
    durable,
    files: disk.files,
    watching,
    owners: { self, isDead: () => true },
    pollMs: 3_600_000,
    nowMs: () => 1_000_000,
  });
  const world = {
    async act(name: string): Promise<string> {
      // A part of the acts takes a while, so that several are under way at once.
      for (let turn = name.length % 3; turn > 0; turn -= 1)
        await new Promise((resolve) => setImmediate(resolve));
      if (!alive) return new Promise<never>(() => {});
      log.push(name);
      if (name.length % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      return alive ? name : new Promise<never>(() => {});
    },
  };
  const host = crashHost({ store, blobs: blobs ?? diskBlobs(disk), world, ids: nextIds, padUnits });
  return {
    runner: createRunner(host),
    store,
    die: () => {
      alive = false;
      // Its looks at the inbox would keep it in memory.
      void store.close();
    },
  };
}

let made = 0;
const nextIds = {
  ulid: () => `01${String((made += 1)).padStart(24, '0')}`,
  nonce: () => `nonce-${(made += 1)}`,
};

function diskBlobs(disk: FaultyDisk): Blobs {
  realFolder ??= mkdtempSync(join(tmpdir(), 'techne-crash-'));
  return createFileBlobs(
    join(realFolder, 'blobs'),
    createNodeFiles({ calls: faultyCalls(disk) }),
    nodeSha256,
  );
}

/** The folder of the disk that is only there so that `statSync` finds it; to be removed. */
export function usedFolder(): string | null {
  return realFolder;
}

/** What the journals of the disk say now, without syncing anything. */
async function lookAt(
  files: JournalFiles,
): Promise<{ readonly run: string; readonly entries: readonly JournalEntry[] } | null> {
  for (const run of (await files.list(runsFolder)) ?? []) {
    const { epochs } = parseRunNames((await files.list(`${runsFolder}/${run}`)) ?? []);
    const segments = await Promise.all(
      epochs.map(async (epoch) => ({
        epoch,
        file: segmentName(epoch),
        bytes:
          (await files.read(`${runsFolder}/${run}/${segmentName(epoch)}`, 0, false)) ?? new Uint8Array(0),
      })),
    );
    const read = readJournal(run, segments);
    if (!read.ok) throw new Error(`${read.fault.file} at ${read.fault.offset}: ${read.fault.reason}`);
    if (read.entries.length > 0) return { run, entries: read.entries.map(({ entry }) => entry) };
  }
  return null;
}

async function startOrResume(
  { runner }: SimulatedHost,
  run: string | null,
  disk: FaultyDisk,
): Promise<RunResult> {
  if (realFolder !== null) await disk.files.makeFolders(realFolder);
  return run === null
    ? runner.start({ skill: 'crash', input: crashInput, limits: crashLimits })
    : runner.resume(run);
}

export interface CleanRun {
  readonly text: string;
  /** Changing calls on the disk. */
  readonly calls: number;
  readonly run: string;
  readonly bytes: Uint8Array;
  readonly blobs: Blobs;
  readonly padUnits: number;
}

/** The run without a fault; with blobs in memory its journal can be cut and changed. */
export async function cleanRun(padUnits: number, blobsOnDisk: boolean): Promise<CleanRun> {
  const disk = new FaultyDisk();
  const log: string[] = [];
  const blobs = blobsOnDisk ? diskBlobs(disk) : createMemoryBlobs(nodeSha256);
  const host = openHost(disk, log, padUnits, blobs);
  const result = await startOrResume(host, null, disk);
  if (result.status !== 'completed' || result.run === null) throw new Error(result.text);
  mustBeComplete(log, 1);
  await host.store.close();
  const bytes = await disk.files.read(`${runsFolder}/${result.run}/${segmentName(1)}`, 0, false);
  return {
    text: result.text,
    calls: disk.calls,
    run: result.run,
    bytes: bytes as Uint8Array,
    blobs,
    padUnits,
  };
}

export interface CrashCase {
  /** Of everything that is chosen by chance. */
  readonly seed: number;
  /** The call at which the machine or the process stops first. */
  readonly stopAt: number;
  /** Default: true. */
  readonly durable?: boolean;
}

/** Throws when a promise was broken. Gives how often it was stopped. */
export async function crashSimulated(
  { seed, stopAt, durable = true }: CrashCase,
  clean: CleanRun,
): Promise<number> {
  const random = seededRandom(seed);
  const log: string[] = [];
  const ended = new Map<string, number>();
  let disk = new FaultyDisk({ stopAt });
  for (let lives = 1; ; lives += 1) {
    const found = await lookAt(disk.files);
    mustBeKnown(found?.entries ?? [], log);
    const endedNow = new Map(
      actsIn(found?.entries ?? [], 'effect.ended').map((name) => [name, countOf(log, name)]),
    );
    const host = openHost(disk, log, clean.padUnits, null, durable);
    const outcome = await Promise.race([
      disk.stopped.then(() => 'stopped' as const),
      finish(host, found?.run ?? null, disk, clean),
    ]);
    if (outcome !== 'stopped') {
      mustBeComplete(log, lives);
      mustNotRepeat(endedNow, log);
      mustNotRepeat(ended, log);
      return lives - 1;
    }
    host.die();
    if (lives > 60) throw new Error('never finished');
    const plan: FaultPlan =
      random() < 0.4 ? {} : { stopAt: 1 + Math.floor(random() * (random() < 0.5 ? 12 : 90)) };
    const onlyKilled = random() < 0.4;
    disk = onlyKilled ? disk.killed(plan) : disk.restarted(random, plan);
    // What a restarted machine shows is on its disk, so it counts for good.
    if (!onlyKilled)
      for (const name of actsIn((await lookAt(disk.files))?.entries ?? [], 'effect.ended'))
        if (!ended.has(name)) ended.set(name, countOf(log, name));
  }
}

async function finish(
  host: SimulatedHost,
  run: string | null,
  disk: FaultyDisk,
  clean: CleanRun,
): Promise<'finished'> {
  const result = await startOrResume(host, run, disk);
  if (result.text !== clean.text) throw new Error(`another result: ${result.text}`);
  const replayed = await host.runner.replay(result.run as string);
  if (!replayed.same || replayed.text !== clean.text)
    throw new Error(`the replay differs: ${replayed.divergences[0]?.message}`);
  await host.store.close();
  return 'finished';
}

/** A disk with a journal of these bytes and nothing else. */
async function diskWith(run: string, bytes: Uint8Array): Promise<FaultyDisk> {
  const disk = new FaultyDisk();
  await disk.files.makeFolders(runsFolder);
  await disk.files.makeFolder(`${runsFolder}/${run}`);
  const file = await disk.files.create(`${runsFolder}/${run}/${segmentName(1)}`);
  await file?.write(bytes, 0);
  return disk;
}

/** The journal ends after `length` bytes: the run does what is not ended in them, once, and nothing else. */
export async function cutSimulated(length: number, clean: CleanRun): Promise<string | null> {
  return resumeWith(clean.bytes.subarray(0, length), clean).then(
    () => null,
    (error: Error) => `cut at ${length}: ${error.message}`,
  );
}

async function resumeWith(bytes: Uint8Array, clean: CleanRun): Promise<void> {
  const disk = await diskWith(clean.run, bytes);
  const entries = (await lookAt(disk.files))?.entries ?? [];
  const log: string[] = [];
  const host = openHost(disk, log, clean.padUnits, clean.blobs);
  try {
    if (entries.length === 0) return await mustBeUnknown(host, clean.run);
    const result = await host.runner.resume(clean.run);
    if (result.text !== clean.text) throw new Error(`another result: ${result.text}`);
    const ended = new Set(actsIn(entries, 'effect.ended'));
    const expected = allActs.filter((name) => !ended.has(name));
    if ([...log].sort().join('\n') !== [...expected].sort().join('\n'))
      throw new Error(`did ${log.join(', ')} and not ${expected.join(', ')}`);
  } finally {
    await host.store.close();
  }
}

async function mustBeUnknown({ runner }: SimulatedHost, run: string): Promise<void> {
  const outcome = await runner.resume(run).then(
    () => 'resumed',
    (error: { code?: string }) => error.code,
  );
  if (outcome !== 'RUN_UNKNOWN') throw new Error(`a run without a first entry is ${outcome}`);
}

/**
 * One byte of a journal that ends after `length` bytes becomes another: that is found before anything is done, or the
 * run goes on as if it had not been changed.
 */
export async function flipSimulated(
  length: number,
  at: number,
  byte: number,
  clean: CleanRun,
): Promise<{ readonly detected: boolean; readonly failure: string | null }> {
  const bytes = clean.bytes.slice(0, length);
  bytes[at] = byte;
  const disk = await diskWith(clean.run, bytes);
  const log: string[] = [];
  const host = openHost(disk, log, clean.padUnits, clean.blobs);
  const outcome = await host.runner.resume(clean.run).then(
    ({ text }) => text,
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
  await host.store.close();
  const name = `byte ${at} of ${length} made ${byte}`;
  if (outcome === 'JOURNAL_CORRUPT')
    return {
      detected: true,
      failure: log.length === 0 ? null : `${name}: did ${log.join(', ')} before it was found`,
    };
  const entries =
    (await lookAt((await diskWith(clean.run, clean.bytes.slice(0, length))).files))?.entries ?? [];
  if (entries.length === 0)
    return { detected: true, failure: outcome === 'RUN_UNKNOWN' ? null : `${name}: ${outcome}` };
  if (outcome !== clean.text) return { detected: false, failure: `${name}: ${outcome}` };
  const ended = new Set(actsIn(entries, 'effect.ended'));
  const expected = allActs.filter((act) => !ended.has(act)).sort();
  return {
    detected: false,
    failure:
      [...log].sort().join('\n') === expected.join('\n')
        ? null
        : `${name}: did ${log.join(', ')} and not ${expected.join(', ')}`,
  };
}
