import { describe, expect, it } from 'vitest';
import { fakeAskContext } from '../../../test/support/fake-ask-context.ts';
import type { ToolFact } from '../../ports/tool-host.ts';
import { ToolBox } from './tool-box.ts';

const fact: ToolFact = {
  name: 'notes__add.note',
  description: 'Adds a note.',
  schema: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] },
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
