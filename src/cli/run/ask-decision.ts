// Asks the person at the terminal about a call with an unknown outcome.
//
// The whole call is shown, and the person types one of three words. Enter and pasted text decide nothing, because "retry"
// performs the call again. A call without a decision stays open.
import type { Abort } from '../../base/abort.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { UndecidedEffect } from '../../run/result/result.ts';
import type { Decision } from '../../run/runner.ts';
import type { CommandContext } from '../context.ts';
import { renderDecision } from './render-decision.ts';
import { readTyped } from './typed-answer.ts';

const line = '(d)one, (r)etry, (f)ail; Enter: decide later: ';
const words = new Map<string, Decision['as']>([
  ['d', 'done'],
  ['r', 'retry'],
  ['f', 'fail'],
  ['done', 'done'],
  ['retry', 'retry'],
  ['fail', 'fail'],
]);

/** Whether every call was decided, so that the run can continue. */
export async function askDecisions(
  context: CommandContext,
  { runner }: Pick<OpenRuns, 'runner'>,
  undecided: readonly UndecidedEffect[],
  signal: Abort,
): Promise<boolean> {
  for (const effect of undecided) {
    const as = await askDecision(context, effect, signal);
    if (as === null) return false;
    await runner.decide(effect.run, { key: effect.key, as, value: null, by: 'operator' });
  }
  return true;
}

async function askDecision(
  context: CommandContext,
  effect: UndecidedEffect,
  signal: Abort,
): Promise<Decision['as'] | null> {
  const question = [
    '',
    'The outcome of this call is unknown. Check whether it happened, then decide:',
    '',
    ...renderDecision(effect),
    '',
    'done: it was done; retry: do it again; fail: it failed',
  ].join('\n');
  let shown = question;
  for (;;) {
    const typed = await readTyped(
      context,
      { until: 'line', prompt: line, show: () => context.err.line(shown) },
      signal,
    );
    const word = typed?.text.trim().toLowerCase() ?? '';
    if (typed === null || (word === '' && !typed.pasted)) return null;
    const found = words.get(word);
    if (found !== undefined && !typed.pasted) return found;
    shown = typed.pasted
      ? 'Pasted text and several lines are not accepted. Please type the answer.'
      : 'Please type one of them.';
  }
}
