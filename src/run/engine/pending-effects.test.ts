import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../test/support/effect-scene.ts';
import { turns } from '../../../test/support/fake-run-host.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { attempt } from '../effect/effect-context.ts';
import type { OpenQuestion } from '../question/question.ts';
import type { RunResult } from '../result/result.ts';
import type { StoredValues } from '../run-facts.ts';
import { BlockedEffects, Questions, TaskPool } from './pending-effects.ts';

describe('TaskPool', () => {
  function pool(parallel: number) {
    const begun: string[] = [];
    const ends = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>();
    const errors: unknown[] = [];
    const tasks = new TaskPool<string>({
      parallel,
      carryOut: (item) => {
        begun.push(item);
        return new Promise((resolve, reject) => ends.set(item, { resolve, reject }));
      },
      onError: (error) => errors.push(error),
    });
    return { tasks, begun, errors, end: (item: string) => ends.get(item) };
  }
  const state = async (promise: Promise<void>): Promise<string> =>
    Promise.race([promise.then(() => 'resolved'), turns(2).then(() => 'waiting')]);

  it('begins as many as it may, and the next when one has ended', async () => {
    const { tasks, begun, end } = pool(2);
    expect(tasks.isIdle).toBe(true);
    for (const item of ['a', 'b', 'c', 'd']) tasks.add(item);
    expect([begun, tasks.isIdle]).toEqual([['a', 'b'], false]);
    end('b')?.resolve();
    await turns();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const item of ['a', 'c']) end(item)?.resolve();
    await turns();
    end('d')?.resolve();
    await turns();
    expect([begun, tasks.isIdle]).toEqual([['a', 'b', 'c', 'd'], true]);
  });

  it('reports what failed, and goes on', async () => {
    const { tasks, begun, errors, end } = pool(1);
    tasks.add('a');
    tasks.add('b');
    end('a')?.reject('broken');
    await turns();
    expect([errors, begun, tasks.isIdle]).toEqual([['broken'], ['a', 'b'], false]);
  });

  it('begins nothing more once it is held, and is idle when the rest has ended', async () => {
    const { tasks, begun, end } = pool(1);
    tasks.add('a');
    tasks.add('b');
    const settled = tasks.settled();
    tasks.hold();
    tasks.add('c');
    expect([tasks.isIdle, await state(settled)]).toEqual([false, 'waiting']);
    end('a')?.resolve();
    await turns();
    expect([begun, tasks.isIdle, await state(settled)]).toEqual([['a'], true, 'resolved']);
  });

  it('is not idle while something waits for its place', () => {
    const { tasks } = pool(0);
    tasks.add('a');
    expect(tasks.isIdle).toBe(false);
    tasks.hold();
    expect(tasks.isIdle).toBe(true);
  });

  it('counts work that was begun elsewhere', async () => {
    const { tasks, begun } = pool(1);
    let done = (): void => undefined;
    tasks.track(new Promise((resolve) => (done = resolve)));
    tasks.add('a');
    expect([tasks.isIdle, begun]).toEqual([false, []]);
    done();
    await turns();
    expect(begun).toEqual(['a']);
  });

  it('wakes who waits, by a hold, by a wake, and by an end', async () => {
    const { tasks, end } = pool(1);
    const held = tasks.changed();
    expect(await state(held)).toBe('waiting');
    tasks.wake();
    expect(await state(held)).toBe('resolved');
    tasks.add('a');
    const ended = tasks.changed();
    end('a')?.resolve();
    expect(await state(ended)).toBe('resolved');
    const again = tasks.changed();
    tasks.hold();
    expect(await state(again)).toBe('resolved');
    // Without anybody who waits nothing happens.
    tasks.wake();
    await tasks.settled();
  });
});

const asked = (
  id: string,
  key: string,
  more: Partial<OpenQuestion['asked']> = {},
): OpenQuestion['asked'] => ({
  type: 'question.asked',
  at: 1,
  id,
  nonce: `n${id}`,
  audience: 'caller',
  key,
  question: { value: { q: id } },
  expiresAt: null,
  ...more,
});
const question = (id: string, key: string, more: Partial<OpenQuestion['asked']> = {}): OpenQuestion => ({
  ...openQuestion({ q: id }),
  asked: asked(id, key, more),
});
const answered = (id: string): Extract<JournalEntry, { type: 'question.answered' }> => ({
  type: 'question.answered',
  at: 2,
  id,
  answer: { value: `a${id}` },
  by: 'caller',
});
const values = { load: (stored: { readonly value: unknown }) => stored.value } as unknown as StoredValues;

