// A RunStore in memory, for tests and for runs that need not outlive their process.
//
// Stores over the same MemoryRuns see the same runs, as processes see the same folder.
import type { JournalEntry } from './entry.ts';
import { jsonText, parseJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { entryJson } from './frame.ts';
import {
  foldRun,
  hasEnded,
  summarizeRun,
  isRunName,
  outOfSequence,
  ownerLost,
  runEnded,
  runExists,
  runOwned,
  runUnfinished,
  runUnknown,
} from './run-state.ts';
import type { Claim, InboxMessage, RunStore, RunSummary, StoredEntry } from '../ports/run-store.ts';
import { fitsFilter } from './each-run.ts';
import { createUlids } from './ulid.ts';

interface MemoryRunStoreOptions {
  /** Default: runs of its own. */
  readonly runs?: MemoryRuns;
  /** Named in RUN_OWNED. Default: "this process". */
  readonly owner?: string;
  /** For `owner.claimed`. Default: 0 always. */
  readonly nowMs?: () => number;
}

export interface MemoryRuns {
  readonly byName: Map<string, MemoryRun>;
  readonly nextId: () => string;
}

class MemoryRun {
  epoch = 1;
  /** `null` when no process owns it, or its owner has died. */
  owner: { readonly name: string; readonly store: object } | null;
  readonly inbox = new Map<string, InboxMessage>();
  /** Messages the present owner has got. */
  given = new Set<string>();
  /** Listeners for new entries, for messages, and for the loss of ownership. */
  readonly readers = new Set<() => void>();
  readonly receivers = new Set<() => void>();
  /** As a file would have them; read on demand. */
  readonly lines: string[] = [];
  readonly #entries: StoredEntry[] = [];

  constructor(owner: MemoryRun['owner']) {
    this.owner = owner;
  }

  get count(): number {
    return this.#entries.length + this.lines.length;
  }

  get entries(): StoredEntry[] {
    for (const line of this.lines.splice(0))
      this.#entries.push({ seq: this.#entries.length, entry: parseJson(line) as unknown as JournalEntry });
    return this.#entries;
  }
}

export function createMemoryRuns(): MemoryRuns {
  let made = 0;
  const nextId = createUlids({ nowMs: () => (made += 1), randomBytes: (count) => new Uint8Array(count) });
  return { byName: new Map(), nextId };
}

export interface MemoryRunStore extends RunStore {
  /** As if the process had been killed: its claims stay as they are, and others may take them over. */
  die(): void;
}

export function createMemoryRunStore(options: MemoryRunStoreOptions = {}): MemoryRunStore {
  const runs = options.runs ?? createMemoryRuns();
  const name = options.owner ?? 'this process';
  const nowMs = options.nowMs ?? (() => 0);
  const identity = {};
  const open = new Set<{ close(): void }>();

  const find = (run: string): MemoryRun => {
    const found = runs.byName.get(run);
    if (found === undefined) throw runUnknown(run);
    return found;
  };
  const owned = (claim: Claim): MemoryRun => {
    const found = runs.byName.get(claim.run);
    if (found === undefined || found.epoch !== claim.epoch || found.owner?.store !== identity)
      throw ownerLost(claim);
    return found;
  };
  const add = (found: MemoryRun, entries: readonly JournalEntry[]): void => {
    for (const entry of entries) found.lines.push(entryJson(entry));
    wakeAll(found.readers);
  };
  const watch = (watchers: Set<() => void>, look: () => void): { close(): void } => {
    let closed = false;
    const wake = (): void => {
      void Promise.resolve().then(() => (closed ? undefined : look()));
    };
    const handle = {
      close: () => {
        closed = true;
        watchers.delete(wake);
        open.delete(handle);
      },
    };
    watchers.add(wake);
    open.add(handle);
    wake();
    return handle;
  };
  const letGo = (): void => {
    for (const handle of open) handle.close();
    for (const found of runs.byName.values()) if (found.owner?.store === identity) found.owner = null;
  };

  return {
    async create(run, entries) {
      if (!isRunName(run)) throw new RangeError(`"${run}" cannot be the name of a run`);
      if (runs.byName.has(run)) throw runExists(run);
      const made = new MemoryRun({ name, store: identity });
      add(made, entries);
      runs.byName.set(run, made);
      return { run, epoch: 1, seq: entries.length };
    },
    async claim(run) {
      const found = find(run);
      if (found.owner !== null) throw runOwned(run, found.owner.name);
      if (hasEnded(found.entries)) throw runEnded(run);
      found.epoch += 1;
      found.owner = { name, store: identity };
      found.given = new Set();
      add(found, [{ type: 'owner.claimed', at: nowMs(), epoch: found.epoch, owner: name }]);
      wakeAll(found.receivers);
      return { run, epoch: found.epoch, seq: found.count };
    },
    async append(claim, expectedSeq, entries) {
      const found = owned(claim);
      if (expectedSeq !== found.count) throw outOfSequence(claim.run, expectedSeq, found.count);
      add(found, entries);
    },
    async release(claim) {
      const found = runs.byName.get(claim.run);
      if (found?.epoch === claim.epoch && found.owner?.store === identity) found.owner = null;
    },
    async read(run, from = 0) {
      return find(run).entries.slice(from);
    },
    subscribe(run, from, onEntries, onFault) {
      let next = from;
      const found = runs.byName.get(run);
      const handle = watch(found?.readers ?? new Set(), () => {
        if (runs.byName.get(run) === undefined) {
          handle.close();
          onFault?.(runUnknown(run));
          return;
        }
        const entries = find(run).entries.slice(next);
        next += entries.length;
        if (entries.length > 0) onEntries(entries);
      });
      return handle;
    },
    async list({ cursor, limit, only = {} }) {
      const names = [...runs.byName.keys()].sort().reverse();
      const rest = cursor === undefined ? names : names.filter((run) => run < cursor);
      const page = rest.slice(0, limit);
      return {
        runs: page.map((run) => summaryOf(find(run))).filter((summary) => fitsFilter(only, summary)),
        cursor: rest.length > limit ? (page.at(-1) ?? null) : null,
      };
    },
    async post(run, message) {
      const found = find(run);
      found.inbox.set(
        runs.nextId(),
        parseJson(jsonText(message as unknown as Json)) as unknown as InboxMessage,
      );
      wakeAll(found.receivers);
    },
    receive(claim, onMessage) {
      const found = owned(claim);
      const { given } = found;
      const handle = watch(found.receivers, () => {
        if (found.epoch !== claim.epoch) return handle.close();
        for (const [id, message] of found.inbox) {
          if (given.has(id)) continue;
          given.add(id);
          onMessage(id, message);
        }
      });
      // After the look that `watch` has begun.
      return { close: () => handle.close(), ready: Promise.resolve().then(() => undefined) };
    },
    async acknowledge(claim, id) {
      owned(claim).inbox.delete(id);
    },
    async remove(run, { force = false } = {}) {
      const found = find(run);
      if (found.owner !== null) throw runOwned(run, found.owner.name);
      if (!force && foldRun(found.entries).ended === null) throw runUnfinished(run);
      runs.byName.delete(run);
      wakeAll(found.readers);
    },
    async close() {
      letGo();
    },
    die: letGo,
  };
}

function wakeAll(watchers: ReadonlySet<() => void>): void {
  for (const wake of watchers) wake();
}

function summaryOf({ entries, owner }: MemoryRun): RunSummary {
  return summarizeRun(foldRun(entries), owner !== null);
}
