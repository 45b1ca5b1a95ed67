// Creates a run or takes one over: decides which process may write to it.
//
//   owner.<n>.<me> -> journal.<n>, which only one can make -> read and seal journal.<n-1> -> owner.claimed
//
// The new segment is made before the old one is read. The old owner looks for it after each write and before it
// resolves: either it sees the new segment, or the new owner sees its write. The entry that seals is written when
// everything it seals is durable, because the process that wrote it may have been killed before its sync. A claim
// that fails at any point leaves the run unchanged: a segment without its first entry does not count.
import { join } from 'node:path';
import type { JournalEntry } from '../../journal/entry.ts';
import { BatchEncoder, chainText, startOfSegment } from '../../journal/frame.ts';
import type { Position } from '../../journal/frame.ts';
import { JournalCorrupt } from '../../journal/read-journal.ts';
import type { JournalContent } from '../../journal/read-journal.ts';
import { hasEnded, runEnded, runExists, runOwned, runUnknown } from '../../journal/run-state.ts';
import type { Claim, StoredEntry } from '../../ports/run-store.ts';
import { writeFault } from './faults.ts';
import { ownerName, segmentName } from './names.ts';
import type { RunNames } from './names.ts';
import type { RunReader } from './reader.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';
import type { OwnerRecord } from '../files/owner-record.ts';

/** Identifies this process and tells whether another one lives. */
export interface Owners {
  readonly self: OwnerRecord;
  readonly isDead: (owner: OwnerRecord) => boolean;
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

function describeOwner({ pid, host }: OwnerRecord): string {
  return `process ${pid} on ${host}`;
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
