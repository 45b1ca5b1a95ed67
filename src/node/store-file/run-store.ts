// The RunStore as files: a folder per run, shared by all processes of a user.
//
//   <folder>/<run>/journal.<epoch> owner.<epoch>.<…> inbox/<ulid>.json        (claims.ts)
//
// Folders are 0700 and files 0600, and the event loop never waits for a disk. `durable: false` keeps every guarantee
// except those about a crash; it is for tests, measurements and `techne test`.
import { join } from 'node:path';
import {
  foldRun,
  summarizeRun,
  isRunName,
  ownerLost,
  runOwned,
  runUnfinished,
  runUnknown,
} from '../../journal/run-state.ts';
import { JournalCorrupt } from '../../journal/read-journal.ts';
import { fitsFilter } from '../../journal/each-run.ts';
import type { Claim, RunStore, RunSummary, StoredEntry, InboxMessage } from '../../ports/run-store.ts';
import { createUlids, ulidTimeMs, isUlid } from '../../journal/ulid.ts';
import { TechneError } from '../../base/error.ts';
import { claimRun, createRun, livingOwner, parseRunNames, createRunReader } from './claims.ts';
import type { ClaimOptions, Claimed, ReadPlace } from './claims.ts';
import { writeFault } from './faults.ts';
import { lookAtChanges } from './watch.ts';
import type { Looking } from './watch.ts';
import { IdleWriters, JournalWriter } from './writer.ts';
import type { JournalFiles } from './journal-files.ts';
import { nodeCrypto } from '../environment.ts';
import { createNodeJournalFiles } from './node-journal-files.ts';
import { createNodeWatching } from '../watching.ts';
import type { Owners } from '../files/owner-record.ts';
import { isDead, ownRecord } from '../files/owner-record.ts';
import type { Watching } from '../../ports/watching.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { maxMessageBytes, messageText, parseMessage } from '../../journal/inbox-message.ts';
import type { NextUlid } from '../../journal/ulid.ts';

interface FileRunStoreOptions {
  /** Holds a folder per run; made when it is missing. */
  readonly folder: string;
  /** Default: true. */
  readonly durable?: boolean;
  /** How often inboxes and journals are looked at besides being watched; ten times as often where they cannot be. Default: 2000. */
  readonly pollMs?: number;
  /** Segments that are kept open while nothing is appended to them. Default: 100. */
  readonly maxIdleFiles?: number;
  /** Default: `Date.now`. */
  readonly nowMs?: () => number;
  /** Default: the real file system. */
  readonly files?: JournalFiles;
  /** Default: `fs.watch`. */
  readonly watching?: Watching;
  /** Default: this process, and a look at the process table. */
  readonly owners?: Owners;
}

interface Owned {
  readonly claim: Claim;
  readonly ownerPath: string;
  readonly writer: JournalWriter;
  /** Messages that were given to this owner. */
  readonly given: Set<string>;
  /** The entries that its claim has read, for the first read of its owner. */
  entries: readonly StoredEntry[] | null;
}

/** As long as the newest segment of its journal is the same. */
interface KeptSummary {
  readonly stamp: string;
  /** While its owner lives. */
  readonly held: RunSummary;
  readonly left: RunSummary;
}

/** Some hundred bytes each. */
const maxSummaries = 20_000;
/** Journals that `list` reads at a time. */
const listedAtOnce = 16;
/** A folder that was to be removed and is still there after this time was left by a crash. */
const abandonedMs = 3_600_000;

