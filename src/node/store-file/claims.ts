// Creates a run, takes one over, or reads it: decides which process may write to it, and which entries count.
//
//   owner.<n>.<me> -> journal.<n>, which only one can make -> read and seal journal.<n-1> -> owner.claimed
//
// The new segment is made before the old one is read. The old owner looks for it after each write and before it
// resolves: either it sees the new segment, or the new owner sees its write. The entry that seals is written when
// everything it seals is durable, because the process that wrote it may have been killed before its sync. A claim
// that fails at any point leaves the run unchanged: a segment without its first entry does not count.
import { join, dirname } from 'node:path';
import type { JournalEntry } from '../../journal/entry.ts';
import { BatchEncoder, chainText, startOfSegment } from '../../journal/frame.ts';
import type { Position } from '../../journal/frame.ts';
import { JournalCorrupt, readJournal } from '../../journal/read-journal.ts';
import type { JournalContent, JournalRead, Segment } from '../../journal/read-journal.ts';
import { hasEnded, runEnded, runExists, runOwned, runUnknown } from '../../journal/run-state.ts';
import type { Claim, StoredEntry } from '../../ports/run-store.ts';
import { writeFault, readFault } from './faults.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';
import type { OwnerRecord, Owners } from '../files/owner-record.ts';
import { describeOwner } from '../files/owner-record.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSegment } from '../../journal/read-segment.ts';
import { leadsNowhere } from '../files/file-fault.ts';

// The files of a run, and what their names mean.
//
//   journal.<epoch>     the entries of one owner
//   owner.<epoch>.<…>   who wrote or writes it; empty, since its name is the record
//   inbox/<ulid>.json   messages for the owner
//
// The file of an owner is made before its segment. It is complete or missing, and one that a crash removed belonged
// to a process that the crash ended.

interface RunNames {
  /** Epochs that have a segment, in order. */
  readonly epochs: readonly number[];
  readonly owners: readonly OwnerFile[];
}

interface OwnerFile {
  readonly name: string;
  readonly epoch: number;
  readonly owner: OwnerRecord;
  readonly token: string;
}

export function segmentName(epoch: number): string {
  return `journal.${epoch}`;
}

/** `token` keeps two owners of one process apart. */
export function ownerName(epoch: number, owner: OwnerRecord, token: string): string {
  const parts = [
    String(epoch),
    String(owner.pid),
    owner.startedAt,
    owner.bootId,
    owner.pidSpace,
    token,
    owner.host,
  ];
  return `owner.${parts.map((part) => (part === null ? '-' : encodeURIComponent(part).replaceAll('.', '%2E'))).join('.')}`;
}

export function parseRunNames(names: readonly string[]): RunNames {
  const epochs: number[] = [];
  const owners: OwnerFile[] = [];
  for (const name of names) {
    const epoch = /^journal\.([1-9][0-9]{0,14})$/.exec(name)?.[1];
    if (epoch !== undefined) epochs.push(Number(epoch));
    const owner = parseOwner(name);
    if (owner !== null) owners.push(owner);
  }
  return { epochs: epochs.sort((a, b) => a - b), owners };
}

function parseOwner(name: string): OwnerFile | null {
  const parts = name.split('.');
  if (parts[0] !== 'owner' || parts.length !== 8) return null;
  let texts: (string | null)[];
  try {
    texts = parts.slice(1).map((part) => (part === '-' ? null : decodeURIComponent(part)));
  } catch {
    return null;
  }
  const [epochText, pidText, startedAt = null, bootId = null, pidSpace = null, token, host] = texts;
  const [epoch, pid] = [Number(epochText), Number(pidText)];
  if (!Number.isSafeInteger(epoch) || epoch < 1 || !Number.isSafeInteger(pid) || pid < 1) return null;
  if (typeof token !== 'string' || typeof host !== 'string') return null;
  return { name, epoch, token, owner: { pid, startedAt, bootId, pidSpace, host } };
}

export interface ClaimOptions {
  readonly files: JournalFiles;
  /** Of all runs. */
  readonly root: string;
  readonly durable: boolean;
  readonly owners: Owners;
  readonly reader: RunReader;
  readonly nowMs: () => number;
  readonly nextToken: () => string;
}

export interface Claimed {
  readonly claim: Claim;
  readonly position: Position;
  readonly file: JournalFile;
  /** Of a run that was taken over: everything in its journal, up to the claim. */
  readonly entries: readonly StoredEntry[] | null;
  /** Removed when the claim ends. */
  readonly ownerPath: string;
}

export async function createRun(
  options: ClaimOptions,
  run: string,
  entries: readonly JournalEntry[],
): Promise<Claimed> {
  const { files, root, durable, owners } = options;
  const folder = join(root, run);
  try {
    if (!(await files.makeFolder(folder))) throw runExists(run);
  } catch (error) {
    throw writeFault(folder, error);
  }
  try {
    const ownerPath = join(folder, ownerName(1, owners.self, options.nextToken()));
    const file = await createOwned(files, ownerPath, join(folder, segmentName(1)));
    if (file === null) throw runExists(run);
    const syncFolders = durable ? [folder, root] : [];
    const position = await writeFirst(options, file, startOfSegment(run, 1, 0), entries, syncFolders);
    return { claim: { run, epoch: 1, seq: position.seq }, position, file, entries: null, ownerPath };
  } catch (error) {
    await files.removeFolder(folder);
    throw writeFault(folder, error);
  }
}

