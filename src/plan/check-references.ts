// What the templates of steps read -> the steps they must wait for, and what cannot be there.
//
// A reference such as `outputs.x` to a step that does not exist, or that comes later, is an error; one that allows
// for it (`outputs.get('x')`, `is defined`, `default`) is a warning. A step that reads another waits for it; if it does
// not declare that, it waits anyway and gets a diagnostic. Names that begin with two underscores belong to hosts.
// Reading a value that may be missing (an optional input or field without a default, a form that may be skipped)
// without allowing for it is a warning.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { StepAnalysis } from './analyse-sites.ts';
import type { Graph } from './check-graph.ts';
import type { StepDraft } from './draft.ts';
import { failingCode } from './draft.ts';
import { ancestorsOf } from './check-graph.ts';
import type { PlanForm } from './plan.ts';
import type { StepReference } from './taint/step-scope.ts';
import { runtimeInputs } from './taint/step-scope.ts';

export function checkReferences(
  analyses: readonly StepAnalysis[],
  graph: Graph,
  form: PlanForm,
  declared: readonly string[],
  report: Report,
): void {
  for (const analysis of analyses) {
    const said = new Set<string>();
    for (const reference of analysis.references) {
      if (reference.name.startsWith('__')) continue;
      const fault: Fault = (code, message, hint) => {
        const key = `${code} ${reference.start} ${message}`;
        if (!said.has(key))
          report(code, { start: reference.start, end: reference.end }, `${analysis.owner}: ${message}`, hint);
        said.add(key);
      };
      if (reference.kind === 'input') checkInput(reference, declared, form, fault);
      else if (reference.kind === 'optional') checkOptional(reference, fault);
      else if (reference.kind === 'error') checkError(reference, analysis, graph, fault);
      else if (reference.kind === 'step') checkStep(reference, analysis, graph, fault);
      else checkField(reference, analysis, graph, fault);
    }
  }
}

type Fault = (
  code:
    | 'PLAN_REFERENCE'
    | 'PLAN_REFERENCE_ORDER'
    | 'PLAN_REFERENCE_DOUBTFUL'
    | 'PLAN_REFERENCE_OPTIONAL'
    | 'PLAN_STEP_FAILS'
    | 'PLAN_STEP_MAY_FAIL',
  message: string,
  hint?: string,
) => void;

function checkInput(
  { name, guarded }: StepReference,
  declared: readonly string[],
  form: PlanForm,
  fault: Fault,
): void {
  if (guarded) return;
  const known = form === 'composition' ? [...declared, ...runtimeInputs] : declared;
  const near = nearest(name, known);
  fault(
    'PLAN_REFERENCE_DOUBTFUL',
    `inputs.${printableLine(name).slice(0, 60)} is not declared; if it is not given, the step fails`,
    near !== null
      ? `did you mean "inputs.${near}"?`
      : `add ${name} to inputs, or read inputs.get('${name}', '')`,
  );
}

/** An input that may be missing, read as if it were there. */
function checkOptional({ name, guarded }: StepReference, fault: Fault): void {
  if (guarded) return;
  const shown = printableLine(name).slice(0, 60);
  fault(
    'PLAN_REFERENCE_OPTIONAL',
    `inputs.${shown} is optional and has no default; if it is not given, the step fails`,
    `give it a default, or read inputs.get('${shown}', '')`,
  );
}

function checkStep(reference: StepReference, analysis: StepAnalysis, graph: Graph, fault: Fault): void {
  const shown = `outputs.${printableLine(reference.name).slice(0, 60)}`;
  if (!graph.drafts.has(reference.name)) {
    const near = nearest(reference.name, graph.ids);
    const dashed = graph.ids.find((id) => id.startsWith(`${reference.name}-`));
    const hint =
      dashed !== undefined
        ? `write outputs['${printableLine(dashed)}'] for the step "${printableLine(dashed)}"`
        : near === null
          ? `the steps are ${graph.ids.slice(0, 8).join(', ')}`
          : `did you mean "${near}"?`;
    fault(
      reference.guarded ? 'PLAN_REFERENCE_DOUBTFUL' : 'PLAN_REFERENCE',
      `${shown} is read, but there is no such step`,
      hint,
    );
    return;
  }
  checkOrder(reference, shown, analysis, graph, fault);
}

