// What a run has used, and whether it may use more.
//
// U1. Counted from the journal: a resumed run goes on where it was.
// U2. A call is counted when it is started and never given back. A call that was refused is not counted.
// U3. Tokens and cost are those of the run and of everything nested in it; they are looked at before each call and
//     each model turn, so the last one may go over.
import type { JsonObject } from '../base/json.ts';
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


export class Budgets {
  readonly #limits: RunLimits;
  #asks = 0;
  #commands = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #costMicros = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  static fromJournal(limits: RunLimits, state: RunState): Budgets {
    const budgets = new Budgets(limits);
    for (const { started, ended } of state.effects.values()) {
      if (ended !== null && !ended.ok && isRefusal(ended.result)) continue;
      if (!isChild(started.key)) budgets.count(started.kind);
      if (ended?.usage !== undefined) budgets.addUsage(usageFromJson(ended.usage));
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
    const used = this.#inputTokens + this.#outputTokens;
    if (used >= tokens) return { code: 'TOKEN_BUDGET', message: `token budget exhausted (${used} of ${tokens} tokens)` };
    if (this.#costMicros > 0 && this.#costMicros >= costMicros) return { code: 'COST_BUDGET', message: `cost budget exhausted (${dollars(this.#costMicros)} of ${dollars(costMicros)})` };
    return null;
  }

  count(kind: string): void {
    if (isAsk(kind)) this.#asks += 1;
    else if (kind === 'command') this.#commands += 1;
  }

  addUsage({ inputTokens, outputTokens, costMicros }: Usage): void {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#costMicros += costMicros;
  }

  /** What is left for a run inside this one. */
  get left(): { readonly tokens: number; readonly costMicros: number } {
    return {
      tokens: Math.max(0, this.#limits.tokens - this.#inputTokens - this.#outputTokens),
      costMicros: Math.max(0, this.#limits.costMicros - this.#costMicros),
    };
  }

  usage(steps: number, wallMs: number, clamped: readonly string[]): RunUsage {
    return {
      asks: this.#asks, commands: this.#commands, inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, costMicros: this.#costMicros, steps, wallMs, clamped,
    };
  }
}

/** `{ code, message, refused: true }`: the result of a call that was never made. */
export function isRefusal(result: Stored): boolean {
  return 'value' in result && isJsonObject(result.value) && result.value['refused'] === true;
}

/** From an answerer or a journal: what is no count is none. */
export function usageFromJson(json: JsonObject): Usage {
  const count = (name: string): number => {
    const value = json[name];
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
  };
  return { inputTokens: count('inputTokens'), outputTokens: count('outputTokens'), costMicros: count('costMicros') };
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
