// The interpreter of a plan -> the same, which also reports the records of its steps as they come.
//
// It does not change what is proposed. A step that was decided before a resume is reported again, because a new
// listener may not have seen it.
import type { Advance, EffectOutcome, Interpreter } from '../effect/effect.ts';
import type { OnRunEvent } from '../events.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { StepRecord } from './scope.ts';
import type { StepView } from './view.ts';

/** What a plan knows of its steps. */
interface Stepped extends Interpreter {
  /** In the order in which they were decided. */
  readonly records: ReadonlyMap<string, StepRecord>;
  views(): readonly StepView[];
}

/** Programs are returned unchanged. */
export function watchSteps(
  interpreter: Interpreter,
  run: string,
  limits: Pick<RunLimits, 'asks' | 'commands'>,
  nowMs: () => number,
  onEvent: OnRunEvent,
): Interpreter {
  return isStepped(interpreter) ? new WatchedPlan(interpreter, run, limits, nowMs, onEvent) : interpreter;
}

function isStepped(interpreter: Interpreter): interpreter is Stepped {
  return 'views' in interpreter && 'records' in interpreter;
}

class WatchedPlan implements Interpreter {
  readonly isConcurrent: boolean;
  readonly #plan: Stepped;
  readonly #run: string;
  readonly #limits: Pick<RunLimits, 'asks' | 'commands'>;
  readonly #nowMs: () => number;
  readonly #onEvent: OnRunEvent;
  #decided: IterableIterator<[string, StepRecord]> | null = null;
  #isOpen = false;
  #reported = 0;

  constructor(
    plan: Stepped,
    run: string,
    limits: Pick<RunLimits, 'asks' | 'commands'>,
    nowMs: () => number,
    onEvent: OnRunEvent,
  ) {
    this.isConcurrent = plan.isConcurrent === true;
    this.#plan = plan;
    this.#run = run;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#onEvent = onEvent;
  }

  get steps(): number {
    return this.#plan.steps;
  }

  advance(): Advance {
    if (!this.#isOpen) this.#open();
    const advance = this.#plan.advance();
    if (this.#plan.records.size > this.#reported) this.#report();
    return advance;
  }

  deliver(key: string, outcome: EffectOutcome): void {
    this.#plan.deliver(key, outcome);
  }

  #open(): void {
    this.#isOpen = true;
    const { asks, commands } = this.#limits;
    this.#onEvent({
      type: 'plan.opened',
      run: this.#run,
      at: this.#nowMs(),
      asks,
      commands,
      steps: this.#plan.views().map(({ id, kind, label, does }) => ({ id, kind, label, does })),
    });
  }

  #report(): void {
    const at = this.#nowMs();
    // Never read to its end, the iterator continues with records that are added later.
    this.#decided ??= this.#plan.records.entries();
    for (; this.#reported < this.#plan.records.size; this.#reported += 1) {
      const [step, { status, error, reason, attempts }] = this.#decided.next().value as [string, StepRecord];
      this.#onEvent({
        type: 'step.ended',
        run: this.#run,
        at,
        step,
        status,
        code: error?.code ?? null,
        attempts,
        reason,
      });
    }
  }
}