export function createFileRunStore(options: FileRunStoreOptions): RunStore {
  const { folder: root } = options;
  const durable = options.durable ?? true;
  const pollMs = options.pollMs ?? 2000;
  const nowMs = options.nowMs ?? Date.now;
  const files = options.files ?? createNodeJournalFiles();
  const watching = options.watching ?? createNodeWatching();
  const owners = options.owners ?? { self: ownRecord(), isDead };
  const nextId = createUlids({ nowMs, randomBytes: (count) => nodeCrypto().randomBytes(count) });
  const nextToken = (): string => nodeCrypto().randomBytes(8).toString('hex');
  const idle = new IdleWriters(options.maxIdleFiles ?? 100);
  const owned = new Map<string, Owned>();
  const looking = new Map<Looking, { readonly run: string; readonly at: 'journal' | 'inbox' }>();
  let madeRoot: Promise<void> | null = null;

  const folderOf = (run: string): string => {
    if (!isRunName(run)) throw runUnknown(run);
    return join(root, run);
  };
  const ownEnd = (run: string): { epoch: number; end: JournalWriter['end'] } | null => {
    const own = owned.get(run);
    return own === undefined ? null : { epoch: own.claim.epoch, end: own.writer.end };
  };
  const inboxOf = (run: string): Inbox => createInbox(files, folderOf(run), { durable, nextId, nowMs });
  const reader = createRunReader({
    files,
    durable,
    folderOf,
    ownEnd,
    ownerLives: (names) => livingOwner(names, owners) !== null,
  });
  const claims: ClaimOptions = { files, root, durable, owners, reader, nowMs, nextToken };

  /** Notifies all watchers of the run, or only those of that part. */
  const wake = (run: string, at?: 'journal' | 'inbox'): void => {
    for (const [look, of] of looking) if (of.run === run && (at === undefined || of.at === at)) look.wake();
  };
  const keep = ({ claim, position, file, entries, ownerPath }: Claimed): Claim => {
    const folder = folderOf(claim.run);
    reader.knowSynced(claim.run, claim.epoch);
    const writer = new JournalWriter({
      claim,
      folder,
      files,
      durable,
      position,
      file,
      idle,
      onBatch: () => wake(claim.run, 'journal'),
    });
    owned.set(claim.run, { claim, ownerPath, writer, given: new Set(), entries });
    wake(claim.run);
    return claim;
  };
  const mustOwn = (claim: Claim): Owned => {
    const own = owned.get(claim.run);
    if (own === undefined || own.claim.epoch !== claim.epoch) throw ownerLost(claim);
    return own;
  };
  const letGo = async ({ claim, ownerPath, writer }: Owned): Promise<void> => {
    try {
      await writer.finish();
    } catch (error) {
      // A process that lost the run has nothing left to write. Any other fault is thrown once the run is free for others.
      if (!(error instanceof TechneError) || error.code !== 'OWNER_LOST') throw error;
    } finally {
      owned.delete(claim.run);
      await Promise.all([writer.closeFile(), files.remove(ownerPath)]);
    }
  };
  const look = (
    run: string,
    at: 'journal' | 'inbox',
    folder: string,
    work: () => Promise<void>,
    onFault: (error: Error) => void,
  ): Looking => {
    const made = lookAtChanges({ watching, folder, pollMs, look: work, onFault });
    const handle: Looking = {
      wake: made.wake,
      close: () => {
        looking.delete(handle);
        made.close();
      },
    };
    looking.set(handle, { run, at });
    return handle;
  };
  /** Makes appended entries readable, which a durable store does anyhow. A failed write rejects its `append`. */
  const flushed = async (run: string): Promise<void> => {
    if (!durable)
      await owned
        .get(run)
        ?.writer.flush()
        .catch(() => {});
  };

  /** The oldest first: lists are asked for again and again, and most runs of them have long ended. */
  const summaries = new Map<string, KeptSummary>();
  const summaryOf = async (run: string): Promise<RunSummary | null> => {
    try {
      await flushed(run);
      const { names, stamp } = await reader.look(run);
      const known = summaries.get(run);
      if (known !== undefined && known.stamp === stamp)
        return livingOwner(names, owners) === null ? known.left : known.held;
      const loaded = await reader.load(run);
      const state = foldRun(loaded.journal.entries);
      const [held, left] = [summarizeRun(state, true), summarizeRun(state, false)];
      summaries.delete(run);
      if (loaded.stamp !== null) summaries.set(run, { stamp: loaded.stamp, held, left });
      for (const oldest of summaries.keys()) {
        if (summaries.size <= maxSummaries) break;
        summaries.delete(oldest);
      }
      return livingOwner(loaded.names, owners) === null ? left : held;
    } catch (error) {
      summaries.delete(run);
      if (error instanceof JournalCorrupt)
        return {
          run,
          skill: '',
          startedAt: ulidTimeMs(run) ?? 0,
          status: 'corrupt',
          endedAt: null,
          parent: null,
          workspace: null,
        };
      // Removed meanwhile, or never finished being made.
      if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return null;
      throw error;
    }
  };

  return {
    async create(run, entries) {
      if (!isRunName(run)) throw new RangeError(`"${run}" cannot be the name of a run`);
      madeRoot ??= files.makeFolders(root);
      await madeRoot.catch((error: unknown) => {
        madeRoot = null;
        throw writeFault(root, error);
      });
      reader.forget(run);
      summaries.delete(run);
      return keep(await createRun(claims, run, entries));
    },

    async claim(run) {
      const stale = owned.get(run);
      if (stale !== undefined && (await reader.names(run)).epochs.at(-1) !== stale.claim.epoch)
        await letGo(stale);
      return keep(await claimRun(claims, run));
    },

    append(claim, expectedSeq, entries) {
      const own = owned.get(claim.run);
      if (own === undefined || own.claim.epoch !== claim.epoch) return Promise.reject(ownerLost(claim));
      return own.writer.append(expectedSeq, entries);
    },

    async release(claim) {
      const own = owned.get(claim.run);
      if (own?.claim.epoch === claim.epoch) await letGo(own);
    },

    async read(run, from = 0) {
      const own = owned.get(run);
      const known = own?.entries ?? null;
      if (own !== undefined) own.entries = null;
      if (known !== null && own?.writer.end.seq === known.length) return known.slice(from);
      await flushed(run);
      return (await reader.load(run)).journal.entries.slice(from);
    },

    subscribe(run, from, onEntries, onFault) {
      let place: ReadPlace | null = null;
      let next = from;
      const onLost = (error: Error): void => {
        handle.close();
        onFault?.(error);
      };
      const folder = isRunName(run) ? join(root, run) : root;
      const work = async (): Promise<void> => {
        const read = await reader.readOn(run, place);
        place = read.place;
        const entries = read.entries.filter(({ seq }) => seq >= next);
        next += entries.length;
        if (entries.length > 0 && looking.has(handle)) onEntries(entries);
      };
      const handle = look(run, 'journal', folder, work, onLost);
      return { close: handle.close };
    },

    async list({ cursor, limit, only = {} }) {
      const names = ((await files.list(root)) ?? []).filter(isRunName).sort().reverse();
      const rest = cursor === undefined ? names : names.filter((run) => run < cursor);
      const runs: RunSummary[] = [];
      // Behind the page: each page reads as many runs, however few of them fit.
      const fitting = (all: readonly RunSummary[]): readonly RunSummary[] =>
        all.filter((summary) => fitsFilter(only, summary));
      for (let at = 0; at < rest.length; at += listedAtOnce) {
        const chunk = rest.slice(at, at + listedAtOnce);
        for (const summary of await Promise.all(chunk.map(summaryOf))) {
          if (summary === null) continue;
          if (runs.length === limit) return { runs: fitting(runs), cursor: runs.at(-1)?.run ?? null };
          runs.push(summary);
        }
      }
      return { runs: fitting(runs), cursor: null };
    },

    async post(run, message) {
      await reader.names(run);
      const inbox = inboxOf(run);
      try {
        await inbox.post(message);
      } catch (error) {
        throw writeFault(inbox.folder, error);
      }
      wake(run, 'inbox');
    },

    receive(claim, onMessage) {
      const own = mustOwn(claim);
      const inbox = inboxOf(claim.run);
      let closed = false;
      let handle: Looking | null = null;
      let looked = (): void => {};
      const ready = new Promise<void>((resolve) => {
        looked = resolve;
      });
      const close = (): void => {
        closed = true;
        handle?.close();
        looked();
      };
      const work = async (): Promise<void> => {
        if (owned.get(claim.run) !== own) return close();
        for (const { id, message } of await inbox.unseen(own.given, () => closed))
          if (!closed) onMessage(id, message);
        looked();
      };
      // Polling continues after a fault: an owner that cannot be reached cannot be stopped.
      const start = (): void => {
        handle?.close();
        if (!closed) handle = look(claim.run, 'inbox', inbox.folder, work, onFault);
      };
      const onFault = (): void => {
        looked();
        setTimeout(start, pollMs);
      };
      inbox.open().then(start, start);
      return { close, ready };
    },

    async acknowledge(claim, id) {
      await mustOwn(claim).writer.flush();
      await inboxOf(claim.run).remove(id);
    },

    async remove(run, { force = false } = {}) {
      const folder = folderOf(run);
      const living = livingOwner(await reader.names(run), owners);
      if (living !== null) throw runOwned(run, living);
      if (!force && foldRun((await reader.load(run)).journal.entries).ended === null)
        throw runUnfinished(run);
      const removed = join(root, `.removed-${nextId()}`);
      await files.rename(folder, removed);
      // A process that claims it now makes its owner's file first, in this folder or in none.
      const claimed = livingOwner(parseRunNames((await files.list(removed)) ?? []), owners);
      if (claimed !== null) {
        await files.rename(removed, folder);
        throw runOwned(run, claimed);
      }
      if (durable) await files.syncFolder(root);
      await files.removeFolder(removed);
      await removeAbandoned();
      wake(run);
    },

    async close() {
      for (const handle of looking.keys()) handle.close();
      await Promise.all([...owned.values()].map(letGo));
    },
  };

  /** The rest of an earlier `remove` that a crash interrupted. */
  async function removeAbandoned(): Promise<void> {
    for (const name of (await files.list(root)) ?? []) {
      if (!name.startsWith('.removed-')) continue;
      const removedAt = ulidTimeMs(name.slice('.removed-'.length));
      if (removedAt !== null && removedAt < nowMs() - abandonedMs) await files.removeFolder(join(root, name));
    }
  }
}

