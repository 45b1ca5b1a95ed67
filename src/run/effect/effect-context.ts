// What performing an effect needs from its run.
import type { Abort } from '../../base/abort.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Answerer, LoadedBody } from '../../ports/answerer.ts';
import type { CommandCaller, CommandHost } from '../../ports/command-host.ts';
import type { Artifacts } from '../../ports/artifacts.ts';
import type { NoteHost } from '../../ports/note-host.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { ToolScope } from '../../ports/tool.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import type { Audience, Stored } from '../../journal/entry.ts';
import type { EffectState } from '../../journal/run-state.ts';
import type { Budgets, BudgetRefusal, Used } from '../budget/budgets.ts';
import { noUsage } from '../budget/budgets.ts';
import type { Ceilings } from './capability-ceiling.ts';
import type { EffectOutcome } from './effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { NestedCall } from '../nested-run.ts';
import type { OpenQuestion } from '../question/question.ts';
import { hashText } from './effect.ts';
import type { RunResult } from '../result/result.ts';

/** An effect as the journal names it: of the program, or a part of an ask. */
export interface Attempted {
  readonly key: string;
  readonly kind: string;
  readonly hash: string;
  readonly request: JsonObject;
  /** The request in canonical order: what is hashed, and what the journal holds. */
  readonly text: string;
  readonly repeatable: boolean;
  /** How long it may take (effect.ts); null: as long as the run. */
  readonly timeoutMs: number | null;
  /** Of an ask: its number among the asks of the run, in the order in which they were proposed. 0 for anything else. */
  readonly ordinal: number;
}

/** How it ended, or that it waits for an answer or a decision. */
export type Performed =
  | { readonly outcome: EffectOutcome; readonly ms: number; readonly usage: Used }
  | 'waiting';

export interface EffectContext {
  readonly run: string;
  readonly caller: Omit<CommandCaller, 'run' | 'key'>;
  /** The tools that the run is held to (skill/tools/tool-scope.ts). */
  readonly scopes: readonly ToolScope[];
  /** It is a composition, or was started inside one. */
  readonly inComposition: boolean;
  readonly model: string | null;
  readonly limits: RunLimits;
  /** Aborts when the run is to stop. */
  readonly signal: Abort;
  readonly budgets: Budgets;
  readonly answerer: Answerer;
  readonly commands: CommandHost;
  readonly tools: ToolHost;
  readonly sha256: Sha256;
  /** What the run is held to (capability-ceiling.ts). */
  readonly ceilings: Ceilings;
  readonly artifacts: Artifacts | null;
  /** null: this host writes no notes. */
  readonly notes: NoteHost | null;
  nowMs(): number;
  monotonicMs(): number;
  readonly after: RunClock['after'];
  known(key: string): EffectState | null;
  load(stored: Stored): Json | Promise<Json>;
  /** Resolves when the start is durable, so when the effect may be performed. Rejects when the run is to stop. */
  begin(effect: Attempted, attempt: number): Promise<void>;
  /** Records how a part of an ask ended; durable with the next start. Gives the outcome that is kept, which counts. */
  end(
    key: string,
    kind: string,
    performed: Exclude<Performed, 'waiting'>,
  ): EffectOutcome | Promise<EffectOutcome>;
  /** A part that is not performed. */
  refuse(effect: Attempted, refusal: BudgetRefusal): void;
  questionsOf(key: string): readonly OpenQuestion[];
  /** Whether it waits for an answer that can no longer come. */
  hasExpired(key: string): boolean;
  /** `expiry`: how long from now, or until when; null is forever. Default: as the host has it. */
  putQuestion(
    key: string,
    audience: Audience,
    body: JsonObject,
    expiry?: { readonly ttlMs: number | null } | { readonly at: number | null },
  ): Promise<void>;
  /** Its outcome is unknown; a person has to decide. */
  setUndecided(effect: Attempted): void;
  /** A nested run. Also throws what detaches this one. */
  runNested(call: NestedCall): Promise<RunResult>;
  /** It waits, and so does whatever it is a part of. */
  setNested(key: string, result: RunResult): void;
  onText(key: string, text: string): void;
  onLoaded(key: string, loaded: LoadedBody): void;
}

/** The program, or an answerer, does not repeat what the journal contains. */
export class Nondeterminism extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.name = 'Nondeterminism';
    this.key = key;
  }
}

/** The run is to stop: nothing new is begun. */
export class Stopping extends Error {
  constructor() {
    super('the run is being stopped');
    this.name = 'Stopping';
  }
}

/** The reason of an abort that says who cancels the run, and why; the journal keeps both. */
export class CancelSignal extends Error {
  readonly by: string;

  constructor({ by, reason }: { readonly by: string; readonly reason: string }) {
    super(reason);
    this.name = 'CancelSignal';
    this.by = by;
  }
}

/** The same as `Stopping`, and the run is detached: any process may resume it and its nested runs. */
export class DetachSignal extends Stopping {}

/** An effect that fails before anything was done for it. */
export async function failAtOnce(
  context: EffectContext,
  effect: Attempted,
  code: string,
  message: string,
): Promise<Performed> {
  if (context.known(effect.key) === null) await context.begin(effect, 1);
  return { outcome: { ok: false, code, message }, ms: 0, usage: noUsage };
}

type AttemptParts = Pick<Attempted, 'key' | 'kind' | 'request' | 'repeatable'> & {
  readonly timeoutMs?: number | null;
};

/** An effect with the identity of its request. */
export function attempt(
  sha256: Sha256,
  { key, kind, request, repeatable, timeoutMs = null }: AttemptParts,
  ordinal: number,
): Attempted {
  const text = canonicalJson(request);
  return { key, kind, hash: hashText(sha256, kind, text), request, text, repeatable, timeoutMs, ordinal };
}

/** Throws Nondeterminism when the journal has another request under this key. */
export function mustBeSame({ started }: EffectState, effect: Pick<Attempted, 'key' | 'kind' | 'hash'>): void {
  if (started.kind === effect.kind && started.hash === effect.hash) return;
  const what =
    started.kind === effect.kind
      ? `another ${effect.kind}`
      : `${effect.kind} where the journal has ${started.kind}`;
  throw new Nondeterminism(
    effect.key,
    `effect ${effect.key} is ${what} than it was: the program does not repeat what its journal contains`,
  );
}
