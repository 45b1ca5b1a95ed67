// The RunStore as tables of Postgres, shared by processes on any number of machines.
//
// The row of a run is its fence: every append is one statement that moves `seq` where run, epoch, owner and seq are as
// expected, so a stale owner is refused by the database (appends.ts). Whether an owner lives is in owners.ts; how others
// learn of changes, in wakeups.ts. `claim` and `create` are repeated after a lost connection only where a look shows that
// the first attempt was not carried out.
import { TechneError } from '../base/error.ts';
import { fitsFilter } from '../journal/each-run.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { entryJson } from '../journal/frame.ts';
import { messageText, parseMessage } from '../journal/inbox-message.ts';
import { JournalCorrupt } from '../journal/read-journal.ts';
import { decodeEntry } from '../journal/read-segment.ts';
import {
  isRunName,
  outOfSequence,
  ownerLost,
  runEnded,
  runExists,
  runOwned,
  runUnfinished,
  runUnknown,
} from '../journal/run-state.ts';
import type { Claim, RunFilter, RunStore, RunSummary, StoredEntry } from '../ports/run-store.ts';
import type { Lines, OwnedJournal } from './appends.ts';
import { Appends } from './appends.ts';
import type { Database } from './database.ts';
import { pause } from './database.ts';
import { isOfConnection, isPassing, storeFault } from './faults.ts';
import type { LookedAt, Workers } from './owners.ts';
import type { Queries } from './queries.ts';
import type { Wakeups, Watcher } from './wakeups.ts';

interface Parts {
  readonly database: Database;
  readonly queries: Queries;
  readonly workers: Workers;
  readonly wakeups: Wakeups;
  readonly nowMs: () => number;
  readonly nextToken: () => string;
}

interface Owned {
  readonly claim: Claim;
  readonly journal: OwnedJournal;
  /** Messages that were given to this owner. */
  readonly given: Set<string>;
}

interface ListedRow {
  readonly run: string;
  readonly skill: string;
  readonly started_at: string;
  readonly status: RunSummary['status'];
  readonly ended_at: string | null;
  readonly parent: string | null;
  readonly workspace: string | null;
  readonly owner: string | null;
  readonly record: string | null;
  readonly late: boolean | null;
}

/** Behind every name of a run. */
const behindAll = '~';
/** Of runs that have not ended, as they are stored: whether a process still drives a run is not stored. */
const openStatuses: ReadonlySet<string> = new Set(['running', 'paused', 'needs_decision']);
/** Entries of one read: a journal of any length never becomes one text that is too large. */
const readAtOnce = 20_000;
/** Statements with appends under way at a time: one is on the server while the next is collected. */
const lanes = 2;

