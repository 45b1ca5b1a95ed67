// A plan and the ceiling it declares -> the steps that are sure to be denied, before anything is spent.
//
// D1. Only what is certain: a step without a condition that is no substitute, and whose tool is there or whose skill
//     declares what it does. Anything else is denied when it comes to that.
import type { JsonObject } from '../../base/json.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import { ceilingFault } from '../effect/capability-ceiling.ts';
import type { PlanSkill } from './bundle.ts';

export interface DeniedStep {
  readonly step: PlanStep;
  readonly why: string;
}

export async function deniedSteps(
  { steps, capabilities }: Plan,
  skills: { readonly [name: string]: PlanSkill },
  tools: Pick<ToolHost, 'find'>,
): Promise<readonly DeniedStep[]> {
  if (capabilities === null) return [];
  const denied: DeniedStep[] = [];
  for (const step of steps) {
    const effect = step.when === null && step.substituteOf === null ? effectOf(step, skills) : null;
    if (effect === null) continue;
    const fact = step.tool === null ? null : await tools.find(step.tool).catch(() => null);
    const fault =
      effect.kind === 'tool' && fact === null
        ? null
        : ceilingFault([capabilities], effect.kind, effect.request, fact?.readOnly === true);
    if (fault !== null) denied.push({ step, why: fault });
  }
  return denied;
}

function effectOf(
  { kind, tool, skill, route }: PlanStep,
  skills: { readonly [name: string]: PlanSkill },
): { readonly kind: string; readonly request: JsonObject } | null {
  if (kind === 'tool' && tool !== null) return { kind, request: { tool } };
  if (kind === 'command') return { kind, request: {} };
  const declared =
    kind === 'exec' && route.length === 0 && skill !== null ? (skills[skill]?.capabilities ?? null) : null;
  return declared === null ? null : { kind: 'command', request: { base: { capabilities: declared } } };
}
