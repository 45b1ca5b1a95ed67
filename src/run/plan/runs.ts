// Everything a run needs of plans before their code is loaded: how to load it, the semantics and the place of a plan, and
// the events of its steps.
//
// The code of plans and templates is as large as the rest of a run: it is loaded with the first run of a plan, and a
// process that runs only programs never loads it.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { SkillToRun } from '../../ports/skill-source.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { PlanAdmission } from './admit-plan.ts';
import type { Interpreter, Advance, EffectOutcome } from '../effect/effect.ts';
import type { CheckedInput, InputFacts } from '../start/check-input.ts';
import type { HostFilters } from './templates.ts';
import type { StepView } from './view.ts';
import type { PreparationParts } from './prepare-plan.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { languageProfile } from '../../starlark/options.ts';
import { templateProfile } from '../../template/options.ts';
import type { OnRunEvent } from '../events.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { StepRecord } from './scope.ts';

export interface PlanRunsParts {
  readonly blobs: Pick<Blobs, 'get'>;
  readonly filters: HostFilters;
}

export interface PlanRuns {
  admit(parts: PreparationParts, skill: SkillToRun, given: Json): Promise<PlanAdmission>;
  /** Throws BLOB_MISSING, BLOB_CORRUPT, JOURNAL_CORRUPT. */
  createInterpreter(facts: RunFacts, input: JsonObject): Promise<Interpreter>;
  /** The same for a run that starts, from the files that were pinned for it. */
  startInterpreter(
    facts: RunFacts,
    input: JsonObject,
    files: ReadonlyMap<string, Uint8Array>,
  ): Promise<Interpreter>;
  /** The input of a fork, against the plan of these files. */
  checkInput(
    parts: Pick<PreparationParts, 'parseFull'>,
    skill: InputFacts & Pick<SkillToRun, 'folder' | 'files'>,
    given: Json,
  ): CheckedInput;
  /** What is pinned of an edited skill. Throws USAGE. */
  replan(
    parts: PreparationParts,
    skill: Pick<SkillToRun, 'name' | 'folder' | 'files'>,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The status of each step so far: nothing is performed, every outcome is the recorded one. */
  recordedSteps(state: RunState, values: StoredValues): Promise<readonly StepView[]>;
}

/** Gives the same one every time. */
export type LoadPlanRuns = () => Promise<PlanRuns>;

export function planRunsOf(parts: PlanRunsParts): LoadPlanRuns {
  let loaded: Promise<PlanRuns> | null = null;
  return () =>
    (loaded ??= import('./create-plan-runs.ts').then(({ createPlanRuns }) => createPlanRuns(parts)));
}

/** Where the bundle is among the files of a run. No file of a skill has this name. */
export const bundlePath = '.techne/plan.json';

/** The semantics of plans: the order of steps, what they see, the prompts of models. */
const planProfile = 'plan-1';

/** The semantics that a run of this form is started with, and keeps. */
export function profileOf(form: string): string {
  return form === 'program' ? languageProfile : `${planProfile} ${templateProfile}`;
}

// The interpreter of a plan -> the same, which also reports the records of its steps as they come.
//
// It does not change what is proposed. A step that was decided before a resume is reported again, because a new
// listener may not have seen it.

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

  get inputs(): JsonObject {
    return this.#plan.inputs ?? {};
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
