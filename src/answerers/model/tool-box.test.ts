import { describe, expect, it } from 'vitest';
import { fakeAskContext } from '../../../test/support/fake-ask-context.ts';
import type { HostTool } from '../../ports/tool-host.ts';
import type { Tool } from '../../ports/tool.ts';
import { parseFence } from '../../skill/tools/tool-fence.ts';
import { ToolBox } from './tool-box.ts';

describe('run_metaskill at the box of a model', () => {
  it('runs nothing for an argument that it does not have', async () => {
    const context = fakeAskContext({});
    const box = new ToolBox({
      tools: [],
      skills: [{ name: 'tides', description: '', inputs: null }],
      fence: null,
      context,
    });
    expect(
      await box.call({
        type: 'call',
        id: '1',
        tool: 'run_metaskill',
        input: '{"name": "tides", "input": {}, "max_ask_calls": 1}',
      }),
    ).toEqual({
      id: '1',
      tool: 'run_metaskill',
      ok: false,
      text: 'error: run_metaskill has no argument "max_ask_calls"; it has name, input',
    });
    expect(context.parts).toEqual([]);
  });
});

describe('meta_invoke at the box of a model', () => {
  it('is another name of run_metaskill, which is not listed', async () => {
    const box = new ToolBox({
      tools: [],
      skills: [{ name: 'tides', description: '', inputs: null }],
      fence: null,
      context: fakeAskContext({ onSkill: (name, input) => `${name} with ${JSON.stringify(input)}` }),
    });
    expect(box.definitions.map(({ name }) => name)).not.toContain('meta_invoke');
    expect(
      await box.call({ type: 'call', id: '1', tool: 'meta_invoke', input: '{"name": "tides"}' }),
    ).toMatchObject({ ok: true, text: 'tides with null' });
  });
});

describe('what the skill refuses', () => {
  it('is not offered, also where the ask itself names it', () => {
    const refused = new Set(['write_file', 'command', 'notes__add.note', 'run_metaskill']);
    const context = {
      ...fakeAskContext(),
      refusal: ({ tool }: { tool: string }) => (refused.has(tool) ? 'no' : null),
    };
    const tool = (name: string): Tool => ({
      name,
      description: name,
      parameters: { type: 'object' },
      readOnly: false,
      call: async () => ({ ok: true, text: '' }),
    });
    const box = new ToolBox({
      tools: [tool('read_file'), tool('write_file')],
      hostTools: [fact],
      skills: [{ name: 'tides', description: '', inputs: null }],
      fence: parseFence(['*']),
      context,
    });
    expect(box.definitions.map(({ name }) => name)).toEqual(['read_file']);
  });
});

const fact: HostTool = {
  name: 'notes__add.note',
  description: 'Adds a note.',
  parameters: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] },
  readOnly: false,
  repeatable: false,
  from: 'notes',
};

describe('tools of MCP servers at the box of a model', () => {
  it('are offered under a name that models take, checked, and called through the engine', async () => {
    const context = fakeAskContext({
      onTool: (tool, args) => ({ ok: true, text: `${tool} ${JSON.stringify(args)}` }),
    });
    const box = new ToolBox({ tools: [], hostTools: [fact], skills: [], fence: new Map(), context });
    expect(box.definitions.map(({ name, description }) => [name, description])).toEqual([
      ['notes__add_note', 'Adds a note.'],
    ]);
    expect(
      await box.call({ type: 'call', id: '1', tool: 'notes__add_note', input: '{"note": 1}' }),
    ).toMatchObject({ ok: false, text: expect.stringContaining('must be a string') as string });
    expect(
      await box.call({ type: 'call', id: '2', tool: 'notes__add_note', input: '{"note": "x"}' }),
    ).toMatchObject({ ok: true, text: 'notes__add.note {"note":"x"}' });
    expect(context.parts).toMatchObject([
      { kind: 'tool', request: { tool: 'notes__add.note', args: { note: 'x' } } },
    ]);
  });
});
