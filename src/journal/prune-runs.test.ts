import { describe, expect, it } from 'vitest';
import { createMemoryRunStore } from './memory-run-store.ts';
import { choosePrunable, pruneRuns } from './prune-runs.ts';
import type { RunSummary } from '../ports/run-store.ts';
import { ended, started } from './sample-entries.ts';

const summary = (
  run: string,
  status: RunSummary['status'],
  startedAt: number,
  endedAt: number | null = null,
  parent: string | null = null,
): RunSummary => ({ run, skill: 's', startedAt, status, endedAt, parent, workspace: '/work' });
const runs = [
  summary('9', 'running', 90),
  summary('8', 'completed', 80, 85),
  summary('7', 'failed', 70, 75),
  summary('6', 'paused', 60),
  summary('5', 'completed', 50, 95),
  summary('4', 'cancelled', 40, 45),
  summary('3', 'corrupt', 30),
  summary('2', 'interrupted', 20),
];
const chosen = (options: Parameters<typeof choosePrunable>[1], nowMs = 100): string =>
  choosePrunable(runs, options, nowMs)
    .map(({ run }) => run)
    .join('');

describe('choosePrunable', () => {
  it('takes runs that ended long enough ago', () => {
    expect(chosen({ olderThanMs: 0 })).toBe('8754');
    expect(chosen({ olderThanMs: 15 })).toBe('874');
    expect(chosen({ olderThanMs: 16 })).toBe('74');
    expect(chosen({ olderThanMs: 1000 })).toBe('');
  });

  it('keeps the newest', () => {
    expect(chosen({ olderThanMs: 0, keep: 2 })).toBe('54');
    expect(chosen({ olderThanMs: 10, keep: 1 })).toBe('74');
  });

  it('takes other statuses when asked, but never a run that runs', () => {
    expect(chosen({ olderThanMs: 0, statuses: ['corrupt', 'interrupted', 'paused', 'running'] })).toBe('632');
    expect(chosen({ olderThanMs: 60, statuses: ['interrupted', 'completed'] })).toBe('2');
  });
});

describe('choosePrunable, of runs inside others', () => {
  const of = (
    outer: RunSummary['status'],
    options: Parameters<typeof choosePrunable>[1] = { olderThanMs: 0 },
  ): string =>
    choosePrunable(
      [
        summary('3', 'completed', 3, 4, '2'),
        summary('2', 'completed', 2, 5, '1'),
        summary('1', outer, 1, outer === 'completed' ? 6 : null),
      ],
      options,
      100,
    )
      .map(({ run }) => run)
      .join('');

  it('keeps what an unfinished run would repeat', () => {
    expect(of('completed')).toBe('321');
    for (const status of ['paused', 'needs_decision', 'interrupted', 'running'] as const)
      expect([status, of(status)]).toEqual([status, '']);
    expect(of('corrupt')).toBe('32');
    expect(of('paused', { olderThanMs: 0, statuses: ['paused', 'completed'] })).toBe('321');
    // The outer one is gone.
    expect(choosePrunable([summary('3', 'completed', 3, 4, 'gone')], { olderThanMs: 0 }, 100).length).toBe(1);
  });
});

describe('pruneRuns', () => {
  it('keeps nested runs of a run that a process drives again', async () => {
    const store = createMemoryRunStore();
    await store.create('A', [started('A'), { type: 'run.paused', at: 2, reason: 'question', usedMs: 1 }]);
    await store.release(
      await store.create('B', [{ ...started('B'), parent: { run: 'A', key: '1' } }, ended()]),
    );
    const { removed, inUse } = await pruneRuns(
      store,
      { olderThanMs: 0, statuses: ['paused', 'completed'] },
      100,
    );
    expect([removed, inUse.map(({ run }) => run)]).toEqual([[], ['A', 'B']]);
  });

  it('removes what was chosen, and says what was in use', async () => {
    const store = createMemoryRunStore();
    const names = Array.from({ length: 120 }, (_, n) => `R${String(n).padStart(3, '0')}`);
    for (const [n, run] of names.entries()) {
      const claim = await store.create(run, [started(run)]);
      if (n % 2 === 0) await store.append(claim, 1, [ended()]);
      if (n !== 4) await store.release(claim);
    }
    const first = await pruneRuns(store, { olderThanMs: 10, keep: 10 }, 100);
    expect([first.removed.length, first.inUse.map(({ run }) => run)]).toEqual([49, ['R004']]);
    const second = await pruneRuns(store, { olderThanMs: 10, statuses: ['interrupted'] }, 100);
    expect(second.removed.length).toBe(60);
    expect((await store.list({ limit: 100 })).runs.length).toBe(11);
  });
});
