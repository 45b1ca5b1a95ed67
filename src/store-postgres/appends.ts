// Appends of many runs -> few commits, each run fenced by its epoch, its owner and its sequence.
//
// What is appended while a statement is under way goes into the next one, for all runs together; a run has one batch under
// way at a time. A lost connection leaves open whether a batch was committed: it is tried again under the same fence, and
// where the fence no longer holds the journal is read back. The entries are there, exactly as sent, or the run was taken
// over. Entries that no one can have seen are never sent again under another sequence number.
import type { TechneError } from '../base/error.ts';
import { outOfSequence, ownerLost } from '../journal/run-state.ts';
import type { Claim } from '../ports/run-store.ts';
import type { Database, Lane } from './database.ts';
import { isOfConnection } from './faults.ts';
import type { LookedAt } from './owners.ts';
import type { Queries } from './queries.ts';

/** Entries as they are stored, and what they change in the list of runs. */
export interface Lines {
  readonly texts: readonly string[];
  /** Blobs that they name. */
  readonly digests: readonly string[];
  /** Null where it stays. */
  readonly status: string | null;
  readonly endedAt: number | null;
}

interface Batch {
  readonly seq: number;
  readonly texts: string[];
  readonly digests: string[];
  status: string | null;
  endedAt: number | null;
  /** It may have been committed by an attempt that failed. */
  isUncertain: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The journal of a run that this process owns. */
export interface OwnedJournal {
  readonly claim: Claim;
  /** Entries there are once everything that was appended is stored. */
  seq: number;
  waiting: Batch | null;
  underWay: Batch | null;
}

export interface AppendsOptions {
  readonly database: Database;
  readonly queries: Queries;
  /** The owner. */
  readonly worker: string;
  /** Statements under way at a time. */
  readonly lanes: number;
  readonly onStored: (run: string) => void;
}

/** Of one statement. */
const maxRuns = 64;
const maxCharacters = 4_000_000;

export class Appends {
  readonly #options: AppendsOptions;
  readonly #idle: Lane[];
  readonly #queue: OwnedJournal[] = [];
  #isPlanned = false;

  constructor(options: AppendsOptions) {
    this.#options = options;
    this.#idle = Array.from({ length: options.lanes }, () => options.database.lane());
  }

  /** Throws OWNER_LOST, JOURNAL_SEQUENCE, JOURNAL_FULL, JOURNAL_WRITE. */
  add(journal: OwnedJournal, expectedSeq: number, lines: Lines): Promise<void> {
    if (expectedSeq !== journal.seq)
      return Promise.reject(outOfSequence(journal.claim.run, expectedSeq, journal.seq));
    if (lines.texts.length === 0) return this.settled(journal);
    if (journal.waiting === null) {
      journal.waiting = createBatch(expectedSeq);
      if (journal.underWay === null) this.#queue.push(journal);
    }
    const batch = journal.waiting;
    for (const text of lines.texts) batch.texts.push(text);
    for (const digest of lines.digests) batch.digests.push(digest);
    batch.status = lines.status ?? batch.status;
    batch.endedAt = lines.endedAt ?? batch.endedAt;
    journal.seq += lines.texts.length;
    this.#plan();
    return batch.done;
  }

  /** When nothing is under way any more; a failure is told to those who appended. */
  async settled(journal: OwnedJournal): Promise<void> {
    while (journal.underWay !== null || journal.waiting !== null)
      await (journal.waiting ?? journal.underWay)?.done.catch(() => undefined);
  }

