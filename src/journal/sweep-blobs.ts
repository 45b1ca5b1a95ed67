// Removes the blobs that no journal names.
//
// Old blobs are listed first, then every journal is read, then the blobs that none of them names are removed if they are
// still old. A journal names a blob only after `put`, which makes the blob young again (blobs.ts), so a blob that a run
// names meanwhile is kept. Everything that looks like a digest in an entry counts as a name. If a journal is damaged,
// nothing is removed, because the blobs it names are unknown.
import { TechneError } from '../base/error.ts';
import type { BlobDigest, SweptBlobs } from '../ports/blobs.ts';
import { entryJson } from './frame.ts';
import { eachRun } from './each-run.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore, StoredEntry } from '../ports/run-store.ts';

interface SweepResult {
  readonly blobs: number;
  readonly bytes: number;
  /** Runs whose journals could not be read. */
  readonly damaged: readonly string[];
}

/** A run that is being started has put its blobs, and not yet written its journal: it has this long. */
export const graceMs = 3_600_000;

export async function sweepBlobs(
  store: Pick<RunStore, 'list' | 'read'>,
  blobs: Pick<SweptBlobs, 'list' | 'remove'>,
  nowMs: number,
  bulk?: RunIndex['bulk'],
): Promise<SweepResult> {
  const beforeMs = nowMs - graceMs;
  // It knows which run names which blob, since the entry that names it was stored together with that.
  if (bulk !== undefined) return { ...(await bulk.removeUnnamedBlobs(beforeMs)), damaged: [] };
  const old = new Set(
    (await blobs.list()).filter(({ putAtMs }) => putAtMs < beforeMs).map(({ digest }) => digest),
  );
  const damaged: string[] = [];
  for await (const { run } of old.size === 0 ? [] : eachRun(store)) {
    const entries = await store.read(run).catch((error: unknown) => whyUnread(error));
    if (entries === 'damaged') damaged.push(run);
    else
      for (const { entry } of entries)
        for (const [digest] of entryJson(entry).matchAll(/sha256:[0-9a-f]{64}/g))
          old.delete(digest as BlobDigest);
  }
  if (damaged.length > 0) return { blobs: 0, bytes: 0, damaged };
  return { ...(await blobs.remove([...old], beforeMs)), damaged };
}

function whyUnread(error: unknown): 'damaged' | readonly StoredEntry[] {
  if (!(error instanceof TechneError)) throw error;
  if (error.code === 'JOURNAL_CORRUPT') return 'damaged';
  // Removed since it was listed.
  if (error.code === 'RUN_UNKNOWN') return [];
  throw error;
}
