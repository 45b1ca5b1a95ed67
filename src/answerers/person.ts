// A person answers: the run pauses with a question, which any terminal can ask.
//
// A person has no tools of techne, so there is nothing to fence. The question is in the journal, so it can be
// answered at any terminal at any time; the time it takes is not charged to the run.
import type { Answerer } from '../ports/answerer.ts';
import { AnswerLater } from '../ports/answerer.ts';

/** `atTerminal`: a person can be asked immediately. */
export function createPersonAnswerer(atTerminal: boolean): Answerer {
  return {
    name: 'person',
    description: atTerminal ? 'a person at this terminal' : 'a person answers later, with "techne answer"',
    fenced: true,
    answer: () => Promise.reject(new AnswerLater('person')),
  };
}
