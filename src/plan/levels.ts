// The steps of a plan, by when they can start.
//
// A step is one level below the deepest step it waits for, a substitute one level below the step it replaces. Within a
// level, steps are in the order of the document.
import type { Plan, PlanStep } from './plan.ts';

export function levelsOf({ steps }: Pick<Plan, 'steps'>): readonly (readonly PlanStep[])[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const level = new Map<string, number>();
  const open: PlanStep[] = [];
  // Without recursion: a plan may be a chain of thousands.
  for (const start of steps) {
    open.push(start);
    while (open.length > 0) {
      const step = open[open.length - 1] as PlanStep;
      const waiting = before(step).filter((id) => byId.has(id));
      const unknown = waiting.find((id) => !level.has(id));
      if (level.has(step.id)) open.pop();
      else if (unknown !== undefined) open.push(byId.get(unknown) as PlanStep);
      else
        level.set(
          step.id,
          waiting.reduce((deepest, id) => Math.max(deepest, (level.get(id) as number) + 1), 0),
        );
    }
  }
  const levels: PlanStep[][] = [];
  for (const step of steps) (levels[level.get(step.id) as number] ??= []).push(step);
  return levels;
}

function before({ dependsOn, substituteOf }: PlanStep): readonly string[] {
  return substituteOf === null ? dependsOn : [...dependsOn, substituteOf];
}
