import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService } from '../../test/support/mcp-service.ts';

let opened: TestService;
beforeAll(async () => {
  opened = await openTestService({
    'work/.techne/skills/notes/SKILL.md':
      '---\nname: notes\ndescription: Takes notes.\n---\n\nWrite "it" down.\n',
    'work/.techne/skills/notes/references/more.md': 'More of it.\n',
  });
});
afterAll(() => opened.close());

it.each([
  ['skill_search', { query: 'notes' }, 'Takes notes.', { query: 'notes', result_names: ['notes'] }],
  ['skill_load', { name: 'notes' }, 'Write "it" down.', { skill_id: 'notes', source: 'workspace' }],
  [
    'skill_read',
    { name: 'notes', path: 'references/more.md' },
    'More of it.',
    { path: 'references/more.md' },
  ],
])(
  '%s gives its text once, as it is, and what programs need beside it',
  async (name, args, text, metadata) => {
    const { call } = await opened.connect();
    const result = await call(name, args as never);
    expect(result).not.toHaveProperty('structuredContent');
    expect(result.content).toMatchObject([{ type: 'text', text: expect.stringContaining(text) as string }]);
    expect(JSON.stringify(result).split(JSON.stringify(text).slice(1, -1))).toHaveLength(2);
    expect(result._meta).toMatchObject({ 'techne/metadata': metadata });
  },
);

it('gives a refusal of a skill tool in the same way', async () => {
  const { call } = await opened.connect();
  const result = await call('skill_load', { name: 'note' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: "no skill registered with name 'note'\nDid you mean 'notes'?" }],
  });
  expect(result).not.toHaveProperty('structuredContent');
});
