// Runs that one process makes and another one drives, and who answered their questions.
import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../test/support/fake-run-host.ts';
import { AnswerLater } from '../ports/answerer.ts';
import { parseMessage, renderMessage } from '../journal/inbox-message.ts';

const programs = {
  echo: 'def run(input):\n  return {"said": input["word"]}\n',
  asks: 'def run(input):\n  return ask("Which?")\n',
};

describe('submit', () => {
  it('makes a run that nobody owns, which a resume drives to its end', async () => {
    const host = fakeRunHost({ programs });
    const run = await host.runner.submit({ skill: 'echo', input: { word: 'tide' }, run: '01TIDE' });
    expect(run).toBe('01TIDE');
    expect((await host.store.read('01TIDE')).map(({ entry }) => entry.type)).toEqual(['run.started']);
    expect((await host.runner.resume('01TIDE')).envelope).toMatchObject({ said: 'tide' });
    expect((await host.runner.replay('01TIDE')).same).toBe(true);
  });

  it('makes nothing for a skill that may not run, and says why', async () => {
    const host = fakeRunHost({ programs });
    expect(await host.runner.submit({ skill: 'ecko', input: { word: 'tide' }, run: '01TIDE' })).toMatchObject(
      { status: 'refused', error: { code: 'SKILL_UNKNOWN' } },
    );
    await expect(host.store.read('01TIDE')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it('refuses an id that is taken', async () => {
    const host = fakeRunHost({ programs });
    const request = { skill: 'echo', input: { word: 'tide' }, run: '01TIDE' };
    await host.runner.submit(request);
    await expect(host.runner.submit(request)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
  });

  it('makes a fork in the same way', async () => {
    const host = fakeRunHost({ programs });
    const first = await host.runner.start({ skill: 'echo', input: { word: 'tide' } });
    const fork = await host.runner.submitFork(first.run as string, { edits: { input: { word: 'ebb' } } });
    expect(fork).not.toBe(first.run);
    expect((await host.runner.resume(fork as string)).envelope).toMatchObject({ said: 'ebb' });
  });
});

describe('the name of who answers', () => {
  it('is in the journal and in the view of the run', async () => {
    const host = fakeRunHost({ programs });
    host.answerer.onAsk = () => Promise.reject(new AnswerLater('person'));
    const { run, questions } = await host.runner.start({ skill: 'asks', input: { a: 1 } });
    const [asked] = questions;
    await host.runner.answer(run as string, {
      question: asked?.id as string,
      nonce: asked?.nonce as string,
      value: 'the blue one',
      from: 'person',
      name: 'alice',
    });
    const entries = await host.store.read(run as string);
    expect(entries.at(-1)?.entry).toMatchObject({ type: 'question.answered', by: 'person', name: 'alice' });
    expect((await host.runner.inspect(run as string)).questions[0]?.answer).toMatchObject({ name: 'alice' });
  });

  it('survives the inbox', () => {
    const message = {
      kind: 'answer',
      question: 'q',
      nonce: 'n',
      value: 1,
      from: 'operator',
      name: 'bob',
    } as const;
    expect(parseMessage(renderMessage(message))).toEqual(message);
  });
});