export async function claimRun(options: ClaimOptions, run: string): Promise<Claimed> {
  const { files, root, owners, reader } = options;
  const folder = join(root, run);
  const found = await reader.names(run);
  const living = livingOwner(found, owners);
  if (living !== null) throw runOwned(run, living);
  const epoch = (found.epochs.at(-1) ?? 0) + 1;
  const ownerPath = join(folder, ownerName(epoch, owners.self, options.nextToken()));
  const segmentPath = join(folder, segmentName(epoch));
  let file: JournalFile | null = null;
  try {
    file = await createOwned(files, ownerPath, segmentPath);
    if (file === null) {
      const names = await reader.names(run);
      const others = names.owners.filter(({ name }) => join(folder, name) !== ownerPath);
      throw runOwned(
        run,
        livingOwner({ ...names, owners: others }, owners) ?? 'a process that has claimed it just now',
      );
    }
    const { last, entries } = await sealRun(options, run, found.epochs);
    if (hasEnded(entries)) throw runEnded(run);
    const entry: JournalEntry = {
      type: 'owner.claimed',
      at: options.nowMs(),
      epoch,
      owner: describeOwner(owners.self),
      sealed: { epoch: last.epoch, bytes: last.end.offset, chain: chainText(last.end.chain) },
    };
    const position = await writeFirst(options, file, startOfSegment(run, epoch, last.end.seq), [entry], []);
    for (const { name } of found.owners) await files.remove(join(folder, name));
    return {
      claim: { run, epoch, seq: position.seq },
      position,
      file,
      entries: [...entries, { seq: last.end.seq, entry }],
      ownerPath,
    };
  } catch (error) {
    // The segment first: as long as it is there, it has an owner.
    if (file !== null) {
      await file.close();
      await files.remove(segmentPath);
    }
    await files.remove(ownerPath);
    throw error instanceof JournalCorrupt ? error : writeFault(folder, error);
  }
}

/** `null` if the last writer, and any process about to write, is dead or has detached. */
export function livingOwner({ epochs, owners: files }: RunNames, owners: Owners): string | null {
  const newest = epochs.at(-1) ?? 0;
  const living = files.find(({ epoch, owner }) => epoch >= newest && !owners.isDead(owner));
  return living === undefined ? null : describeOwner(living.owner);
}

/** The valid entries of the earlier segments; torn bytes after them are cut off. */
async function sealRun(
  { files, root, reader, durable }: ClaimOptions,
  run: string,
  epochs: readonly number[],
): Promise<JournalContent> {
  const folders = durable ? [join(root, run), root] : [];
  const [journal] = await Promise.all([
    reader.readSegments(run, epochs, durable),
    ...folders.map((folder) => files.syncFolder(folder)),
  ]);
  if (!journal.ok) throw new JournalCorrupt(run, journal.fault);
  if (journal.entries.length === 0) throw runUnknown(run);
  const { last } = journal;
  if (last.tornBytes === 0) return journal;
  const file = await files.open(join(root, run, last.file));
  if (file === null) throw runUnknown(run);
  try {
    await file.truncate(last.end.offset);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
  return journal;
}

async function writeFirst(
  { files, durable }: ClaimOptions,
  file: JournalFile,
  start: Position,
  entries: readonly JournalEntry[],
  syncFolders: readonly string[],
): Promise<Position> {
  const encoder = new BatchEncoder(start);
  encoder.add(entries);
  const { bytes, end } = encoder.take();
  await file.write(bytes, 0);
  if (durable) await Promise.all([file.sync(), ...syncFolders.map((folder) => files.syncFolder(folder))]);
  return end;
}

/** The segment, made when its owner's file is there; `null` if another process has made it. */
async function createOwned(
  files: JournalFiles,
  ownerPath: string,
  segmentPath: string,
): Promise<JournalFile | null> {
  const owner = await files.create(ownerPath);
  const [segment] = await Promise.all([files.create(segmentPath), owner?.close()]);
  return segment;
}

// The folder of a run -> its entries, for any process.
//
// Entries that are returned are durable and hold for every later reader: segments and their names are synced after
// reading, and everything is read again if a newer segment appeared. (A store that is not durable returns what is
// written.) During a claim only the claimer knows how much of the previous segment counts, so readers wait for it. A
// run of this process is read as far as its writer has written; a newer segment means that the run was lost to
// another owner.

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
  /** As `look` gives it for as long as the journal is the same; `null`: it is just being claimed. */
  readonly stamp: string | null;
}

/** Where a reader has got to. */
export interface ReadPlace {
  readonly epoch: number;
  readonly position: Position;
}

