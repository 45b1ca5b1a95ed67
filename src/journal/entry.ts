// The entries of a journal.
//
// A call is performed only after its `effect.started` is durable. Replay performs no effects: the same entries give the
// same result. An entry is never changed or removed; a later entry records a change. No entry contains a secret:
// requests contain references, which the host resolves.
import type { Json, JsonObject } from '../base/json.ts';
import type { BlobDigest } from '../ports/blobs.ts';

/** A value, or where it is kept when it is large. */
export type Stored = { readonly value: Json } | { readonly blob: BlobDigest; readonly bytes: number };

/** Who is asked: the calling agent or program, a person, or the operator. */
export type Audience = 'caller' | 'person' | 'operator';

/** Through whom the words of a person came: the calling agent, which declares that it passes them on, or its client. */
export type Through = 'caller' | 'client';

/** Whose words an answer is. Only a person at our own terminal counts as a person. */
export type AnsweredBy = Audience | `${Through} for the person`;

/** A line of the journal of a run. */
export type JournalEntry =
  | RunStarted
  | OwnerClaimed
  | EffectStarted
  | EffectEnded
  | EffectDecided
  | QuestionAsked
  | QuestionAnswered
  | TraceAdded
  | RunPaused
  | RunResumed
  | RunDetached
  | CancelRequested
  | RunEnded;

export interface RunStarted {
  readonly type: 'run.started';
  readonly at: number;
  readonly run: string;
  readonly skill: { readonly name: string; readonly form: string; readonly digest: string };
  /** The executed bytes by path: SKILL.md, the program, what a plan needs. An edit or upgrade does not change them. */
  readonly files: { readonly [path: string]: BlobDigest };
  /** The semantics of the language the run was started with. */
  readonly profile: string;
  readonly input: Stored;
  readonly limits: JsonObject;
  /** How asks are answered, by name; and what else the run was started with. */
  readonly settings: JsonObject;
  readonly parent: { readonly run: string; readonly key: string } | null;
}

/** First entry of each epoch after the first. */
export interface OwnerClaimed {
  readonly type: 'owner.claimed';
  readonly at: number;
  readonly epoch: number;
  readonly owner: string;
  /** Everything before it came from a file (`techne runs import`): no one here can tell whether it is true. */
  readonly imported?: true;
  /** Stores that keep an epoch in a file of its own: what counts of the file before. A late write comes after it. */
  readonly sealed?: { readonly epoch: number; readonly bytes: number; readonly chain: string };
}

export interface EffectStarted {
  readonly type: 'effect.started';
  readonly at: number;
  /** `3` a call of the program, `3.1` one of several parallel calls, `3/2` the second child of 3. Plans: `step[item]#attempt`. */
  readonly key: string;
  readonly kind: string;
  /** Of the canonical request: a replay that proposes another one is NONDETERMINISM. */
  readonly hash: string;
  readonly request: Stored;
  /** Whether it may be repeated when its outcome is unknown. */
  readonly repeatable: boolean;
  readonly attempt: number;
  /** Wall-clock time that the run had used by then, as its owner measured it (run-state.ts). */
  readonly usedMs?: number;
}

export interface EffectEnded {
  readonly type: 'effect.ended';
  readonly at: number;
  readonly key: string;
  readonly ok: boolean;
  /** The value, or `{code, message}`. */
  readonly result: Stored;
  readonly ms: number;
  readonly usage?: JsonObject;
  /** As in `effect.started`. */
  readonly usedMs?: number;
}

/** A person decided about an effect whose outcome is unknown. */
export interface EffectDecided {
  readonly type: 'effect.decided';
  readonly at: number;
  readonly key: string;
  readonly as: 'done' | 'retry' | 'fail';
  readonly by: string;
  readonly result?: Stored;
}

export interface QuestionAsked {
  readonly type: 'question.asked';
  readonly at: number;
  readonly id: string;
  readonly nonce: string;
  readonly audience: Audience;
  /** The effect that waits for it. */
  readonly key: string;
  readonly question: Stored;
  readonly expiresAt: number | null;
}

export interface QuestionAnswered {
  readonly type: 'question.answered';
  readonly at: number;
  readonly id: string;
  readonly answer: Stored;
  readonly by: AnsweredBy;
  /** Who that was, where it is known: the name of the token. */
  readonly name?: string;
}

export interface TraceAdded {
  readonly type: 'trace.added';
  readonly at: number;
  readonly kind: string;
  readonly data: Stored;
  /** What the program printed: shown with the run, not part of its result. */
  readonly printed?: true;
}

export interface RunPaused {
  readonly type: 'run.paused';
  readonly at: number;
  readonly reason: 'question' | 'decision' | 'stopped';
  /** Wall-clock time used so far: time while paused is not counted. */
  readonly usedMs: number;
}

interface RunResumed {
  readonly type: 'run.resumed';
  readonly at: number;
}

/** Its owner stopped driving it before it paused or ended: nothing is under way, and any process may resume it. */
export interface RunDetached {
  readonly type: 'run.detached';
  readonly at: number;
  /** Wall-clock time used so far: what a call that was stopped took counts, too. */
  readonly usedMs: number;
}

export interface CancelRequested {
  readonly type: 'cancel.requested';
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

export interface RunEnded {
  readonly type: 'run.ended';
  readonly at: number;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'partial';
  /** The text that the caller got. */
  readonly text: Stored;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: JsonObject;
  /** Steps of the program: a cheap check that a replay did the same. */
  readonly steps: number;
  /** Over the entries before: a replay detects that one was changed, swapped or lost. */
  readonly fingerprint?: string;
}
