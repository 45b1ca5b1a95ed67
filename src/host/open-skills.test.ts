import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';
import { openSkills } from './open-skills.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const open = (roots?: readonly string[]) => openSkills({ cwd: world.workspace, homeFolder: world.home, cache: false, ...(roots === undefined ? {} : { roots }) });

describe('openSkills', () => {
  it('has roots that cannot be changed', async () => {
    for (const library of [await open(), await open(['.'])]) {
      expect(Object.isFrozen(library.roots)).toBe(true);
      expect(library.roots.every((root) => Object.isFrozen(root) && Object.isFrozen(root.origin))).toBe(true);
    }
  });

  it('does not read a folder outside that a cloned workspace links its skills to, unless it is named', async () => {
    world.write({ 'home/private/skills/diary/SKILL.md': skillText('diary') });
    mkdirSync(join(world.workspace, '.agents'), { recursive: true });
    symlinkSync(join(world.home, 'private/skills'), join(world.workspace, '.agents/skills'));
    const snapshot = await (await open()).load();
    expect([snapshot.has('diary'), snapshot.diagnostics.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      false,
      [`LINK_LEAVES_ROOTS ${join(world.workspace, '.agents/skills')}`],
    ]);
    expect((await (await open(['.agents/skills'])).load()).has('diary')).toBe(true);
  });

  it('runs what the program vouches for, unless the folder is too wide', async () => {
    world.write({ 'work/own/prog/SKILL.md': '---\nname: prog\ndescription: Use to run.\nmetaskill: SKILL.star\n---\n', 'work/own/prog/SKILL.star': 'def run(input):\n    return {}\n' });
    const reasons = async (trust: readonly string[]): Promise<readonly string[]> => {
      const library = await openSkills({ cwd: world.workspace, homeFolder: world.home, cache: false, roots: ['own'], trust });
      return (await library.isRunnable(await library.load(), 'prog')).reasons.map(({ code }) => code);
    };
    expect([await reasons([]), await reasons(['other']), await reasons(['own']), await reasons(['/'])]).toEqual([['NOT_TRUSTED'], ['NOT_TRUSTED'], ['TRUSTED_FOLDER'], ['NOT_TRUSTED']]);
  });
});