/** An error is there only after the step failed, and only where something provides for that. */
function checkError(
  { name, guarded }: StepReference,
  { draft }: StepAnalysis,
  graph: Graph,
  fault: Fault,
): void {
  if (guarded || draft?.step.when?.text.includes('errors') === true) return;
  const shown = printableLine(name).slice(0, 60);
  const step = graph.drafts.get(name)?.step;
  const isNever = step === undefined || (!step.continueOnError && step.onFailure === null);
  fault(
    isNever ? failingCode(draft?.step ?? null) : 'PLAN_STEP_MAY_FAIL',
    step === undefined
      ? `errors.${shown} is read, but there is no such step`
      : isNever
        ? `errors.${shown} is never there: nothing continues when "${shown}" fails`
        : `errors.${shown} is there only if "${shown}" failed; otherwise this step fails`,
    isNever
      ? `give "${shown}" continue_on_error, and read errors.get('${shown}', '')`
      : `read errors.get('${shown}', '')`,
  );
}

function checkField(reference: StepReference, analysis: StepAnalysis, graph: Graph, fault: Fault): void {
  const { name, field, guarded } = reference;
  const shown = `inputs.collected.${printableLine(name).slice(0, 60)}`;
  const draft = graph.drafts.get(name);
  const code = guarded ? 'PLAN_REFERENCE_DOUBTFUL' : 'PLAN_REFERENCE';
  const forms = [...graph.drafts.values()]
    .filter(({ step }) => step.kind === 'input')
    .map(({ step }) => step.id);
  if (draft?.step.kind !== 'input') {
    if (field !== null) return;
    const near = nearest(name, forms);
    fault(
      code,
      `${shown} is read, but ${draft === undefined ? 'there is no such step' : 'that step asks nothing'}`,
      near === null
        ? forms.length === 0
          ? 'no step asks for input'
          : `forms are ${forms.slice(0, 8).join(', ')}`
        : `did you mean "${near}"?`,
    );
    return;
  }
  if (field === null) {
    checkOrder(reference, shown, analysis, graph, fault);
    return;
  }
  const fields = (draft.step.clarify?.fields ?? []).map((one) => one.name);
  if (fields.includes(field)) {
    if (!guarded) checkAnswer(draft, field, analysis, shown, fault);
    return;
  }
  const near = nearest(field, fields);
  fault(
    code,
    `${shown}.${printableLine(field).slice(0, 60)} is read, but the form has no such field`,
    near === null ? `its fields are ${fields.slice(0, 8).join(', ')}` : `did you mean "${near}"?`,
  );
}

/** A step with the condition of the form runs only when the form was asked, and so does one that tests for it. */
function checkAnswer(
  { step: { id, when, clarify } }: StepDraft,
  field: string,
  { draft }: StepAnalysis,
  shown: string,
  fault: Fault,
): void {
  const own = draft?.step.when?.text ?? '';
  const skipIf = clarify?.skipIf ?? null;
  const lets =
    when !== null && !own.includes(when.text)
      ? `when "${printableLine(when.text).slice(0, 60)}" is false`
      : skipIf !== null
        ? `when "${printableLine(skipIf.text).slice(0, 60)}" is true`
        : null;
  if (lets !== null && !own.includes(id)) {
    fault(
      'PLAN_REFERENCE_OPTIONAL',
      `${shown}.${field} is missing if the form is skipped (${lets}); the step then fails`,
      `read inputs.collected.get('${id}', {}).get('${field}', '')`,
    );
    return;
  }
  const asked = clarify?.fields.find(({ name }) => name === field);
  if (asked === undefined || asked.required || asked.hasDefault) return;
  fault(
    'PLAN_REFERENCE_OPTIONAL',
    `${shown}.${field} is optional and has no default; if it is not answered, the step fails`,
    `give it a default, or read ${shown}.get('${field}', '')`,
  );
}

function checkOrder(
  reference: StepReference,
  shown: string,
  { draft }: StepAnalysis,
  graph: Graph,
  fault: Fault,
): void {
  if (draft === null) return;
  const { step } = draft;
  // Nearly always a direct dependency.
  if (graph.before.get(step.id)?.has(reference.name) === true) return;
  if (ancestorsOf(step.id, graph.before).has(reference.name)) return;
  const own = reference.name === step.id;
  // A substitute that the step itself waits for is there only when it was needed; it then gives an empty text.
  if (own || ancestorsOf(reference.name, graph.before).has(step.id)) {
    const message = own ? `${shown} is its own output` : `${shown} is read, but that step comes later`;
    fault(
      reference.guarded ? 'PLAN_REFERENCE_DOUBTFUL' : 'PLAN_REFERENCE',
      message,
      own ? 'read the output of another step' : `let "${printableLine(reference.name)}" come first`,
    );
    return;
  }
  fault(
    'PLAN_REFERENCE_ORDER',
    `${shown} is read without a dependency; the step waits for it anyway`,
    `add ${printableLine(reference.name)} to depends_on`,
  );
  step.dependsOn = [...step.dependsOn, reference.name];
  step.implied = [...step.implied, reference.name];
  graph.before.get(step.id)?.add(reference.name);
}
