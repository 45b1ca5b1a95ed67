// The records of the steps of a plan -> as a result, `techne runs show` and the studio show them.
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { StepKind } from '../../plan/plan.ts';
import type { CompiledBundle } from './compile-bundle.ts';
import { cutText } from '../../base/cut-text.ts';
import { shownText } from './prompts.ts';
import type { StepRecord } from './scope.ts';

/** `substituted`: it failed, and its substitute gave its output. `waiting`: it has not started. */
type StepStatus = StepRecord['status'] | 'substituted' | 'running' | 'waiting';

export interface StepView {
  readonly id: string;
  readonly kind: StepKind;
  readonly label: string;
  /** As in CompiledStep. */
  readonly does: string;
  readonly status: StepStatus;
  readonly output: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Why it was skipped or blocked. */
  readonly reason: string | null;
  readonly substitutedBy: string | null;
  readonly attempts: number;
  readonly dependsOn: readonly string[];
}

/** In the order of the document. */
export function viewSteps(
  { steps }: CompiledBundle,
  records: ReadonlyMap<string, StepRecord>,
  underWay: ReadonlyMap<string, number>,
): readonly StepView[] {
  return steps.map(({ step, does }) => {
    const { id, kind, label, dependsOn } = step;
    const record = records.get(id);
    const running = underWay.get(id);
    if (record === undefined)
      return {
        id,
        kind,
        label,
        does,
        dependsOn,
        status: running === undefined ? 'waiting' : 'running',
        output: null,
        error: null,
        reason: null,
        substitutedBy: null,
        attempts: running ?? 0,
      };
    const { output, error, reason, substitutedBy, attempts } = record;
    return {
      id,
      kind,
      label,
      does,
      dependsOn,
      status: substitutedBy === null ? record.status : 'substituted',
      output,
      error,
      reason,
      substitutedBy,
      attempts,
    };
  });
}

const allUnits = 8_000;
const leastUnits = 80;
const mostUnits = 1_200;

/** `steps` of the envelope: short enough that the answer has room beside it. */
export function shownSteps(views: readonly StepView[]): JsonObject {
  const units = Math.min(mostUnits, Math.max(leastUnits, Math.floor(allUnits / Math.max(1, views.length))));
  const shown = emptyObject();
  for (const { id, status, output, error, reason, substitutedBy, attempts } of views) {
    const one: { [key: string]: Json } = { status };
    const text = output === null || output === '' ? '' : shownText(output);
    const cut = cutText(text, units);
    if (text !== '') one['output'] = cut.text;
    if (cut.truncated) one['output_truncated'] = true;
    if (error !== null) one['error'] = { code: error.code, message: cutText(error.message, units).text };
    if (reason !== null) one['reason'] = cutText(reason, units).text;
    if (substitutedBy !== null) one['substituted_by'] = substitutedBy;
    if (attempts > 1) one['attempts'] = attempts;
    shown[id] = one;
  }
  return shown;
}
