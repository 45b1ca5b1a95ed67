// What a run has used, whether it may use more, and the limits that a caller may set.
//
// Usage is counted from the journal, so a resumed run continues with its counts. A call is counted when it is admitted
// and reported as used when it starts: a call that waits for an approval holds its place. A refused call is not
// counted, and no count is given back.
//
// Tokens and cost are shared by a run and its nested runs while they run. They are checked before each call and each
// model turn, so the last one may exceed them. Asks, commands and runs are one budget for the whole tree of runs, whoever
// started them, a step or a nested agent, so that fanning out ends. The turns of an agent are no asks: an ask counts
// once (S0 §8). A tool call of the program counts as a command, because one can replace the other. So does a tool call
// of a nested agent, unless it can be repeated without harm (it only reads, or it is one of the agent's own file tools):
// those are bounded by turns.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Usage } from '../../ports/answerer.ts';
import type { Stored } from '../../journal/entry.ts';
import type { RunState } from '../../journal/run-state.ts';
import { isAsk, isChild } from '../effect/effect.ts';
import type { RunLimits } from './limits.ts';
import type { RunUsage } from '../result/result.ts';
import { nearest } from '../../base/nearest.ts';
import { limitNames } from './limits.ts';

export interface BudgetRefusal {
  readonly code: string;
  readonly message: string;
}

/** The outer run, and the effect that started the nested one. */
export interface OuterBudgets {
  readonly budgets: Budgets;
  readonly key: string;
}

export class Budgets {
  readonly #limits: RunLimits;
  readonly #outer: OuterBudgets | null;
  /** What nested runs have used that no entry of this one records yet, by key. */
  readonly #nested = new Map<string, Usage>();
  /** Keys of the calls that were admitted. */
  readonly #taken = new Set<string>();
  /** Calls of nested runs, by key. */
  readonly #inside = new Map<string, Calls>();
  /** Those of this run itself. */
  #calls: Calls = noCalls;
  /** Also by nested runs. */
  #used: Usage = noUsage;

  constructor(limits: RunLimits, outer: OuterBudgets | null) {
    this.#limits = limits;
    this.#outer = outer;
  }

  static fromJournal(limits: RunLimits, state: RunState, outer: OuterBudgets | null = null): Budgets {
    const budgets = new Budgets(limits, outer);
    for (const { started, ended } of state.effects.values()) {
      if (ended !== null && !ended.ok && isRefusal(ended.result)) continue;
      budgets.begin(started.key, started.kind, started.repeatable);
      if (ended?.usage !== undefined) budgets.addUsage(started.key, usedFromJson(ended.usage));
    }
    return budgets;
  }

  /** Whether `more` calls of `kind` may be started now. */
  refuse(kind: string, more: number): BudgetRefusal | null {
    if (isAsk(kind)) return this.#refuseCalls('asks', more) ?? this.refuseTurn();
    if (kind === 'skill') return this.#refuseCalls('runs', more);
    return isDoing(kind) ? this.#refuseCalls('commands', more) : null;
  }

  #refuseCalls(what: Countable, more: number): BudgetRefusal | null {
    const limit = this.#limits[what];
    if (this.#allCalls().taken[what] + more > limit)
      return {
        code: budgetCodes[what],
        message: `${what.slice(0, -1)} budget exhausted (${counted(limit, what === 'runs' ? 'run' : 'call')})${atOnce(more)}`,
      };
    const refusal = this.#outer === null ? null : this.#outer.budgets.#refuseCalls(what, more);
    return refusal === null ? null : { ...refusal, message: `${refusal.message} (of the outer run)` };
  }

  /** Whether a model may be called now. */
  refuseTurn(): BudgetRefusal | null {
    const { tokens, costMicros } = this.#limits;
    const { inputTokens, outputTokens, costMicros: cost } = this.#used;
    const used = inputTokens + outputTokens;
    if (used >= tokens)
      return { code: 'TOKEN_BUDGET', message: `token budget exhausted (${used} of ${tokens} tokens)` };
    if (cost > 0 && cost >= costMicros)
      return {
        code: 'COST_BUDGET',
        message: `cost budget exhausted (${dollars(cost)} of ${dollars(costMicros)})`,
      };
    return this.#outer?.budgets.refuseTurn() ?? null;
  }

