// Whole runs that are crashed: a fixed sample; every point is in scripts/crash-runs.mjs.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rmSync } from 'node:fs';
import { effectEnded, effectStarted } from '../src/journal/sample-entries.ts';
import { actsIn, allActs, mustBeComplete, mustBeKnown, mustNotRepeat } from './crash/runs/crash-program.ts';
import { runInTurns } from './crash/runs/run-in-turns.ts';
import { cleanRun, crashSimulated, cutSimulated, flipSimulated, usedFolder } from './crash/runs/simulate.ts';
import type { KillHow } from './crash/runs/kill-switch.ts';
import { cleanRealRun, crashReal, RealRuns } from './crash/runs/real-runs.ts';
import type { ChildProgram } from './support/child-program.ts';
import { childProgram } from './support/child-program.ts';

const hows: readonly KillHow[] = ['before', 'after', 'torn'];
let program: ChildProgram;
const opened: RealRuns[] = [];

beforeAll(async () => {
  program = await childProgram('drive-run');
});
afterAll(() => {
  program.close();
  const folder = usedFolder();
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const runs of opened.splice(0)) await runs.close();
});

function openRuns(): RealRuns {
  const runs = new RealRuns(program);
  opened.push(runs);
  return runs;
}

describe('a run of 24 effects and 15 parts', () => {
  it('finishes with the same result after kill -9 at a sample of its writes, in real processes', async () => {
    const clean = await cleanRealRun(program);
    expect(clean.calls).toBeGreaterThan(80);
    const points = Array.from({ length: 12 }, (_, n) => ({
      at: 1 + Math.floor((n * clean.calls) / 12),
      how: hows[n % 3] as KillHow,
    }));
    const failures: string[] = [];
    let killed = 0;
    await runInTurns(2, points, async ({ at, how }) => {
      try {
        if (await crashReal(program, at, how, clean.text)) killed += 1;
      } catch (error) {
        failures.push((error as Error).message);
      }
    });
    expect(failures).toEqual([]);
    expect(killed).toBeGreaterThan(9);
  }, 120_000);

  it('finishes with the same result on a disk that drops, reorders and tears what was not synced', async () => {
    const clean = await cleanRun(0, true);
    const failures: string[] = [];
    let stops = 0;
    for (let stopAt = 1; stopAt <= clean.calls; stopAt += 3) {
      try {
        stops += await crashSimulated({ seed: 7_000 + stopAt, stopAt }, clean);
      } catch (error) {
        failures.push(`stopped at ${stopAt}: ${(error as Error).message}`);
      }
    }
    expect(failures).toEqual([]);
    expect(stops).toBeGreaterThan(40);
  }, 120_000);

  it('does what had not ended, once, when its journal is cut at a sample of bytes', async () => {
    const clean = await cleanRun(2_200, false);
    // So the last 64 KB are a part of it, and there is something before them.
    expect(clean.bytes.length).toBeGreaterThan(65_536);
    const failures: (string | null)[] = [];
    for (let n = 0; n < 80; n += 1)
      failures.push(await cutSimulated(clean.bytes.length - Math.floor((n * 65_536) / 80) - (n % 7), clean));
    for (const length of [0, 1, 100, clean.bytes.indexOf(0x0a), clean.bytes.length - 1, clean.bytes.length])
      failures.push(await cutSimulated(length, clean));
    expect(failures.filter((failure) => failure !== null)).toEqual([]);
  }, 60_000);

  it('is refused before anything is done, or goes on unharmed, when a byte of its journal was changed', async () => {
    const clean = await cleanRun(0, false);
    const lengths = [clean.bytes.length, Math.floor(clean.bytes.length / 2)];
    const points = lengths.flatMap((length) =>
      Array.from({ length: 120 }, (_, n) => ({ length, at: Math.floor((n * length) / 120) })),
    );
    const failures: string[] = [];
    let detected = 0;
    await runInTurns(8, points, async ({ length, at }) => {
      for (const byte of [(clean.bytes[at] as number) ^ 1, 0]) {
        const found = await flipSimulated(length, at, byte, clean);
        if (found.failure !== null) failures.push(found.failure);
        if (found.detected) detected += 1;
      }
    });
    expect(failures).toEqual([]);
    expect(detected).toBeGreaterThan(450);
  }, 60_000);
});

