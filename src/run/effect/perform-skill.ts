// A `skill` step of a plan -> a nested run (nested-run.ts) -> its output.
//
// The step succeeds only if the nested run completed; a partial or failed run fails the step, with its code. While the
// nested run waits, so does the step.
import type { Json, JsonObject } from '../../base/json.ts';
import { usedFromJson } from '../budget/budgets.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import type { RunResult } from '../result/result.ts';

export async function performSkill(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { key, request } = effect;
  if (context.known(key) === null) await context.begin(effect, 1);
  const startedMs = context.monotonicMs();
  const result = await context.runNested({
    run: request['run'] as string,
    key,
    skill: request['skill'] as string,
    input: request['input'] as Json,
    signal: context.signal,
  });
  if (result.status === 'paused' || result.status === 'needs_decision') {
    context.setNested(key, result);
    return 'waiting';
  }
  return {
    outcome: outcomeOf(result),
    ms: Math.max(0, Math.round(context.monotonicMs() - startedMs)),
    usage: usedFromJson(result.usage),
  };
}

function outcomeOf({ status, skill, envelope, error, run }: RunResult): EffectOutcome {
  const inside = run === null ? '' : ` (run ${run})`;
  if (status !== 'completed')
    return {
      ok: false,
      code: error?.code ?? 'SKILL_FAILED',
      message: `the skill "${skill}" ${status === 'partial' ? 'gave only a part' : status}: ${error?.message ?? 'it says nothing more'}${inside}`,
    };
  const { trace: _trace, steps: _steps, ...result } = (envelope ?? {}) as { [key: string]: Json };
  const value: JsonObject = { status, answer: result['answer'] ?? '', result };
  return { ok: true, value };
}
