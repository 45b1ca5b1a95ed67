import { describe, expect, it } from 'vitest';
import { planHost } from '../../../test/support/plan-host.ts';
import { skillWith } from '../../../test/support/plan-texts.ts';
import { createMemoryNotes } from '../../graph/write/create-note-host.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { StoredValues } from '../run-facts.ts';
import { undoRun } from './undo.ts';

const inner = skillWith(`inputs: {title: {type: string, required: true}}
output: assets/template.md
node_type: log
x_techne_note: {path: "{{ inputs.title }}.md"}
steps:
  - {id: said, tool: chat, params: {prompt: think}}
`);
const outer = skillWith(`chain:
  - {skill: inner, id: one, inputs: {title: A}}
  - {skill: inner, id: two, inputs: {title: B}}
`);
const template = {
  'assets/template.md': `# {{ inputs.title }}\n\n## Log\n\n- {{ said }}\n${'- padding\n'.repeat(900)}`,
};

describe('undoRun', () => {
  it('takes back what nested runs wrote, also what is too large for an entry, and refuses what was changed', async () => {
    const old = '---\ntype: log\n---\n# B\n\n## Log\n\n- before\n';
    const texts = new Map([['B.md', old]]);
    const notes = createMemoryNotes(texts, nodeParseFull);
    const host = planHost({ inner: { text: inner, files: template }, outer }, { notes });
    host.answerer.onAsk = () => 'words';
    const { run, status, error } = await host.start('outer', {});
    expect([status, error]).toEqual(['completed', null]);
    expect([...texts.keys()].sort()).toEqual(['A.md', 'B.md']);
    const parts = { store: host.store, values: new StoredValues(host.blobs), notes };
    const made = texts.get('A.md') as string;
    texts.set('A.md', `${made}mine\n`);
    expect(await undoRun(run as string, parts)).toEqual([
      { path: 'B.md', outcome: 'restored', reason: null },
      { path: 'A.md', outcome: 'refused', reason: 'it was changed since the run wrote it' },
    ]);
    expect(texts.get('B.md')).toBe(old);
    texts.set('A.md', made);
    expect(await undoRun(run as string, parts)).toEqual([
      { path: 'B.md', outcome: 'gone', reason: null },
      { path: 'A.md', outcome: 'removed', reason: null },
    ]);
    expect([...texts.keys()]).toEqual(['B.md']);
    expect(await undoRun(run as string, parts)).toEqual([
      { path: 'B.md', outcome: 'gone', reason: null },
      { path: 'A.md', outcome: 'gone', reason: null },
    ]);
  });

  it('does not touch the notes of a run that has not ended', async () => {
    const notes = createMemoryNotes(new Map(), nodeParseFull);
    const host = planHost({ inner: { text: inner, files: template } }, { notes });
    const paused = await host.start('inner', {});
    expect(paused.status).toBe('paused');
    await expect(
      undoRun(paused.run as string, { store: host.store, values: new StoredValues(host.blobs), notes }),
    ).rejects.toMatchObject({ code: 'USAGE' });
  });
});
