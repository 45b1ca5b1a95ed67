// A journal of a plan -> what became of each step so far: nothing is performed, every outcome is the recorded one.
import { outcomeOf } from '../journal/run-state.ts';
import type { RunState } from '../journal/run-state.ts';
import type { InterpreterCaches } from './create-interpreter.ts';
import { createInterpreter } from './create-interpreter.ts';
import { failureOf } from './effect-entries.ts';
import { profileOf } from './plan-bundle.ts';
import { PlanInterpreter } from './plan-interpreter.ts';
import type { StepView } from './plan-view.ts';
import { limitsFromJson } from './resolve-limits.ts';
import type { StoredValues } from './stored-values.ts';

/** `null`: it is no plan, or one of another version. */
export async function recordedSteps({ meta, effects }: RunState, values: StoredValues, caches: InterpreterCaches): Promise<readonly StepView[] | null> {
  if (meta.skill.form === 'program' || meta.profile !== profileOf(meta.skill.form)) return null;
  const interpreter = await createInterpreter(caches, meta, await values.loadObject(meta.input), limitsFromJson(meta.limits));
  if (!(interpreter instanceof PlanInterpreter)) return null;
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
        interpreter.deliver(key, recorded.ok ? { ok: true, value: result } : { ok: false, ...failureOf(result) });
      }
      delivered += 1;
    }
    if (delivered === 0) break;
  }
  return interpreter.views();
}
