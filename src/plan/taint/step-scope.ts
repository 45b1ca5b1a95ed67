// What the templates of one step can see, and a record of everything they read.
//
//   inputs   what the run was given          outputs.<id>   what steps gave; in workflows and chains also <id> alone
//   error    in a substitute: why it runs    errors.<id>    why a step failed that did not stop the run
//   item, loop                               in a step with for_each
//
// Values that the engine itself sets (run/plan/inputs.ts) and closed values (numbers, flags, choices) are clean; the
// starter of the run can set every other input.
import type { Span } from '../../base/span.ts';
import type { StepDraft } from '../draft.ts';
import type { Graph } from '../check-graph.ts';
import type { ClarifyField, PlanForm, PlanInput } from '../plan.ts';
import type { Abstract } from './abstract-value.ts';
import { atom, choice, clean, cleanText, fromAtom, plain, record } from './abstract-value.ts';
import type { Names } from './evaluate.ts';
import { fromSchema } from './from-schema.ts';
import { anyOf } from './sequence.ts';

export interface StepReference extends Span {
  /** `optional`: a declared input that need not be given and has no default. `error`: why a step failed. */
  readonly kind: 'step' | 'field' | 'input' | 'optional' | 'error';
  /** The step, or the key of the input. */
  readonly name: string;
  readonly field: string | null;
  readonly guarded: boolean;
}

export interface ScopeParts {
  readonly form: PlanForm;
  readonly graph: Graph;
  readonly inputs: readonly PlanInput[];
  /** Captured by triggers. */
  readonly variables: readonly string[];
  readonly note: (reference: StepReference) => void;
}

export const runtimeInputs: readonly string[] = [
  'user_message',
  'user_language',
  'language_instruction',
  'system_prompt',
  'collected',
  'workspace_dir',
  'meta_run_id',
  'config',
  'audience',
  'language',
  'preferences',
  'preflight',
];
/** Of compositions: the engine sets them last. */
const engineInputs: ReadonlySet<string> = new Set([
  'user_language',
  'language_instruction',
  'workspace_dir',
  'meta_run_id',
  'run_id',
  'config',
]);

export function stepScope(parts: ScopeParts, draft: StepDraft | null): Names {
  const { form, graph } = parts;
  const outputs = outputsOf(parts);
  const known = new Map<string, Abstract>([
    ['inputs', inputsOf(parts)],
    ['outputs', outputs],
    [
      'errors',
      record(
        atom('output', 'errors'),
        (key, access) => {
          parts.note({ kind: 'error', name: key, field: null, ...access });
          return fromAtom(atom('output', `errors.${key}`), true);
        },
        cleanText,
      ),
    ],
  ]);
  if (draft !== null && draft.step.substituteOf !== null)
    known.set('error', fromAtom(atom('output', 'error'), true));
  if (form !== 'composition') {
    const previous = draft === null ? graph.ids[graph.ids.length - 1] : draft.step.dependsOn[0];
    if (form === 'chain' && previous !== undefined) known.set('previous', outputOf(parts, previous));
  }
  return {
    look: (name, access) => {
      const found = known.get(name);
      if (found !== undefined) return found;
      if (form === 'composition' || !graph.drafts.has(name)) return null;
      parts.note({ kind: 'step', name, field: null, ...access });
      return outputOf(parts, name);
    },
  };
}

function inputsOf(parts: ScopeParts): Abstract {
  const { form, inputs, variables, note } = parts;
  return record(atom('user', 'inputs'), (key, access) => {
    const declared = inputs.find((input) => input.key === key);
    if (
      declared !== undefined &&
      mayLack(declared) &&
      !(form === 'composition' && runtimeInputs.includes(key))
    )
      note({ kind: 'optional', name: key, field: null, ...access });
    // Whatever is declared.
    if (form === 'composition' && engineInputs.has(key)) return clean;
    if (key === 'collected' && (form === 'composition' || declared === undefined)) return collectedOf(parts);
    if (declared !== undefined && declared.schema !== null)
      return fromSchema(declared.schema, 'user', `inputs.${key}`);
    if (declared !== undefined || variables.includes(key))
      return fromAtom(atom('user', `inputs.${key}`), true);
    if (runtimeInputs.includes(key))
      return fromAtom(atom('user', `inputs.${key}`), key !== 'preferences' && key !== 'preflight');
    note({ kind: 'input', name: key, field: null, ...access });
    return fromAtom(atom('user', `inputs.${key}`));
  });
}

function mayLack({ required, schema }: PlanInput): boolean {
  return !required && schema?.['default'] === undefined;
}

function collectedOf({ graph, note }: ScopeParts): Abstract {
  return record(
    atom('user', 'inputs.collected'),
    (id, access) => {
      const clarify = graph.drafts.get(id)?.step.clarify ?? null;
      note({ kind: 'field', name: id, field: null, ...access });
      return record(
        atom('user', `inputs.collected.${id}`, boundOf(clarify?.fields ?? null)),
        (key, inner) => {
          const field = clarify?.fields.find(({ name }) => name === key);
          if (clarify !== null) note({ kind: 'field', name: id, field: key, ...inner });
          if (field === undefined)
            return fromAtom(atom('user', `inputs.collected.${id}`, boundOf(clarify?.fields ?? null)));
          if (field.type === 'enum') return choice(field.choices ?? []);
          return field.type === 'string'
            ? fromAtom(atom('user', `inputs.collected.${id}.${key}`, field.maxChars ?? undefined), true)
            : plain;
        },
        clarify === null ? undefined : cleanText,
      );
    },
    cleanText,
  );
}

/** A form whose every text is bounded is bounded itself. */
function boundOf(fields: readonly ClarifyField[] | null): number {
  let most = fields === null ? Number.POSITIVE_INFINITY : 0;
  for (const { type, maxChars, choices } of fields ?? [])
    most +=
      type === 'string'
        ? (maxChars ?? Number.POSITIVE_INFINITY)
        : Math.max(20, ...(choices ?? []).map((one) => one.length));
  return most;
}

function outputsOf(parts: ScopeParts): Abstract {
  return record(
    atom('output', 'outputs'),
    (id, access) => {
      parts.note({ kind: 'step', name: id, field: null, ...access });
      return outputOf(parts, id);
    },
    cleanText,
  );
}

function outputOf({ graph, form }: ScopeParts, id: string): Abstract {
  const what = form === 'composition' ? `outputs.${id}` : id;
  const step = graph.drafts.get(id)?.step;
  if (step === undefined) return fromAtom(atom('output', what));
  const one: Abstract =
    step.outputSchema !== null
      ? fromSchema(step.outputSchema, 'output', what)
      : step.kind === 'classify'
        ? choice(step.choices ?? [])
        : fromAtom(
            atom('output', what),
            form === 'composition' || step.kind === 'chat' || step.kind === 'agent',
          );
  if (step.forEach === null || step.forEach.merge === 'first' || step.forEach.merge === 'last') return one;
  if (step.forEach.merge === 'concat') return fromAtom(atom('output', what), true);
  return anyOf(one);
}