// The inbox of a run: a folder that any process writes to and the owner empties.
//
// A message becomes visible as a whole, under a name that sorts after those that were there when it was posted, also
// within the same millisecond. Files that are not messages stay and are ignored; neither they nor unreadable files
// hold back the messages beside them.

interface Inbox {
  /** Makes sure that there is a folder to watch. */
  open(): Promise<void>;
  post(message: InboxMessage): Promise<void>;
  /** In order, without those in `given`, to which they are added. Nothing is read once it is closed. */
  unseen(
    given: Set<string>,
    isClosed: () => boolean,
  ): Promise<readonly { readonly id: string; readonly message: InboxMessage }[]>;
  remove(id: string): Promise<void>;
  readonly folder: string;
}

/** A name from further ahead was made by a clock that is wrong, and is not followed. */
const maxAheadMs = 60_000;

interface InboxOptions {
  readonly durable: boolean;
  readonly nextId: NextUlid;
  readonly nowMs: () => number;
}

function createInbox(
  files: JournalFiles,
  runFolder: string,
  { durable, nextId, nowMs }: InboxOptions,
): Inbox {
  const folder = join(runFolder, 'inbox');
  const place = (id: string): string => join(folder, `${id}.json`);
  const open = async (): Promise<void> => {
    if ((await files.makeFolder(folder)) && durable) await files.syncFolder(runFolder);
  };
  const waiting = async (): Promise<string[]> => {
    const names = (await files.list(folder)) ?? [];
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
    return ids.filter(isUlid).sort();
  };
  const idBehindAll = async (): Promise<string> => {
    const latestMs = nowMs() + maxAheadMs;
    const times = (await waiting()).map((id) => ulidTimeMs(id) as number).filter((ms) => ms < latestMs);
    return nextId((times.at(-1) ?? -1) + 1);
  };
  return {
    folder,
    open,
    async post(message) {
      const bytes = Buffer.from(messageText(message));
      await open();
      const id = await idBehindAll();
      const temporary = join(folder, `${id}.tmp`);
      const file = await files.create(temporary);
      if (file === null) throw new Error(`"${temporary}" is there already`);
      try {
        await file.write(bytes, 0);
        if (durable) await file.sync();
      } finally {
        await file.close();
      }
      await files.rename(temporary, place(id));
      if (durable) await files.syncFolder(folder);
    },
    async unseen(given, isClosed) {
      const found: { id: string; message: InboxMessage }[] = [];
      for (const id of await waiting()) {
        if (isClosed()) break;
        if (given.has(id)) continue;
        // An unreadable file is tried again the next time.
        const bytes = await files.readSmall(place(id), maxMessageBytes).catch(() => null);
        if (bytes === null) continue;
        given.add(id);
        if (bytes === 'unfit') continue;
        const message = parseMessage(decodeUtf8(bytes).text);
        if (message !== null) found.push({ id, message });
      }
      return found;
    },
    async remove(id) {
      if (isUlid(id)) await files.remove(place(id));
    },
  };
}
