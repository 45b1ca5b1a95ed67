// Scripted answers, for tests, demos, and work without a network.
//
// The n-th ask of a run gets the n-th answer, also after a resume; with `match: true` it gets the first that fits. An
// answer for another ask is not given: the ask fails with what was expected and what came. Reading a text for a form
// has no number among the asks: its answer is found by the purpose ("read the reply to STEP", "read the request for
// STEP"), and a request is read only if the script has that answer. A script has no side effects, so it satisfies
// every fence.
import { cutText } from '../base/cut-text.ts';
import type { Answerer, AskContext, AskOutcome, AskRequest } from '../ports/answerer.ts';
import type { ScriptedAnswer } from './script-file.ts';

interface ScriptAnswerer extends Answerer {
  /** The answers that no ask of this process has used. */
  unused(): readonly ScriptedAnswer[];
}

/** The next answer is for another ask. */
export class ScriptMisfit extends Error {
  readonly answer: ScriptedAnswer;

  constructor(message: string, answer: ScriptedAnswer) {
    super(message);
    this.name = 'ScriptMisfit';
    this.answer = answer;
  }
}

export function createScriptAnswerer(name: string, answers: readonly ScriptedAnswer[]): ScriptAnswerer {
  const used = new Set<ScriptedAnswer>();
  const byMatch = answers[0]?.match === true;
  return {
    name,
    description: `${answers.length} scripted ${answers.length === 1 ? 'answer' : 'answers'}`,
    fenced: true,
    readsFor: (wanted) => answers.some(({ purpose }) => purpose === wanted),
    unused: () => answers.filter((answer) => !used.has(answer)),
    async answer(request: AskRequest, { ordinal, retry }: AskContext): Promise<AskOutcome> {
      const scripted = byMatch ? firstThatFits(answers, request) : inOrder(answers, request, ordinal, retry);
      used.add(scripted);
      const { gives, retries, turns, exhausted, inputTokens, outputTokens } = scripted;
      if (gives.kind === 'error') throw new Error(gives.message);
      const answer = retry === 0 ? gives.text : (retries[retry - 1] ?? retries.at(-1) ?? gives.text);
      return { answer, exhausted, turns, usage: { inputTokens, outputTokens, costMicros: 0 } };
    },
  };
}

function inOrder(
  all: readonly ScriptedAnswer[],
  request: AskRequest,
  ordinal: number,
  retry: number,
): ScriptedAnswer {
  if (ordinal === 0) {
    const found = all.find(({ purpose }) => purpose === request.purpose);
    if (found === undefined)
      throw new Error(
        `the script has no answer for ${JSON.stringify(request.purpose)}; give it one with that purpose`,
      );
    return found;
  }
  const answers = all.filter(({ purpose }) => purpose === null || !readingPurpose.test(purpose));
  const scripted = answers[ordinal - 1];
  if (scripted === undefined)
    throw new Error(
      `the script has ${counted(answers.length)}, but this is ask ${ordinal}${describeAsk(request)}`,
    );
  const fault = misfit(scripted, request, retry);
  if (fault !== null)
    throw new ScriptMisfit(`answer ${ordinal} of the script is for another ask: ${fault}`, scripted);
  return scripted;
}

function firstThatFits(answers: readonly ScriptedAnswer[], request: AskRequest): ScriptedAnswer {
  const scripted = answers.find((answer) => misfit(answer, request, 0) === null);
  if (scripted === undefined)
    throw new Error(
      `none of the ${counted(answers.length)} in the script matches this ask${describeAsk(request)}`,
    );
  return scripted;
}

/** Purposes of reading a text for a form, which are outside the order. */
const readingPurpose = /^read the (?:reply to|request for) /;

/** Why the answer is not for this ask, or null. */
function misfit({ purpose, contains }: ScriptedAnswer, request: AskRequest, retry: number): string | null {
  if (purpose !== null && purpose !== request.purpose)
    return `expected the purpose ${JSON.stringify(purpose)}, got ${request.purpose === null ? 'none' : JSON.stringify(short(request.purpose))}`;
  // A retry repeats the prompt and the answer that was wrong; the first try has been compared.
  const missing = retry > 0 ? undefined : contains.find((text) => !request.prompt.includes(text));
  return missing === undefined
    ? null
    : `expected a prompt with ${JSON.stringify(missing)}, got ${JSON.stringify(short(request.prompt))}`;
}

function describeAsk({ purpose, prompt }: AskRequest): string {
  return ` (${purpose === null ? '' : `purpose ${JSON.stringify(short(purpose))}, `}prompt ${JSON.stringify(short(prompt))})`;
}

function short(text: string): string {
  const cut = cutText(text, 200);
  return cut.truncated ? `${cut.text}…` : cut.text;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'answer' : 'answers'}`;
}
