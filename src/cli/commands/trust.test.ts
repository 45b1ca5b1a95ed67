import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  world.write({
    'work/.techne/skills/prog/SKILL.md': skillText('prog'),
    'work/.techne/skills/prog/SKILL.star': 'x = 1\n',
  });
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
      [
        'zz  a link to SKILL.star',
        `SKILL.md  ${skillText('prog').length} bytes`,
        'SKILL.star  6 bytes',
        'not part of it, and never executed: __pycache__/, a.txt~',
      ],
    ]);
  });

  it('does not ask about a skill with a link to what its digest cannot cover', async () => {
    symlinkSync('/etc/hosts', inSkill('lib'));
    const { code, out, err } = await world.run(['trust', 'prog'], { typed: 'y\n' });
    expect([code, out, err.includes('May it be executed?')]).toEqual([2, '', false]);
    expect(err).toContain('"lib" of the skill "prog" is a link to something that its digest does not cover');
    expect(JSON.parse((await world.run(['trust', '--list', '--json'])).out)).toEqual({
      folders: [],
      digests: [],
      configured: [],
    });
  });
});

describe('a trusted folder', () => {
  it('speaks for no workspace that somebody made further down, nor for its configuration', async () => {
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false, workspace: ['skills'] },
        cache: { enabled: false },
        trust: { folders: [world.workspace] },
      }),
      'work/.techne/skills/prog/SKILL.md': skillText('prog', 'Own work.', 'metaskill: SKILL.star\n'),
      'work/.techne/skills/prog/SKILL.star': 'def run(input):\n    return {"answer": "RAN"}\n',
    });
    for (const folder of ['.techne/skills', '.claude/skills', 'skills']) {
      world.write({
        [`work/sub/${folder}/planted-${folder.replaceAll(/\W/g, '')}/SKILL.md`]: skillText(
          'planted',
          'Planted.',
          'metaskill: SKILL.star\n',
        ),
        [`work/sub/${folder}/planted-${folder.replaceAll(/\W/g, '')}/SKILL.star`]:
          'def run(input):\n    return {"answer": "RAN"}\n',
      });
    }
    world.write({ 'work/sub/techne.json': JSON.stringify({ commands: { allow: ['touch ...'] } }) });
    expect((await world.run(['run', 'prog'])).out).toContain('RAN');
    const cwd = join(world.workspace, 'sub');
    for (const name of ['planted-techneskills', 'planted-claudeskills', 'planted-skills']) {
      const { code, out, err } = await world.run(['run', name], { cwd });
      expect([code, out.includes('RAN'), err.includes('is not trusted')]).toEqual([4, false, true]);
    }
    expect((await world.run(['config'], { cwd })).out).not.toContain('touch');
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        cache: { enabled: false },
        trust: { folders: [cwd] },
      }),
    });
    expect((await world.run(['run', 'planted-techneskills'], { cwd })).out).toContain('RAN');
  });
});

