import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';
import type { Skill } from '../registry/types.ts';
import { openSkills } from './open-skills.ts';
import type { OpenSkillsOptions } from './open-skills.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const open = (roots?: readonly string[]) =>
  openSkills({
    cwd: world.workspace,
    homeFolder: world.home,
    cache: false,
    ...(roots === undefined ? {} : { roots }),
  });

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

  it('checks the tools that a skill needs where the host knows its own', async () => {
    const needs = ['Bash', 'READ', 'web-search', 'maps__route', 'mcp__maps', 'other__x'];
    for (const tool of needs)
      world.write({
        [`work/own/${tool.toLowerCase().replaceAll('_', '-').replaceAll('--', '-')}/SKILL.md`]: skillText(
          tool.toLowerCase().replaceAll('_', '-').replaceAll('--', '-'),
          'Needs a tool. Use it.',
          `tools: [${tool}]\n`,
        ),
      });
    const ready = async (options: OpenSkillsOptions, config: object = {}): Promise<readonly string[]> => {
      world.write({ 'home/.techne/config.json': JSON.stringify({ cache: { enabled: false }, ...config }) });
      const snapshot = await (
        await openSkills({ cwd: world.workspace, homeFolder: world.home, roots: ['own'], ...options })
      ).load();
      return snapshot.skills.filter((skill) => snapshot.facts(skill).ready.ok).map(({ name }) => name);
    };
    const all = ['bash', 'maps-route', 'mcp-maps', 'other-x', 'read', 'web-search'];
    expect(await ready({})).toEqual(all);
    expect(await ready({ hostTools: ['exec_command', 'WebSearch'] })).toEqual(['bash', 'web-search']);
    expect(await ready({ hostTools: 'techne' })).toEqual(['bash', 'read']);
    const servers = { mcpServers: { maps: { command: 'maps' } } };
    expect(await ready({ hostTools: 'techne' }, servers)).toEqual(all.filter((name) => name !== 'other-x'));
    expect(await ready({ hostTools: ['Read'] }, { skills: { tools: ['Bash'] } })).toEqual(['bash']);
  });

  it('runs what the program trusts, unless the folder is too wide', async () => {
    world.write({
      'work/own/prog/SKILL.md': '---\nname: prog\ndescription: Use to run.\nmetaskill: SKILL.star\n---\n',
      'work/own/prog/SKILL.star': 'def run(input):\n    return {}\n',
    });
    const reasons = async (trust: readonly string[]): Promise<readonly string[]> => {
      const library = await openSkills({
        cwd: world.workspace,
        homeFolder: world.home,
        cache: false,
        roots: ['own'],
        trust,
      });
      return (await library.isRunnable(await library.load(), 'prog')).reasons.map(({ code }) => code);
    };
    expect([
      await reasons([]),
      await reasons(['other']),
      await reasons(['own']),
      await reasons(['/']),
    ]).toEqual([['NOT_TRUSTED'], ['NOT_TRUSTED'], ['TRUSTED_FOLDER'], ['NOT_TRUSTED']]);
  });

  it('checks the trust of the skills of a snapshot once, and again when what is trusted changes', async () => {
    world.write({
      'work/.techne/skills/one/SKILL.md': skillText('one'),
      'work/.techne/skills/two/SKILL.md': skillText('two'),
    });
    const library = await open();
    const snapshot = await library.load();
    const store = await library.openTrust();
    const asked: string[] = [];
    const counting = {
      manifest: (of: string | Skill) => (
        asked.push(typeof of === 'string' ? of : of.name),
        snapshot.manifest(of)
      ),
    };
    const trusted = async (): Promise<readonly string[]> =>
      [...(await library.findTrusted(counting, snapshot.skills))].map(({ name }) => name);
    expect(await trusted()).toEqual([]);
    await store.trustDigest({
      digest: (await snapshot.manifest('one')).digest,
      name: 'one',
      folder: snapshot.get('one').folder,
    });
    for (let n = 0; n < 3; n += 1) expect(await trusted()).toEqual(['one']);
    expect(asked).toEqual(['one']);
    // Another session over the same skills, after trust was taken back.
    await store.untrust('one');
    expect(await trusted()).toEqual([]);
    await store.trustFolder(world.workspace);
    expect(await trusted()).toEqual(['one', 'two']);
    expect(await library.isTrusted(snapshot, snapshot.get('two'))).toBe(true);
    await store.untrust(world.workspace);
    expect([await trusted(), await library.isTrusted(snapshot, snapshot.get('two'))]).toEqual([[], false]);
  });

  it('trusts what a run was started with by the root it lies in, from any folder', async () => {
    const folder = join(world.workspace, 'packages/a/.claude/skills/pa');
    world.write({
      'work/packages/a/.claude/skills/pa/SKILL.md': skillText('pa'),
      'work/techne.json': JSON.stringify({ roots: { workspace: ['packages/a/.claude/skills'] } }),
      'work/clone/.git/HEAD': '',
      'work/clone/skills/x/SKILL.md': skillText('x'),
    });
    const isTrustedFrom = async (cwd: string, at: string): Promise<boolean> =>
      (
        await (
          await openSkills({ cwd, homeFolder: world.home, cache: false })
        ).isStillTrusted({ name: 'pa', folder: at, trustedBy: 'TRUSTED_FOLDER' })
      ).ok;
    expect(await isTrustedFrom(world.workspace, folder)).toBe(false);
    await (await (await open()).openTrust()).trustFolder(world.workspace);
    expect([await isTrustedFrom(world.workspace, folder), await isTrustedFrom(world.home, folder)]).toEqual([
      true,
      true,
    ]);
    // Beside the root, and in a workspace of its own.
    expect([
      await isTrustedFrom(world.home, join(world.workspace, 'packages/b/.claude/skills/pb')),
      await isTrustedFrom(world.home, join(world.workspace, 'clone/skills/x')),
    ]).toEqual([false, false]);
    expect(await isTrustedFrom(world.home, join(world.workspace, 'skills/y'))).toBe(true);
  });
});
