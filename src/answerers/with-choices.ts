// The prompt of an ask, with the closed set that a classification asks for.
import type { AskRequest } from '../ports/answerer.ts';

export function withChoices({ prompt, choices }: AskRequest): string {
  return choices === null
    ? prompt
    : `${prompt}\n\nAnswer with nothing but one of these:\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
}
