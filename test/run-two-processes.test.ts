// Runs that two real processes know of, through their runners.
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QuestionAsked } from '../src/journal/entry.ts';
import type { RunResult } from '../src/run/result/result.ts';
import type { Driving } from './crash/runs/real-runs.ts';
import { RealRuns } from './crash/runs/real-runs.ts';
import type { ChildProgram } from './support/child-program.ts';
import { childProgram } from './support/child-program.ts';

const patience = { timeout: 30_000, interval: 10 };
let program: ChildProgram;
let runs: RealRuns;

beforeAll(async () => {
  program = await childProgram('drive-run');
});
afterAll(() => program.close());
beforeEach(() => {
  runs = new RealRuns(program);
});
afterEach(async () => {
  // What a killed process had started, by the number that it wrote down itself.
  for (const pid of endlessPids()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  await runs.close();
});

const endlessPids = (): readonly number[] =>
  runs.log.flatMap((line) => (line.startsWith('endless ') ? [Number(line.slice('endless '.length))] : []));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}

async function questionOf(run: string): Promise<QuestionAsked> {
  return (await runs.entries(run)).find((entry) => entry.type === 'question.asked') as QuestionAsked;
}

/** A run of 90 commands, some of them done. */
async function busyRun(): Promise<{ readonly owner: Driving; readonly run: string }> {
  const owner = runs.drive({ skill: 'busy' });
  const { run } = await owner.line('run.started');
  await vi.waitFor(() => expect(runs.log.length).toBeGreaterThan(3), patience);
  return { owner, run };
}

/** Every command was done; the one that was under way at a change of owners perhaps twice. */
function mustBeAllOfBusy(): void {
  const expected = Array.from({ length: 90 }, (_, i) => `busy ${i}`);
  expect([...new Set(runs.log)].sort()).toEqual([...expected].sort());
  expect(runs.log.length).toBeLessThanOrEqual(91);
}

describe('a run that another process owns', () => {
  it('gets an answer from here', async () => {
    const owner = runs.drive({ skill: 'asking' });
    const { run } = await owner.line('question.asked');
    const { id, nonce } = await vi.waitFor(async () => {
      const question = await questionOf(run);
      expect(question).toBeDefined();
      return question;
    }, patience);
    await expect(runs.runner.resume(run)).rejects.toMatchObject({
      code: 'RUN_OWNED',
      message: expect.stringContaining(`process ${owner.child.pid}`) as unknown,
    });
    await expect(
      runs.runner.answer(run, { question: id, nonce: 'guessed', value: 'no', from: 'caller' }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    expect(await runs.runner.answer(run, { question: id, nonce, value: 'yes', from: 'caller' })).toBe(
      'posted',
    );
    await owner.line('question.answered');
    appendFileSync(runs.logFile, 'go\n');
    const { result } = await owner.ended;
    expect(result).toMatchObject({ status: 'completed', envelope: { answer: 'use yes' } });
    expect(runs.log).toEqual(['go', 'use yes']);
    expect(owner.lines.map(({ type }) => type)).toEqual([
      'run.started',
      'question.asked',
      'question.answered',
      'result',
    ]);
    await expect(
      runs.runner.answer(run, { question: id, nonce, value: 'late', from: 'caller' }),
    ).rejects.toMatchObject({ code: 'QUESTION_UNKNOWN' });
  }, 60_000);

  it('is cancelled from here, and leaves no process behind', async () => {
    const owner = runs.drive({ skill: 'endless' });
    const { run } = await owner.line('run.started');
    await vi.waitFor(() => expect(endlessPids()).toHaveLength(1), patience);
    const [pid] = endlessPids() as [number];
    expect(isRunning(pid)).toBe(true);
    expect(await runs.runner.cancel(run, 'enough', 'me')).toBe('posted');
    const { result } = await owner.ended;
    expect(result).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
    expect([isRunning(pid), runs.log]).toEqual([false, ['first', `endless ${pid}`]]);
    expect(await runs.entries(run)).toContainEqual(
      expect.objectContaining({ type: 'cancel.requested', by: 'me', reason: 'enough' }),
    );
    expect((await runs.runner.replay(run)).divergences).toEqual([]);
  }, 60_000);

  it('is taken over when that process was killed', async () => {
    const { owner, run } = await busyRun();
    await expect(runs.runner.resume(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
    owner.child.kill('SIGKILL');
    await owner.ended;
    expect((await runs.store.list({ limit: 1 })).runs).toMatchObject([{ run, status: 'interrupted' }]);
    const { result } = await runs.drive({ run }).ended;
    expect([result?.status, result?.usage.commands]).toEqual(['completed', 90]);
    mustBeAllOfBusy();
    expect((await runs.runner.inspect(run)).owners).toBe(2);
    expect((await runs.runner.replay(run)).divergences).toEqual([]);
  }, 60_000);

  it('is given to one of two that resume it at once', async () => {
    const { owner, run } = await busyRun();
    owner.child.kill('SIGKILL');
    await owner.ended;
    const both = await Promise.all([runs.drive({ run }).ended, runs.drive({ run }).ended]);
    const outcomes = both.map(({ result, code }) => `${result?.status ?? code}`).sort();
    expect([
      ['RUN_OWNED', 'completed'],
      ['completed', 'completed'],
    ]).toContainEqual(outcomes);
    mustBeAllOfBusy();
  }, 60_000);

  it('is lost to that process when it was only slow: it writes and does nothing more', async () => {
    const { owner, run } = await busyRun();
    owner.child.kill('SIGSTOP');
    await expect(runs.runner.resume(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
    // What a person does who knows better.
    const folder = join(runs.folder, 'runs', run);
    for (const name of readdirSync(folder)) if (name.startsWith('owner.')) rmSync(join(folder, name));
    const { result } = await runs.drive({ run }).ended;
    expect(result?.status).toBe('completed');
    const before = await runs.entries(run);
    owner.child.kill('SIGCONT');
    const stale = await owner.ended;
    expect([stale.result, stale.code]).toEqual([null, 'OWNER_LOST']);
    expect(await runs.entries(run)).toEqual(before);
    mustBeAllOfBusy();
    expect((await runs.runner.replay(run)).divergences).toEqual([]);
  }, 60_000);
});

describe('a run that nobody owns', () => {
  it('takes an answer and a cancel from any process', async () => {
    const owner = runs.drive({ skill: 'asking' });
    const { run } = await owner.line('question.asked');
    owner.child.kill('SIGKILL');
    await owner.ended;
    // The question may not have become durable before the kill; whoever resumes asks it.
    appendFileSync(runs.logFile, 'go\n');
    const paused = await runs.drive({ run }).ended;
    expect(paused.result?.status).toBe('paused');
    const { id, nonce } = (paused.result as RunResult).questions[0] as { id: string; nonce: string };
    expect(await runs.runner.answer(run, { question: id, nonce, value: 'now', from: 'caller' })).toBe(
      'recorded',
    );
    expect((await runs.drive({ run }).ended).result).toMatchObject({
      status: 'completed',
      envelope: { answer: 'use now' },
    });

    const other = await runs.drive({ skill: 'asking' }).ended;
    expect(other.result?.status).toBe('paused');
    expect(await runs.runner.cancel(other.result?.run as string, 'not wanted', 'me')).toBe('recorded');
    expect((await runs.drive({ run: other.result?.run as string }).ended).result?.status).toBe('cancelled');
    expect(runs.log).toEqual(['go', 'use now']);
  }, 60_000);
});
