// The agent that started the run answers: the run pauses with the prompt, and resumes with `techne answer` or a tool
// call.
//
// Techne cannot confine that agent to a set of tools, so it is unfenced.
import type { Answerer } from '../ports/answerer.ts';
import { AnswerLater } from '../ports/answerer.ts';

export const callerAnswerer: Answerer = {
  name: 'caller',
  description: 'the caller answers later',
  fenced: false,
  answer: () => Promise.reject(new AnswerLater('caller')),
};