  /** Whether the call of this key was admitted. */
  has(key: string): boolean {
    return this.#taken.has(key);
  }

  /** Admits the call: it has its place, once. */
  count(key: string, kind: string, repeatable = false): void {
    if (!isCounted(key, kind, repeatable) || this.#taken.has(key)) return;
    this.#taken.add(key);
    const { taken, begun } = this.#calls;
    this.#setCalls({ taken: oneMore(taken, kind), begun });
  }

  /** The first attempt of a call is made. */
  begin(key: string, kind: string, repeatable = false): void {
    this.count(key, kind, repeatable);
    if (!isCounted(key, kind, repeatable)) return;
    const { taken, begun } = this.#calls;
    this.#setCalls({ taken, begun: oneMore(begun, kind) });
  }

  #setCalls(own: Calls): void {
    this.#calls = own;
    this.#tellCalls();
  }

  #tellCalls(): void {
    if (this.#outer === null) return;
    const { budgets, key } = this.#outer;
    budgets.#inside.set(key, this.#allCalls());
    budgets.#tellCalls();
  }

  #allCalls(): Calls {
    if (this.#inside.size === 0) return this.#calls;
    let { taken, begun } = this.#calls;
    for (const inside of this.#inside.values()) {
      taken = together(taken, inside.taken);
      begun = together(begun, inside.begun);
    }
    return { taken, begun };
  }

  /** What the effect of this key has used in the end. */
  addUsage(key: string, usage: Used): void {
    this.#count(key, usage);
    this.#nested.delete(key);
    const { asks = 0, commands = 0, runs = 0 } = usage;
    if (asks + commands + runs === 0) return;
    const counts = { asks, commands, runs };
    this.#inside.set(key, { taken: counts, begun: counts });
    this.#tellCalls();
  }

  /** What the nested run has used so far. */
  setNested(key: string, usage: Usage): void {
    this.#count(key, usage);
    this.#nested.set(key, usage);
  }