describe('the harness', () => {
  it('tells when a journal is not synced', async () => {
    const clean = await cleanRun(0, true);
    const failures: string[] = [];
    for (let stopAt = 20; stopAt < 80; stopAt += 4) {
      await crashSimulated({ seed: stopAt, stopAt, durable: false }, clean).catch((error: Error) =>
        failures.push(error.message),
      );
    }
    expect(
      failures.filter((message) => message.startsWith('done before its start was durable')).length,
    ).toBeGreaterThan(0);
  });

  it('tells what was done too early, again, never, or by nobody’s wish', () => {
    const entries = [effectStarted('1'), effectEnded('1'), effectStarted('2')].map((entry, index) =>
      'request' in entry ? { ...entry, request: { value: { argv: ['step', String(index)] } } } : entry,
    );
    expect([actsIn(entries, 'effect.started'), actsIn(entries, 'effect.ended')]).toEqual([
      ['step 0', 'step 2'],
      ['step 0'],
    ]);
    expect(() => mustBeKnown(entries, ['step 0', 'step 1'])).toThrow(
      'done before its start was durable: step 1',
    );
    expect(() => mustNotRepeat(new Map([['step 0', 1]]), ['step 0', 'step 0'])).toThrow(
      'done again after its end was durable: step 0',
    );
    expect(() => mustBeComplete(allActs.slice(1), 1)).toThrow('never done: step 0');
    expect(() => mustBeComplete([...allActs, 'step 9'], 1)).toThrow('nobody asked for: step 9');
    expect(() => mustBeComplete([...allActs, 'step 0'], 1)).toThrow(
      'done more than 1 times in 1 lives: step 0',
    );
  });
});

describe('a command that may not be repeated and lost its process', () => {
  /** The command is done; its start is durable, and its process is killed before anything can be said about its end. */
  async function lost(skill: string): Promise<{ readonly runs: RealRuns; readonly run: string }> {
    const runs = openRuns();
    expect((await runs.drive({ skill, killAfterAct: 'pay' }).ended).signal).toBe('SIGKILL');
    return { runs, run: (await runs.run()) as string };
  }

  it.each([
    ['done', { as: 'done', value: 'receipt 7' }, 'completed', 'receipt 7', 1],
    ['retry', { as: 'retry', value: null }, 'completed', 'pay', 2],
    ['fail', { as: 'fail', value: 'the bank said no' }, 'failed', null, 1],
  ] as const)(
    'waits for a person, who decides: %s',
    async (_name, { as, value }, status, answer, paid) => {
      const { runs, run } = await lost('once');
      const second = await runs.drive({ run }).ended;
      expect(second.result).toMatchObject({
        status: 'needs_decision',
        undecided: [{ key: '2', kind: 'command', request: { argv: ['pay'] } }],
      });
      // Asking again changes nothing, and nothing is done meanwhile.
      expect((await runs.drive({ run }).ended).result?.status).toBe('needs_decision');
      expect(runs.log).toEqual(['before', 'pay']);
      await expect(runs.runner.decide(run, { key: '1', as, value, by: 'me' })).rejects.toMatchObject({
        code: 'DECISION_UNKNOWN',
      });
      expect(await runs.runner.decide(run, { key: '2', as, value, by: 'me' })).toBe('recorded');
      const third = await runs.drive({ run }).ended;
      expect([third.result?.status, third.result?.envelope?.['answer'] ?? null]).toEqual([status, answer]);
      expect(runs.log.filter((name) => name === 'pay')).toHaveLength(paid);
      expect(runs.log.filter((name) => name.startsWith('after'))).toEqual(
        status === 'failed' ? [] : [`after ${answer}`],
      );
      expect(third.result?.text.includes('the bank said no')).toBe(status === 'failed');
      const replayed = await runs.runner.replay(run);
      expect([replayed.divergences, replayed.text]).toEqual([[], third.result?.text]);
    },
    60_000,
  );

  it('is surfaced also when it was a tool of a nested agent', async () => {
    const { runs, run } = await lost('nested');
    const { result } = await runs.drive({ run }).ended;
    expect(result).toMatchObject({ status: 'needs_decision', undecided: [{ key: '1/1', kind: 'tool' }] });
    expect(await runs.runner.decide(run, { key: '1/1', as: 'done', value: 'receipt 8', by: 'me' })).toBe(
      'recorded',
    );
    const third = await runs.drive({ run }).ended;
    expect(third.result).toMatchObject({ status: 'completed', envelope: { answer: '"receipt 8"' } });
    expect(runs.log).toEqual(['pay', 'after "receipt 8"']);
  }, 60_000);
});
