// Why a template may have found nothing where it looked: steps that gave no output.
import type { StepRecord } from './scope.ts';
import type { Reads } from './templates.ts';

/** `; step "third" was skipped, so its output is empty text`, or nothing. */
export function emptyOutputsNote(
  records: ReadonlyMap<string, StepRecord>,
  visible: readonly string[],
  reads: Reads,
): string {
  return visible
    .filter((id) => reads?.has(id) === true)
    .flatMap((id) => {
      const { status, substitutedBy } = records.get(id) ?? { status: 'ok', substitutedBy: null };
      return status === 'ok' || substitutedBy !== null
        ? []
        : [`; step "${id}" ${status === 'skipped' ? 'was skipped' : 'failed'}, so its output is empty text`];
    })
    .join('');
}
