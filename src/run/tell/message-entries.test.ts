import { describe, expect, it } from 'vitest';
import { startedEffect } from '../../../test/support/effect-scene.ts';
import type { Json } from '../../base/json.ts';
import type { EffectState, RunState } from '../../journal/run-state.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import { StoredValues } from '../run-facts.ts';
import { mergeMessage } from './message-entries.ts';

const values = new StoredValues(createMemoryBlobs(nodeSha256));
const asked = {
  type: 'question.asked',
  at: 1,
  id: 'Q',
  nonce: 'n',
  audience: 'caller',
  key: '1',
  question: { value: { type: 'ask', cancel_words: ['/cancel'] } },
  expiresAt: null,
} as const;

function state(more: Partial<RunState> = {}, effects: readonly EffectState[] = []): RunState {
  return {
    meta: { run: 'R' },
    ended: null,
    cancel: null,
    questions: new Map([['Q', { asked, answered: null }]]),
    effects: new Map(effects.map((effect) => [effect.key, effect])),
    ...more,
  } as unknown as RunState;
}
const ended = { type: 'run.ended' } as unknown as RunState['ended'];
const merge = (message: InboxMessage, of: RunState = state()) =>
  mergeMessage({ message, state: of, nowMs: 5, values });

describe('a cancel', () => {
  const cancel: InboxMessage = { kind: 'cancel', by: 'caller', reason: 'enough' };

  it('is recorded once, and bounded', async () => {
    expect(await merge(cancel)).toEqual([
      { type: 'cancel.requested', at: 5, by: 'caller', reason: 'enough' },
    ]);
    expect(await merge(cancel, state({ ended }))).toEqual([]);
    expect(await merge(cancel, state({ cancel: {} as unknown as RunState['cancel'] }))).toEqual([]);
    const [long] = await merge({ ...cancel, reason: 'x'.repeat(100_000) });
    expect((long as { reason: string }).reason.length).toBeLessThan(10_000);
  });
});

describe('an answer', () => {
  const answer = (
    value: Json,
    more: Partial<Extract<InboxMessage, { kind: 'answer' }>> = {},
  ): InboxMessage => ({
    kind: 'answer',
    question: 'Q',
    nonce: 'n',
    value,
    from: 'caller',
    ...more,
  });

  it('is recorded, with who gave it', async () => {
    expect(await merge(answer('so'))).toEqual([
      { type: 'question.answered', at: 5, id: 'Q', answer: { value: 'so' }, by: 'caller' },
    ]);
  });

  it('that is a word which cancels, cancels', async () => {
    expect(await merge(answer('/cancel', { from: 'person' }))).toEqual([
      { type: 'cancel.requested', at: 5, by: 'person', reason: 'the answer was a word that cancels' },
    ]);
  });

  it('is refused with the reason', async () => {
    await expect(merge(answer('so', { nonce: 'm' }))).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    for (const refused of [merge(answer('so', { question: 'X' })), merge(answer('so'), state({ ended }))])
      await expect(refused).rejects.toMatchObject({
        code: 'QUESTION_UNKNOWN',
        message: expect.stringMatching(/^run R has no open question [QX]$/) as string,
        hint: 'techne runs show R',
      });
  });
});

describe('a decision', () => {
  const decide = (as: 'done' | 'fail' | 'retry', value: Json = null, key = '1'): InboxMessage => ({
    kind: 'decision',
    key,
    as,
    value,
    by: 'ann',
  });
  const command = startedEffect('1', { request: { value: { argv: ['ls'] } } });
  const exec = startedEffect('1', { request: { value: { argv: ['ls'], parse: 'json' } } });

  it('is about an effect whose outcome is unknown', async () => {
    expect(await merge(decide('retry'), state({}, [command]))).toEqual([
      { type: 'effect.decided', at: 5, key: '1', as: 'retry', by: 'ann' },
    ]);
    const over = { ...command, ended: {} as unknown as EffectState['ended'] };
    const ask = startedEffect('1', { kind: 'ask' });
    for (const other of [
      state({}, []),
      state({}, [over]),
      state({}, [ask]),
      state({}, [startedEffect('2')]),
      state({ ended }, [command]),
    ])
      await expect(merge(decide('retry'), other)).rejects.toMatchObject({
        code: 'DECISION_UNKNOWN',
        message: 'run R has no call "1" that waits for a decision',
        hint: 'techne runs show R',
      });
  });

  it('has the value that the program will get, by what was asked for', async () => {
    const resultOf = async (effect: EffectState, value: Json): Promise<unknown> => {
      const [entry] = await merge(decide('done', value), state({}, [effect]));
      return (entry as { result: { value: Json } }).result.value;
    };
    expect(await resultOf(command, 'out')).toMatchObject({ ok: true, exit_code: 0, stdout: 'out' });
    expect(await resultOf(exec, 'out')).toEqual({ text: 'out', value: null, truncated: false });
  });

  it('to fail or to repeat needs no request, which may be lost', async () => {
    const lost = startedEffect('1', { request: { blob: 'gone' } as never });
    expect(await merge(decide('fail'), state({}, [lost]))).toMatchObject([{ as: 'fail' }]);
    await expect(merge(decide('done'), state({}, [lost]))).rejects.toThrow(/gone|blob|lost/);
  });
});
