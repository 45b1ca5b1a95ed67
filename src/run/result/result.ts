// The result of a run: the same shape for every executable form and every outcome.
//
// `text` is what a calling model gets: "[Metaskill: NAME completed]" and one JSON object, or "error: …". It is never
// longer than the limit, and its JSON is always complete. A run that could not start (unknown name, not trusted, bad
// input) has `run: null`.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Audience } from '../../journal/entry.ts';

/** `paused` and `needs_decision` continue after an answer or a decision; the others are final. */
export type RunStatus =
  | 'completed'
  | 'failed'
  | 'refused'
  | 'cancelled'
  | 'paused'
  | 'needs_decision'
  | 'partial';

/** The result of a run. */
export interface RunResult {
  readonly status: RunStatus;
  readonly run: string | null;
  readonly skill: string;
  readonly text: string;
  /** Only when completed or partial. */
  readonly envelope: JsonObject | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
  /** Also those of nested runs: resuming this one resumes them. */
  readonly questions: readonly PendingQuestion[];
  readonly undecided: readonly UndecidedEffect[];
  readonly usage: RunUsage;
}

/** A call with an unknown outcome, which a person has to decide. */
export interface UndecidedEffect {
  /** The run that it belongs to, and that gets the decision: this one, or a nested one. */
  readonly run: string;
  readonly key: string;
  readonly kind: string;
  readonly request: Json;
}

/** What a paused run waits for. `nonce` goes back with the answer. */
export interface PendingQuestion {
  /** The run that it belongs to, and that gets the answer: this one, or a nested one. */
  readonly run: string;
  readonly id: string;
  readonly nonce: string;
  readonly audience: Audience;
  readonly key: string;
  readonly question: Json;
  readonly expiresAt: number | null;
}

/** What a run has used. */
export interface RunUsage {
  readonly asks: number;
  readonly commands: number;
  /** Nested runs, at every depth. Default: none. */
  readonly runs?: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly steps: number;
  readonly wallMs: number;
  /** Limits that were asked for above the host's maximum, and clamped to it. */
  readonly clamped: readonly string[];
}