interface RunReader {
  /** Throws RUN_UNKNOWN, also for a run without a segment. */
  names(run: string): Promise<RunNames>;
  /** What is there, without reading it. Throws RUN_UNKNOWN. */
  look(run: string): Promise<Pick<LoadedRun, 'names' | 'stamp'>>;
  /** Throws RUN_UNKNOWN, JOURNAL_CORRUPT. */
  load(run: string): Promise<LoadedRun>;
  /** Another run may come under this name. */
  forget(run: string): void;
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

/** Of a journal that is kept for the next look at it, and of all of them. */
const maxKeptBytes = 1024 * 1024;
const maxAllKeptBytes = 8 * 1024 * 1024;

interface KeptJournal {
  readonly segments: readonly Segment[];
  readonly read: JournalRead;
  readonly bytes: number;
  /** Of its newest segment, once it was found to be whole: as long as this holds, it is the journal. */
  stamp: string | null;
}

function sameBytes(before: readonly Segment[], now: readonly Segment[]): boolean {
  return (
    before.length === now.length &&
    before.every((one, at) => {
      const other = now[at];
      return one === other || (one.epoch === other?.epoch && Buffer.compare(one.bytes, other.bytes) === 0);
    })
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

  /** Journals that were read last, the oldest first: parsing takes longer than reading, and reading longer than a look at one file. */
  const kept = new Map<string, KeptJournal>();
  let keptBytes = 0;
  const forget = (run: string): void => {
    keptBytes -= kept.get(run)?.bytes ?? 0;
    kept.delete(run);
  };
  const keep = (run: string, segments: readonly Segment[], read: JournalRead): void => {
    forget(run);
    const bytes = segments.reduce((sum, one) => sum + one.bytes.length, 0);
    if (bytes > maxKeptBytes) return;
    kept.set(run, { segments, read, bytes, stamp: null });
    keptBytes += bytes;
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxAllKeptBytes) break;
      forget(oldest);
    }
  };
  /** `sealed`: segments that are not read again. */
  const readSegments = async (
    run: string,
    epochs: readonly number[],
    sync: boolean,
    sealed: readonly Segment[] = [],
  ): Promise<JournalRead> => {
    const known = new Map(sealed.map((segment) => [segment.epoch, segment]));
    const segments = await Promise.all(
      epochs.map(
        async (epoch): Promise<Segment> =>
          known.get(epoch) ?? {
            epoch,
            file: segmentName(epoch),
            bytes: await readFile(run, epoch, 0, epochs.at(-1), sync),
          },
      ),
    );
    const before = kept.get(run);
    if (before !== undefined && sameBytes(before.segments, segments)) return before.read;
    const read = readJournal(run, segments);
    keep(run, segments, read);
    return read;
  };
  /** Those that the newest one of a whole journal has sealed: as much of them as counts is fixed. */
  const sealedSegments = (run: string): readonly Segment[] => {
    const known = kept.get(run);
    if (known === undefined || !known.read.ok) return [];
    const { epoch: newest } = known.read.last;
    return known.segments.filter(({ epoch }) => epoch < newest);
  };
  const stampOf = async (run: string, newest: number): Promise<string | null> => {
    const own = ownEnd(run);
    if (own?.epoch === newest) return `own ${newest} ${own.end.offset}`;
    const path = join(folderOf(run), segmentName(newest));
    const found = await files.stamp(path).catch((error: unknown) => {
      throw readFault(path, error);
    });
    return found === null ? null : `${newest} ${found}`;
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
      const newest = found.epochs.at(-1) ?? 0;
      // Before anything is read: what is written meanwhile makes another one.
      const stamp = await stampOf(run, newest);
      const known = kept.get(run);
      // It was whole and durable when it was kept, so it holds whatever was claimed since.
      if (known?.read.ok === true && stamp !== null && known.stamp === stamp)
        return { names: found, journal: known.read, stamp };
      const sealed = attempt === 1 ? sealedSegments(run) : [];
      const journal = await readSegments(run, found.epochs, durable, sealed);
      // A read beside a write may give what neither of them holds, on some file systems; that passes.
      if (!journal.ok && attempt > 2) throw new JournalCorrupt(run, journal.fault);
      await syncNames(run, newest);
      const isBeingClaimed = journal.ok && journal.last.epoch !== newest && ownerLives(found);
      const after = await names(run);
      if (journal.ok && ((!isBeingClaimed && after.epochs.at(-1) === newest) || attempt === maxAttempts)) {
        if (journal.entries.length === 0) throw runUnknown(run);
        const isWhole = journal.last.epoch === newest && after.epochs.at(-1) === newest;
        const now = kept.get(run);
        if (isWhole && now?.read === journal) now.stamp = stamp;
        return { names: found, journal, stamp: isWhole ? stamp : null };
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

  return {
    names,
    async look(run) {
      const found = await names(run);
      return { names: found, stamp: await stampOf(run, found.epochs.at(-1) ?? 0) };
    },
    load,
    forget,
    readOn,
    readSegments,
    knowSynced: (run, epoch) => void syncedNames.set(run, epoch),
  };
}
