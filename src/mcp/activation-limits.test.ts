import { afterEach, describe, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService } from '../../test/support/mcp-service.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const files = Object.fromEntries(
  names.map((name) => [
    `work/.techne/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo ${name}.\n`,
  ]),
);
let opened: TestService;
afterEach(() => opened.close());

describe('how many skills a model may load over MCP', () => {
  it.each([
    ['one conversation', true, {}, 3],
    ['many conversations', false, {}, 5],
    ['many conversations, where a limit is configured', false, { prompt: { activations: 2 } }, 2],
    ['one conversation, with limits off', true, { mcp: { activationLimits: 'never' } }, 5],
    ['many conversations, with limits on', false, { mcp: { activationLimits: 'always' } }, 3],
  ])('%s', async (_case, oneConversation, config, count) => {
    opened = await openTestService(files, { config, oneConversation });
    const { call } = await opened.connect();
    const results = [];
    for (const name of names) results.push(await call('skill_load', { name }));
    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(count);
    const refused = results
      .filter(({ isError }) => isError === true)
      .map(({ content }) => JSON.stringify(content));
    expect(refused.filter((text) => !/`prompt\.activations`.*`mcp\.activationLimits`/.test(text))).toEqual(
      [],
    );
  });
});
