// What the templates of one step can see, and a note of everything they look at.
//
//   inputs   what the run was given          outputs.<id>   what steps gave; in workflows and chains also <id> alone
//   error    in a substitute: why it runs    errors.<id>    why a step failed that the run went on without
//   item, loop                               in a step with for_each
//
// S1. Runtime facts (workspace_dir, meta_run_id, the language) and closed values (numbers, flags, choices) are clean.
import type { Span } from '../../base/span.ts';
import type { StepDraft } from '../draft.ts';
import type { Graph } from '../check-graph.ts';
import type { ClarifyField, PlanForm, PlanInput } from '../plan.ts';
import type { Abstract } from './abstract.ts';
import { atom, clean, fromAtom, listOf } from './abstract.ts';
import type { Names } from './evaluate.ts';
import { fromSchema } from './from-schema.ts';

export interface Reference extends Span {
  readonly kind: 'step' | 'field' | 'input';
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
  readonly note: (reference: Reference) => void;
}

export const runtimeInputs: readonly string[] = ['user_message', 'user_language', 'language_instruction', 'system_prompt', 'collected', 'workspace_dir', 'meta_run_id', 'config', 'audience', 'language', 'preferences'];
const cleanInputs: ReadonlySet<string> = new Set(['user_language', 'language_instruction', 'workspace_dir', 'meta_run_id', 'run_id', 'config']);

export function stepScope(parts: ScopeParts, draft: StepDraft | null): Names {
  const { form, graph } = parts;
  const outputs = outputsOf(parts);
  const known = new Map<string, Abstract>([
    ['inputs', inputsOf(parts)],
    ['outputs', outputs],
    ['errors', { ...fromAtom(atom('output', 'errors')), get: (key) => fromAtom(atom('output', key === null ? 'errors' : `errors.${key}`), true) }],
  ]);
  if (draft !== null && draft.step.substituteOf !== null) known.set('error', fromAtom(atom('output', 'error'), true));
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
  const { inputs, variables, note } = parts;
  const whole = fromAtom(atom('user', 'inputs'));
  return {
    ...whole,
    get: (key, access) => {
      if (key === null) return whole;
      const declared = inputs.find((input) => input.key === key);
      if (declared !== undefined && declared.schema !== null) return fromSchema(declared.schema, 'user', `inputs.${key}`);
      if (declared !== undefined || variables.includes(key)) return fromAtom(atom('user', `inputs.${key}`), true);
      if (key === 'collected') return collectedOf(parts);
      if (cleanInputs.has(key)) return { ...clean, get: () => clean };
      if (runtimeInputs.includes(key)) return key === 'preferences' ? fromAtom(atom('user', 'inputs.preferences')) : fromAtom(atom('user', `inputs.${key}`), true);
      note({ kind: 'input', name: key, field: null, ...access });
      return fromAtom(atom('user', `inputs.${key}`));
    },
  };
}

function collectedOf({ graph, note }: ScopeParts): Abstract {
  const all = fromAtom(atom('user', 'inputs.collected'));
  return {
    ...all,
    get: (id, access) => {
      if (id === null) return all;
      const clarify = graph.drafts.get(id)?.step.clarify ?? null;
      note({ kind: 'field', name: id, field: null, ...access });
      const form = fromAtom(atom('user', `inputs.collected.${id}`, boundOf(clarify?.fields ?? null)));
      return {
        ...form,
        get: (key, inner) => {
          if (key === null || clarify === null) return form;
          const field = clarify.fields.find(({ name }) => name === key);
          note({ kind: 'field', name: id, field: key, ...inner });
          if (field === undefined) return form;
          if (field.type === 'enum') return { ...clean, choices: field.choices ?? [] };
          return field.type === 'string' ? fromAtom(atom('user', `inputs.collected.${id}.${key}`, field.maxChars ?? undefined), true) : clean;
        },
      };
    },
  };
}

/** A form whose every text is bounded is bounded itself. */
function boundOf(fields: readonly ClarifyField[] | null): number {
  let most = fields === null ? Number.POSITIVE_INFINITY : 0;
  for (const { type, maxChars, choices } of fields ?? []) most += type === 'string' ? (maxChars ?? Number.POSITIVE_INFINITY) : Math.max(20, ...(choices ?? []).map((choice) => choice.length));
  return most;
}

function outputsOf(parts: ScopeParts): Abstract {
  const all = fromAtom(atom('output', 'outputs'));
  return {
    ...all,
    get: (id, access) => {
      if (id === null) return all;
      parts.note({ kind: 'step', name: id, field: null, ...access });
      return outputOf(parts, id);
    },
  };
}

function outputOf({ graph, form }: ScopeParts, id: string): Abstract {
  const what = form === 'composition' ? `outputs.${id}` : id;
  const step = graph.drafts.get(id)?.step;
  if (step === undefined) return fromAtom(atom('output', what));
  const one: Abstract = step.outputSchema !== null
    ? fromSchema(step.outputSchema, 'output', what)
    : step.kind === 'classify'
      ? { ...clean, choices: step.choices ?? [] }
      : fromAtom(atom('output', what), form === 'composition' || step.kind === 'chat' || step.kind === 'agent');
  if (step.forEach === null || step.forEach.merge === 'first' || step.forEach.merge === 'last') return one;
  if (step.forEach.merge === 'concat') return fromAtom(atom('output', what), true);
  return listOf([one]);
}
