// A person answers: at once where there is a terminal, else later.
//
// P1. A person has no tools of ours, so there is nothing to fence.
// P2. When the run is stopped, the question is given up at once, whatever the terminal does.
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import type { Answerer, AskRequest } from '../ports/answerer.ts';
import { AnswerLater } from '../ports/answerer.ts';

/** Where a person can be asked now. */
export interface Terminal {
  /** The answer as it was typed; rejects soon after the signal aborts. */
  ask(question: TerminalQuestion, signal: Abort): Promise<string>;
}

export interface TerminalQuestion {
  readonly prompt: string;
  readonly purpose: string | null;
  readonly choices: readonly string[] | null;
  readonly schema: Json;
}

export function createPersonAnswerer(terminal: Terminal | null): Answerer {
  return {
    name: 'person',
    description: terminal === null ? 'a person answers later, with "techne answer"' : 'a person at this terminal',
    fenced: true,
    async answer({ prompt, purpose, choices, schema }: AskRequest, { signal }) {
      if (terminal === null) throw new AnswerLater('person');
      const answer = await orAborted(terminal.ask({ prompt, purpose, choices, schema }, signal), signal);
      return { answer, exhausted: false, turns: 1, usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 } };
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: Abort): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
