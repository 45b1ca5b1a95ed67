// What reaches a run from outside while it is driven, and what its journal says about it.
import { describe, expect, it } from 'vitest';
import { AnswerLater } from '../../ports/answerer.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { fakeRunHost, turns } from '../../../test/support/fake-run-host.ts';
import { planHost } from '../../../test/support/plan-host.ts';
import { chat, composition } from '../../../test/support/plan-texts.ts';

const later = (): Promise<string> => Promise.reject(new AnswerLater('caller'));
const asking = 'def run(input):\n  return ask("what?")["answer"]\n';

/** Anyone can write into an inbox; a message about no question is acknowledged and nothing else. */
const stray = { kind: 'answer', question: 'Q', nonce: 'n', value: 'x', from: 'caller' } as const;

describe('a run that was paused', () => {
  it('has its continuation in the journal, once for each', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later;
    const { run, questions } = await host.run(asking);
    await host.runner.resume(run as string);
    const [question] = questions;
    await host.runner.answer(run as string, {
      question: question?.id as string,
      nonce: question?.nonce as string,
      value: 'that',
      from: 'caller',
    });
    expect((await host.runner.resume(run as string)).status).toBe('completed');
    const types = (await host.store.read(run as string)).map(({ entry }) => entry.type);
    expect(
      types.filter((type) => /^(?:run\.(?:paused|resumed|ended)|question\.answered)$/.test(type)),
    ).toEqual(['run.paused', 'run.resumed', 'run.paused', 'question.answered', 'run.resumed', 'run.ended']);
  });
});

describe('a message that cannot be acknowledged', () => {
  const lost = new Error('the inbox is gone');
  const failing = (store: RunStore): RunStore => ({
    ...bound(store),
    acknowledge: () => Promise.reject(lost),
  });

  it('ends the drive, although the command under way would take forever', async () => {
    const host = fakeRunHost({ wrapStore: failing });
    host.commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ aborted: true })));
    const running = host.run('def run(input):\n  return {"ok": command(["wait"])["ok"]}\n');
    const ended = running.then(
      () => 'ended',
      (error: unknown) => error,
    );
    while (host.commands.done.length === 0) await turns();
    await host.store.post(host.runner.active[0] as string, stray);
    expect(await Promise.race([ended, turns(50).then(() => 'nothing happened')])).toBe(lost);
    expect(host.runner.active).toEqual([]);
  });

  /** The methods of a store without their `this`. */
  function bound(store: RunStore): RunStore {
    const names = [
      'create',
      'claim',
      'append',
      'release',
      'read',
      'subscribe',
      'list',
      'post',
      'receive',
    ] as const;
    return {
      ...store,
      ...Object.fromEntries(
        [...names, 'acknowledge' as const, 'remove' as const, 'close' as const].map((name) => [
          name,
          (store[name] as (...given: never[]) => unknown).bind(store),
        ]),
      ),
    };
  }
});

describe('the numbers of asks', () => {
  it('stay when a plan is resumed in another order, and new asks come behind them', async () => {
    const steps = [
      chat('a'),
      chat('b'),
      chat('c', 'depends_on: [b]'),
      chat('d', 'depends_on: [a]'),
      chat('e', 'depends_on: [d]'),
    ].join('');
    const first = planHost({ sample: composition(steps, 'final_text_mode: raw\n') });
    const numbers: string[] = [];
    first.answerer.onAsk = async ({ purpose }, { ordinal }) => {
      numbers.push(`${purpose} ${ordinal}`);
      if (purpose === 'a' || purpose === 'd') throw new AnswerLater('caller');
      return `${purpose} said`;
    };
    let result = await first.start('sample');
    expect([result.status, numbers]).toEqual(['paused', ['a 1', 'b 2', 'c 3']]);
    for (const expected of [['d 4'], ['e 5']]) {
      const host = planHost(first.texts, { after: first });
      numbers.length = 0;
      const [question] = result.questions;
      await host.runner.answer(result.run as string, {
        question: question?.id as string,
        nonce: question?.nonce as string,
        value: 'given',
        from: 'caller',
      });
      result = await host.runner.resume(result.run as string);
      expect(numbers).toEqual(expected);
    }
    expect(result.status).toBe('completed');
  });

  it('do not count the reading of a reply to a form', async () => {
    const form =
      '- id: f\n  kind: user_input\n  clarify: {nl_extract: true, fields: [{name: size, type: int, required: true}]}\n';
    const steps = [form, chat('b', 'depends_on: [f]'), chat('c', 'depends_on: [b]')].join('');
    const host = planHost({ sample: composition(steps, 'final_text_mode: raw\n') });
    const numbers: string[] = [];
    host.answerer.onAsk = async ({ purpose }, { ordinal }) => {
      numbers.push(`${purpose} ${ordinal}`);
      if (purpose === 'b') throw new AnswerLater('person');
      return purpose?.startsWith('read') === true ? '{"size": 5}' : 'said';
    };
    let result = await host.start('sample');
    for (const value of ['about five', 'given']) {
      const [question] = result.questions;
      await host.runner.answer(result.run as string, {
        question: question?.id as string,
        nonce: question?.nonce as string,
        value,
        from: 'person',
      });
      result = await host.runner.resume(result.run as string);
    }
    expect([result.status, numbers]).toEqual(['completed', ['read the reply to f 0', 'b 1', 'c 2']]);
  });

  it('stay for an ask that is entered again after a crash', async () => {
    const first = planHost({ sample: composition(chat('a') + chat('b'), 'final_text_mode: raw\n') });
    const numbers: string[] = [];
    first.answerer.onAsk = ({ purpose }, { ordinal }) => {
      numbers.push(`${purpose} ${ordinal}`);
      return purpose === 'a' ? 'a said' : new Promise<string>(() => undefined);
    };
    void first.start('sample');
    while (numbers.length < 2) await turns();
    await turns(20);
    first.store.die();
    first.answerer.onAsk = ({ purpose }, { ordinal }) => {
      numbers.push(`${purpose} ${ordinal}`);
      return 'said';
    };
    const second = planHost(first.texts, { after: first });
    expect((await second.runner.resume(first.runner.active[0] as string)).status).toBe('completed');
    expect(numbers).toEqual(['a 1', 'b 2', 'b 2']);
  });
});

describe('a question after an answer that did not fit', () => {
  it('says why it is asked', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = (_request, { retry }) => (retry === 0 ? 'many' : later());
    const { questions } = await host.run(
      'def run(input):\n  return {"v": ask("n?", {"schema": {"type": "integer"}})["value"]}\n',
    );
    expect(questions).toMatchObject([{ question: { error: 'the answer is not JSON' } }]);
  });

  it('has no error before', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later;
    const { questions } = await host.run(asking);
    expect(questions[0]?.question).not.toHaveProperty('error');
  });
});

describe('a run that may use no tokens', () => {
  it('asks nobody, and runs its commands', async () => {
    const host = fakeRunHost({
      programs: { one: 'def run(input):\n  command(["a"])\n  return ask("what?")["answer"]\n' },
    });
    const result = await host.runner.start({ skill: 'one', input: { go: true }, limits: { tokens: 0 } });
    expect([result.error, host.commands.done, host.answerer.asked]).toMatchObject([
      { code: 'TOKEN_BUDGET', message: expect.stringContaining('(0 of 0 tokens)') as string },
      ['a'],
      [],
    ]);
  });
});
