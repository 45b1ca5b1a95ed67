// The journal of a run -> who answers its asks, and who has answered so far.
//
// An ask that has questions was answered by whoever answered them; any other, also of a nested run that has ended, by the answerer
// of the run.
import type { EffectView, RunView } from '../run/history/inspect.ts';

export interface Answerers {
  /** Who answers the asks of the run. */
  readonly answerer: string;
  /** Who has answered something; empty if nothing was asked. */
  readonly answeredBy: readonly string[];
}

export function answerersOf({
  effects,
  questions,
  usage,
  settings: { answerer },
}: Pick<RunView, 'effects' | 'questions' | 'usage' | 'settings'>): Answerers {
  const by = new Set<string>();
  const hasQuestion = ({ key }: EffectView): boolean => questions.some((question) => question.key === key);
  for (const { answer, audience } of questions)
    // An approval is no answer.
    if (answer !== null && audience !== 'operator') by.add(answer.by);
  const asks = effects.filter(({ kind }) => kind === 'ask' || kind === 'chat' || kind === 'classify');
  const hasNestedAsks =
    usage.asks > asks.length &&
    effects.some(({ kind, state, children }) =>
      [{ kind, state }, ...children].some((one) => one.kind === 'skill' && one.state === 'ok'),
    );
  if (hasNestedAsks || asks.some((ask) => ask.state === 'ok' && !hasQuestion(ask))) by.add(answerer);
  return { answerer, answeredBy: [...by] };
}
