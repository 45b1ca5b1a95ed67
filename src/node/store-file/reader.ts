// The folder of a run -> its entries, for any process.
//
// Entries that are returned are durable and hold for every later reader: segments and their names are synced after
// reading, and everything is read again if a newer segment appeared. (A store that is not durable returns what is
// written.) During a claim only the claimer knows how much of the previous segment counts, so readers wait for it. A
// run of this process is read as far as its writer has written; a newer segment means that the run was lost to
// another owner.
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../journal/frame.ts';
import { JournalCorrupt, readJournal } from '../../journal/read-journal.ts';
import type { JournalContent, JournalRead, Segment } from '../../journal/read-journal.ts';
import { readSegment } from '../../journal/read-segment.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import { runUnknown } from '../../journal/run-state.ts';
import { leadsNowhere } from '../files/file-fault.ts';
import { readFault } from './faults.ts';
import { parseRunNames, segmentName } from './names.ts';
import type { RunNames } from './names.ts';
import type { JournalFiles } from './journal-files.ts';

interface ReaderOptions {
  readonly files: JournalFiles;
  readonly durable: boolean;
  readonly folderOf: (run: string) => string;
  readonly ownerLives: (names: RunNames) => boolean;
  /** Where a run of this process ends; `null` for others. */
  readonly ownEnd: (run: string) => { readonly epoch: number; readonly end: Position } | null;
}

interface LoadedRun {
  readonly names: RunNames;
  readonly journal: JournalContent;
}

/** Where a reader has got to. */
export interface ReadPlace {
  readonly epoch: number;
  readonly position: Position;
}

export interface RunReader {
  /** Throws RUN_UNKNOWN, also for a run without a segment. */
  names(run: string): Promise<RunNames>;
  /** Throws RUN_UNKNOWN, JOURNAL_CORRUPT. */
  load(run: string): Promise<LoadedRun>;
  /** The entries after `place`, or all. */
  readOn(
    run: string,
    place: ReadPlace | null,
  ): Promise<{ readonly entries: readonly StoredEntry[]; readonly place: ReadPlace }>;
  /** The name of this segment, and those before it, are durable: its owner has synced them. */
  knowSynced(run: string, epoch: number): void;
  /** The segments of these epochs as they are, also while they are written. */
  readSegments(run: string, epochs: readonly number[], sync: boolean): Promise<JournalRead>;
}

/** Of a journal that is kept for the next look at it. */
const maxKeptBytes = 1024 * 1024;

function sameBytes(before: readonly Segment[], now: readonly Segment[]): boolean {
  return (
    before.length === now.length &&
    before.every(
      ({ epoch, bytes }, at) => epoch === now[at]?.epoch && Buffer.compare(bytes, now[at].bytes) === 0,
    )
  );
}

/** A claim takes some milliseconds, and claims follow each other much more slowly than reads. */
const maxAttempts = 50;

export function createRunReader({ files, durable, folderOf, ownEnd, ownerLives }: ReaderOptions): RunReader {
  const names = async (run: string): Promise<RunNames> => {
    const folder = folderOf(run);
    const listed = await files.list(folder).catch((error: unknown) => {
      throw readFault(folder, error);
    });
    const found = listed === null ? null : parseRunNames(listed);
    if (found === null || found.epochs.length === 0) throw runUnknown(run);
    return found;
  };

  const readFile = async (
    run: string,
    epoch: number,
    from: number,
    newest: number | undefined,
    sync: boolean,
  ): Promise<Uint8Array> => {
    const path = join(folderOf(run), segmentName(epoch));
    const own = ownEnd(run);
    const isOwn = own?.epoch === epoch && newest === epoch;
    try {
      const bytes = (await files.read(path, from, sync && !isOwn)) ?? new Uint8Array(0);
      return isOwn ? bytes.subarray(0, Math.max(0, own.end.offset - from)) : bytes;
    } catch (error) {
      throw readFault(path, error);
    }
  };

  /** The journal that was read last: a claim reads it again, and parsing takes longer than reading. */
  let last: {
    readonly run: string;
    readonly segments: readonly Segment[];
    readonly read: JournalRead;
  } | null = null;
  const readSegments = async (
    run: string,
    epochs: readonly number[],
    sync: boolean,
  ): Promise<JournalRead> => {
    const segments = await Promise.all(
      epochs.map(async (epoch): Promise<Segment> => ({
        epoch,
        file: segmentName(epoch),
        bytes: await readFile(run, epoch, 0, epochs.at(-1), sync),
      })),
    );
    if (last !== null && last.run === run && sameBytes(last.segments, segments)) return last.read;
    const read = readJournal(run, segments);
    last =
      segments.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxKeptBytes
        ? null
        : { run, segments, read };
    return read;
  };

  /** The newest segment whose name is known to be durable. */
  const syncedNames = new Map<string, number>();
  const syncNames = async (run: string, newest: number | undefined): Promise<void> => {
    if (!durable || newest === undefined || newest === ownEnd(run)?.epoch || newest === syncedNames.get(run))
      return;
    const folder = folderOf(run);
    try {
      await Promise.all([files.syncFolder(folder), files.syncFolder(dirname(folder))]);
    } catch (error) {
      // Removed meanwhile; the next read of the names shows it.
      if (!leadsNowhere(error)) throw readFault(folder, error);
    }
    syncedNames.set(run, newest);
  };

  const load = async (run: string): Promise<LoadedRun> => {
    let found = await names(run);
    for (let attempt = 1; ; attempt += 1) {
      const newest = found.epochs.at(-1);
      const journal = await readSegments(run, found.epochs, durable);
      // A read beside a write may give what neither of them holds, on some file systems; that passes.
      if (!journal.ok && attempt > 2) throw new JournalCorrupt(run, journal.fault);
      await syncNames(run, newest);
      const isBeingClaimed = journal.ok && journal.last.epoch !== newest && ownerLives(found);
      const after = await names(run);
      if (journal.ok && ((!isBeingClaimed && after.epochs.at(-1) === newest) || attempt === maxAttempts)) {
        if (journal.entries.length === 0) throw runUnknown(run);
        return { names: found, journal };
      }
      await sleep(Math.min(attempt, 20));
      found = after;
    }
  };

  const readOn: RunReader['readOn'] = async (run, place) => {
    const found = await names(run);
    if (place !== null && found.epochs.at(-1) === place.epoch) {
      const { epoch, position } = place;
      const read = readSegment(await readFile(run, epoch, position.offset, epoch, durable), position);
      const after = await names(run);
      if (typeof read.rest !== 'object' && after.epochs.at(-1) === epoch)
        return { entries: read.entries, place: { epoch, position: read.end } };
    }
    const { journal } = await load(run);
    return {
      entries: journal.entries.slice(place?.position.seq ?? 0),
      place: { epoch: journal.last.epoch, position: journal.last.end },
    };
  };

  return { names, load, readOn, readSegments, knowSynced: (run, epoch) => void syncedNames.set(run, epoch) };
}
