// What an interpreter can ask the engine to do, and what it gets back.
//
//   Interpreter -> EffectRequest -> engine (policy, budgets, journal) -> host -> EffectOutcome -> Interpreter
//
// A request is data: the same program with the same outcomes proposes the same requests in the same order. An outcome
// that is data for the program (a command that failed, an answer that was cut) is `ok`. `ok: false` ends the program,
// unless the interpreter handles it (plans do).
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Sha256 } from '../../ports/environment.ts';

export type EffectKind =
  | 'ask'
  | 'chat'
  | 'classify'
  | 'command'
  | 'tool'
  | 'skill'
  | 'input'
  | 'now'
  | 'sleep'
  | 'write'
  | 'trace'
  | 'artifact';

export interface EffectRequest {
  readonly key: string;
  readonly kind: EffectKind;
  readonly request: JsonObject;
  /** Declared by the author: may be repeated when its outcome is unknown. */
  readonly repeatable: boolean;
  /** How long one attempt may take, from its start; then it is aborted and fails with STEP_TIMEOUT. Default: as long as the run. */
  readonly timeoutMs?: number | null;
}

export type EffectOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** A pure process that proposes effects. The engine calls `advance` again after each `deliver`. */
export interface Interpreter {
  /** Must not take more than some milliseconds: long work is given back as `slice`. */
  advance(): Advance;
  deliver(key: string, outcome: EffectOutcome): void;
  /** Steps used so far, for the journal and for `usage`. */
  readonly steps: number;
  /**
   * Its effects are independent: each is admitted by itself, the outcome of one does not affect the
   * others, and they may be proposed in another order when the run is resumed. Default: one call after the other.
   */
  readonly isConcurrent?: boolean;
  /** What it was given, with what was asked for and with defaults: the note of the run is named by it. */
  readonly inputs?: JsonObject;
}

export type Advance =
  /** `effects` are new; those proposed earlier may still be under way. Empty: it waits for one of them. */
  | { readonly kind: 'waiting'; readonly effects: readonly EffectRequest[] }
  | { readonly kind: 'slice' }
  /** With an error it is `partial`: there is a result, and it is not whole. */
  | {
      readonly kind: 'done';
      readonly value: Json;
      readonly error?: { readonly code: string; readonly message: string } | null;
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly detail: string | null;
    };

// Keys of effects: `3` a call, `3.1` one of several parallel calls, `3/2` the second part of 3.

/** Part of another effect. */
export function isChild(key: string): boolean {
  return key.includes('/');
}

/** The effect of the program that a part belongs to. */
export function rootOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? key : key.slice(0, slash);
}

export function isAsk(kind: string): boolean {
  return kind === 'ask' || kind === 'chat' || kind === 'classify';
}

/** Entered again after a crash without a decision: its side effects are those of its parts, or it is a question. */
export function isReentered(kind: string): boolean {
  return isAsk(kind) || kind === 'input';
}

// The identity of a request: what a replay compares.

export function requestHash(sha256: Sha256, kind: string, request: Json): string {
  return hashText(sha256, kind, canonicalJson(request));
}

/** `text` is the request in canonical order. */
export function hashText(sha256: Sha256, kind: string, text: string): string {
  return sha256(`${kind} ${text}`).slice(0, 32);
}
