import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, skillText } from '../../../test/support/library.ts';
import { skillTools } from './skill-tools.ts';
import type { AgentTool, ToolUse } from './tool.ts';
import { ToolFault } from './tool.ts';

const use: ToolUse = { signal: new AbortController().signal, mayTouch: () => true };

async function open(): Promise<readonly AgentTool[]> {
  const files = libraryOf(['/user/tides']);
  files.write('/user/tides/notes/moon.md', 'The moon.');
  files.write('/user/tides/picture.png', '\u0000png');
  files.write('/user/hidden/SKILL.md', skillText('hidden', 'disable-model-invocation: true\n'));
  files.advance(60_000_000_000n);
  const snapshot = await loadFrom(files);
  return skillTools(snapshot, snapshot.skills.filter(({ name }) => name !== 'hidden'));
}

async function call(tools: readonly AgentTool[], name: string, args: Parameters<AgentTool['run']>[0]): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  return (await tool?.run(args, use, null).catch((error: unknown) => (error instanceof ToolFault ? `fault: ${error.message}` : Promise.reject(error)))) ?? 'no such tool';
}

describe('skillTools', () => {
  it('load instructions and read files of the skills that are given', async () => {
    const tools = await open();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['skill_load', 'Loads the instructions of a skill. There are:\n- tides: Use when you need tides.'],
      ['skill_read', 'Reads a file of a skill that its instructions mention.'],
    ]);
    expect(await call(tools, 'skill_load', { name: 'tides' })).toContain('Look at the moon.');
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'notes/moon.md' })).toBe('The moon.');
  });

  it('say what cannot be had', async () => {
    const tools = await open();
    expect(await call(tools, 'skill_load', { name: 'hidden' })).toBe('fault: there is no skill "hidden"');
    expect(await call(tools, 'skill_read', { name: 'hidden', path: 'SKILL.md' })).toBe('fault: there is no skill "hidden"');
    expect(await call(tools, 'skill_read', { name: 'tides', path: '../hidden/SKILL.md' })).toMatch(/^fault: /);
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'none.md' })).toMatch(/^fault: /);
    expect(await call(tools, 'skill_read', { name: 'tides', path: 'picture.png' })).toBe('fault: "picture.png" is a binary file');
  });

  it('are none where there is no skill', async () => {
    expect(skillTools(await loadFrom(libraryOf([])), [])).toEqual([]);
  });
});
