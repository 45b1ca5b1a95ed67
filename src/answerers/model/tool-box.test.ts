import { describe, expect, it } from 'vitest';
import { fakeAskContext } from '../../../test/support/fake-ask-context.ts';
import type { HostTool } from '../../ports/tool-host.ts';
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
