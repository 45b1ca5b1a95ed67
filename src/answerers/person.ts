// A person answers: the run waits with a question for them, which whoever has a terminal asks.
//
// P1. A person has no tools of ours, so there is nothing to fence.
// P2. The question is in the journal, so a person can answer it at any terminal and at any time; what it takes them is not
//     charged to the run.
import type { Answerer } from '../ports/answerer.ts';
import { AnswerLater } from '../ports/answerer.ts';

/** `atTerminal`: somebody can be asked right away. */
export function createPersonAnswerer(atTerminal: boolean): Answerer {
  return {
    name: 'person',
    description: atTerminal ? 'a person at this terminal' : 'a person answers later, with "techne answer"',
    fenced: true,
    answer: () => Promise.reject(new AnswerLater('person')),
  };
}
