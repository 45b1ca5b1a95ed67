import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../journal/entry.ts';
import { createMemoryRunStore } from '../../journal/memory-run-store.ts';
import { effectEnded, effectStarted, ended, started } from '../../journal/sample-entries.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import type { RunStore, RunSummary } from '../../ports/run-store.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { pauseMs, sequencesOfRuns, workOfRun } from './work-of-runs.ts';
import type { WorkOfRun } from './work-of-runs.ts';

const run = '01KAAAAAAAAAAAAAAAAAAAAAA1';
const blobs = createMemoryBlobs(nodeSha256);

async function stored(entries: readonly JournalEntry[]): Promise<{ store: RunStore; summary: RunSummary }> {
  const store = createMemoryRunStore();
  await store.create(run, [started(run), ...entries]);
  const { runs } = await store.list({ limit: 1 });
  return { store, summary: runs[0] as RunSummary };
}
const made = (key: string, kind: string, request: object, result: object = { ok: true }): JournalEntry[] => [
  { ...effectStarted(key), kind, request: { value: request as never } },
  { ...effectEnded(key), result: { value: result as never } },
];

describe('workOfRun', () => {
  it('takes what agents inside the run did well, and not what its program does', async () => {
    const { store, summary } = await stored([
      ...made('1', 'command', { argv: ['make'] }),
      { ...effectStarted('2'), kind: 'ask', request: { value: { prompt: 'x' } } },
      ...made('2/1', 'command', { argv: ['git', 'log'] }),
      ...made('2/2', 'command', { argv: ['git', 'nope'] }, { ok: false, exit_code: 1 }),
      ...made('2/3', 'tool', { tool: 'add_note', args: { title: 'a' } }),
      ...made('2/7', 'tool', { tool: 'write_file', step: 'look', arguments: { path: 'a' } }),
      ...made('2/8', 'tool', { tool: 'write_file', arguments: { path: 'a' } }),
      ...made('2/9', 'tool', { tool: 'skill_load', arguments: { name: 'report' } }),
      ...made('2/4', 'skill', { skill: 'report', input: { day: 1 }, run: 'x' }),
      ...made('2/5', 'chat', { turn: 1 }),
      { ...effectStarted('2/6'), kind: 'tool', request: { value: { tool: 'cut_off', args: {} } } },
      effectEnded('2'),
      ended(),
    ]);
    const work = await workOfRun(summary, store, blobs);
    expect(work).toMatchObject({
      inside: {
        kind: 'run',
        id: run,
        calls: [
          { kind: 'command', args: { argv: ['git', 'log'] } },
          { kind: 'tool', name: 'add_note', args: { title: 'a' } },
          { kind: 'tool', name: 'write_file', args: { path: 'a' } },
          { kind: 'skill', name: 'report', args: { day: 1 } },
        ],
      },
      itself: { kind: 'skill', name: 'tides', args: {} },
    });
    expect((work as WorkOfRun).inside.calls.length).toBe(4);
  });

  it('gives the reason for a run that cannot be read', async () => {
    const { store, summary } = await stored([
      { ...effectStarted('1/1'), request: { blob: `sha256:${'a'.repeat(64)}`, bytes: 3 } },
      effectEnded('1/1'),
    ]);
    expect([
      await workOfRun(summary, store, blobs),
      await workOfRun({ ...summary, run: '01KAAAAAAAAAAAAAAAAAAAAAA9' }, store, blobs),
    ]).toEqual([expect.stringContaining('blob'), expect.stringContaining('01KAAAAAAAAAAAAAAAAAAAAAA9')]);
  });
});

describe('sequencesOfRuns', () => {
  const work = (skill: string, startedAt: number, workspace = '/a'): WorkOfRun => ({
    summary: {
      run: `${skill}-${startedAt}`,
      skill,
      startedAt,
      status: 'completed',
      endedAt: startedAt + 10,
      parent: null,
      workspace,
    },
    inside: { kind: 'run', id: '', calls: [], asked: [], under: [] },
    itself: { kind: 'skill', name: skill, args: {} },
  });
  it('puts runs of one workspace in order, and ends a piece of work where nothing was run for long', () => {
    const runs = [
      work('c', 200),
      work('x', 150, '/b'),
      work('a', 100),
      work('late', 200 + pauseMs + 11),
      { ...work('nested', 120), itself: null },
    ];
    const expected = [
      ['a-100', 'a c'],
      [`late-${200 + pauseMs + 11}`, 'late'],
      ['x-150', 'x'],
    ];
    const shown = (given: readonly WorkOfRun[]): unknown =>
      sequencesOfRuns(given).map(({ id, calls }) => [id, calls.map(({ name }) => name).join(' ')]);
    expect([shown(runs), shown([...runs].reverse())]).toEqual([expected, expected]);
  });
});
