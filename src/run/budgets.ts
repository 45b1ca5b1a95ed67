// What a run has used, and whether it may use more.
//
// U1. Counted from the journal: a resumed run goes on where it was.
// U2. A call is counted when it is let through, and is said to be used when it is started: what waits for an approval
//     holds its place and has not been made. None is given back. A call that was refused is not counted.
// U3. Tokens and cost are those of the run and of the runs inside it, while they run: what one of them uses, the others
//     have no longer. They are looked at before each call and each model turn, so the last one may go over.
// U4. Asks are counted for each run by itself, and only those of the program (S0 §8). Commands are one budget for all
//     that is done for the run: those of its program, of nested agents and of the runs inside it.
// U5. A tool call of the program counts as a command: both are things done outside the run, and one can stand for the
//     other. Other tools of nested agents are bounded by their turns.
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
  /** Keys of the calls that were let through. */
  readonly #taken = new Set<string>();
  /** Commands of runs inside this one, by key: let through, and begun. */
  readonly #inside = new Map<string, Commands>();
  #asks = 0;
  #commands: Commands = noCommands;
  #begunAsks = 0;
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
      budgets.begin(started.key, started.kind);
      if (ended?.usage !== undefined) budgets.addUsage(started.key, usedFromJson(ended.usage));
    }
    return budgets;
  }

  /** Whether `more` calls of `kind` may be started now. */
  refuse(kind: string, more: number): Refusal | null {
    const { asks } = this.#limits;
    if (isAsk(kind) && this.#asks + more > asks) return { code: 'ASK_BUDGET', message: `ask budget exhausted (${calls(asks)})${atOnce(more)}` };
    if (isDoing(kind)) return this.#refuseCommands(more);
    return isAsk(kind) ? this.refuseTurn() : null;
  }

  #refuseCommands(more: number): Refusal | null {
    const { commands } = this.#limits;
    if (this.#allCommands().taken + more > commands) return { code: 'COMMAND_BUDGET', message: `command budget exhausted (${calls(commands)})${atOnce(more)}` };
    const refusal = this.#outer === null ? null : this.#outer.budgets.#refuseCommands(more);
    return refusal === null ? null : { ...refusal, message: `${refusal.message}, of the run that this one is inside of` };
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

  /** Whether the call of this key was let through. */
  has(key: string): boolean {
    return this.#taken.has(key);
  }

  /** The call is let through: it has its place, once. */
  count(key: string, kind: string): void {
    if (!isCounted(key, kind) || this.#taken.has(key)) return;
    this.#taken.add(key);
    if (isAsk(kind)) this.#asks += 1;
    else this.#setCommands({ taken: this.#commands.taken + 1, begun: this.#commands.begun });
  }

  /** The first attempt of a call is made. */
  begin(key: string, kind: string): void {
    this.count(key, kind);
    if (!isCounted(key, kind)) return;
    if (isAsk(kind)) this.#begunAsks += 1;
    else this.#setCommands({ taken: this.#commands.taken, begun: this.#commands.begun + 1 });
  }

  #setCommands(commands: Commands): void {
    this.#commands = commands;
    this.#tellCommands();
  }

  #tellCommands(): void {
    const { budgets, key } = this.#outer ?? {};
    if (budgets === undefined || key === undefined) return;
    budgets.#inside.set(key, this.#allCommands());
    budgets.#tellCommands();
  }

  #allCommands(): Commands {
    let { taken, begun } = this.#commands;
    for (const inside of this.#inside.values()) {
      taken += inside.taken;
      begun += inside.begun;
    }
    return { taken, begun };
  }

  /** What the effect of this key has used in the end. */
  addUsage(key: string, usage: Used): void {
    this.#count(key, usage);
    this.#nested.delete(key);
    if (usage.commands === undefined) return;
    this.#inside.set(key, { taken: usage.commands, begun: usage.commands });
    this.#tellCommands();
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
  get left(): { readonly tokens: number; readonly costMicros: number; readonly commands: number } {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    return {
      tokens: Math.max(0, this.#limits.tokens - inputTokens - outputTokens),
      costMicros: Math.max(0, this.#limits.costMicros - costMicros),
      commands: Math.max(0, this.#limits.commands - this.#allCommands().taken),
    };
  }

  usage(steps: number, wallMs: number, clamped: readonly string[]): RunUsage {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    return { asks: this.#begunAsks, commands: this.#allCommands().begun, inputTokens, outputTokens, costMicros, steps, wallMs, clamped };
  }
}

/** How many were let through, and how many of them have begun (U2). */
interface Commands {
  readonly taken: number;
  readonly begun: number;
}

const noCommands: Commands = { taken: 0, begun: 0 };

/** What an effect has used; `commands` of a run inside this one. */
export interface Used extends Usage {
  readonly commands?: number;
}

/** U5. */
function isDoing(kind: string): boolean {
  return kind === 'command' || kind === 'tool';
}

/** U4, U5. */
function isCounted(key: string, kind: string): boolean {
  return isChild(key) ? kind === 'command' : isAsk(kind) || isDoing(kind);
}

/** `{ code, message, refused: true }`: the result of a call that was never made. */
export function isRefusal(result: Stored): boolean {
  return 'value' in result && isJsonObject(result.value) && result.value['refused'] === true;
}

/** From an answerer or a journal: what is no count is none. */
export function usageFromJson({ inputTokens, outputTokens, costMicros }: JsonObject | Usage): Usage {
  return { inputTokens: countOf(inputTokens), outputTokens: countOf(outputTokens), costMicros: countOf(costMicros) };
}

/** Of a run inside this one, or of an entry that says so. */
export function usedFromJson(usage: JsonObject | RunUsage): Used {
  const { commands } = usage;
  return commands === undefined || commands === 0 ? usageFromJson(usage as JsonObject) : { ...usageFromJson(usage as JsonObject), commands: countOf(commands) };
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
export function usageToJson({ inputTokens, outputTokens, costMicros, commands = 0 }: Used): JsonObject | null {
  if (inputTokens + outputTokens + costMicros + commands === 0) return null;
  return commands === 0 ? { inputTokens, outputTokens, costMicros } : { inputTokens, outputTokens, costMicros, commands };
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
