// What the templates of a step can see.
//
//   inputs   what the run was given          outputs.<id>   what steps before gave; in workflows and chains also <id> alone
//   error    in a substitute: why it runs    errors.<id>    why a step before failed that did not stop the run
//   item, loop                               in a step with for_each
//   previous                                 in a chain: what the last step before gave that was not skipped
//
// Only steps that were decided before this one are visible, whatever else is under way, so that a resume sees the
// same. A step that was skipped, or that failed without stopping the run, has the output "".
import { emptyObject, isJsonObject, shapedObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Data, Variables } from '../../template/template.ts';
import type { CompiledBundle, CompiledStep } from './compile-bundle.ts';
import type { Reads } from './templates.ts';

/** The record of a step. */
export interface StepRecord {
  readonly status: 'ok' | 'failed' | 'skipped' | 'blocked';
  /** Of a skipped, failed or blocked one "". */
  readonly output: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Why it was skipped or blocked, in words; null otherwise. */
  readonly reason: string | null;
  /** A form: its values, by field, and the notes. */
  readonly collected: JsonObject | null;
  readonly notes: string;
  /** The substitute whose output it has, because it failed itself. */
  readonly substitutedBy: string | null;
  readonly attempts: number;
}

interface ScopeParts {
  readonly compiled: CompiledBundle;
  readonly inputs: JsonObject;
  readonly records: ReadonlyMap<string, StepRecord>;
}

export interface LoopItem {
  readonly name: string;
  readonly item: Json;
  readonly index: number;
  readonly length: number;
}

const noErrors: JsonObject = Object.freeze(emptyObject());

/** Of a step, or of what comes after all of them. */
export function scopeOf(
  { compiled, inputs, records }: ScopeParts,
  step: CompiledStep | null,
  loop: LoopItem | null,
): (reads: Reads) => Variables {
  const { form } = compiled.plan;
  const visible = step === null ? compiled.ids : step.visible;
  return (reads) => {
    const variables = shapedObject() as { [name: string]: Data };
    const outputs = shapedObject();
    let errors = noErrors;
    for (const name of reads ?? visible) {
      const record = step === null || step.isVisible.has(name) ? records.get(name) : undefined;
      if (record === undefined) continue;
      outputs[name] = record.output;
      if (form !== 'composition') variables[name] = record.output as Data;
    }
    if (reads === null || reads.has('errors')) {
      const found = emptyObject();
      for (const name of visible) {
        const error = records.get(name)?.error ?? null;
        if (error !== null) found[name] = error.message;
      }
      errors = found;
    }
    variables['outputs'] = outputs;
    variables['errors'] = errors as Data;
    variables['inputs'] = inputsSeen(inputs, records, step === null ? compiled.forms : step.forms) as Data;
    if (form === 'chain') {
      const previous = previousOutput(visible, records);
      if (previous !== undefined) variables['previous'] = previous as Data;
    }
    const primary = step?.step.substituteOf ?? null;
    if (primary !== null) variables['error'] = records.get(primary)?.error?.message ?? '';
    if (loop !== null) {
      const { name, item, index, length } = loop;
      variables[name] = item as Data;
      variables['loop'] = {
        index: index + 1,
        index0: index,
        first: index === 0,
        last: index === length - 1,
        length,
      };
    }
    return variables;
  };
}

/** Of the last step before that gave something; undefined for the first one. */
export function previousOutput(
  visible: readonly string[],
  records: ReadonlyMap<string, StepRecord>,
): Json | undefined {
  const gave = visible.findLast((id) => {
    const record = records.get(id);
    return record !== undefined && (record.status === 'ok' || record.substitutedBy !== null);
  });
  return gave === undefined ? (visible.length === 0 ? undefined : '') : records.get(gave)?.output;
}

/** With the answers of earlier forms; their notes are added to the message. */
function inputsSeen(
  inputs: JsonObject,
  records: ReadonlyMap<string, StepRecord>,
  forms: readonly string[],
): JsonObject {
  if (forms.length === 0) return inputs;
  const collected = Object.assign(
    emptyObject(),
    isJsonObject(inputs['collected']) ? inputs['collected'] : {},
  );
  const notes: string[] = [];
  for (const id of forms) {
    const { collected: values = null, notes: said = '' } = records.get(id) ?? {};
    if (values === null) continue;
    collected[id] = values;
    if (said !== '') notes.push(said);
  }
  const seen = Object.assign(emptyObject(), inputs);
  seen['collected'] = collected;
  if (notes.length > 0)
    seen['user_message'] = [
      typeof inputs['user_message'] === 'string' ? inputs['user_message'] : '',
      ...notes.map((note) => `Additional notes: ${note}`),
    ]
      .join('\n\n')
      .trim();
  return seen;
}
