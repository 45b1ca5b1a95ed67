// Why a plan cannot run here and now, without running it: the report that a start would be refused with.
import type { SkillToRun } from '../../ports/skill-source.ts';
import type { Obstacles, PreparationParts } from './prepare-plan.ts';
import { planOfSkill, preparePlan } from './prepare-plan.ts';

/** Whether a plan could be started now, and what prevents it. */
export interface PreflightReport extends Obstacles {
  readonly ok: boolean;
}

export async function preflight(parts: PreparationParts, skill: SkillToRun): Promise<PreflightReport> {
  const planned = planOfSkill(skill, parts.parseFull);
  if (!planned.ok) return { ok: false, problems: [`the plan has errors: ${planned.message}`], notes: [] };
  const prepared = await preparePlan(parts, planned);
  return prepared.ok ? { ok: true, problems: [], notes: [] } : prepared;
}
