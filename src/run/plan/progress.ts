// A journal of a plan -> what became of each step so far: nothing is performed, every outcome is the recorded one.
import { outcomeOf } from '../../journal/run-state.ts';
import type { RunState } from '../../journal/run-state.ts';
import { failureOf } from '../effect/effect-entries.ts';
import type { PlanInterpreter } from './interpreter.ts';
import type { StepView } from './view.ts';
import type { StoredValues } from '../stored-values.ts';

/** Advances the fresh interpreter of the run. */
export async function recordedSteps(
  { effects }: RunState,
  values: StoredValues,
  interpreter: PlanInterpreter,
): Promise<readonly StepView[]> {
  for (;;) {
    const advance = interpreter.advance();
    if (advance.kind === 'slice') continue;
    if (advance.kind !== 'waiting') break;
    let delivered = 0;
    for (const { key, kind } of advance.effects) {
      const known = effects.get(key);
      const recorded = known === undefined ? null : outcomeOf(known);
      if (kind === 'trace') interpreter.deliver(key, { ok: true, value: null });
      else if (recorded === null) continue;
      else {
        const result = await values.load(recorded.result);
        interpreter.deliver(
          key,
          recorded.ok ? { ok: true, value: result } : { ok: false, ...failureOf(result) },
        );
      }
      delivered += 1;
    }
    if (delivered === 0) break;
  }
  return interpreter.views();
}
