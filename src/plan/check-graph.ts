// The drafts of steps -> a graph without faults, or what is wrong with it.
//
// All faults are reported together: checking continues after a wrong dependency, with the correct ones. A cycle is
// reported once, step by step, from its first step in the document. A substitute has no dependencies and no substitute
// of its own, and it replaces one step only; it may read what that step may read.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { StepDraft } from './draft.ts';

export interface Graph {
  readonly ids: readonly string[];
  readonly drafts: ReadonlyMap<string, StepDraft>;
  /** What each waits for, directly; a substitute waits for the step it replaces. */
  readonly before: Map<string, Set<string>>;
}

export function checkGraph(drafts: readonly StepDraft[], report: Report): Graph {
  const byId = new Map<string, StepDraft>();
  for (const draft of drafts) {
    const { id } = draft.step;
    if (byId.has(id))
      report(
        'PLAN_STEP_DUPLICATE',
        draft.step.span,
        `two steps have the id "${shown(id)}"`,
        'rename one of them',
      );
    else byId.set(id, draft);
  }
  const ids = [...byId.keys()];
  const before = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const { step, dependsOn } of drafts) {
    const known: string[] = [];
    for (const id of step.dependsOn) {
      if (byId.has(id)) known.push(id);
      else
        report(
          'PLAN_STEP_UNKNOWN',
          dependsOn.find(({ name }) => name === id)?.span ?? step.span,
          `step "${shown(step.id)}" depends on "${shown(id)}", which does not exist`,
          meant(id, ids),
        );
    }
    step.dependsOn = [...new Set(known)];
    for (const id of step.dependsOn) before.get(step.id)?.add(id);
  }
  checkSubstitutes(byId, ids, before, report);
  checkCycles(byId, before, report);
  return { ids, drafts: byId, before };
}

function shown(id: string): string {
  return printableLine(id).slice(0, 80);
}

function meant(id: string, ids: readonly string[]): string {
  const near = nearest(id, ids);
  return near === null
    ? `the steps are ${ids.slice(0, 8).map(shown).join(', ')}${ids.length > 8 ? ' …' : ''}`
    : `did you mean "${shown(near)}"?`;
}

function checkSubstitutes(
  drafts: ReadonlyMap<string, StepDraft>,
  ids: readonly string[],
  before: Map<string, Set<string>>,
  report: Report,
): void {
  for (const { step, onFailure } of drafts.values()) {
    if (onFailure === null) continue;
    const refuse = (message: string, hint?: string): void => {
      report('PLAN_SUBSTITUTE', onFailure.span, `on_failure of step "${shown(step.id)}": ${message}`, hint);
      step.onFailure = null;
    };
    const target = drafts.get(onFailure.name);
    if (onFailure.name === step.id) refuse('a step cannot stand in for itself', 'name another step');
    else if (target === undefined)
      refuse(`there is no step "${shown(onFailure.name)}"`, meant(onFailure.name, ids));
    else if (target.onFailure !== null)
      refuse(
        `"${shown(onFailure.name)}" has an on_failure of its own`,
        'a substitute cannot have a substitute',
      );
    else if (target.dependsOn.length > 0)
      refuse(
        `"${shown(onFailure.name)}" has depends_on`,
        'a substitute runs when it is needed; remove its depends_on',
      );
    else if (target.step.substituteOf !== null)
      refuse(
        `"${shown(onFailure.name)}" already stands in for "${shown(target.step.substituteOf)}"`,
        'give each step a substitute of its own',
      );
    else {
      target.step.substituteOf = step.id;
      // In a workflow it would otherwise wait for the step above it.
      target.step.dependsOn = [];
      before.set(onFailure.name, new Set([step.id]));
    }
  }
}

function checkCycles(
  drafts: ReadonlyMap<string, StepDraft>,
  before: Map<string, Set<string>>,
  report: Report,
): void {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of drafts.keys()) {
    if (state.has(start)) continue;
    // An explicit stack: a plan may be a chain of thousands.
    const path: { readonly id: string; readonly rest: Iterator<string> }[] = [];
    const enter = (id: string): void => {
      state.set(id, 'open');
      path.push({ id, rest: [...(before.get(id) ?? [])].values() });
    };
    enter(start);
    for (let top = path[path.length - 1]; top !== undefined; top = path[path.length - 1]) {
      const next = top.rest.next();
      if (next.done === true) {
        state.set(top.id, 'done');
        path.pop();
      } else if (!state.has(next.value)) enter(next.value);
      else if (state.get(next.value) === 'open') {
        // From each step to the one it waits for; reported in the order in which they would run.
        const from = path.findIndex(({ id }) => id === next.value);
        sayCycle(
          path.slice(from).map(({ id }) => id),
          drafts,
          top.id,
          next.value,
          report,
        );
        before.get(top.id)?.delete(next.value);
      }
    }
  }
}

function sayCycle(
  cycle: readonly string[],
  drafts: ReadonlyMap<string, StepDraft>,
  from: string,
  to: string,
  report: Report,
): void {
  const order = [...drafts.keys()];
  const first = cycle.reduce(
    (least, id, index) => (order.indexOf(id) < order.indexOf(cycle[least] as string) ? index : least),
    0,
  );
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  const draft = drafts.get(from) as StepDraft;
  const at = draft.dependsOn.find(({ name }) => name === to)?.span ?? draft.step.span;
  const path = [...turned, turned[0] as string].map((id) => `"${shown(id)}"`);
  report(
    'PLAN_CYCLE',
    at,
    turned.length === 1
      ? `step ${path[0]} depends on itself`
      : `steps wait for each other: ${path.join(' needs ')}`,
    'remove one of these dependencies',
  );
}

/** Everything that is finished before `id` starts. */
export function ancestorsOf(
  id: string,
  before: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(before.get(id) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(before.get(next) ?? []));
  }
  return found;
}
