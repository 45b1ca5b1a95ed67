import { describe, expect, it } from 'vitest';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import { FakeClock, fakeRunHost } from '../../../test/support/fake-run-host.ts';
import { TechneError } from '../../base/error.ts';
import { AnswerLater } from '../../ports/answerer.ts';
import type { RunEvent } from '../events.ts';
import type { PendingQuestion, RunResult } from '../result/result.ts';
import type { DriveOptions, Questioner, Reply } from './drive.ts';
import { drive, resumeAndDrive, RunDetachedError } from './drive.ts';

const twoAsks = 'def run(input):\n  return ask("first")["answer"] + " " + ask("second")["answer"]\n';

/** A host whose asks all wait for the caller. */
function askingHost(program = twoAsks): FakeRunHost {
  const host = fakeRunHost({ programs: { one: program } });
  host.answerer.onAsk = () => Promise.reject(new AnswerLater('caller'));
  return host;
}

function driven({ runner }: FakeRunHost, options: Omit<DriveOptions, 'runner'> = {}): Promise<RunResult> {
  return drive((request) => runner.start({ skill: 'one', input: {}, ...request }), { runner, ...options });
}

const echo: Questioner = ({ question }) => ({ answer: (question as { readonly prompt: string }).prompt });

describe('drive', () => {
  it('answers one question after the other and resumes until the run has ended', async () => {
    const result = await driven(askingHost(), { questions: [echo] });
    expect([result.status, result.envelope?.['answer']]).toEqual(['completed', 'first second']);
  });

  it('leaves a run paused with what no one answers', async () => {
    const host = askingHost();
    const result = await driven(host, { questions: [() => 'open'] });
    expect([result.status, result.questions.length]).toEqual(['paused', 1]);
    expect((await driven(askingHost())).status).toBe('paused');
  });

  it('asks the next questioner only for what the first leaves open', async () => {
    const asked: string[] = [];
    const note =
      (name: string, reply: Questioner): Questioner =>
      (question, context) => {
        asked.push(`${name} ${(question.question as { readonly prompt: string }).prompt}`);
        return reply(question, context);
      };
    const first: Questioner = (question, context) =>
      (question.question as { readonly prompt: string }).prompt === 'first'
        ? echo(question, context)
        : 'open';
    await driven(askingHost(), { questions: [note('a', first), note('b', echo)] });
    expect(asked).toEqual(['a first', 'a second', 'b second']);
  });

  it('asks again, with the reason, for an answer that is refused', async () => {
    const program = 'def run(input):\n  return str(ask("n?", {"schema": {"type": "integer"}}))\n';
    const reasons: (string | null)[] = [];
    const result = await driven(askingHost(program), {
      questions: [
        (_question, { refused }) => {
          reasons.push(refused?.code ?? null);
          return { answer: refused === null ? { not: 'a number' } : 7 };
        },
      ],
    });
    expect([result.status, reasons]).toEqual(['completed', [null, 'ANSWER_REFUSED']]);
  });

  it('looks again when a question was answered elsewhere', async () => {
    const host = askingHost();
    const elsewhere = async ({ run, id, nonce, question }: PendingQuestion): Promise<Reply> => {
      const value = (question as { readonly prompt: string }).prompt;
      await host.runner.answer(run, { question: id, nonce, value, from: 'caller' });
      return 'settled';
    };
    expect((await driven(host, { questions: [elsewhere] })).envelope?.['answer']).toBe('first second');
  });

  it('reports the run and its events, and only to the listener of this run', async () => {
    const host = askingHost();
    const heard: RunEvent[] = [];
    const result = await driven(host, { questions: [echo], onEvent: (event) => heard.push(event) });
    expect(new Set(heard.map(({ run }) => run))).toEqual(new Set([result.run]));
    expect(heard.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run.started', 'question.asked', 'run.resumed', 'run.ended']),
    );
    const before = heard.length;
    await driven(host, { questions: [echo] });
    expect(heard.length).toBe(before);
  });

  it('cancels a run that waits when it is aborted, and says who did', async () => {
    const host = askingHost();
    const abort = new AbortController();
    const heard: string[] = [];
    const result = await driven(host, {
      onEvent: ({ type }) => heard.push(type),
      cancel: abort.signal,
      cancelledBy: { reason: 'Ctrl-C', by: 'operator' },
      questions: [
        () => {
          abort.abort();
          return 'open';
        },
      ],
    });
    expect(heard.at(-1)).toBe('run.ended');
    const entries = await host.store.read(result.run as string);
    expect([
      result.status,
      entries.find(({ entry }) => entry.type === 'cancel.requested')?.entry,
    ]).toMatchObject(['cancelled', { reason: 'Ctrl-C', by: 'operator' }]);
  });

  it('detaches from a run that works, which can be resumed', async () => {
    const host = fakeRunHost({
      programs: { one: 'def run(input):\n  command(["slow"])\n  return "done"\n' },
    });
    const abort = new AbortController();
    host.commands.onCommand = (_call, { signal }) => {
      abort.abort();
      return signal.aborted ? { aborted: true, exitCode: null } : {};
    };
    const error = await driven(host, { detach: abort.signal }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RunDetachedError);
    const { run, usage } = error as RunDetachedError;
    expect([(error as RunDetachedError).code, usage?.commands]).toEqual(['RUN_UNFINISHED', 1]);
    expect((await host.runner.inspect(run as string)).endedAt).toBe(null);
  });

  it('names a fork that it detaches from', async () => {
    const host = askingHost();
    const { run } = await driven(host, { questions: [echo] });
    const abort = new AbortController();
    host.answerer.onAsk = (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
        abort.abort();
      });
    const error = await drive((request) => host.runner.fork(run as string, { from: '2', ...request }), {
      runner: host.runner,
      detach: abort.signal,
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunDetachedError);
    expect((await host.runner.inspect((error as RunDetachedError).run as string)).endedAt).toBe(null);
  });

  it('returns a paused run as it is when it is detached', async () => {
    const host = askingHost();
    const abort = new AbortController();
    const result = await driven(host, {
      detach: abort.signal,
      questions: [
        () => {
          abort.abort();
          return 'open';
        },
      ],
    });
    expect(result.status).toBe('paused');
    host.answerer.onAsk = () => 'later';
    expect(
      (await resumeAndDrive(result.run as string, { runner: host.runner, questions: [echo] })).status,
    ).toBe('completed');
  });

  it('resumes a run after calls with an unknown outcome were decided', async () => {
    const host = fakeRunHost({
      programs: { one: 'def run(input):\n  return str(command(["pay"])["exit_code"])\n' },
    });
    const abort = new AbortController();
    host.commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ aborted: true, exitCode: null }));
        abort.abort();
      });
    const detached = await driven(host, { detach: abort.signal }).catch((error: unknown) => error);
    const { run } = detached as RunDetachedError;
    host.commands.onCommand = () => ({});
    const decided: string[] = [];
    const result = await resumeAndDrive(run as string, {
      runner: host.runner,
      decide: async (undecided) => {
        for (const { run: of, key } of undecided) {
          decided.push(key);
          await host.runner.decide(of, { key, as: 'retry', value: null, by: 'operator' });
        }
        return true;
      },
    });
    expect([decided, result.status]).toEqual([['1'], 'completed']);
  });
});

describe('resumeAndDrive', () => {
  it('throws RUN_OWNED while another process drives the run, or waits for it', async () => {
    const host = askingHost();
    const paused = await driven(host);
    const run = paused.run as string;
    let owned = 2;
    const runner: FakeRunHost['runner'] = Object.assign(Object.create(host.runner), {
      resume: (name: string, request: Parameters<typeof host.runner.resume>[1]) => {
        owned -= 1;
        return owned >= 0
          ? Promise.reject(new TechneError('RUN_OWNED', 'another process drives it'))
          : host.runner.resume(name, request);
      },
      answer: host.runner.answer.bind(host.runner),
    });
    await expect(resumeAndDrive(run, { runner })).rejects.toMatchObject({ code: 'RUN_OWNED' });
    let waits = 0;
    const clock = Object.assign(new FakeClock(), {
      after: (_ms: number, task: () => void) => (setImmediate(task), { cancel() {} }),
    });
    const whenOwned = { clock, onWait: () => (waits += 1), fromStart: true };
    owned = 2;
    const result = await resumeAndDrive(run, { runner, questions: [echo], whenOwned });
    expect([result.status, waits]).toEqual(['completed', 1]);
  });
});
