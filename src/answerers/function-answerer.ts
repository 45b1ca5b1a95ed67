// A function of the embedding program as an answerer, so that asks of skills go to the model that the program already
// has.
//
// Each call is a part of its ask: it is journaled, and not repeated after a later crash. What the function does is
// unknown, so it is unfenced: skills that require a fence are refused.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import type { Answerer, AskRequest } from '../ports/answerer.ts';

/** Answers an ask with a text: the prompt goes to a model, say. For `classify` the text is one of `choices`; with a `schema` it is JSON. */
export type AnswerFunction = (request: AskRequest, signal: Abort) => Promise<string> | string;

/** As `program`, or another name: a run that is resumed asks for its answerer by name. */
export function createFunctionAnswerer(answer: AnswerFunction, name = 'program'): Answerer {
  return {
    name,
    description: 'a function of this program',
    fenced: false,
    readsFor: () => true,
    async answer(request, { child, signal, retry }) {
      const { kind, prompt, purpose, choices, schema, model } = request;
      const given = await child(
        'turn',
        { kind, prompt, purpose, choices, schema, model, retry },
        true,
        async () => ({ value: textOf(await answer(request, signal)) }),
      );
      return {
        answer: given as string,
        exhausted: false,
        turns: 1,
        usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
      };
    },
  };
}

function textOf(given: unknown): Json {
  if (typeof given === 'string') return given;
  throw new Error(
    `the answering function returned ${given === null ? 'null' : `a value of type ${typeof given}`}, not a text`,
  );
}
