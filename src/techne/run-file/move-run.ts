// A run of a store <-> its file, so that a run of one store can be looked into in another.
//
// An export takes the outermost run with all runs inside of it. An import puts the blobs first, then the inner runs, then the
// outermost: what is there is complete, and an import that was interrupted can be repeated. Each imported run ends with an entry
// that says so: it can be shown, compared and replayed, but not continued, since what it executes and who trusted that is only
// what the file says. A person who knows where the file comes from can leave that entry out.
import { TechneError } from '../../base/error.ts';
import type { OwnerClaimed } from '../../journal/entry.ts';
import { entryJson } from '../../journal/frame.ts';
import { runExists } from '../../journal/run-state.ts';
import type { BlobDigest } from '../../ports/blobs.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import type { RunArchive } from '../open-archive.ts';
import type { FiledRun, RunFile } from './format.ts';
import { neededBlobs } from './format.ts';

export { maxFileBytes, parseRunFile, renderRunFile } from './format.ts';

type Parts = Pick<RunArchive, 'store' | 'blobs' | 'index'>;

/** The file of the outermost run around `run`. Throws RUN_UNKNOWN, BLOB_MISSING, BLOB_CORRUPT. */
export async function exportRun({ store, blobs, index }: Parts, run: string): Promise<RunFile> {
  let outermost = run;
  let entries = await store.read(run);
  for (let parent = parentOf(entries); parent !== null; parent = parentOf(entries)) {
    outermost = parent;
    entries = await store.read(parent);
  }
  const runs: FiledRun[] = [{ run: outermost, entries: withoutMarks(entries) }];
  for (const nested of [...(await index.nested(outermost))].sort())
    runs.push({ run: nested, entries: withoutMarks(await store.read(nested)) });
  const needed = new Set(runs.flatMap((each) => [...neededBlobs(each.entries)]));
  const filed: { digest: BlobDigest; bytes: Uint8Array }[] = [];
  for (const digest of [...needed].sort()) filed.push({ digest, bytes: await blobs.get(digest) });
  return { runs, blobs: filed };
}

export interface Imported {
  readonly run: string;
  /** Runs that were added; the others were there, and are the same. */
  readonly added: readonly string[];
}

/** Throws RUN_EXISTS when another run has the id of one of them. */
export async function importRun(
  { store, blobs }: Parts,
  { runs, blobs: filed }: RunFile,
  { trusted, nowMs }: { readonly trusted: boolean; readonly nowMs: number },
): Promise<Imported> {
  const missing: FiledRun[] = [];
  for (const each of runs) if (!(await isThere(store, each))) missing.push(each);
  for (const { bytes } of filed) await blobs.put(bytes);
  for (const { run, entries } of [...missing].reverse()) {
    const mark: OwnerClaimed = {
      type: 'owner.claimed',
      at: nowMs,
      epoch: lastEpoch(entries) + 1,
      owner: 'techne runs import',
      imported: true,
    };
    const all = entries.map(({ entry }) => entry);
    await store.release(await store.create(run, trusted ? all : [...all, mark]));
  }
  return { run: (runs[0] as FiledRun).run, added: missing.map(({ run }) => run) };
}

/** Whether this very run is there. */
async function isThere(store: Parts['store'], { run, entries }: FiledRun): Promise<boolean> {
  let found: readonly StoredEntry[];
  try {
    found = withoutMarks(await store.read(run));
  } catch (error) {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return false;
    throw error;
  }
  const texts = (of: readonly StoredEntry[]): string => of.map(({ entry }) => entryJson(entry)).join('\n');
  if (texts(found) === texts(entries)) return true;
  throw new TechneError(runExists(run).code, `there is another run "${run}" in this store`, {
    hint: `it went on since it was exported, or the file is of something else: techne runs show ${run}`,
  });
}

/** What an earlier import added is not part of the run. */
function withoutMarks(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  return entries
    .filter(({ entry }) => !(entry.type === 'owner.claimed' && entry.imported === true))
    .map(({ entry }, seq) => ({ seq, entry }));
}

function parentOf(entries: readonly StoredEntry[]): string | null {
  const first = entries[0]?.entry;
  return first?.type === 'run.started' ? (first.parent?.run ?? null) : null;
}

function lastEpoch(entries: readonly StoredEntry[]): number {
  let epoch = 1;
  for (const { entry } of entries) if (entry.type === 'owner.claimed') ({ epoch } = entry);
  return epoch;
}
