// A pinned plan and its input -> effects, as far as its steps can go (effect.ts).
//
// It is pure: what it proposes follows from the plan, the input and the outcomes, in whatever order these arrive. So
// an interrupted run proposes the rest, and only that. All effects that can start are proposed together; the engine
// limits how many run. It ends when every step has been decided; a failed step stops only what depends on it.
import type { JsonObject } from '../../base/json.ts';
import { placeOfEffect } from './compile-bundle.ts';
import type { CompiledBundle } from './compile-bundle.ts';
import type { Advance, EffectOutcome, EffectRequest, Interpreter } from '../effect/effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import { PlanBeginning } from './beginning.ts';
import { PlanBudget } from './template-budget.ts';
import { PlanEnding } from './ending.ts';
import { planInputs } from './inputs.ts';
import type { RunIdentity } from './inputs.ts';
import { PlanScheduler } from './scheduler.ts';
import type { StepRecord } from './scope.ts';
import type { StepView } from './view.ts';
import { viewSteps } from './view.ts';

interface PlanOptions {
  readonly compiled: CompiledBundle;
  readonly input: JsonObject;
  readonly limits: RunLimits;
  readonly identity: RunIdentity;
}

/** Template steps of one `advance`: some milliseconds. */
const sliceSteps = 200_000;

const noRecords: ReadonlyMap<string, StepRecord> = new Map();

const nothing: Advance = { kind: 'waiting', effects: [] };

export class PlanInterpreter implements Interpreter {
  readonly isConcurrent = true;
  readonly #options: PlanOptions;
  readonly #budget: PlanBudget;
  readonly #beginning: PlanBeginning;
  #scheduler: PlanScheduler | null = null;
  #ending: PlanEnding | null = null;
  #inputs: JsonObject;
  /** To be proposed. */
  #effects: EffectRequest[] = [];
  /** The one that the beginning or the ending waits for. */
  #single: string | null = null;

  constructor(options: PlanOptions) {
    const { compiled, input, limits, identity } = options;
    this.#options = options;
    this.#budget = new PlanBudget(limits, compiled.steps.length + 1);
    this.#inputs = planInputs(compiled.plan, input, identity);
    this.#beginning = new PlanBeginning(compiled.plan, this.#inputs);
  }

  get steps(): number {
    return this.#budget.steps;
  }

  get inputs(): JsonObject {
    return this.#inputs;
  }

  /** Of the steps that were decided, in the order in which they were. */
  get records(): ReadonlyMap<string, StepRecord> {
    return this.#scheduler?.records ?? noRecords;
  }

  /** What is known of the steps so far. */
  views(): readonly StepView[] {
    return viewSteps(
      this.#options.compiled,
      this.#scheduler?.records ?? new Map(),
      this.#scheduler?.underWay ?? new Map(),
    );
  }

  advance(): Advance {
    if (this.#single !== null) return nothing;
    if (this.#scheduler === null) {
      const begun = this.#beginning.next();
      if ('key' in begun) return this.#propose(begun);
      if (!begun.ok) return { kind: 'failed', code: begun.code, message: begun.message, detail: null };
      this.#inputs = begun.inputs;
      this.#scheduler = new PlanScheduler(this.#stepParts());
    }
    const scheduler = this.#scheduler;
    const until = this.#budget.steps + sliceSteps;
    for (let effects = scheduler.next(); effects !== null; effects = scheduler.next()) {
      this.#effects.push(...effects);
      if (this.#budget.steps > until) return { kind: 'slice' };
    }
    if (!scheduler.isOver) {
      const { compiled } = this.#options;
      if (this.#effects.length === 0) return nothing;
      const effects = this.#effects;
      this.#effects = [];
      // Those of one round in the order of the document, however they came up.
      const place = ({ key }: EffectRequest): number => placeOfEffect(compiled, key) ?? 0;
      return {
        kind: 'waiting',
        effects: effects.length === 1 ? effects : effects.sort((a, b) => place(a) - place(b)),
      };
    }
    this.#ending ??= new PlanEnding({ ...this.#stepParts(), records: scheduler.records }, (id) =>
      scheduler.isTolerated(id),
    );
    const next = this.#ending.next();
    return 'key' in next ? this.#propose(next) : next;
  }

  deliver(key: string, outcome: EffectOutcome): void {
    if (this.#single !== null) {
      if (key !== this.#single) throw new Error(`nothing waits for effect ${key}`);
      this.#single = null;
      (this.#ending ?? this.#beginning).deliver(outcome);
      return;
    }
    if (this.#scheduler === null) throw new Error(`nothing waits for effect ${key}`);
    this.#effects.push(...this.#scheduler.deliver(key, outcome));
  }

  #propose(effect: EffectRequest): Advance {
    this.#single = effect.key;
    return { kind: 'waiting', effects: [effect] };
  }

  #stepParts(): ConstructorParameters<typeof PlanScheduler>[0] {
    const { compiled, limits, identity } = this.#options;
    return {
      compiled,
      inputs: this.#inputs,
      limits,
      budget: this.#budget,
      startedAtMs: identity.startedAtMs,
      startedOffsetMinutes: identity.startedOffsetMinutes,
    };
  }
}
