// Where journals are stored, who may write to one, and how other processes reach its owner.
//
// One owner at a time: `claim` gives an epoch, and an append with an older epoch is refused (OWNER_LOST), even if the
// older owner was only slow. `append` resolves when the entries are durable (as durable as the store was opened for);
// after a crash before that, none or the first ones of them are there, never one without those before it. `expectedSeq`
// is the number of entries before: a gap or a repeat is refused (JOURNAL_SEQUENCE). Answers, cancels and decisions go
// to the inbox, from any process; the owner turns them into entries. An entry that a reader has seen is there for every
// later reader. Every implementation passes run-store.contract.ts.
import type { Json } from '../base/json.ts';
import type { Audience, JournalEntry, Through } from '../journal/entry.ts';

/** An entry with its number. */
export interface StoredEntry {
  readonly seq: number;
  readonly entry: JournalEntry;
}

/** A message to a run from outside of the process that drives it. */
export type InboxMessage =
  /** `through`: who says that these are the words of a person. `name`: who answered, where it is known. */
  | {
      readonly kind: 'answer';
      readonly question: string;
      readonly nonce: string;
      readonly value: Json;
      readonly from: Audience;
      readonly through?: Through;
      readonly name?: string;
    }
  | { readonly kind: 'cancel'; readonly reason: string; readonly by: string }
  | {
      readonly kind: 'decision';
      readonly key: string;
      readonly as: 'done' | 'retry' | 'fail';
      readonly value: Json;
      readonly by: string;
    };

/** The right of one process to append to the journal of a run. */
export interface Claim {
  readonly run: string;
  readonly epoch: number;
  /** Entries there are, so the first `expectedSeq`. */
  readonly seq: number;
}

/** A run in a list. */
export interface RunSummary {
  readonly run: string;
  readonly skill: string;
  readonly startedAt: number;
  readonly status:
    | 'running'
    | 'paused'
    | 'needs_decision'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'partial'
    | 'interrupted'
    | 'corrupt';
  readonly endedAt: number | null;
  /** The run that it is inside of. */
  readonly parent: string | null;
  /** The workspace that it was started in; null where that is not known. */
  readonly workspace: string | null;
}

/** Which runs a list is of. */
export interface RunFilter {
  readonly skill?: string;
  readonly workspace?: string;
  readonly statuses?: readonly RunSummary['status'][];
}

/** Where the journals of runs are kept, and who owns each run. */
export interface RunStore {
  /** Makes a run with its first entries, owned by the caller. Throws RUN_EXISTS. */
  create(run: string, entries: readonly JournalEntry[]): Promise<Claim>;
  /** Begins a new epoch with an `owner.claimed`. Throws RUN_UNKNOWN, RUN_OWNED (with the living owner), RUN_ENDED, JOURNAL_CORRUPT. */
  claim(run: string): Promise<Claim>;
  /** Throws OWNER_LOST, JOURNAL_SEQUENCE, JOURNAL_FULL, JOURNAL_WRITE. */
  append(claim: Claim, expectedSeq: number, entries: readonly JournalEntry[]): Promise<void>;
  /** Lets others claim the run immediately. Nothing happens when the claim is over. */
  release(claim: Claim): Promise<void>;
  /** Entries from `from` on. Throws RUN_UNKNOWN, JOURNAL_CORRUPT. */
  read(run: string, from?: number): Promise<readonly StoredEntry[]>;
  /**
   * Calls back with entries from `from` on as they become durable, until closed. `onFault` is called once, and nothing
   * after it, when the run is unknown, removed or damaged.
   */
  subscribe(
    run: string,
    from: number,
    onEntries: (entries: readonly StoredEntry[]) => void,
    onFault?: (error: Error) => void,
  ): { close(): void };
  /** Newest first. `cursor` is from the last page. With `only`, a page may have fewer runs than `limit`, or none, though others follow. */
  list(options: {
    readonly cursor?: string;
    readonly limit: number;
    readonly only?: RunFilter;
  }): Promise<{ readonly runs: readonly RunSummary[]; readonly cursor: string | null }>;
  /** Leaves a message for the owner, now or later. Durable when it resolves. */
  post(run: string, message: InboxMessage): Promise<void>;
  /**
   * Calls back with messages as they arrive, those waiting first; each once per claim until `acknowledge`d. `ready`
   * resolves when those that were waiting have been given.
   */
  receive(
    claim: Claim,
    onMessage: (id: string, message: InboxMessage) => void,
  ): { close(): void; readonly ready: Promise<void> };
  /** The owner has made entries of the message. */
  acknowledge(claim: Claim, id: string): Promise<void>;
  /** Removes a run that has ended, or any run with `force`. Throws RUN_UNKNOWN, RUN_OWNED, RUN_UNFINISHED. */
  remove(run: string, options?: { readonly force?: boolean }): Promise<void>;
  /** Releases what is claimed and ends what is subscribed. */
  close(): Promise<void>;
}
