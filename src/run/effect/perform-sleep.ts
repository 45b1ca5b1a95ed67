// A `sleep` -> nothing, some time later.
//
// W1. It is over so many milliseconds after it was begun, also when the run was interrupted meanwhile.
// W2. It stops with the run, and then has not ended: whoever goes on with the run waits for the rest.
import { noUsage } from '../budget/budgets.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { Stopping } from './effect-context.ts';

export async function performSleep(context: EffectContext, effect: Attempted): Promise<Performed> {
  const ms = effect.request['ms'] as number;
  const known = context.known(effect.key);
  if (known === null) await context.begin(effect, 1);
  const passed = known === null ? 0 : Math.max(0, context.nowMs() - known.started.at);
  if (passed < ms) await pause(context, ms - passed);
  return { outcome: { ok: true, value: null }, ms, usage: noUsage };
}

function pause({ signal, after }: EffectContext, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.cancel();
      reject(new Stopping());
    };
    const timer = after(
      ms,
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      'wait',
    );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}