export function createPostgresRunStore(parts: Parts): RunStore {
  const { database, queries, workers, wakeups, nowMs, nextToken } = parts;
  const owned = new Map<string, Owned>();
  const watching = new Set<{ close(): void }>();
  const appends = new Appends({
    database,
    queries,
    worker: workers.id,
    lanes,
    onStored: (run) => wakeups.tell(run, 'journal'),
  });

  const look = async (run: string): Promise<LookedAt> => {
    if (!isRunName(run)) throw runUnknown(run);
    const [found] = await database.ask<LookedAt>(queries.look, [run, workers.leaseMs]);
    if (found === undefined) throw runUnknown(run);
    return found;
  };
  const keep = (claim: Claim): Claim => {
    const journal = { claim, seq: claim.seq, waiting: null, underWay: null };
    owned.set(claim.run, { claim, journal, given: new Set() });
    wakeups.tell(claim.run, 'journal');
    return claim;
  };
  const mustOwn = (claim: Claim): Owned => {
    const own = owned.get(claim.run);
    if (own === undefined || own.claim.epoch !== claim.epoch) throw ownerLost(claim);
    return own;
  };
  const read = async (run: string, from: number): Promise<readonly StoredEntry[]> => {
    if (!isRunName(run)) throw runUnknown(run);
    const entries: StoredEntry[] = [];
    for (let next = from; ;) {
      const [found] = await database.ask<{ seq: number; lines: string | null }>(queries.read, [
        run,
        next,
        next + readAtOnce,
      ]);
      if (found === undefined) throw runUnknown(run);
      const texts = found.lines === null ? [] : found.lines.split('\n');
      const expected = Math.max(0, Math.min(found.seq, next + readAtOnce) - next);
      if (texts.length !== expected)
        throw corrupt(
          run,
          next,
          `${texts.length} entries from ${next} on, where there should be ${expected}`,
        );
      for (const text of texts) entries.push({ seq: next++, entry: parseEntry(run, next - 1, text) });
      if (next >= found.seq) return entries;
    }
  };
  const listed = (
    values: readonly unknown[],
    cursor: string | null,
    { skill, workspace, statuses }: RunFilter,
  ): Promise<readonly ListedRow[]> => {
    const before = cursor ?? behindAll;
    const stored = storedStatuses(statuses ?? null);
    if (
      stored !== null &&
      (stored.every((status) => openStatuses.has(status)) || (skill ?? workspace) === undefined)
    )
      return database.ask(queries.listOfStatus, [
        ...values,
        before,
        stored,
        skill ?? null,
        workspace ?? null,
      ]);
    if (skill !== undefined)
      return database.ask(queries.listOfSkill, [...values, before, skill, workspace ?? null, stored]);
    if (workspace !== undefined)
      return database.ask(queries.listOfWorkspace, [...values, before, workspace, stored]);
    return cursor === null
      ? database.ask(queries.list, values)
      : database.ask(queries.listAfter, [...values, cursor]);
  };
  /** Waits a moment, where trying again can help. Throws a TechneError otherwise. */
  const passes = async (error: unknown): Promise<void> => {
    if (!isPassing(error)) throw storeFault(error, database.address, true);
    await pause(50);
  };
  /** Calls `work` when the run may have changed, one call at a time. */
  const watch = (
    watcher: Pick<Watcher, 'run' | 'kind' | 'knows'>,
    work: () => Promise<void>,
    onFault: (error: TechneError) => void,
  ): { close(): void } => {
    let state: 'idle' | 'busy' | 'again' | 'closed' = 'idle';
    const isClosed = (): boolean => state === 'closed';
    const wake = (): void => {
      if (state === 'busy') state = 'again';
      if (state !== 'idle') return;
      state = 'busy';
      void run();
    };
    const run = async (): Promise<void> => {
      try {
        await work();
      } catch (error) {
        // What is not about the run passes: the poll comes again.
        if (!isClosed() && error instanceof TechneError && isOfRun(error)) onFault(error);
      }
      const again = state === 'again';
      if (isClosed()) return;
      state = 'idle';
      if (again) wake();
    };
    const added = wakeups.add({ ...watcher, wake });
    const handle = {
      close: () => {
        state = 'closed';
        watching.delete(handle);
        added.close();
      },
    };
    watching.add(handle);
    return handle;
  };

  return {
    async create(run, entries) {
      if (!isRunName(run)) throw new RangeError(`"${run}" cannot be the name of a run`);
      const [first] = entries;
      if (first?.type !== 'run.started') throw new RangeError('the first entry of a run is run.started');
      const { texts, digests, status, endedAt } = linesOf(entries);
      const { workspace } = first.settings;
      await workers.join();
      const values = [
        run,
        texts.length,
        workers.id,
        status ?? 'running',
        plain(first.skill.name),
        first.at,
        endedAt,
        first.parent?.run ?? null,
        typeof workspace === 'string' ? plain(workspace) : null,
        texts.join('\n'),
        digests.join(','),
      ];
      let isUncertain = false;
      const made = await database.patiently(async () => {
        try {
          if ((await database.once(queries.create, values)).length > 0) return true;
        } catch (error) {
          isUncertain ||= isOfConnection(error);
          throw error;
        }
        if (!isUncertain) return false;
        const [found] = await database.once<{ lines: string | null }>(queries.read, [
          run,
          0,
          texts.length + 1,
        ]);
        return found?.lines === texts.join('\n') && (await look(run)).owner === workers.id;
      }, true);
      if (!made) throw runExists(run);
      return keep({ run, epoch: 1, seq: texts.length });
    },

    async claim(run) {
      let isUncertain = false;
      for (;;) {
        const found = await look(run);
        const { epoch, owner, beat } = found;
        if (isUncertain && owner === workers.id && !owned.has(run))
          return keep({ run, epoch, seq: found.seq });
        const living = await workers.living(found);
        if (living !== null) {
          if (owner === workers.id && owned.get(run)?.claim.epoch !== epoch) owned.delete(run);
          throw runOwned(run, living);
        }
        if (found.ended_at !== null) throw runEnded(run);
        await workers.join();
        const entry: JournalEntry = {
          type: 'owner.claimed',
          at: nowMs(),
          epoch: epoch + 1,
          owner: workers.described,
        };
        try {
          const [won] = await database.once<{ epoch: number; seq: number }>(queries.claim, [
            run,
            epoch,
            owner,
            workers.id,
            beat,
            entryJson(entry),
          ]);
          // Otherwise another one was faster, or the owner lives after all: the next look tells.
          if (won !== undefined) return keep({ run, epoch: won.epoch, seq: won.seq });
        } catch (error) {
          await passes(error);
          isUncertain ||= isOfConnection(error);
        }
      }
    },

    append(claim, expectedSeq, entries) {
      const own = owned.get(claim.run);
      if (own === undefined || own.claim.epoch !== claim.epoch) return Promise.reject(ownerLost(claim));
      if (expectedSeq !== own.journal.seq)
        return Promise.reject(outOfSequence(claim.run, expectedSeq, own.journal.seq));
      return appends.add(own.journal, expectedSeq, linesOf(entries));
    },

    async release(claim) {
      const own = owned.get(claim.run);
      if (own?.claim.epoch !== claim.epoch) return;
      await appends.settled(own.journal);
      if (owned.get(claim.run) === own) owned.delete(claim.run);
      await database.ask(queries.release, [claim.run, claim.epoch, workers.id], true);
      wakeups.tell(claim.run, 'journal');
    },

    read: (run, from = 0) => read(run, from),

    subscribe(run, from, onEntries, onFault) {
      let next = from;
      let isClosed = false;
      const close = (): void => {
        isClosed = true;
        handle.close();
      };
      const work = async (): Promise<void> => {
        const entries = await read(run, next);
        next += entries.length;
        if (entries.length > 0 && !isClosed) onEntries(entries);
      };
      const handle = watch({ run, kind: 'journal', knows: (found) => found === next }, work, (error) => {
        close();
        onFault?.(error);
      });
      return { close };
    },

    async list({ cursor, limit, only = {} }) {
      const rows = await listed([workers.leaseMs, limit + 1], cursor ?? null, only);
      const runs = rows.slice(0, limit).map((row) => summaryOf(row, workers.seemsAlive(row)));
      return {
        runs: runs.filter((summary) => fitsFilter(only, summary)),
        cursor: rows.length > limit ? (runs.at(-1)?.run ?? null) : null,
      };
    },

    async post(run, message) {
      if (!isRunName(run)) throw runUnknown(run);
      const text = messageText(message);
      const rows = await database.ask(queries.post, [run, text, nextToken()], true);
      if (rows.length === 0) throw runUnknown(run);
      wakeups.tell(run, 'inbox');
    },

    receive(claim, onMessage) {
      const own = mustOwn(claim);
      let isClosed = false;
      let looked = (): void => undefined;
      const ready = new Promise<void>((resolve) => {
        looked = resolve;
      });
      const close = (): void => {
        isClosed = true;
        handle?.close();
        looked();
      };
      const work = async (): Promise<void> => {
        if (owned.get(claim.run) !== own) return close();
        const rows = await database.ask<{ id: string; message: string }>(queries.messages, [claim.run]);
        for (const { id, message } of rows) {
          if (isClosed || own.given.has(id)) continue;
          own.given.add(id);
          const parsed = parseMessage(message);
          if (parsed !== null) onMessage(id, parsed);
        }
        looked();
      };
      let handle: { close(): void } | null = null;
      handle = watch(
        {
          run: claim.run,
          kind: 'inbox',
          knows: (found) => Array.isArray(found) && found.every((id: string) => own.given.has(id)),
        },
        work,
        () => looked(),
      );
      return { close, ready };
    },

    async acknowledge(claim, id) {
      await appends.settled(mustOwn(claim).journal);
      if (!/^\d{1,18}$/.test(id)) return;
      const rows = await database.ask(queries.acknowledge, [claim.run, claim.epoch, workers.id, id], true);
      if (rows.length === 0) throw ownerLost(claim);
    },

    async remove(run, { force = false } = {}) {
      let isUncertain = false;
      for (let isGone = false; !isGone;) {
        const found = await look(run).catch((error: unknown) => {
          // It was removed by the statement whose answer was lost.
          if (isUncertain && error instanceof TechneError && error.code === 'RUN_UNKNOWN') return null;
          throw error;
        });
        if (found === null) break;
        const living = await workers.living(found);
        if (living !== null) throw runOwned(run, living);
        if (!force && found.ended_at === null) throw runUnfinished(run);
        const { epoch, owner, beat } = found;
        try {
          // Nothing is removed where it was claimed or removed meanwhile: the next look tells.
          isGone = (await database.once(queries.remove, [run, epoch, owner, beat, force])).length > 0;
        } catch (error) {
          await passes(error);
          isUncertain ||= isOfConnection(error);
        }
      }
      wakeups.tell(run, 'journal');
    },

    async close() {
      for (const handle of watching) handle.close();
      await Promise.all([...owned.values()].map(({ journal }) => appends.settled(journal)));
      owned.clear();
      if (database.wasOpened) {
        // A server that is gone cannot be told: the lease ends what is not released.
        await workers.leave().catch(() => undefined);
        await wakeups.close();
      }
      await database.close();
    },
  };
}