describe('a trusted monorepo', () => {
  const program = (answer: string): string => `def run(input):\n    return {"answer": "${answer}"}\n`;
  const skill = (folder: string, name: string): { [path: string]: string } => ({
    [`work/${folder}/${name}/SKILL.md`]: skillText(name, 'Own work.', 'metaskill: SKILL.star\n'),
    [`work/${folder}/${name}/SKILL.star`]: program(`RAN ${name}`),
  });
  const own = (more: object = {}): void =>
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        cache: { enabled: false },
        ...more,
      }),
    });
  beforeEach(() => {
    own();
    world.write({ ...skill('packages/a/.claude/skills', 'pa'), ...skill('packages/b/.claude/skills', 'pb') });
  });

  it.each([
    ['relative', 'packages/a/.claude/skills'],
    ['absolute', null],
  ])('reaches a folder of skills that its configuration names by a path that is %s', async (_, path) => {
    world.write({
      'work/techne.json': JSON.stringify({
        roots: { workspace: [path ?? join(world.workspace, 'packages/a/.claude/skills')] },
      }),
    });
    expect(await world.run(['run', 'pa'])).toMatchObject({ code: 4, out: '' });
    const { code, err } = await world.run(['trust'], { typed: 'y\n' });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('\nIt has 2 skills now; these can be executed: pa, prog\n') as string,
    ]);
    expect(err).toContain('This folder will be trusted as one workspace,');
    expect(err).toContain('are not included unless its roots.workspace names them.');
    expect((await world.run(['run', 'pa'])).out).toContain('RAN pa');
    // Neither what lies beside it, nor the same folder as a workspace of its own.
    expect(await world.run(['run', 'pb', '--root', 'packages/b/.claude/skills'])).toMatchObject({
      code: 4,
      out: '',
    });
    expect(await world.run(['run', 'pa', '--workspace', 'packages/a'])).toMatchObject({ code: 4, out: '' });
    expect((await world.run(['run', 'pa', '--workspace', 'packages/a'])).err).toContain(
      `"${world.workspace}" is trusted, but only as one workspace: "${join(world.workspace, 'packages/a')}" is another, trusted by: techne trust "${join(world.workspace, 'packages/a')}". For this skill alone look at `,
    );
    expect((await world.run(['run', 'pb', '--root', 'packages/b/.claude/skills'])).err).toContain(
      `"${world.workspace}" is trusted, but only as one workspace: folders of skills further down count where its roots.workspace names them. For this skill alone look at `,
    );
  });

  it('does not reach a root that a workspace cloned into it names', async () => {
    own({ trust: { folders: [world.workspace] } });
    world.write({
      ...skill('clone/deep/.claude/skills', 'evil'),
      'work/clone/techne.json': JSON.stringify({
        roots: { workspace: ['deep/.claude/skills', join(world.workspace, 'clone/deep/.claude/skills')] },
      }),
    });
    expect((await world.run(['run', 'evil'], { cwd: join(world.workspace, 'clone') })).code).not.toBe(0);
    own({
      trust: { folders: [world.workspace] },
      roots: { builtin: false, workspace: ['deep/.claude/skills'] },
    });
    expect(await world.run(['run', 'evil'], { cwd: join(world.workspace, 'clone') })).toMatchObject({
      code: 4,
      out: '',
    });
  });

  it('is named by doctor where it does not reach the workspace below it', async () => {
    own({ trust: { folders: [world.workspace] } });
    world.write({ 'work/packages/a/techne.json': '{}' });
    const trust = async (cwd: string): Promise<string | undefined> =>
      (await world.run(['doctor', '--no-color'], { cwd })).out
        .split('\n')
        .find((line) => /^ {2}\S\S {2}trust /.test(line))
        ?.trim()
        .replaceAll(/ {2,}/g, ' ');
    const below = join(world.workspace, 'packages/a');
    expect(await trust(world.workspace)).toBe('ok trust 1 folder and 0 skills trusted');
    expect(await trust(below)).toBe(
      `ok trust 1 folder and 0 skills trusted; this workspace is not: ${world.workspace} is trusted as one workspace, without the workspaces below it (if everything in this workspace is your own work: techne trust "${below}", or add it to trust.folders)`,
    );
  });

  it('is named by untrust only where it goes on reaching what was untrusted', async () => {
    await world.run(['trust'], { typed: 'y\n' });
    const below = join(world.workspace, 'packages/a');
    const again = async (): Promise<unknown> => {
      expect((await world.run(['trust', 'packages/a'], { typed: 'y\n' })).code).toBe(0);
      return world.run(['untrust', 'packages/a']);
    };
    expect(await again()).toEqual({ code: 0, out: `No longer trusted: ${below}\n`, err: '' });
    expect((await world.run(['run', 'pa', '--root', 'packages/a/.claude/skills'])).code).toBe(4);
    world.write({
      'work/techne.json': JSON.stringify({ roots: { workspace: ['packages/a/.claude/skills'] } }),
    });
    expect(await again()).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `packages/a is still trusted: it is in the trusted folder "${world.workspace}"\n`,
      ) as string,
    });
    expect((await world.run(['run', 'pa'])).out).toContain('RAN pa');
    // Of two skills in it one is a workspace's of its own.
    world.write(skill('packages/a/.agents/skills', 'other'));
    expect((await world.run(['untrust', 'packages/a'])).err).toContain(
      `packages/a is trusted: the trusted folder "${world.workspace}" covers "pa"\n`,
    );
    // Folders without skills go by the workspace they are in.
    mkdirSync(join(world.workspace, 'src'));
    mkdirSync(join(world.workspace, 'clone/.git'), { recursive: true });
    expect((await world.run(['untrust', './src'])).err).toContain(
      `it is in the trusted folder "${world.workspace}"`,
    );
    expect(await world.run(['untrust', './clone'])).toEqual({
      code: 1,
      out: './clone was not trusted.\n',
      err: '',
    });
  });
});

describe('runUntrust', () => {
  it('does not call a global skill trusted because its folder is', async () => {
    world.write({
      'home/.techne/skills/glob/SKILL.md': skillText('glob'),
      'home/.techne/skills/glob/SKILL.star': 'x = 1\n',
    });
    await world.run(['trust', join(world.home, '.techne/skills')], { typed: 'y\n' });
    expect(await world.run(['untrust', 'glob'])).toEqual({
      code: 1,
      out: 'glob was not trusted.\n',
      err: '',
    });
  });
});
