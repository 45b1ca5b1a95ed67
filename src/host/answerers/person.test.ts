import { describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../../test/support/fake-ask-context.ts';
import { AnswerLater } from '../ports/answerer.ts';
import { callerAnswerer } from './caller.ts';
import type { TerminalQuestion } from './person.ts';
import { createPersonAnswerer } from './person.ts';

describe('createPersonAnswerer', () => {
  it('asks at the terminal', async () => {
    const asked: TerminalQuestion[] = [];
    const answerer = createPersonAnswerer({ ask: async (question) => {
      asked.push(question);
      return 'blue';
    } });
    expect(await answerer.answer(askRequest({ prompt: 'Colour?', purpose: 'pick', choices: ['blue'] }), fakeAskContext())).toEqual({ answer: 'blue', exhausted: false, turns: 1, usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 } });
    expect(asked).toEqual([{ prompt: 'Colour?', purpose: 'pick', choices: ['blue'], schema: null }]);
  });

  it('leaves a question where there is no terminal', async () => {
    const error = await createPersonAnswerer(null).answer(askRequest(), fakeAskContext()).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(AnswerLater);
    expect((error as AnswerLater).audience).toBe('person');
  });

  it('gives up at once when the run is stopped', async () => {
    const stop = new AbortController();
    const answerer = createPersonAnswerer({ ask: () => new Promise(() => undefined) });
    const asking = answerer.answer(askRequest(), fakeAskContext({ signal: stop.signal }));
    stop.abort();
    await expect(asking).rejects.toThrow('stopped');
    await expect(answerer.answer(askRequest(), fakeAskContext({ signal: stop.signal }))).rejects.toThrow('stopped');
  });
});

describe('callerAnswerer', () => {
  it('always leaves a question, and is not fenced', async () => {
    const error = await callerAnswerer.answer(askRequest(), fakeAskContext()).catch((failure: unknown) => failure);
    expect((error as AnswerLater).audience).toBe('caller');
    expect(callerAnswerer.fenced).toBe(false);
  });
});
