// The messages of an inbox by themselves: what is done about each, and which are acknowledged.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import type { OpenQuestion } from '../question/question.ts';
import { StoredValues } from '../run-facts.ts';
import { InboxReader } from './inbox-reader.ts';

type Parts = ConstructorParameters<typeof InboxReader>[0];

function scene(more: Partial<Parts> = {}) {
  const log: unknown[] = [];
  const question = {
    asked: { id: 'Q', nonce: 'n', key: '1', audience: 'caller', expiresAt: null },
    body: { type: 'ask', cancel_words: ['/cancel'] },
    answered: null,
    value: null,
    used: false,
  } as unknown as { -readonly [key in keyof OpenQuestion]: OpenQuestion[key] };
  const reader = new InboxReader({
    questions: { get: (id: string) => (id === 'Q' ? question : null) } as unknown as Parts['questions'],
    values: new StoredValues(createMemoryBlobs(nodeSha256)),
    nowMs: () => 5,
    isOpen: () => true,
    undecidedKind: (key) => (key === '2' ? 'command' : null),
    onCancel: (by, reason) => log.push(`cancelled by ${by}: ${reason}`),
    onAnswer: (of, entry, value) => log.push([of.asked.id, entry, value]),
    onDecision: (entry) => log.push(entry),
    onRefused: (id, code) => log.push(`refused ${id}: ${code}`),
    acknowledge: async (id) => void log.push(`acknowledged ${id}`),
    onFault: (error) => log.push(`fault: ${error.message}`),
    ...more,
  });
  return {
    log,
    question,
    reader,
    take: async (message: InboxMessage) => {
      reader.take('M', message);
      await reader.settled();
      return log;
    },
  };
}
const answer = (value: Json, more: object = {}): InboxMessage => ({
  kind: 'answer',
  question: 'Q',
  nonce: 'n',
  value,
  from: 'caller',
  ...more,
});
const decision: InboxMessage = { kind: 'decision', key: '2', as: 'retry', value: null, by: 'person' };

/** Values that are stored only when the test lets them. */
function slowValues() {
  let release: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (release = resolve));
  const values = new StoredValues(createMemoryBlobs(nodeSha256));
  const store = values.store.bind(values);
  return {
    release: () => release(),
    values: Object.assign(values, {
      store: async (value: Json) => {
        await waiting;
        return store(value);
      },
    }),
  };
}

describe('InboxReader', () => {
  it('passes a cancel on', async () => {
    expect(await scene().take({ kind: 'cancel', by: 'caller', reason: 'enough' })).toEqual([
      'cancelled by caller: enough',
      'acknowledged M',
    ]);
  });

  it('passes an answer on as the entry that it becomes, then acknowledges it', async () => {
    expect(await scene().take(answer('so'))).toEqual([
      ['Q', { type: 'question.answered', at: 5, id: 'Q', answer: { value: 'so' }, by: 'caller' }, 'so'],
      'acknowledged M',
    ]);
  });

  it('cancels at a word that does', async () => {
    expect(await scene().take(answer('/cancel', { from: 'person' }))).toEqual([
      'cancelled by person: the answer was a word that cancels',
      'acknowledged M',
    ]);
  });

  it('refuses what has no question, and what the sender may not answer', async () => {
    expect(await scene().take(answer('so', { question: 'X' }))).toEqual([
      'refused X: QUESTION_UNKNOWN',
      'acknowledged M',
    ]);
    expect(await scene().take(answer('so', { nonce: 'm' }))).toEqual([
      'refused Q: ANSWER_REFUSED',
      'acknowledged M',
    ]);
  });

  it('passes a decision on that is waited for, and no other', async () => {
    expect(await scene().take(decision)).toMatchObject([
      { type: 'effect.decided', at: 5, key: '2', as: 'retry', by: 'person' },
      'acknowledged M',
    ]);
  });

  it('stores nothing of a decision that nobody waits for', async () => {
    const values = new StoredValues(createMemoryBlobs(nodeSha256));
    Object.assign(values, { store: () => Promise.reject(new Error('stored')) });
    const other: InboxMessage = { ...decision, key: '3', as: 'done', value: 'x' };
    expect(await scene({ values }).take(other)).toEqual(['acknowledged M']);
  });

  it('takes the first of two answers, and acknowledges both', async () => {
    const { values, release } = slowValues();
    const { log, question, reader } = scene({ values });
    reader.take('M', answer('so'));
    await Promise.resolve();
    question.answered = {} as unknown as OpenQuestion['answered'];
    release();
    await reader.settled();
    expect(log).toEqual(['acknowledged M']);
  });

  it('takes the first of two decisions, and acknowledges both', async () => {
    const { values, release } = slowValues();
    let isDecided = false;
    const { log, reader } = scene({ values, undecidedKind: () => (isDecided ? null : 'command') });
    reader.take('M', { ...decision, as: 'done', value: 'x' });
    isDecided = true;
    release();
    await reader.settled();
    expect(log).toEqual(['acknowledged M']);
  });

  it('leaves for the next owner what comes when nothing can be added', async () => {
    expect(await scene({ isOpen: () => false }).take({ kind: 'cancel', by: 'a', reason: 'b' })).toEqual([]);
    for (const message of [answer('so'), { ...decision, as: 'done', value: 'x' } as InboxMessage]) {
      const { values, release } = slowValues();
      let isOpen = true;
      const { log, reader } = scene({ values, isOpen: () => isOpen });
      reader.take('M', message);
      isOpen = false;
      release();
      await reader.settled();
      expect(log).toEqual([]);
    }
  });

  it('tells of a fault, also of one that is no error', async () => {
    for (const [thrown, told] of [
      [new Error('no space'), 'fault: no space'],
      ['no space', 'fault: no space'],
    ]) {
      const { take } = scene({
        acknowledge: async () => {
          throw thrown;
        },
      });
      expect(await take({ kind: 'cancel', by: 'a', reason: 'b' })).toEqual(['cancelled by a: b', told]);
    }
  });

  it('is settled when all that it took is done, and keeps none of it', async () => {
    const { values, release } = slowValues();
    const { log, reader } = scene({ values });
    reader.take('M', answer('so'));
    let isSettled = false;
    const settled = reader.settled().then(() => (isSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    release();
    await settled;
    expect(log).toHaveLength(2);
  });
});