describe('Questions', () => {
  it('are those of the journal, with their answers', async () => {
    const questions = new Questions();
    await questions.load([asked('1', 'k'), asked('2', 'k'), answered('1'), answered('unknown')], values);
    expect(questions.of('k').map(({ asked: { id }, body, value, used }) => [id, body, value, used])).toEqual([
      ['1', { q: '1' }, 'a1', false],
      ['2', { q: '2' }, null, false],
    ]);
    expect([questions.get('1')?.answered?.id, questions.get('2')?.answered, questions.get('3')]).toEqual([
      '1',
      null,
      null,
    ]);
    expect(questions.of('other')).toEqual([]);
  });

  it('are used up by a start after their answer, and by none before', async () => {
    const begun = { type: 'effect.started', key: 'k' } as unknown as JournalEntry;
    const before = new Questions();
    await before.load([asked('1', 'k'), begun, answered('1')], values);
    const after = new Questions();
    await after.load([asked('1', 'k'), answered('1'), begun, asked('2', 'k')], values);
    expect([before.get('1')?.used, after.get('1')?.used, after.get('2')?.used]).toEqual([false, true, false]);
  });

  it('are open for an effect and for its parts', () => {
    const questions = new Questions();
    questions.add(question('1', '3/2'));
    questions.add(question('2', '4'));
    expect(['3', '4', '5'].map((root) => questions.isOpen(root))).toEqual([true, true, false]);
    questions.setAnswer(questions.get('1') as OpenQuestion, answered('1'), 'yes');
    expect([questions.isOpen('3'), questions.get('1')?.value]).toEqual([false, 'yes']);
  });

  it('expire at their time, unless they were answered', () => {
    const questions = new Questions();
    expect(questions.hasExpired('k', () => 999)).toBe(false);
    questions.add(question('1', 'k', { expiresAt: 100 }));
    questions.add(question('2', 'never'));
    expect([99, 100, 101].map((now) => questions.hasExpired('k', () => now))).toEqual([false, true, true]);
    expect(questions.hasExpired('never', () => 999)).toBe(false);
    questions.setAnswer(questions.get('1') as OpenQuestion, answered('1'), 'yes');
    expect(questions.hasExpired('k', () => 101)).toBe(false);
  });

  it('are pending when they are open and their effect waits', () => {
    const questions = new Questions();
    questions.add(question('1', '3/2', { expiresAt: 5 }));
    questions.add(question('2', '4'));
    questions.add(question('3', '5'));
    questions.setAnswer(questions.get('2') as OpenQuestion, answered('2'), 'yes');
    expect(questions.pending('R', (root) => root !== '5')).toEqual([
      { run: 'R', id: '1', nonce: 'n1', audience: 'caller', key: '3/2', question: { q: '1' }, expiresAt: 5 },
    ]);
  });
});

describe('BlockedEffects', () => {
  const effect = (key: string, kind = 'command', request = {}) =>
    attempt(nodeSha256, { key, kind, request, repeatable: false }, 0);
  const blocked = () => {
    const questions = new Questions();
    return { questions, waiting: new BlockedEffects('R', questions) };
  };
  const nested = (more: Partial<RunResult>): RunResult =>
    ({ questions: [], undecided: [], ...more }) as unknown as RunResult;

  it('gives an effect back when nothing holds it or a part of it, once', () => {
    const { questions, waiting } = blocked();
    expect(waiting.take('3')).toBeNull();
    waiting.add(effect('3', 'ask'));
    questions.add(question('1', '3/1'));
    waiting.setUndecided(effect('3/2'));
    waiting.setUndecided(effect('4'));
    expect(waiting.take('3')).toBeNull();
    questions.setAnswer(questions.get('1') as OpenQuestion, answered('1'), 'yes');
    expect(waiting.take('3')).toBeNull();
    waiting.decide('3/2');
    expect([waiting.take('3')?.key, waiting.take('3')]).toEqual(['3', null]);
  });

  it('knows what a decision is about', () => {
    const { waiting } = blocked();
    waiting.setUndecided(effect('1', 'command', { argv: ['a'] }));
    waiting.setUndecided(effect('2', 'command', { argv: ['a'], parse: 'json' }));
    waiting.setUndecided(effect('3', 'tool', { parse: 'json' }));
    expect(['1', '2', '3', '4'].map((key) => waiting.undecidedKind(key))).toEqual([
      'command',
      'exec',
      'tool',
      null,
    ]);
  });

  it('waits for a decision before an answer, and for either before a run that was stopped', () => {
    const { questions, waiting } = blocked();
    expect([waiting.reason(), waiting.questions(), waiting.undecided()]).toEqual([null, [], []]);
    waiting.add(effect('1', 'ask'));
    waiting.setNested('1/1', nested({}));
    expect(waiting.reason()).toBe('stopped');
    questions.add(question('1', '1'));
    expect([waiting.reason(), waiting.questions().map(({ id }) => id)]).toEqual(['question', ['1']]);
    waiting.setUndecided(effect('1/2', 'tool', { tool: 't' }));
    expect([waiting.reason(), waiting.undecided()]).toEqual([
      'decision',
      [{ run: 'R', key: '1/2', kind: 'tool', request: { tool: 't' } }],
    ]);
  });

  it('has the questions and decisions of nested runs', () => {
    const { waiting } = blocked();
    const asks = nested({
      questions: [{ id: 'inner' }] as unknown as RunResult['questions'],
      undecided: [{ key: 'inner' }] as unknown as RunResult['undecided'],
    });
    waiting.setNested('1/1', asks);
    expect([waiting.questions(), waiting.undecided()]).toEqual([[{ id: 'inner' }], [{ key: 'inner' }]]);
  });

  it('takes the effects whose nested run has news, when nothing else holds them', async () => {
    const { questions, waiting } = blocked();
    for (const key of ['1', '2', '3']) waiting.add(effect(key, 'ask'));
    const [one, two, three] = ['one', 'two', 'three'].map((run) => nested({ run }));
    waiting.setNested('1/1', one as RunResult);
    waiting.setNested('2/1', two as RunResult);
    waiting.setNested('3/1', three as RunResult);
    questions.add(question('1', '3'));
    const found = await waiting.takeNews(async (result) => result !== two);
    expect(found.map(({ key }) => key)).toEqual(['1']);
    // The third is held by its question alone now.
    questions.setAnswer(questions.get('1') as OpenQuestion, answered('1'), 'yes');
    expect([waiting.take('3')?.key, waiting.take('2')]).toEqual(['3', null]);
  });
});
