// What the templates and expressions of one run may use, together and each of them.
//
// The steps of the run (limits.steps) are divided evenly: one share for each step of the plan and one for its result.
// So whether a step may continue does not depend on which one came first. A single evaluation is bounded as well,
// because it blocks everything else; its memory is given back after it.
import { Meter } from '../../base/meter.ts';
import type { RunLimits } from '../budget/limits.ts';

/** Some tens of milliseconds. */
const maxStepsAtOnce = 2_000_000;
const maxMemoryAtOnce = 64 * 1024 * 1024;

export class PlanBudget {
  readonly #share: number;
  readonly #memoryBytes: number;
  readonly #used = new Map<string, number>();
  #steps = 0;

  /** `shares`: how many share it. */
  constructor({ steps, memoryBytes }: Pick<RunLimits, 'steps' | 'memoryBytes'>, shares: number) {
    this.#share = Math.floor(steps / Math.max(1, shares));
    this.#memoryBytes = Math.min(maxMemoryAtOnce, memoryBytes);
  }

  /** Of all together. */
  get steps(): number {
    return this.#steps;
  }

  /** Gives `evaluate` a meter and charges what it took to `owner`. */
  spend<T>(owner: string, evaluate: (meter: Meter) => T): T {
    const used = this.#used.get(owner) ?? 0;
    const meter = new Meter(Math.min(maxStepsAtOnce, Math.max(0, this.#share - used)), this.#memoryBytes);
    const result = evaluate(meter);
    const taken = Math.min(meter.steps, meter.stepLimit);
    this.#used.set(owner, used + taken);
    this.#steps += taken;
    return result;
  }
}
