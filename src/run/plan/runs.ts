// What only runs of plans need, loaded with the first of them: the code of plans and templates is as large as the rest
// of a run, and a process that runs only programs never loads it.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { SkillToRun } from '../../ports/skill-source.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { InputFacts, PlanAdmission } from './admit-plan.ts';
import type { Interpreter } from '../effect/effect.ts';
import type { CheckedInput } from '../start/check-input.ts';
import type { HostFilters } from './templates.ts';
import type { StepView } from './view.ts';
import type { PreparationParts } from './prepare-plan.ts';
import type { RunFacts } from '../run-facts.ts';
import type { StoredValues } from '../stored-values.ts';

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
