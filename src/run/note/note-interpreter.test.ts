import { describe, expect, it } from 'vitest';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';
import { composition, skillWith } from '../../../test/support/plan-texts.ts';
import { createMemoryNotes } from '../../graph/write/create-note-host.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { NoteHost } from '../../ports/note-host.ts';

const workflow = (
  more = '',
  note = 'x_techne_note: {path: "{{ inputs.title }}.md", properties: [when]}',
): string =>
  skillWith(`inputs:
  title: {type: string, required: true}
  when: {type: string}
  up: {type: [array, string]}
output: assets/template.md
node_type: concept
suggested_edges: [up]
${note}
${more}
steps:
  - {id: said, tool: chat, params: {prompt: think}}
`);
const files = { 'assets/template.md': '# {{ inputs.title }}\n\n{{ said }}\n' };

function open(
  text: string,
  {
    texts = new Map<string, string>(),
    host = {},
  }: { texts?: Map<string, string>; host?: Partial<NoteHost> } = {},
): PlanHost {
  const plans = planHost(
    { note: { text, files } },
    { notes: { ...createMemoryNotes(texts, nodeParseFull), ...host } },
  );
  plans.answerer.onAsk = () => 'words';
  return plans;
}

describe('a skill that makes a note', () => {
  it('writes it as its last effect, typed and linked, and names it in the result', async () => {
    const texts = new Map([['Up.md', '# Up\n']]);
    const host = open(workflow(), { texts });
    const result = await host.start('note', { title: 'A', when: '2026-11-18', up: '[[Up]], [[Down]]' });
    expect([result.status, resultOf(result)['note']]).toEqual([
      'completed',
      {
        path: 'A.md',
        action: 'created',
        left_out: [{ edge: 'up', target: 'Down', reason: 'there is no such note' }],
      },
    ]);
    expect(texts.get('A.md')).toBe(
      '---\ntype: concept\nwhen: 2026-11-18\nup: ["[[Up]]"]\n---\n\n# A\n\nwords\n',
    );
    const { effects } = await host.runner.inspect(result.run as string);
    expect(effects.map(({ key, kind }) => [key, kind])).toEqual([
      ['said', 'chat'],
      ['$note', 'write'],
    ]);
  });

  it('proposes links to notes that the text names, with the edges that the note lacks', async () => {
    const texts = new Map([
      ['Words.md', '# Words\n'],
      ['Up.md', ''],
    ]);
    const host = open(workflow(), { texts });
    const named = resultOf(await host.start('note', { title: 'A' }))['note'];
    expect(named).toEqual({
      path: 'A.md',
      action: 'created',
      proposed: [{ target: 'Words', edges: ['up'], because: 'its name "Words" is in the text' }],
    });
    // It proposes nothing where the note has the edge.
    const linked = resultOf(await host.start('note', { title: 'B', up: 'Up' }))['note'];
    expect(linked).toEqual({ path: 'B.md', action: 'created' });
  });

  it('takes what an input holds as a name, never as a folder', async () => {
    const texts = new Map<string, string>();
    await open(workflow(), { texts }).start('note', { title: '../.ssh/AC/DC: [[why]]?' });
    expect([...texts.keys()]).toEqual(['ssh-AC-DC - why.md']);
  });

  it.each([
    ['', ['partial', 'NOTE_PATH'], 'x_techne_note: {path: "{{ inputs.title }}/../x.md"}'],
    ['', ['partial', 'NOTE_PATH'], 'x_techne_note: {path: "/tmp/{{ inputs.title }}.md"}'],
    ['', ['partial', 'NOTE_PATH'], 'x_techne_note: {path: ".obsidian/{{ inputs.title }}.md"}'],
    ['', ['partial', 'NOTE_INVALID'], 'x_techne_note: {path: "{{ inputs.title.x.y }}.md"}'],
    ['', ['failed', 'PLAN_INVALID'], 'x_techne_note: {path: "{{ said }}.md"}'],
    ['', ['failed', 'PLAN_INVALID'], 'x_techne_note: {path: "{{ inputs.titel }}.md"}'],
    ['allowed-tools: Read', ['failed', 'PLAN_INVALID'], undefined],
    ['allowed-tools: Write(out/**)', ['partial', 'NOTE_DENIED'], undefined],
    ['disallowed-tools: Write', ['failed', 'PLAN_INVALID'], undefined],
  ])('refuses %j with %j', async (more, code, note) => {
    const texts = new Map<string, string>();
    const result = await open(workflow(more, note), { texts }).start('note', { title: 'A' });
    expect([result.status, result.error?.code]).toEqual(code);
    expect([...texts]).toEqual([]);
  });

  it('is held to declared capabilities, to the policy and to what the host can do', async () => {
    const capped = await open(workflow('metadata: {techne.capabilities: network-read}')).start('note', {
      title: 'A',
    });
    expect([capped.status, capped.error?.code]).toEqual(['partial', 'CAPABILITY_DENIED']);
    const denied = await open(workflow(), { host: { judge: async ({ skill }) => `${skill} may not` } }).start(
      'note',
      {
        title: 'A',
      },
    );
    expect(denied.error).toMatchObject({
      code: 'NOTE_DENIED',
      message: 'the note is not written: note may not',
    });
    const none = planHost({ note: { text: workflow(), files } });
    none.answerer.onAsk = () => 'words';
    expect((await none.start('note', { title: 'A' })).error?.code).toBe('EFFECT_UNSUPPORTED');
  });

  it('makes none of a result that is only a part, or empty', async () => {
    const texts = new Map<string, string>();
    const empty = planHost(
      { note: { text: workflow(), files: { 'assets/template.md': '  \n' } } },
      { notes: createMemoryNotes(texts, nodeParseFull) },
    );
    empty.answerer.onAsk = () => 'words';
    expect((await empty.start('note', { title: 'A' })).error?.code).toBe('NOTE_INVALID');
    const host = open(workflow(), { texts });
    host.answerer.onAsk = () => {
      throw new Error('busy');
    };
    expect((await host.start('note', { title: 'A' })).status).toBe('failed');
    expect([...texts]).toEqual([]);
  });

  it('may be a composition', async () => {
    const texts = new Map<string, string>();
    const host = planHost(
      {
        brief: composition(
          '- {id: a, kind: llm_chat, with: {task: x}}\n',
          'final_text_mode: raw\nnode_type: brief\nx_techne_note: {path: "{{ inputs.user_message }}.md"}\n',
        ),
      },
      { notes: createMemoryNotes(texts, nodeParseFull) },
    );
    host.answerer.onAsk = () => '## Outcome\n\nfine';
    await host.start('brief', { user_message: 'Tides' });
    expect([...texts]).toEqual([['Tides.md', '---\ntype: brief\n---\n\n## Outcome\n\nfine\n']]);
  });
});
