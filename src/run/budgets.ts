// What a run has used, and whether it may use more.
//
// U1. Counted from the journal: a resumed run goes on where it was.
// U2. A call is counted when it is started and never given back. A call that was refused is not counted.
// U3. Tokens and cost are those of the run and of the runs inside it, while they run: what one of them uses, the others
//     have no longer. They are looked at before each call and each model turn, so the last one may go over.
// U4. Asks and commands are counted for each run by itself, and only those of the program (S0 §8): what a nested agent
//     does is bounded by its turns, by tokens and cost, and by the wall clock.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Usage } from '../host/ports/answerer.ts';
import type { Stored } from '../journal/entry.ts';
import type { RunState } from '../journal/run-state.ts';
import { isAsk, isChild } from './effect-keys.ts';
import type { RunLimits } from './limits.ts';
import type { RunUsage } from './result.ts';

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The run that another one is inside of, and the effect it is a part of. */
export interface OuterBudgets {
  readonly budgets: Budgets;
  readonly key: string;
}

export class Budgets {
  readonly #limits: RunLimits;
  readonly #outer: OuterBudgets | null;
  /** What runs inside this one have used that no entry of this one says yet, by key. */
  readonly #nested = new Map<string, Usage>();
  #asks = 0;
  #commands = 0;
  /** Also by runs inside this one. */
  #used: Usage = noUsage;

  constructor(limits: RunLimits, outer: OuterBudgets | null) {
    this.#limits = limits;
    this.#outer = outer;
  }

  static fromJournal(limits: RunLimits, state: RunState, outer: OuterBudgets | null = null): Budgets {
    const budgets = new Budgets(limits, outer);
    for (const { started, ended } of state.effects.values()) {
      if (ended !== null && !ended.ok && isRefusal(ended.result)) continue;
      if (!isChild(started.key)) budgets.count(started.kind);
      if (ended?.usage !== undefined) budgets.addUsage(started.key, usageFromJson(ended.usage));
    }
    return budgets;
  }

  /** Whether `more` calls of `kind` may be started now. */
  refuse(kind: string, more: number): Refusal | null {
    const { asks, commands } = this.#limits;
    if (isAsk(kind) && this.#asks + more > asks) return { code: 'ASK_BUDGET', message: `ask budget exhausted (${calls(asks)})${atOnce(more)}` };
    if (kind === 'command' && this.#commands + more > commands) return { code: 'COMMAND_BUDGET', message: `command budget exhausted (${calls(commands)})${atOnce(more)}` };
    return isAsk(kind) ? this.refuseTurn() : null;
  }

  /** Whether a model may be called now. */
  refuseTurn(): Refusal | null {
    const { tokens, costMicros } = this.#limits;
    const { inputTokens, outputTokens, costMicros: cost } = this.#used;
    const used = inputTokens + outputTokens;
    if (used >= tokens) return { code: 'TOKEN_BUDGET', message: `token budget exhausted (${used} of ${tokens} tokens)` };
    if (cost > 0 && cost >= costMicros) return { code: 'COST_BUDGET', message: `cost budget exhausted (${dollars(cost)} of ${dollars(costMicros)})` };
    return this.#outer?.budgets.refuseTurn() ?? null;
  }

  count(kind: string): void {
    if (isAsk(kind)) this.#asks += 1;
    else if (kind === 'command') this.#commands += 1;
  }

  /** What the effect of this key has used in the end. */
  addUsage(key: string, usage: Usage): void {
    this.#count(key, usage);
    this.#nested.delete(key);
  }

  /** What the run inside this one has used so far. */
  setNested(key: string, usage: Usage): void {
    this.#count(key, usage);
    this.#nested.set(key, usage);
  }

  #count(key: string, usage: Usage): void {
    const before = this.#nested.get(key) ?? noUsage;
    if (usage === before) return;
    this.#used = minus(plus(this.#used, usage), before);
    this.#outer?.budgets.setNested(this.#outer.key, this.#used);
  }

  /** What is left for a run inside this one. */
  get left(): { readonly tokens: number; readonly costMicros: number } {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    return { tokens: Math.max(0, this.#limits.tokens - inputTokens - outputTokens), costMicros: Math.max(0, this.#limits.costMicros - costMicros) };
  }

  usage(steps: number, wallMs: number, clamped: readonly string[]): RunUsage {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    return { asks: this.#asks, commands: this.#commands, inputTokens, outputTokens, costMicros, steps, wallMs, clamped };
  }
}

/** `{ code, message, refused: true }`: the result of a call that was never made. */
export function isRefusal(result: Stored): boolean {
  return 'value' in result && isJsonObject(result.value) && result.value['refused'] === true;
}

/** From an answerer or a journal: what is no count is none. */
export function usageFromJson({ inputTokens, outputTokens, costMicros }: JsonObject | Usage): Usage {
  return { inputTokens: countOf(inputTokens), outputTokens: countOf(outputTokens), costMicros: countOf(costMicros) };
}

function countOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

export function plus(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, costMicros: a.costMicros + b.costMicros };
}

function minus(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens - b.inputTokens, outputTokens: a.outputTokens - b.outputTokens, costMicros: a.costMicros - b.costMicros };
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** `null` when nothing was used: then the entry need not say so. */
export function usageToJson({ inputTokens, outputTokens, costMicros }: Usage): JsonObject | null {
  return inputTokens + outputTokens + costMicros === 0 ? null : { inputTokens, outputTokens, costMicros };
}

function calls(count: number): string {
  return `${count} call${count === 1 ? '' : 's'}`;
}

function atOnce(more: number): string {
  return more === 1 ? '' : `: ${more} at once are more than are left`;
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(4)}`;
}
