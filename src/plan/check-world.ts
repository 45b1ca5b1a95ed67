// The skills and tools that steps name -> whether they are there, and can do what the step wants.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { ownerOf } from './analyse-sites.ts';
import type { Named, StepDraft } from './draft.ts';
import type { PlanForm, PlanNeeds } from './plan.ts';
import { stepTools } from './read-workflow-step.ts';
import { factsOfTool } from './tool-facts.ts';
import type { PlanWorld } from './world.ts';

export function checkWorld(
  name: string,
  form: PlanForm,
  drafts: readonly StepDraft[],
  world: PlanWorld,
  report: Report,
): void {
  for (const draft of drafts) {
    const owner = ownerOf(draft);
    const skills = [...(draft.skill === null ? [] : [draft.skill]), ...draft.routes];
    const seen = new Set<string>();
    for (const skill of skills) {
      if (skill.name.includes('{{') || seen.has(skill.name)) continue;
      seen.add(skill.name);
      checkSkill(name, form, draft, owner, skill, world, report);
    }
    if (draft.tool !== null) checkTool(form, owner, draft.tool, world, report);
  }
}

/** Whether a server offers a tool is known when a run starts; a name that looks like one of ours is reported before. */
function checkTool(
  form: PlanForm,
  owner: string,
  { name, span }: Named,
  world: PlanWorld,
  report: Report,
): void {
  const facts = world.tool(name);
  if (facts === null)
    report(
      'PLAN_TOOL_MISSING',
      span,
      `${owner}: there is no tool "${shown(name)}" here`,
      'the run is refused where it is not offered',
    );
  if (facts !== 'unknown' || factsOfTool(name) !== null) return;
  const near = nearest(name, [
    ...(form === 'workflow' ? Object.keys(stepTools) : []),
    ...(world.toolNames?.() ?? []),
  ]);
  if (near !== null)
    report(
      'PLAN_TOOL_MISSING',
      span,
      `${owner}: techne has no tool "${shown(name)}", so a server must offer it`,
      `did you mean "${near}"?`,
    );
}

function checkSkill(
  own: string,
  form: PlanForm,
  { step }: StepDraft,
  owner: string,
  { name, span }: Named,
  world: PlanWorld,
  report: Report,
): void {
  if (form !== 'workflow' && name === own) {
    report('PLAN_NESTED', span, `${owner}: a ${form} cannot run itself`, 'name another skill');
    return;
  }
  const facts = world.skill(name);
  if (facts === 'unknown') return;
  if (facts === null) {
    const near = nearest(name, world.skillNames());
    report(
      'PLAN_SKILL_MISSING',
      span,
      `${owner}: there is no skill "${shown(name)}" here`,
      near === null ? 'install it, or correct the name' : `did you mean "${near}"?`,
    );
    return;
  }
  if (form === 'composition' && facts.form === 'composition') {
    report(
      'PLAN_NESTED',
      span,
      `${owner}: "${shown(name)}" is a composition, and a composition cannot contain another`,
      'name the skills that it runs',
    );
  } else if (step.kind === 'exec' && facts.entrypoint === null) {
    report(
      'PLAN_ENTRYPOINT_MISSING',
      span,
      `${owner}: the skill "${shown(name)}" has no entry point that could be executed`,
      'write kind: agent, or give the skill an entrypoint',
    );
  }
}

function shown(name: string): string {
  return printableLine(name).slice(0, 60);
}

export function needsOf(drafts: readonly StepDraft[]): PlanNeeds {
  const sorted = (names: readonly (string | null)[]): readonly string[] =>
    [...new Set(names.flatMap((name) => (name === null || name.includes('{{') ? [] : [name])))].sort();
  return {
    skills: sorted(drafts.flatMap(({ step }) => [step.skill, ...step.route.map(({ to }) => to)])),
    tools: sorted(drafts.map(({ step }) => step.tool)),
    models: sorted(drafts.map(({ step }) => step.model)),
  };
}
