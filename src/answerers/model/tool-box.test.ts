import { describe, expect, it } from 'vitest';
import { fakeAskContext } from '../../../test/support/fake-ask-context.ts';
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
