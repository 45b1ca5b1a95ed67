import { afterEach, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService, programSkill } from '../../test/support/mcp-service.ts';

const twice = '    return command(["date"])["stdout"] + command(["date"])["stdout"]\n';
const form = `---
name: trip
description: Books a trip.
kind: meta
composition:
  steps:
    - {id: details, kind: user_input, clarify: {fields: [{name: city, type: string, required: true}]}}
    - {id: say, kind: tool_call, tool: lookup, tool_args: {}, depends_on: [details]}
---

Book it.
`;
const script = `
commands:
  - {argv: [date], stdout: Monday}
  - {argv: [date], stdout: Tuesday}
tools:
  - {tool: lookup, result: sunny}
inputs:
  - {step: details, values: {city: Oslo}}
`;
let opened: TestService;

afterEach(() => opened.close());

it('gives every run of a server the whole script', async () => {
  opened = await openTestService(
    {
      ...programSkill('twice', twice),
      'work/.techne/skills/trip/SKILL.md': form,
      'work/world.yaml': script,
    },
    { answerer: 'script:world.yaml' },
  );
  const { text } = await opened.connect();
  const results = [];
  for (const name of ['twice', 'trip', 'twice', 'trip'])
    results.push(await text('run_metaskill', { name, input: {} }));
  expect(results.map((result) => /MondayTuesday|sunny/.exec(result)?.[0] ?? result)).toEqual([
    'MondayTuesday',
    'sunny',
    'MondayTuesday',
    'sunny',
  ]);
});
