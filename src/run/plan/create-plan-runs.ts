// Everything of plans behind one door (runs.ts), with what was compiled kept for the next run of the same bytes.
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import { admitPlan, planInput } from './admit-plan.ts';
import { bundleFiles } from './bundle.ts';
import { PlanCache } from './cache.ts';
import { PlanInterpreter } from './interpreter.ts';
import { recordedSteps } from './progress.ts';
import type { PlanRuns, PlanRunsParts } from './runs.ts';
import { planOfSkill, preparePlan } from './prepare-plan.ts';
import { limitsFromJson } from '../budget/resolve-limits.ts';
import { settingsOf } from '../run-facts.ts';

export function createPlanRuns({ blobs, filters }: PlanRunsParts): PlanRuns {
  const plans = new PlanCache(blobs, filters);
  const createInterpreter: (
    ...given: Parameters<PlanRuns['createInterpreter']>
  ) => Promise<PlanInterpreter> = async (meta, input, limits) => {
    const compiled = await plans.load(meta);
    if (compiled === null)
      throw new TechneError('JOURNAL_CORRUPT', `run ${meta.run} does not say what it executes`);
    const { origin, workspace } = settingsOf(meta);
    return new PlanInterpreter({
      compiled,
      input,
      limits,
      identity: { run: origin?.run ?? meta.run, startedAtMs: origin?.at ?? meta.at, workspace },
    });
  };
  return {
    createInterpreter,
    admit: (parts, skill, given) => admitPlan({ ...parts, plans }, skill, given),
    checkInput: (parts, skill, given) => {
      const planned = planOfSkill(skill, parts.parseFull);
      // An edited plan with errors is told by `replan`.
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
        await createInterpreter(meta, await values.loadObject(meta.input), limitsFromJson(meta.limits)),
      );
    },
  };
}
