// Faults of a single step: its name, its limits, what it loops over.
//
// An id that is not a name cannot be read as `outputs.<id>`; the id that a chain makes from the name of a skill is
// reported only where it is read. An output that is certainly text is not a list: for_each would refuse it only after
// the steps before it were paid for.
import type { Report } from '../base/diagnostic.ts';
import { printableLine } from '../base/printable.ts';
import { ownerOf } from './analyse-sites.ts';
import type { StepDraft } from './draft.ts';
import type { PlanForm } from './plan.ts';
import { planDefaults } from './plan.ts';

/** Turns of one agent; the most that a run gives it. */
const mostTurns = 30;
const name = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export function checkSteps(form: PlanForm, drafts: readonly StepDraft[], report: Report): void {
  const byId = new Map(drafts.map((draft) => [draft.step.id, draft]));
  for (const draft of drafts) {
    const { step, idSpan = null } = draft;
    if (idSpan !== null && !name.test(step.id)) {
      report(
        'PLAN_STEP_NAME',
        idSpan,
        `${ownerOf(draft)}: the id is not a name; its output is read as outputs['${printableLine(step.id).slice(0, 60)}']`,
        'use letters, digits and "_"',
      );
    }
    if (step.maxTurns !== null && step.maxTurns > mostTurns) {
      report(
        'PLAN_LIMIT',
        step.span,
        `${ownerOf(draft)}: max_turns is ${step.maxTurns}; an agent gets at most ${mostTurns} turns`,
        `write max_turns: ${mostTurns}, or less`,
      );
    }
    checkLoop(form, draft, byId, report);
  }
}

/**
 * How many effects of a plan may run in parallel: what it declares, or else as many as its largest loop asks for. A loop
 * that asks for more than the plan declares gets what there is.
 */
export function settleParallel(
  drafts: readonly StepDraft[],
  declared: number | null,
  report: Report,
): number {
  const wanted = drafts.map(({ step }) => step.forEach?.concurrency ?? 1);
  const parallel = declared ?? Math.max(planDefaults.parallel, ...wanted);
  for (const draft of drafts) {
    const { forEach, span } = draft.step;
    if (forEach === null || forEach.concurrency <= parallel) continue;
    if (forEach.concurrency !== planDefaults.concurrency)
      report(
        'PLAN_LIMIT',
        span,
        `${ownerOf(draft)}: concurrency is ${forEach.concurrency}, and composition.parallel lets ${parallel} run at once`,
        `write parallel: ${forEach.concurrency} in composition, or a smaller concurrency`,
      );
    draft.step.forEach = { ...forEach, concurrency: parallel };
  }
  return parallel;
}

function checkLoop(
  form: PlanForm,
  draft: StepDraft,
  byId: ReadonlyMap<string, StepDraft>,
  report: Report,
): void {
  const items = draft.step.forEach?.items ?? null;
  const [, dotted, quoted, bare] =
    /^(?:outputs\.(\w+)|outputs\[["']([^"'\]]+)["']\]|(\w+))$/.exec(items?.text ?? '') ?? [];
  const id = dotted ?? quoted ?? (form === 'composition' ? undefined : bare);
  const source = id === undefined ? undefined : byId.get(id)?.step;
  if (
    items === null ||
    source === undefined ||
    source.outputSchema !== null ||
    (source.forEach !== null && source.forEach.merge === 'list')
  )
    return;
  const isText =
    form === 'composition' || source.kind === 'chat' || source.kind === 'classify' || source.kind === 'agent';
  if (isText)
    report(
      'PLAN_TYPE',
      items.span,
      `${ownerOf(draft)}: for_each needs a list, and the output of "${printableLine(source.id).slice(0, 60)}" is text`,
      `write ${items.text}.splitlines(), or give that step an output_schema of type array`,
    );
}
