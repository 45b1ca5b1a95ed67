// A session and its sub-agents have the skills of their snapshot, whole: bodies, programs and other files. Edits,
// deletions and reloads on disk neither reach nor break them, on any surface.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentSession } from '../src/techne/agent-session.ts';
import { createTechne } from '../src/techne/create-techne.ts';
import type { ModelServer, ServerRequest, ServerTurn } from './support/model-server.ts';
import { createModelServer } from './support/model-server.ts';
import { openTestService } from './support/mcp-service.ts';
import type { World } from './support/run-cli.ts';
import { createWorld } from './support/run-cli.ts';

const key = 'sk-frozen-0123456789';
const skills = {
  'work/techne.json': '{}',
  'work/.techne/skills/tides/SKILL.md': '---\nname: tides\ndescription: Use for tides.\n---\n\nOld body.\n',
  'work/.techne/skills/tides/notes/moon.md': 'Old moon.\n',
  'work/.techne/skills/rain/SKILL.md': '---\nname: rain\ndescription: Use for rain.\n---\n\nOld rain.\n',
  'work/.techne/skills/rain/drops.md': 'Old drops.\n',
  'work/.techne/skills/go/SKILL.md':
    '---\nname: go\ndescription: Use to go.\nmetaskill: SKILL.star\n---\n\nOld go.\n',
  'work/.techne/skills/go/SKILL.star': 'def run(input):\n    return {"answer": "old"}\n',
  'work/.techne/skills/gone/SKILL.md':
    '---\nname: gone\ndescription: Use to be gone.\nmetaskill: SKILL.star\n---\n\nOld gone.\n',
  'work/.techne/skills/gone/SKILL.star': 'def run(input):\n    return {"answer": "still"}\n',
  'work/.techne/skills/talk/SKILL.md':
    '---\nname: talk\ndescription: Use to talk.\nmetaskill: SKILL.star\n---\n\nTalks.\n',
  'work/.techne/skills/talk/SKILL.star': 'def run(input):\n    return {"answer": ask("Go on.")["answer"]}\n',
};

let world: World | null = null;
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  world?.remove();
  world = null;
  server = null;
});

/** Edits a body, a file and a program, and deletes two skills. */
function change(at: World): void {
  at.write({
    'work/.techne/skills/tides/SKILL.md':
      '---\nname: tides\ndescription: Use for tides.\n---\n\nNew body, longer.\n',
    'work/.techne/skills/tides/notes/moon.md': 'New moon.\n',
    'work/.techne/skills/tides/notes/sun.md': 'New sun.\n',
    'work/.techne/skills/go/SKILL.star': 'def run(input):\n    return {"answer": "new"}\n',
  });
  for (const name of ['rain', 'gone'])
    rmSync(join(at.workspace, '.techne/skills', name), { recursive: true });
}

async function seenBy(session: AgentSession): Promise<readonly string[]> {
  const text = async (tool: string, args: { readonly [name: string]: string }): Promise<string> =>
    (await session.call(tool, args)).text;
  const run = async (name: string): Promise<string> =>
    /"answer":\s*"(\w+)"/.exec((await session.call('run_metaskill', { name, input: {} })).text)?.[1] ??
    'none';
  return [
    /^(Old|New) \w+/m.exec(await text('skill_load', { name: 'tides' }))?.[0] ?? 'none',
    String((await text('skill_load', { name: 'tides' })).includes('sun.md')),
    await text('skill_read', { name: 'tides', path: 'notes/moon.md' }),
    /^(Old|New) \w+/m.exec(await text('skill_load', { name: 'rain' }))?.[0] ?? 'none',
    await text('skill_read', { name: 'rain', path: 'drops.md' }),
    await run('go'),
    await run('gone'),
  ];
}
const old = ['Old body', 'false', 'Old moon.\n', 'Old rain', 'Old drops.\n', 'old', 'still'];

async function modelAt(
  turns: readonly ServerTurn[] | ((request: ServerRequest, index: number) => ServerTurn),
) {
  server = await createModelServer({ key, turns });
  return { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'm', apiKeyEnv: 'NEAR_KEY' } };
}

/** What tools gave the model. */
function toolResults(): readonly string[] {
  const said = server?.requests.at(-1)?.body['messages'] as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  return said.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

const loadingAfterChange = (_request: ServerRequest, index: number): ServerTurn => {
  if (index > 0) return { text: 'done' };
  change(world as World);
  return {
    calls: [
      { tool: 'skill_load', input: { name: 'tides' } },
      { tool: 'skill_load', input: { name: 'rain' } },
      { tool: 'skill_read', input: { name: 'rain', path: 'drops.md' } },
    ],
  };
};

describe('the skills of a conversation stay as they were', () => {
  it('in a session of the library and its fork, which also outlives a reload', async () => {
    world = createWorld(skills);
    const techne = await createTechne({
      cwd: world.workspace,
      homeFolder: world.home,
      variables: {},
      trust: [world.workspace],
    });
    try {
      const session = await techne.session();
      const fork = await session.fork();
      change(world);
      expect(await seenBy(session)).toEqual(old);
      await techne.refresh();
      expect(await session.moveOn()).toBe(true);
      expect((await session.call('skill_load', { name: 'tides' })).text).toContain('New body');
      expect(await seenBy(fork)).toEqual(old);
    } finally {
      await techne.close();
    }
  });

  it('from the disk as it is when the session is opened', async () => {
    world = createWorld(skills);
    const techne = await createTechne({ cwd: world.workspace, homeFolder: world.home, variables: {} });
    try {
      change(world);
      const { text } = await (await techne.session()).call('skill_load', { name: 'tides' });
      expect(text).toContain('New body');
    } finally {
      await techne.close();
    }
  });

  it('over MCP, until the server looks at the disk again', async () => {
    const test = await openTestService(skills);
    try {
      const { text } = await test.connect();
      await text('skill_search', { query: '' });
      change(test.world);
      expect(await text('skill_load', { name: 'tides' })).toContain('Old body.');
      expect(await text('skill_load', { name: 'rain' })).toContain('Old rain.');
      expect(await text('skill_read', { name: 'tides', path: 'notes/moon.md' })).toBe('Old moon.\n');
      expect(await text('run_metaskill', { name: 'go', input: {} })).toContain('"old"');
      await test.service.skills.refresh();
      expect(await text('skill_load', { name: 'tides' })).toContain('New body');
    } finally {
      await test.close();
    }
  });

  it('in a chat, also when the model that is to answer changes them', async () => {
    world = createWorld(skills);
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        models: await modelAt(loadingAfterChange),
      }),
    });
    await world.run(['chat', '--answer', 'model:near', '-p', 'hello'], { env: { NEAR_KEY: key } });
    const [tides = '', rain = '', drops = ''] = toolResults();
    expect([tides.includes('Old body.'), rain.includes('Old rain.'), drops.includes('Old drops.')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('in an agent inside a run', async () => {
    world = createWorld(skills);
    world.write({
      'home/.techne/config.json': JSON.stringify({ models: await modelAt(loadingAfterChange) }),
    });
    const techne = await createTechne({
      cwd: world.workspace,
      homeFolder: world.home,
      variables: { NEAR_KEY: key },
      trust: [world.workspace],
      answerer: 'model:near',
    });
    try {
      expect(await techne.run('talk')).toMatchObject({ status: 'completed' });
      const [tides = '', rain = '', drops = ''] = toolResults();
      expect([tides.includes('Old body.'), rain.includes('Old rain.'), drops.includes('Old drops.')]).toEqual(
        [true, true, true],
      );
    } finally {
      await techne.close();
    }
  });
});
