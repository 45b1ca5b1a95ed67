// The shipped skills through the official client of the Skills extension, which verifies every file against its entry.
import { readdirSync, readFileSync } from 'node:fs';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService } from '../../test/support/mcp-service.ts';

const folder = new URL('../../skills/', import.meta.url);
/** Links of a chain are not for models to choose. */
const names = readdirSync(folder)
  .filter(
    (name) =>
      !/^disable-model-invocation: true$/m.test(readFileSync(new URL(`${name}/SKILL.md`, folder), 'utf8')),
  )
  .toSorted();
let opened: TestService;
beforeAll(async () => {
  opened = await openTestService({}, { config: { roots: { builtin: true } } });
});
afterAll(() => opened.close());

it(`are all verified by the official client`, async () => {
  const { client } = await opened.connect();
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  const verified: string[] = [];
  const faults: string[] = [];
  for (const entry of entries) {
    try {
      const { verified: isVerified } = await skills.read(entry);
      if (isVerified) verified.push(entry.frontmatter.name);
    } catch (error) {
      faults.push(`${entry.frontmatter.name}: ${(error as Error).message}`);
    }
  }
  expect(faults).toEqual([]);
  expect(verified.toSorted()).toEqual(names);
});
