// A pinned plan -> what its interpreter needs, compiled once for all runs of the same bytes.
import { describeAction, kindWords } from '../../plan/describe-step.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { PlanBundle } from './bundle.ts';
import { stepKey, stepOfKey } from './keys.ts';
import type { CompiledTest, CompiledText, CompiledValue, HostFilters } from './templates.ts';
import { compileTest, compileText, compileValue } from './templates.ts';
import type { StepLines } from './template-lines.ts';
import { valuesLabel } from './template-lines.ts';

export interface CompiledBundle {
  readonly bundle: PlanBundle;
  readonly plan: Plan;
  /** In the order of the document. */
  readonly steps: readonly CompiledStep[];
  readonly byId: ReadonlyMap<string, CompiledStep>;
  readonly ids: readonly string[];
  /** Steps that are forms. */
  readonly forms: readonly string[];
  /** The place of a step in the document, by its key. */
  readonly places: ReadonlyMap<string, number>;
  /** Texts of entry points, compiled when they are first needed. */
  readonly text: (source: string) => CompiledText;
  /** Paths of artifacts, by their place in the contract; null where only a name is declared. */
  readonly artifacts: readonly (CompiledText | null)[];
  /** The templates of the result, by path. */
  readonly outputs: ReadonlyMap<string, CompiledText>;
}

export interface CompiledStep {
  readonly step: PlanStep;
  readonly index: number;
  readonly key: string;
  /** What it does, in a few words: `agent writer`, `tool read_file`. */
  readonly does: string;
  readonly when: CompiledTest | null;
  readonly routes: readonly { readonly when: CompiledTest; readonly to: string }[];
  readonly values: CompiledValue;
  /** The name of the skill, where it is a template. */
  readonly skillName: CompiledText | null;
  readonly items: CompiledTest | null;
  readonly list: CompiledValue | null;
  readonly intro: CompiledText | null;
  readonly skipIf: CompiledTest | null;
  /** Steps whose outputs it can see, in the order of the document. */
  readonly visible: readonly string[];
  readonly isVisible: ReadonlySet<string>;
  /** Those of them that are forms. */
  readonly forms: readonly string[];
  /** Steps that wait for it. */
  readonly followers: readonly number[];
  /** How many it waits for. */
  readonly waitsFor: number;
}

/** `outputs`: the texts of the result's templates, by path. */
export function compileBundle(
  bundle: PlanBundle,
  outputs: ReadonlyMap<string, string>,
  filters: HostFilters,
): CompiledBundle {
  // What was read from JSON has no prototype, and V8 looks its properties up in a hash table: copies are objects with a shape.
  const plan: Plan = { ...bundle.plan, steps: bundle.plan.steps.map((step) => ({ ...step })) };
  const before = waitingOf(plan.steps);
  const visible = visibleOf(plan.steps, before);
  const followers: number[][] = plan.steps.map(() => []);
  before.forEach((waited, index) => waited.forEach((other) => followers[other]?.push(index)));
  const forms = new Set(plan.steps.filter(({ kind }) => kind === 'input').map(({ id }) => id));
  const placed = (index: number): Placed => ({
    visible: visible[index] as readonly string[],
    followers: followers[index] as readonly number[],
    waitsFor: before[index]?.size ?? 0,
    forms,
  });
  const steps = plan.steps.map((step, index) =>
    compileStep(step, index, placed(index), {
      form: plan.form,
      filters,
      lines: bundle.self.lines?.[step.id] ?? {},
    }),
  );
  const texts = new Map<string, CompiledText>();
  const text = (source: string): CompiledText => {
    const kept = texts.get(source) ?? compileText('entrypoint', source, filters);
    texts.set(source, kept);
    return kept;
  };
  return {
    bundle,
    plan,
    steps,
    byId: new Map(steps.map((step) => [step.step.id, step])),
    places: new Map(steps.map(({ key, index }) => [key, index])),
    ids: steps.map((step) => step.step.id),
    forms: [...forms],
    text,
    artifacts: (plan.outputContract?.artifacts ?? []).map(({ path }, index) =>
      path === null ? null : compileText(`artifacts[${index}].path`, path, filters),
    ),
    outputs: new Map([...outputs].map(([path, template]) => [path, compileText(path, template, filters)])),
  };
}

