import { describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../test/support/fake-ask-context.ts';
import { AnswerLater } from '../ports/answerer.ts';
import { callerAnswerer, createPersonAnswerer } from './open-answerers.ts';

describe('createPersonAnswerer', () => {
  it('leaves a question for a person at any terminal, also where there is one', async () => {
    for (const atTerminal of [true, false]) {
      const error = await createPersonAnswerer(atTerminal)
        .answer(askRequest(), fakeAskContext())
        .catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(AnswerLater);
      expect((error as AnswerLater).audience).toBe('person');
    }
  });
});

describe('callerAnswerer', () => {
  it('always leaves a question, and is not fenced', async () => {
    const error = await callerAnswerer
      .answer(askRequest(), fakeAskContext())
      .catch((failure: unknown) => failure);
    expect((error as AnswerLater).audience).toBe('caller');
    expect(callerAnswerer.fenced).toBe(false);
  });
});
