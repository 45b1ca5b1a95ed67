import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  world.write({ 'work/.techne/skills/prog/SKILL.md': skillText('prog'), 'work/.techne/skills/prog/SKILL.star': 'x = 1\n' });
});
afterEach(() => world.remove());

const inSkill = (path: string): string => join(world.workspace, '.techne/skills/prog', path);

describe('runTrust', () => {
  it('shows links first, and what is left out', async () => {
    mkdirSync(inSkill('__pycache__'));
    world.write({ 'work/.techne/skills/prog/a.txt~': 'x' });
    symlinkSync('SKILL.star', inSkill('zz'));
    const { code, err } = await world.run(['trust', 'prog'], { typed: 'y\n' });
    const shown = err.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '));
    const listed = shown.slice(shown.findIndex((line) => line.startsWith('zz')));
    expect([code, listed.slice(0, 4)]).toEqual([
      0,
      ['zz  a link to SKILL.star', `SKILL.md  ${skillText('prog').length} bytes`, 'SKILL.star  6 bytes', 'not part of it, and never executed: __pycache__/, a.txt~'],
    ]);
  });

  it('does not ask about a skill with a link to what its digest cannot cover', async () => {
    symlinkSync('/etc/hosts', inSkill('lib'));
    const { code, out, err } = await world.run(['trust', 'prog'], { typed: 'y\n' });
    expect([code, out, err.includes('May it be executed?')]).toEqual([2, '', false]);
    expect(err).toContain('"lib" of the skill "prog" is a link to something that its digest does not cover');
    expect(JSON.parse((await world.run(['trust', '--list', '--json'])).out)).toEqual({ folders: [], digests: [], configured: [] });
  });
});

describe('runUntrust', () => {
  it('does not call a global skill trusted because its folder is', async () => {
    world.write({ 'home/.techne/skills/glob/SKILL.md': skillText('glob'), 'home/.techne/skills/glob/SKILL.star': 'x = 1\n' });
    await world.run(['trust', join(world.home, '.techne/skills')], { typed: 'y\n' });
    expect(await world.run(['untrust', 'glob'])).toEqual({ code: 1, out: 'glob was not trusted.\n', err: '' });
  });
});