/** The place of the step that an effect belongs to; undefined for one of the run itself. */
export function placeOfEffect({ places }: CompiledBundle, key: string): number | undefined {
  return places.get(key) ?? places.get(stepOfKey(key) ?? '');
}

/** The relations of a step to the others. */
interface Placed {
  readonly visible: readonly string[];
  readonly followers: readonly number[];
  readonly waitsFor: number;
  readonly forms: ReadonlySet<string>;
}

interface StepTexts {
  readonly form: Plan['form'];
  readonly filters: HostFilters;
  readonly lines: StepLines;
}

function compileStep(
  step: PlanStep,
  index: number,
  { visible, followers, waitsFor, forms }: Placed,
  { form, filters, lines }: StepTexts,
): CompiledStep {
  const { clarify } = step;
  const { items = null, list = null } = step.forEach ?? {};
  const skipIf = clarify?.skipIf ?? null;
  return {
    step,
    index,
    key: stepKey(step.id),
    // Without the task and the choices: a word for the kind is enough.
    does: step.kind === 'input' || step.kind === 'classify' ? kindWords[step.kind] : describeAction(step),
    when: step.when === null ? null : compileTest('when', step.when.text, filters, lines),
    routes: step.route.map(({ when, to }, at) => ({
      when: compileTest(`route[${at}].when`, when.text, filters, lines),
      to,
    })),
    values: compileValue(valuesLabel(form, step), step.values, filters, lines),
    skillName:
      step.skill !== null && step.skill.includes('{{')
        ? compileText('skill', step.skill, filters, lines)
        : null,
    items: items === null ? null : compileTest('for_each', items.text, filters, lines),
    list: list === null ? null : compileValue('for_each', list, filters, lines),
    intro: clarify === null ? null : compileText('clarify.intro', clarify.intro, filters, lines),
    skipIf: skipIf === null ? null : compileTest('clarify.skip_if', skipIf.text, filters, lines),
    visible,
    isVisible: new Set(visible),
    forms: visible.filter((id) => forms.has(id)),
    followers,
    waitsFor,
  };
}

/**
 * What each step waits for. A substitute waits for the step it replaces, and what waits for a step waits for its substitute
 * too. A substitute that reads a step which can only come after it does not wait for that step, and does not see it.
 */
function waitingOf(steps: readonly PlanStep[]): readonly ReadonlySet<number>[] {
  const at = new Map(steps.map(({ id }, index) => [id, index]));
  const before = steps.map(
    ({ dependsOn, substituteOf }) =>
      new Set(
        [...dependsOn, ...(substituteOf === null ? [] : [substituteOf])].flatMap((id) => at.get(id) ?? []),
      ),
  );
  const reaches = (from: number, to: number): boolean => {
    const seen = new Set<number>();
    const open = [from];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(before[next] as Set<number>));
    }
    return false;
  };
  steps.forEach(({ substituteOf }, index) => {
    const primary = substituteOf === null ? undefined : at.get(substituteOf);
    if (primary !== undefined)
      for (const other of Array.from(before[index] ?? []))
        if (other !== primary && reaches(other, primary)) before[index]?.delete(other);
  });
  steps.forEach((_, index) => {
    // The copy is changed below.
    for (const primary of Array.from(before[index] ?? [])) {
      const name = steps[primary]?.onFailure ?? null;
      const substitute = name === null ? undefined : at.get(name);
      if (substitute === undefined || substitute === index) continue;
      if (reaches(substitute, index)) before[index]?.delete(primary);
      else before[index]?.add(substitute);
    }
  });
  return before;
}

/** Everything that has been decided when a step begins, whatever else is under way. */
function visibleOf(
  steps: readonly PlanStep[],
  before: readonly ReadonlySet<number>[],
): readonly (readonly string[])[] {
  const known = new Map<number, ReadonlySet<number>>();
  const ancestors = (start: number): ReadonlySet<number> => {
    const done = known.get(start);
    if (done !== undefined) return done;
    const found = new Set<number>();
    const open = [...(before[start] ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      const through = known.get(next);
      if (through === undefined) open.push(...(before[next] ?? []));
      else for (const one of through) found.add(one);
    }
    known.set(start, found);
    return found;
  };
  return steps.map((_, index) =>
    [...ancestors(index)].sort((a, b) => a - b).map((other) => (steps[other] as PlanStep).id),
  );
}
