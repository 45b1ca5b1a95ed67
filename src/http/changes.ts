// What changes in the whole store, for pages that show lists: one look at the store for any number of readers.
//
//   store -> run.changed, run.removed, questions.changed · proposals, skills -> proposals.changed, skills.changed
//   jobs -> job.changed, hub.changed
//
// Journals have no number that counts over all of them, so the feed has one of its own, and a name that every process chooses anew. A
// reader that comes back with a number of this process gets what it missed; with any other it is told to read its lists again
// (`feed.reset`). The store is looked at once a second while there are readers, and at once after each request that changes
// something: first the newest runs, then those that have not ended. The status of a run is the one of `listRuns`.
import { randomBytes } from 'node:crypto';
import { eachPage } from '../journal/each-run.ts';
import type { RunStore, RunSummary } from '../ports/run-store.ts';
import type { HubJob } from '../techne/hub/hub-job.ts';
import { summaryOf } from '../techne/seen-run.ts';
import type { SummaryJson } from './describe-run.ts';
import { shownRuns } from './describe-run.ts';
import type { Dispatcher } from './dispatcher.ts';

/** Something that a list shows is not as it was. */
export type Change =
  | { readonly type: 'run.changed'; readonly run: SummaryJson }
  | { readonly type: 'run.removed'; readonly run: string }
  | { readonly type: 'job.changed'; readonly job: HubJob }
  | {
      readonly type:
        | 'questions.changed'
        | 'proposals.changed'
        | 'skills.changed'
        | 'hub.changed'
        | 'chats.changed';
    };

export interface NumberedChange {
  readonly seq: number;
  readonly change: Change;
}

export interface ChangesOptions {
  readonly useStore: <T>(work: (store: RunStore) => Promise<T>) => Promise<T>;
  readonly dispatcher: Dispatcher;
  /** The state of the queue of proposals, as a text: only whether it is the same counts. */
  readonly proposals: () => Promise<string>;
  readonly onBug: (error: unknown) => void;
  /** Default: a second. */
  readonly lookMs?: number;
}

const newest = 50;
const pageSize = 100;
/** Runs that the first look goes through, for those that have not ended. */
const mostAtFirst = 2_000;
const mostOpen = 500;
const mostKept = 4_096;
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'partial', 'corrupt']);
const waiting: ReadonlySet<string> = new Set(['paused', 'needs_decision']);

export class Changes {
  readonly #options: ChangesOptions;
  /** Another one for every process. */
  readonly name = randomBytes(6).toString('hex');
  readonly #kept: NumberedChange[] = [];
  readonly #known = new Map<string, SummaryJson>();
  readonly #waiting = new Set<() => void>();
  #next = 0;
  #readers = 0;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isAsked = false;
  #isBased = false;
  #proposals: string | null = null;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** The number that the next change gets. */
  get next(): number {
    return this.#next;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Begins to look, and ends it when the last reader has left. What it gives must be called once. */
  async join(): Promise<() => void> {
    this.#readers += 1;
    if (this.#readers === 1) this.#timer = setInterval(() => this.kick(), this.#options.lookMs ?? 1_000);
    let isIn = true;
    try {
      await this.#look();
    } catch (error) {
      this.#options.onBug(error);
    }
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#readers -= 1;
      if (this.#readers === 0 && this.#timer !== null) clearInterval(this.#timer);
    };
  }

  /** Something may have changed. */
  kick(): void {
    if (this.#readers > 0) void this.#look().catch(this.#options.onBug);
  }

  /** Something has changed. */
  tell(change: Change): void {
    this.#kept.push({ seq: this.#next, change });
    this.#next += 1;
    if (this.#kept.length > mostKept) this.#kept.splice(0, this.#kept.length - mostKept);
    const waiters = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiters) wake();
  }

  /** From this number on; `null`: some of them are gone, or never were. */
  since(seq: number): readonly NumberedChange[] | null {
    const first = this.#next - this.#kept.length;
    return seq < first || seq > this.#next ? null : this.#kept.slice(seq - first);
  }

  /** Calls back once, after the next change. */
  onNext(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => void this.#waiting.delete(wake);
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  #look(): Promise<void> {
    if (this.#looking !== null) {
      this.#isAsked = true;
      return this.#looking;
    }
    this.#looking = this.#lookNow().finally(() => {
      this.#looking = null;
      if (!this.#isAsked) return;
      this.#isAsked = false;
      this.kick();
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    await this.#options.useStore(async (store) => {
      if (!this.#isBased) await this.#base(store);
      const { runs } = await store.list({ limit: newest });
      const seen = new Set(runs.map(({ run }) => run));
      for (const shown of await this.#shown(runs)) this.#see(shown);
      const oldest = runs.length < newest ? '' : (runs.at(-1)?.run ?? '');
      for (const [run, known] of this.#known) {
        if (seen.has(run)) continue;
        if (run > oldest) {
          this.#known.delete(run);
          this.tell({ type: 'run.removed', run });
        } else if (ended.has(known.status)) this.#known.delete(run);
        else {
          const summary = await summaryOf(store, run);
          if (summary !== null) for (const shown of await this.#shown([summary])) this.#see(shown);
          else {
            this.#known.delete(run);
            this.tell({ type: 'run.removed', run });
          }
        }
      }
    });
    const proposals = await this.#options.proposals();
    if (this.#proposals !== null && this.#proposals !== proposals) this.tell({ type: 'proposals.changed' });
    this.#proposals = proposals;
  }

  /** What is there already is no news. */
  async #base(store: RunStore): Promise<void> {
    let count = 0;
    for await (const { runs } of eachPage(store, { after: null, limit: pageSize, only: {} })) {
      for (const shown of await this.#shown(runs)) {
        if (count >= mostAtFirst || this.#known.size >= mostOpen) break;
        if (count < newest || !ended.has(shown.status)) this.#known.set(shown.run, shown);
        count += 1;
      }
      if (count >= mostAtFirst || this.#known.size >= mostOpen) break;
    }
    this.#isBased = true;
  }

  #shown(runs: readonly RunSummary[]): Promise<readonly SummaryJson[]> {
    return shownRuns(this.#options.dispatcher, runs);
  }

  #see(now: SummaryJson): void {
    const before = this.#known.get(now.run);
    this.#known.set(now.run, now);
    if (before?.status === now.status && before.endedAt === now.endedAt) return;
    this.tell({ type: 'run.changed', run: now });
    if (waiting.has(now.status) || (before !== undefined && waiting.has(before.status)))
      this.tell({ type: 'questions.changed' });
  }
}
