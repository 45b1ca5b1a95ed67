import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../node/yaml.ts';
import { callTool } from '../ports/tool.ts';
import { createMemoryFiles } from '../ports/memory-files.ts';
import { createGraphTools } from './graph-tools.ts';
import { NoteGraph } from './graph.ts';
import { tasksOf } from './query-tasks.ts';
import { readNote } from './read-note.ts';
import { Vault } from './vault.ts';

function graphOf(texts: { readonly [path: string]: string }): NoteGraph {
  const graph = new NoteGraph();
  graph.change({
    notes: Object.entries(texts).map(([path, text]) => [
      path,
      readNote(path, text, { parseFull: nodeParseFull, edges: new Set() }),
    ]),
  });
  return graph;
}

const graph = graphOf({
  'Tasks.md':
    '- [x] in ✅ 2026-11-16\n- [x] before ✅ 2026-11-15\n- [X] field [completion:: 2026-11-22] [priority:: high]\n- [x] undated\n- [-] dropped\n- [ ] later\n- [ ] due ⏫ 📅 2026-11-30\n- [/] begun [due:: 2026-11-20]\n```\n- [ ] code\n```\n',
  'Daily/2026-11-18.md': '- [x] of the day\n',
  'Meeting.md': '---\ndate: 2026-11-19T10:00:00\n---\n',
  '2026-11-23.md': '- [x] after\n',
});

describe('tasksOf', () => {
  const span = tasksOf(graph, '2026-11-22', 7);

  it('finds what was done in a span of days, by its mark or by the day of its note', () => {
    expect([span.from, span.to]).toEqual(['2026-11-16', '2026-11-22']);
    expect(span.completed.map(({ task, done, note }) => [task, done, note])).toEqual([
      ['in', '2026-11-16', 'Tasks'],
      ['field', '2026-11-22', 'Tasks'],
      ['of the day', null, '2026-11-18'],
    ]);
  });

  it('finds what is open, what is due first, without what was dropped or stands in code', () => {
    expect(span.open.map(({ task, due, line }) => [task, due, line])).toEqual([
      ['begun', '2026-11-20', 8],
      ['due', '2026-11-30', 7],
      ['later', null, 6],
    ]);
  });

  it('finds the notes of these days', () => {
    expect(span.notes.map(({ path }) => path)).toEqual(['Daily/2026-11-18.md', 'Meeting.md']);
  });

  it('counts over the end of a month and of a year', () => {
    expect(tasksOf(graph, '2027-01-02', 7).from).toBe('2026-12-27');
  });
});

describe('graph_tasks', () => {
  const files = createMemoryFiles({
    '/v/Tasks.md': `- [x] Call ✅ 2026-11-17\n- [ ] Pay 📅 2026-11-20\n${'- [ ] more\n'.repeat(60)}`,
  });
  const tool = createGraphTools(
    async () => new Vault({ files, folder: '/v', parseFull: nodeParseFull }),
  ).find(({ name }) => name === 'graph_tasks');

  it('gives a bounded list and how many there are', async () => {
    const { ok, value, text } = await callTool(tool as NonNullable<typeof tool>, { to: '2026-11-22' });
    expect([ok, text.includes('- Pay [[Tasks]], due 2026-11-20\n'), text.includes('… and 21 more')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(value).toMatchObject({
      from: '2026-11-16',
      completed: [{ task: 'Call', note: 'Tasks', done: '2026-11-17' }],
      totals: { completed: 1, open: 61, notes: 0 },
    });
    expect((value as { readonly open: readonly unknown[] }).open[0]).toEqual({
      task: 'Pay',
      note: 'Tasks',
      due: '2026-11-20',
      overdue: true,
    });
  });

  it('refuses what is not a day', async () => {
    expect((await callTool(tool as NonNullable<typeof tool>, { to: 'today' })).ok).toBe(false);
    expect((await callTool(tool as NonNullable<typeof tool>, { to: '2026-13-01' })).ok).toBe(false);
  });
});
