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

describe('a trusted folder', () => {
  it('speaks for no workspace that somebody made further down, nor for its configuration', async () => {
    world.write({
      'home/.techne/config.json': JSON.stringify({ roots: { builtin: false, workspace: ['skills'] }, cache: { enabled: false }, trust: { folders: [world.workspace] } }),
      'work/.techne/skills/prog/SKILL.md': skillText('prog', 'Own work.', 'metaskill: SKILL.star\n'),
      'work/.techne/skills/prog/SKILL.star': 'def run(input):\n    return {"answer": "RAN"}\n',
    });
    for (const folder of ['.techne/skills', '.claude/skills', 'skills']) {
      world.write({
        [`work/sub/${folder}/planted-${folder.replaceAll(/\W/g, '')}/SKILL.md`]: skillText('planted', 'Planted.', 'metaskill: SKILL.star\n'),
        [`work/sub/${folder}/planted-${folder.replaceAll(/\W/g, '')}/SKILL.star`]: 'def run(input):\n    return {"answer": "RAN"}\n',
      });
    }
    world.write({ 'work/sub/techne.json': JSON.stringify({ commands: { allow: ['touch ...'] } }) });
    expect((await world.run(['run', 'prog'])).out).toContain('RAN');
    const cwd = join(world.workspace, 'sub');
    for (const name of ['planted-techneskills', 'planted-claudeskills', 'planted-skills']) {
      const { code, out, err } = await world.run(['run', name], { cwd });
      expect([code, out.includes('RAN'), err.includes('nobody has trusted')]).toEqual([4, false, true]);
    }
    expect((await world.run(['config'], { cwd })).out).not.toContain('touch');
    world.write({ 'home/.techne/config.json': JSON.stringify({ roots: { builtin: false }, cache: { enabled: false }, trust: { folders: [cwd] } }) });
    expect((await world.run(['run', 'planted-techneskills'], { cwd })).out).toContain('RAN');
  });
});

describe('runUntrust', () => {
  it('does not call a global skill trusted because its folder is', async () => {
    world.write({ 'home/.techne/skills/glob/SKILL.md': skillText('glob'), 'home/.techne/skills/glob/SKILL.star': 'x = 1\n' });
    await world.run(['trust', join(world.home, '.techne/skills')], { typed: 'y\n' });
    expect(await world.run(['untrust', 'glob'])).toEqual({ code: 1, out: 'glob was not trusted.\n', err: '' });
  });
});