function linesOf(entries: readonly JournalEntry[]): Lines {
  const texts = entries.map(entryJson);
  let status: string | null = null;
  let endedAt: number | null = null;
  for (const entry of entries) {
    if (entry.type === 'run.ended') [status, endedAt] = [entry.status, entry.at];
    else if (entry.type === 'run.paused') status = entry.reason === 'decision' ? 'needs_decision' : 'paused';
    else if (entry.type === 'run.resumed') status = 'running';
  }
  const digests = new Set<string>();
  for (const text of texts)
    if (text.includes('sha256:'))
      for (const [digest] of text.matchAll(/sha256:[0-9a-f]{64}/g)) digests.add(digest);
  return { texts, digests: [...digests], status, endedAt };
}

/** The server takes no NUL. What is left out is in the entry. */
function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/** As they are in the rows; `null`: any. */
function storedStatuses(wanted: readonly RunSummary['status'][] | null): readonly string[] | null {
  if (wanted === null) return null;
  return [...new Set(wanted.map((status) => (status === 'interrupted' ? 'running' : status)))];
}

function summaryOf(row: ListedRow, isAlive: boolean): RunSummary {
  return {
    run: row.run,
    skill: row.skill,
    startedAt: Number(row.started_at),
    status: row.status === 'running' && !isAlive ? 'interrupted' : row.status,
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    parent: row.parent,
    workspace: row.workspace,
  };
}

function parseEntry(run: string, seq: number, text: string): JournalEntry {
  const entry = decodeEntry(text);
  if (typeof entry === 'string') throw corrupt(run, seq, entry);
  return entry;
}

function corrupt(run: string, record: number, reason: string): JournalCorrupt {
  return new JournalCorrupt(run, { file: 'journal', record, offset: 0, reason });
}

function isOfRun({ code }: TechneError): boolean {
  return code === 'RUN_UNKNOWN' || code === 'JOURNAL_CORRUPT';
}