  /** After the caller's turn, so that what it appends together is sent together. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#queue.length > 0) {
      const lane = this.#idle.pop();
      if (lane === undefined) return;
      const group: OwnedJournal[] = [];
      for (let characters = 0; group.length < maxRuns && characters < maxCharacters;) {
        const journal = this.#queue.shift();
        if (journal === undefined) break;
        journal.underWay = journal.waiting;
        journal.waiting = null;
        group.push(journal);
        for (const text of journal.underWay?.texts ?? []) characters += text.length;
      }
      void this.#store(lane, group);
    }
  }

  async #store(lane: Lane, group: readonly OwnedJournal[]): Promise<void> {
    try {
      const stored = await this.#try(lane, group);
      for (const journal of group) {
        if (stored.has(journal.claim.run)) this.#succeed(journal);
        else void this.#insist(journal, null);
      }
    } catch (error) {
      // Each for itself: a fault of one run must not fail the others.
      for (const journal of group) void this.#insist(journal, error);
    }
    this.#idle.push(lane);
    this.#send();
  }

  /** The runs whose fence held. */
  async #try(lane: Pick<Lane, 'query'>, group: readonly OwnedJournal[]): Promise<ReadonlySet<string>> {
    const { queries, worker } = this.#options;
    const [first] = group;
    if (group.length === 1 && first !== undefined) {
      const { claim, underWay } = first;
      const { seq, texts, digests, status, endedAt } = underWay as Batch;
      const values = [claim.run, claim.epoch, seq, texts.length, texts.join('\n'), status, endedAt, worker];
      const rows =
        digests.length === 0
          ? await lane.query(queries.append, values)
          : await lane.query(queries.appendNaming, [...values, digests.join(',')]);
      return new Set(rows.length === 0 ? [] : [claim.run]);
    }
    const batches = group.map(({ claim, underWay }) => ({ claim, ...(underWay as Batch) }));
    const rows = await lane.query<{ run: string }>(queries.appendGroup, [
      batches.map(({ claim }) => claim.run),
      batches.map(({ claim }) => claim.epoch),
      batches.map(({ seq }) => seq),
      batches.map(({ texts }) => texts.length),
      batches.map(({ status }) => status),
      batches.map(({ endedAt }) => endedAt),
      worker,
      batches.flatMap(({ claim, texts }) => texts.map(() => claim.run)),
      batches.flatMap(({ seq, texts }) => texts.map((_, at) => seq + at)),
      batches.flatMap(({ texts }) => texts).join('\n'),
      batches.flatMap(({ claim, digests }) => digests.map(() => claim.run)),
      batches.flatMap(({ digests }) => digests),
    ]);
    return new Set(rows.map(({ run }) => run));
  }

  /** One batch to its end: stored, or refused for a reason. `cause`: what the first attempt failed with. */
  async #insist(journal: OwnedJournal, cause: unknown): Promise<void> {
    const { database } = this.#options;
    const batch = journal.underWay as Batch;
    const alone = { query: database.once.bind(database) } as Pick<Lane, 'query'>;
    try {
      batch.isUncertain ||= isOfConnection(cause);
      let isStored = false;
      if (cause !== null)
        isStored = await database.patiently(async () => {
          try {
            return (await this.#try(alone, [journal])).size === 1;
          } catch (error) {
            batch.isUncertain ||= isOfConnection(error);
            throw error;
          }
        }, true);
      if (!isStored) await this.#readBack(journal, batch);
      this.#succeed(journal);
    } catch (error) {
      this.#fail(journal, error);
    }
  }

  /** Returns if the batch is in the journal. Throws why the fence does not hold otherwise. */
  async #readBack({ claim }: OwnedJournal, { seq, texts, isUncertain }: Batch): Promise<void> {
    const { database, queries, worker } = this.#options;
    if (isUncertain) {
      const [found] = await database.ask<{ lines: string | null }>(queries.read, [
        claim.run,
        seq,
        seq + texts.length,
      ]);
      // No other owner writes these entries at this place: each begins with a claim.
      if (found?.lines === texts.join('\n')) return;
    }
    const [found] = await database.ask<LookedAt>(queries.look, [claim.run, 0]);
    if (found === undefined || found.epoch !== claim.epoch || found.owner !== worker) throw ownerLost(claim);
    throw outOfSequence(claim.run, seq, found.seq);
  }

  #succeed(journal: OwnedJournal): void {
    const batch = journal.underWay as Batch;
    journal.underWay = null;
    if (journal.waiting !== null) {
      this.#queue.push(journal);
      this.#plan();
    }
    batch.resolve();
    this.#options.onStored(journal.claim.run);
  }

  /** What follows a batch that failed would leave a gap. */
  #fail(journal: OwnedJournal, error: unknown): void {
    const { underWay, waiting } = journal;
    journal.underWay = null;
    journal.waiting = null;
    journal.seq = (underWay as Batch).seq;
    underWay?.reject(error);
    waiting?.reject(error as TechneError);
  }
}

function createBatch(seq: number): Batch {
  let resolve: Batch['resolve'] = () => undefined;
  let reject: Batch['reject'] = () => undefined;
  const done = new Promise<void>((onDone, onFault) => {
    resolve = onDone;
    reject = onFault;
  });
  return {
    seq,
    texts: [],
    digests: [],
    status: null,
    endedAt: null,
    isUncertain: false,
    done,
    resolve,
    reject,
  };
}
