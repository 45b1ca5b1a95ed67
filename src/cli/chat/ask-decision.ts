// What became of a call whose outcome nobody knows? Asked of the person at the terminal, who can look.
//
// D1. Everything that the call was given is shown, then one of three words is typed by hand. Nothing is decided by pressing
//     Enter or by pasting: "retry" does it again.
// D2. What is not decided now stays open.
import type { Abort } from '../../base/abort.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { UndecidedEffect } from '../../run/result/result.ts';
import type { Decision } from '../../run/runner.ts';
import type { CommandContext } from '../context.ts';
import { renderDecision } from '../run/render-decision.ts';
import { readTyped } from '../run/typed-answer.ts';

const line = '(d)one, (r)etry, (f)ail; Enter: later: ';
const words = new Map<string, Decision['as']>([
  ['d', 'done'],
  ['r', 'retry'],
  ['f', 'fail'],
  ['done', 'done'],
  ['retry', 'retry'],
  ['fail', 'fail'],
]);

/** Whether everything was decided, so that the run can go on. */
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
    'Nobody knows what became of this call. Look whether it happened, then say so:',
    '',
    ...renderDecision(effect),
    '',
    'done: it happened; retry: do it again; fail: it did not, and shall not',
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
      ? 'Nothing is decided by pasting, nor by several lines at once. Please type the answer.'
      : 'Please type one of them.';
  }
}