  #count(key: string, usage: Usage): void {
    const before = this.#nested.get(key) ?? noUsage;
    if (usage === before) return;
    this.#used = minus(addUsage(this.#used, usage), before);
    this.#outer?.budgets.setNested(this.#outer.key, this.#used);
  }

  /** What is left for a nested run. */
  get left(): {
    readonly tokens: number;
    readonly costMicros: number;
    readonly asks: number;
    readonly commands: number;
    readonly runs: number;
  } {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    const { asks, commands, runs } = this.#allCalls().taken;
    return {
      tokens: Math.max(0, this.#limits.tokens - inputTokens - outputTokens),
      costMicros: Math.max(0, this.#limits.costMicros - costMicros),
      asks: Math.max(0, this.#limits.asks - asks),
      commands: Math.max(0, this.#limits.commands - commands),
      runs: Math.max(0, this.#limits.runs - runs),
    };
  }

  usage(steps: number, wallMs: number, clamped: readonly string[]): RunUsage {
    const { inputTokens, outputTokens, costMicros } = this.#used;
    const { asks, commands, runs } = this.#allCalls().begun;
    return {
      asks,
      commands,
      ...(runs === 0 ? {} : { runs }),
      inputTokens,
      outputTokens,
      costMicros,
      steps,
      wallMs,
      clamped,
    };
  }
}

type Countable = 'asks' | 'commands' | 'runs';
type Counts = Readonly<Record<Countable, number>>;

/** How many were admitted, and how many of them have started. */
interface Calls {
  readonly taken: Counts;
  readonly begun: Counts;
}

const noCounts: Counts = { asks: 0, commands: 0, runs: 0 };
const noCalls: Calls = { taken: noCounts, begun: noCounts };
const budgetCodes = { asks: 'ASK_BUDGET', commands: 'COMMAND_BUDGET', runs: 'RUN_BUDGET' } as const;

/** Spelt out: a spread takes more than a microsecond. */
function oneMore({ asks, commands, runs }: Counts, kind: string): Counts {
  if (isAsk(kind)) return { asks: asks + 1, commands, runs };
  return kind === 'skill' ? { asks, commands, runs: runs + 1 } : { asks, commands: commands + 1, runs };
}

function together(a: Counts, b: Counts): Counts {
  return { asks: a.asks + b.asks, commands: a.commands + b.commands, runs: a.runs + b.runs };
}

/** What an effect has used; counts are those of a nested run. */
export interface Used extends Usage, Partial<Counts> {}

/** A tool call of the program counts as a command. */
function isDoing(kind: string): boolean {
  return kind === 'command' || kind === 'tool';
}

/** Whether a call counts: parts of an ask only if they are runs, commands, or tools that cannot be repeated. */
function isCounted(key: string, kind: string, repeatable: boolean): boolean {
  if (kind === 'skill') return true;
  return isChild(key) ? kind === 'command' || (kind === 'tool' && !repeatable) : isAsk(kind) || isDoing(kind);
}

/** `{ code, message, refused: true }`: the result of a call that was never made. */
export function isRefusal(result: Stored): result is { readonly value: JsonObject } {
  return 'value' in result && isJsonObject(result.value) && result.value['refused'] === true;
}

/** From an answerer or a journal: anything but a count is ignored. */
export function usageFromJson({ inputTokens, outputTokens, costMicros }: JsonObject | Usage): Usage {
  return {
    inputTokens: countOf(inputTokens),
    outputTokens: countOf(outputTokens),
    costMicros: countOf(costMicros),
  };
}

/** Of a nested run, or of an entry that says so. */
export function usedFromJson(usage: JsonObject | RunUsage): Used {
  const { asks, commands, runs } = usage;
  return {
    ...usageFromJson(usage as JsonObject),
    asks: countOf(asks),
    commands: countOf(commands),
    runs: countOf(runs),
  };
}

function countOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}

function minus(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    costMicros: a.costMicros - b.costMicros,
  };
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** `null` when nothing was used: then the entry need not say so. */
export function usageToJson({
  inputTokens,
  outputTokens,
  costMicros,
  asks = 0,
  commands = 0,
  runs = 0,
}: Used): JsonObject | null {
  if (inputTokens + outputTokens + costMicros + asks + commands + runs === 0) return null;
  const json: { [key: string]: Json } = { inputTokens, outputTokens, costMicros };
  if (asks > 0) json['asks'] = asks;
  if (commands > 0) json['commands'] = commands;
  if (runs > 0) json['runs'] = runs;
  return json;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function atOnce(more: number): string {
  return more === 1 ? '' : `: ${more} at once are more than are left`;
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(4)}`;
}

// The limits that a caller asks for -> the limits of a run, clamped to the host's maximum.

type ResolvedLimits =
  | { readonly ok: true; readonly limits: RunLimits; readonly clamped: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The least that a run can do anything with. */
const least: Partial<Record<keyof RunLimits, number>> = {
  commands: 0,
  traceEntries: 0,
  depth: 0,
  runs: 0,
  tokens: 0,
  costMicros: 0,
  resultUnits: 1_000,
  traceEntryUnits: 100,
  memoryBytes: 64 * 1024,
  steps: 1_000,
};

export function resolveLimits(
  asked: Partial<RunLimits>,
  defaults: RunLimits,
  maximum: RunLimits,
): ResolvedLimits {
  const limits: { -readonly [name in keyof RunLimits]: number } = { ...defaults };
  const clamped: string[] = [];
  for (const [name, value] of Object.entries(asked)) {
    if (!limitNames.includes(name as keyof RunLimits)) {
      const close = nearest(name, limitNames);
      return {
        ok: false,
        message: `there is no limit "${name}"${close === null ? '' : `; did you mean "${close}"?`}`,
      };
    }
    const key = name as keyof RunLimits;
    const floor = least[key] ?? 1;
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < floor)
      return {
        ok: false,
        message: `the limit ${name} must be an integer of at least ${floor}, not ${JSON.stringify(value)}`,
      };
    limits[key] = Math.min(value, maximum[key]);
    if (value > maximum[key]) clamped.push(name);
  }
  for (const key of limitNames) limits[key] = Math.min(limits[key], maximum[key]);
  return { ok: true, limits, clamped };
}
