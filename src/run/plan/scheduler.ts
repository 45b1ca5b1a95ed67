// The steps of a plan -> their order, and the record of each.
//
// A step starts when everything it waits for has been decided, in the order of the document; the engine limits how
// many are under way. What depends on a failed or blocked step is blocked; everything else continues. A skipped step
// blocks nothing. Nor does a failed one with continue_on_error, or one whose substitute succeeded: its output is then
// that of the substitute. A substitute runs only when its step has failed; otherwise it is skipped, and what waits for
// it continues.
import { placeOfEffect } from './compile-bundle.ts';
import type { CompiledBundle, CompiledStep } from './compile-bundle.ts';
import type { EffectOutcome, EffectRequest } from '../effect/effect.ts';
import type { StepRecord } from './scope.ts';
import { emptyRecord, skippedRecord, StepRun } from './step.ts';
import type { StepParts, StepTurn } from './step.ts';

export class PlanScheduler {
  readonly records = new Map<string, StepRecord>();
  readonly #compiled: CompiledBundle;
  readonly #parts: StepParts;
  /** What each step still waits for. */
  readonly #missing: number[];
  /** Places in the document, sorted from the last to the first. */
  readonly #ready: number[] = [];
  /** Those under way, by their place. */
  readonly #runs: (StepRun | null)[];

  constructor(parts: Omit<StepParts, 'records'>) {
    this.#compiled = parts.compiled;
    this.#parts = { ...parts, records: this.records };
    this.#missing = parts.compiled.steps.map(({ waitsFor }) => waitsFor);
    this.#runs = parts.compiled.steps.map(() => null);
    for (let index = this.#missing.length - 1; index >= 0; index -= 1)
      if (this.#missing[index] === 0) this.#ready.push(index);
  }

  get isOver(): boolean {
    return this.records.size === this.#compiled.steps.length;
  }

  /** Steps that have begun and are not decided, with the tries they have made. */
  get underWay(): ReadonlyMap<string, number> {
    return new Map(
      this.#compiled.steps.flatMap(({ step: { id }, index }) =>
        this.#runs[index] ? [[id, this.#runs[index].attempts]] : [],
      ),
    );
  }

  /** Decides about the next step that can begin; null when there is none. */
  next(): readonly EffectRequest[] | null {
    const index = this.#ready.pop();
    if (index === undefined) return null;
    const step = this.#compiled.steps[index] as CompiledStep;
    const decided = this.#decide(step);
    if (decided !== null) {
      this.#settle(step, decided);
      return [];
    }
    const run = new StepRun(this.#parts, step);
    this.#runs[index] = run;
    return this.#take(step, run.begin());
  }

  deliver(key: string, outcome: EffectOutcome): readonly EffectRequest[] {
    const index = placeOfEffect(this.#compiled, key) ?? -1;
    const run = this.#runs[index] ?? null;
    if (run === null) throw new Error(`nothing waits for effect ${key}`);
    return this.#take(this.#compiled.steps[index] as CompiledStep, run.deliver(key, outcome));
  }

  #take(step: CompiledStep, { effects, record }: StepTurn): readonly EffectRequest[] {
    if (record !== null) {
      this.#runs[step.index] = null;
      this.#settle(step, record);
    }
    return effects;
  }

  /** The record of a step that does not start; null when it may start. */
  #decide(compiled: CompiledStep): StepRecord | null {
    const { step } = compiled;
    if (step.substituteOf !== null) {
      const primary = this.records.get(step.substituteOf);
      if (primary?.status === 'blocked') return blocked(`"${step.substituteOf}" was blocked`);
      if (primary?.status !== 'failed') return skippedRecord(compiled, `"${step.substituteOf}" did not fail`);
    }
    for (const id of step.dependsOn) {
      // One that comes only after it is not waited for (compile-bundle.ts).
      const record = this.records.get(id);
      if (record === undefined) continue;
      if (record.status === 'blocked') return blocked(`"${id}" was blocked`);
      if (record.status === 'failed' && !this.isTolerated(id)) return blocked(`"${id}" failed`);
    }
    return null;
  }

  /** Whether the steps after a failed step continue. */
  isTolerated(id: string): boolean {
    const { step } = this.#compiled.byId.get(id) as CompiledStep;
    const { substitutedBy = null } = this.records.get(id) ?? {};
    if (step.continueOnError || substitutedBy !== null) return true;
    return (
      step.substituteOf !== null && this.#compiled.byId.get(step.substituteOf)?.step.continueOnError === true
    );
  }

  #settle({ step, followers }: CompiledStep, record: StepRecord): void {
    this.records.set(step.id, record);
    const { substituteOf } = step;
    if (substituteOf !== null && record.status === 'ok') {
      const primary = this.records.get(substituteOf) as StepRecord;
      this.records.set(substituteOf, { ...primary, output: record.output, substitutedBy: step.id });
    }
    for (const follower of followers)
      if ((this.#missing[follower] = (this.#missing[follower] as number) - 1) === 0) this.#addReady(follower);
  }

  #addReady(index: number): void {
    let at = this.#ready.length;
    while (at > 0 && (this.#ready[at - 1] as number) < index) at -= 1;
    this.#ready.splice(at, 0, index);
  }
}

function blocked(reason: string): StepRecord {
  return { ...emptyRecord, status: 'blocked', reason };
}
