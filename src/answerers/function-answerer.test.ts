import { describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../test/support/fake-ask-context.ts';
import { createFunctionAnswerer } from './function-answerer.ts';

describe('createFunctionAnswerer', () => {
  it('answers with what the function gives, as one turn', async () => {
    const answerer = createFunctionAnswerer(
      async ({ prompt }, { aborted }) => `${prompt} ${aborted}`,
      'mine',
    );
    expect([answerer.name, answerer.fenced]).toEqual(['mine', false]);
    expect(await answerer.answer(askRequest({ prompt: 'Is it?' }), fakeAskContext())).toEqual({
      answer: 'Is it? false',
      exhausted: false,
      turns: 1,
      usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    });
  });

  it('fails when the function throws or gives no text', async () => {
    await expect(
      createFunctionAnswerer(() => null as unknown as string).answer(askRequest(), fakeAskContext()),
    ).rejects.toThrow('returned null, not a text');
    await expect(
      createFunctionAnswerer(() => {
        throw new Error('no model');
      }).answer(askRequest(), fakeAskContext()),
    ).rejects.toThrow('no model');
  });
});
