import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, skillText } from '../../../test/support/library.ts';
import { nestedSkillTools, openNestedSkills } from './nested-skills.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../../ports/tool.ts';
import { callTool } from '../../ports/tool.ts';

async function open(): Promise<readonly Tool[]> {
  const files = libraryOf(['/user/tides']);
  files.write('/user/tides/notes/moon.md', 'The moon.');
  files.write('/user/tides/picture.png', '\u0000png');
  files.write('/user/hidden/SKILL.md', skillText('hidden', 'disable-model-invocation: true\n'));
  files.advance(60_000_000_000n);
  const snapshot = await loadFrom(files);
  return nestedSkillTools(
    await openNestedSkills(
      snapshot,
      snapshot.skills.filter(({ name }) => name !== 'hidden'),
    ),
    () => {},
  );
}

async function call(tools: readonly Tool[], name: string, args: JsonObject): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  return tool === undefined ? 'no such tool' : (await callTool(tool, args)).text;
}

describe('nestedSkillTools', () => {
  it('load instructions and read files of the skills that are given', async () => {
    const tools = await open();
    expect(tools.map(({ name }) => name)).toEqual(['skill_search', 'skill_load', 'skill_read']);
    expect(tools[1]?.description).toMatch(/\n\n## Available skills\n.*\n- tides: Use when you need tides\.$/);
    expect(await call(tools, 'skill_search', { query: 'moon' })).toBe("No skills matched 'moon'.");
    expect(await call(tools, 'skill_load', { name: 'tides' })).toContain('Look at the moon.');
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'notes/moon.md' })).toBe('The moon.');
  });

  it('say what cannot be had', async () => {
    const tools = await open();
    expect(await call(tools, 'skill_load', { name: 'hidden' })).toContain(
      "error: no skill registered with name 'hidden'",
    );
    expect(await call(tools, 'skill_read', { name: 'hidden', path: 'SKILL.md' })).toContain(
      "error: no skill registered with name 'hidden'",
    );
    expect(await call(tools, 'skill_read', { name: 'tides', path: '../hidden/SKILL.md' })).toMatch(
      /^error: /,
    );
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'none.md' })).toMatch(/^error: /);
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'picture.png' })).toBe(
      'error: "picture.png" is a binary file',
    );
  });

  it('count for each agent by itself', async () => {
    const files = libraryOf(['/user/tides']);
    const snapshot = await loadFrom(files);
    const skills = await openNestedSkills(snapshot, snapshot.skills);
    for (const _agent of [1, 2]) {
      const tools = await nestedSkillTools(skills, () => {});
      expect(await call(tools, 'skill_load', { name: 'tides' })).toContain('Look at the moon.');
      expect(await call(tools, 'skill_load', { name: 'tides' })).toContain('was given earlier');
    }
  });

  it('are none where there is no skill', async () => {
    expect(
      await nestedSkillTools(await openNestedSkills(await loadFrom(libraryOf([])), []), () => {}),
    ).toEqual([]);
  });
});
