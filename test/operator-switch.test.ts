// `metaskills.enabled: false`: compositions stay installed, and no model sees anything of them.
import { afterEach, describe, expect, it } from 'vitest';
import { createTechne } from '../src/techne/create-techne.ts';
import { openTestService } from './support/mcp-service.ts';
import type { World } from './support/run-cli.ts';
import { createWorld, skillText } from './support/run-cli.ts';

const skills = {
  'work/techne.json': '{}',
  'work/.techne/skills/tides/SKILL.md': skillText('tides', 'Explains tides. Use when tides are asked for.'),
  'work/.techne/skills/digest/SKILL.md':
    '---\nname: digest\ndescription: Digests reports. Use to digest a report.\nkind: meta\ntriggers: [digest this report]\ncomposition:\n  steps:\n    - {id: a, kind: llm_chat, with: {task: think}}\n---\n\nDigest it.\n',
  'work/.techne/skills/count/SKILL.md':
    '---\nname: count\ndescription: Counts. Use to count.\nmetaskill: SKILL.star\n---\n\nCount by hand where nothing can be run.\n',
  'work/.techne/skills/count/SKILL.star': 'def run(input):\n    return {}\n',
};
const config = { roots: { builtin: false }, cache: { enabled: false } };
const off = { ...config, metaskills: { enabled: false } };

let world: World;
afterEach(() => world.remove());

async function seen(settings: object): Promise<readonly (readonly [string, boolean])[]> {
  world = createWorld(skills);
  world.write({ 'home/.techne/config.json': JSON.stringify(settings) });
  const techne = await createTechne({
    cwd: world.workspace,
    homeFolder: world.home,
    variables: {},
    trust: [world.workspace],
  });
  try {
    const session = await techne.session({ settings: { preload: ['digest'] } });
    const { block, match } = await session.enrich({ message: 'please digest this report' });
    const mentioned = await session.enrich({ message: 'use the skill digest now' });
    const found = (await session.call('skill_search', { query: 'digest' })).metadata?.[
      'result_names'
    ] as string[];
    return [
      ['index', session.prompt.includes('digest')],
      ['turn', block.includes('digest')],
      ['match', match.matches.some(({ skill }) => skill === 'digest')],
      ['mention', mentioned.block.includes('digest')],
      ['search', found.includes('digest')],
      ['load', (await session.call('skill_load', { name: 'digest' })).ok],
      ['read', (await session.call('skill_read', { name: 'digest', path: 'SKILL.md' })).ok],
      ['run', session.skills.runnable().some(({ name }) => name === 'digest')],
      ['slash', (await session.skills.slash('/digest it')).kind === 'invoked'],
      ['program', (await session.call('skill_load', { name: 'count' })).ok],
    ];
  } finally {
    await techne.close();
  }
}

describe('compositions that are switched off', () => {
  it('are nowhere in a conversation, while the instructions of other skills stay', async () => {
    expect((await seen(config)).filter(([, there]) => !there)).toEqual([]);
    world.remove();
    expect((await seen(off)).filter(([, there]) => there)).toEqual([['program', true]]);
  });

  it('cannot be called with a slash, and the reason is said', async () => {
    world = createWorld(skills);
    world.write({ 'home/.techne/config.json': JSON.stringify(off) });
    const techne = await createTechne({ cwd: world.workspace, homeFolder: world.home, variables: {} });
    try {
      expect(await (await techne.session()).skills.slash('/digest it')).toMatchObject({
        kind: 'unknown',
        message: 'the skill "digest" cannot be called: compositions are switched off (metaskills.enabled)',
      });
    } finally {
      await techne.close();
    }
  });

  it('are not served over MCP, neither as a tool, a prompt nor a resource', async () => {
    const test = await openTestService(skills, { config: { metaskills: { enabled: false } } });
    world = test.world;
    try {
      const { client, text } = await test.connect();
      const served = JSON.stringify([
        await client.listTools(),
        await client.listPrompts(),
        await client.listResources(),
      ]);
      expect([served.includes('tides'), served.includes('digest')]).toEqual([true, false]);
      expect(await text('skill_load', { name: 'digest' })).toContain(
        "no skill registered with name 'digest'",
      );
    } finally {
      await test.close();
    }
  });

  it('stay in the inventory, with the reason', async () => {
    world = createWorld(skills);
    world.write({ 'home/.techne/config.json': JSON.stringify(off) });
    const { out } = await world.run(['list', '--json', '--all']);
    const listed = JSON.parse(out) as readonly {
      readonly name: string;
      readonly reasons: readonly string[];
    }[];
    expect(listed.find(({ name }) => name === 'digest')).toMatchObject({
      reasons: expect.arrayContaining([
        expect.objectContaining({ code: 'METASKILLS_OFF' }),
      ]) as readonly string[],
    });
  });
});
