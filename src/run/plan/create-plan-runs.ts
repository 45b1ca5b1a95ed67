// Implements PlanRuns (runs.ts), and keeps what was compiled for the next run of the same bytes.
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import { admitPlan, planInput } from './admit-plan.ts';
import { bundleFiles } from './bundle.ts';
import { PlanCache } from './cache.ts';
import { PlanInterpreter } from './interpreter.ts';
import type { PlanRuns, PlanRunsParts } from './runs.ts';
import { planOfSkill, preparePlan } from './prepare-plan.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CompiledBundle } from './compile-bundle.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { readFacts } from '../run-facts.ts';
import { outcomeOf } from '../../journal/run-state.ts';
import type { RunState } from '../../journal/run-state.ts';
import { failureOf } from '../effect/effect-journal.ts';
import type { StepView } from './view.ts';

export function createPlanRuns({ blobs, filters }: PlanRunsParts): PlanRuns {
  const plans = new PlanCache(filters);
  const recordedInterpreter = async (facts: RunFacts, input: JsonObject): Promise<PlanInterpreter> =>
    interpreterOf(facts, input, await plans.load(facts.meta.files, (_path, digest) => blobs.get(digest)));
  return {
    createInterpreter: recordedInterpreter,
    startInterpreter: async (facts, input, files) =>
      interpreterOf(
        facts,
        input,
        await plans.load(facts.meta.files, (path) => files.get(path) as Uint8Array),
      ),
    admit: (parts, skill, given) => admitPlan({ ...parts, plans }, skill, given),
    checkInput: (parts, skill, given) => {
      const planned = planOfSkill(skill, parts.parseFull);
      // An edited plan with errors is reported by `replan`.
      return planned.ok
        ? planInput(skill, planned, given)
        : { ok: true, input: isJsonObject(given) ? given : {} };
    },
    replan: async (parts, skill) => {
      const planned = planOfSkill(skill, parts.parseFull);
      if (!planned.ok) throw new TechneError('USAGE', `the edited plan has errors: ${planned.message}`);
      const prepared = await preparePlan(parts, planned);
      if (!prepared.ok)
        throw new TechneError('USAGE', `the edited plan cannot run here: ${prepared.problems.join('; ')}`);
      return bundleFiles(prepared);
    },
    recordedSteps: async (state, values) => {
      const { meta } = state;
      return recordedSteps(
        state,
        values,
        await recordedInterpreter(readFacts(meta), await values.loadObject(meta.input)),
      );
    },
  };
}

function interpreterOf(
  { meta, limits, settings: { origin, workspace, utcOffsetMinutes } }: RunFacts,
  input: JsonObject,
  compiled: CompiledBundle | null,
): PlanInterpreter {
  if (compiled === null)
    throw new TechneError('JOURNAL_CORRUPT', `run ${meta.run} does not record what it executes`);
  return new PlanInterpreter({
    compiled,
    input,
    limits,
    identity: {
      run: origin?.run ?? meta.run,
      startedAtMs: origin?.at ?? meta.at,
      startedOffsetMinutes: utcOffsetMinutes,
      workspace,
    },
  });
}

/** The status of each step so far: advances a fresh interpreter with the recorded outcomes, and performs nothing. */
async function recordedSteps(
  { effects }: RunState,
  values: StoredValues,
  interpreter: PlanInterpreter,
): Promise<readonly StepView[]> {
  for (;;) {
    const advance = interpreter.advance();
    if (advance.kind === 'slice') continue;
    if (advance.kind !== 'waiting') break;
    let delivered = 0;
    for (const { key, kind } of advance.effects) {
      const known = effects.get(key);
      const recorded = known === undefined ? null : outcomeOf(known);
      if (kind === 'trace') interpreter.deliver(key, { ok: true, value: null });
      else if (recorded === null) continue;
      else {
        const result = await values.load(recorded.result);
        interpreter.deliver(
          key,
          recorded.ok ? { ok: true, value: result } : { ok: false, ...failureOf(result) },
        );
      }
      delivered += 1;
    }
    if (delivered === 0) break;
  }
  return interpreter.views();
}
