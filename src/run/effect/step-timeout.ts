// An effect that may take only so long.
//
// T1. The time runs from its start in the journal; what comes before (a policy, an approval) and while it waits for an
//     answer does not count.
// T2. When it is over, the effect is aborted and has failed with STEP_TIMEOUT, whatever it gives afterwards; that is said
//     only after nothing of it is under way any more. A tool that may not be repeated has ended as TOOL_UNCERTAIN instead
//     (perform-tool.ts, L3).
import { AbortSource } from '../../base/abort.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { Stopping } from './effect-context.ts';
import { noUsage } from '../budget/budgets.ts';
import { isReentered } from './effect-keys.ts';
import { unknownOutcome } from './perform-tool.ts';

export async function performWithin(
  context: EffectContext,
  effect: Attempted,
  timeoutMs: number,
  perform: (context: EffectContext) => Promise<Performed>,
): Promise<Performed> {
  const abort = new AbortSource(context.signal);
  const { signal } = abort;
  let timer: { cancel(): void } | null = null;
  let isOver = false;
  let { repeatable } = effect;
  const start = (): void => {
    timer ??= context.after(timeoutMs, () => {
      isOver = true;
      abort.abort(new Stopping());
    });
  };
  const own: EffectContext = {
    ...context,
    signal,
    async begin(one, attempt) {
      if (signal.aborted) throw new Stopping();
      await context.begin(one, attempt);
      if (one.key !== effect.key) return;
      // The tool itself may say that it can be repeated.
      ({ repeatable } = one);
      start();
    },
  };
  // Entered again: it was begun before.
  if (context.known(effect.key) !== null && (isReentered(effect.kind) || effect.kind === 'skill')) start();
  const failed = (): Performed => {
    const message = `it took longer than ${timeoutMs / 1_000} s`;
    const isUncertain = effect.kind === 'tool' && !repeatable;
    return {
      outcome: isUncertain
        ? { ok: false, code: 'TOOL_UNCERTAIN', message: `${message} (${unknownOutcome})` }
        : { ok: false, code: 'STEP_TIMEOUT', message },
      ms: timeoutMs,
      usage: noUsage,
    };
  };
  try {
    const performed = await perform(own);
    if (performed === 'waiting' || !isOver) return performed;
    return { ...(failed() as Exclude<Performed, 'waiting'>), usage: performed.usage };
  } catch (error) {
    if (isOver && error instanceof Stopping && !context.signal.aborted) return failed();
    throw error;
  } finally {
    (timer as { cancel(): void } | null)?.cancel();
    abort.close();
  }
}
