// `skill.loaded` and `tool.failed` of S2, on every surface: the library, the chat, MCP, and an agent inside a run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TechneOptions } from '../src/techne/create-techne.ts';
import { createTechne } from '../src/techne/create-techne.ts';
import { createModelServer } from './support/model-server.ts';
import { openTestService } from './support/mcp-service.ts';
import type { World } from './support/run-cli.ts';
import { createWorld, skillText } from './support/run-cli.ts';

type Heard = Parameters<NonNullable<TechneOptions['onEvent']>>[0];

let world: World | null = null;
afterEach(() => {
  world?.remove();
  world = null;
});

const skills = {
  'work/.techne/skills/tides/SKILL.md': skillText('tides'),
  'work/.techne/skills/moon/SKILL.md': skillText('moon'),
  'work/.techne/skills/go/SKILL.md':
    '---\nname: go\ndescription: Use to go.\nmetaskill: SKILL.star\n---\n\nGoes.\n',
  'work/.techne/skills/go/SKILL.star': 'def run(input):\n    return {"answer": ask("Go on.")["answer"]}\n',
};

const loaded = (id: string | null, name = 'tides'): object => ({
  type: 'skill.loaded',
  skill_id: name,
  skill_version: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  load_reason: 'on_demand',
  load_size_tokens: expect.any(Number) as number,
  source: 'workspace',
  triggered_by_tool_use_id: id,
});
const failed = (code: string, id: string | null, tool = 'skill_load'): object => ({
  type: 'tool.failed',
  tool,
  code,
  triggered_by_tool_use_id: id,
});

function aboutSkills(events: readonly Heard[]): readonly Heard[] {
  return events.filter(({ type }) => type === 'skill.loaded' || type === 'tool.failed');
}

describe('a load and a refused load are told', () => {
  it('by a session of the library, and by its fork', async () => {
    world = createWorld(skills);
    const events: Heard[] = [];
    const techne = await createTechne({
      cwd: world.workspace,
      homeFolder: world.home,
      variables: {},
      onEvent: (event) => void events.push(event),
    });
    try {
      const session = await techne.session({ settings: { activations: 1 } });
      await session.call('skill_load', { name: 'tides' }, { id: 'a' });
      await session.call('skill_load', { name: 'tides' }, { id: 'b' });
      await session.call('skill_load', { name: 'moon' }, { id: 'c' });
      await session.call('skill_load', { name: 'mon' }, { id: 'd' });
      await session.call('skill_read', { name: 'tides', path: 'none.md' }, { id: 'e' });
      const fork = await session.fork();
      await fork.call('skill_load', { name: 'moon' }, { id: 'f' });
      await fork.call('skill_load', { name: 'tides' }, { id: 'g' });
      expect(events).toEqual([
        loaded('a'),
        failed('ACTIVATION_BUDGET', 'c'),
        failed('SKILL_UNKNOWN', 'd'),
        failed('FILE_MISSING', 'e', 'skill_read'),
        loaded('f', 'moon'),
        failed('ACTIVATION_BUDGET', 'g'),
      ]);
    } finally {
      await techne.close();
    }
  });

  it('by MCP', async () => {
    const events: Heard[] = [];
    const test = await openTestService(skills, {
      config: { prompt: { activations: 1 } },
      onEvent: (event) => void events.push(event),
    });
    try {
      const { call } = await test.connect();
      await call('skill_load', { name: 'tides' });
      await call('skill_load', { name: 'moon' });
      await call('skill_load', { name: 'mon' });
      const id = expect.any(String) as string;
      expect(events).toEqual([loaded(id), failed('ACTIVATION_BUDGET', id), failed('SKILL_UNKNOWN', id)]);
    } finally {
      await test.close();
    }
  });

  it('by the chat, and by the agent of a skill with `context: fork`', async () => {
    world = createWorld({
      ...skills,
      'work/.techne/skills/study/SKILL.md':
        '---\nname: study\ndescription: Studies. Use to study.\ncontext: fork\n---\n\nStudy.\n',
      'work/talk.yaml':
        'chat:\n- calls: [{tool: skill_load, args: {name: tides}}, {tool: skill_load, args: {name: mon}}]\n- Fine.\n',
    });
    const told = async (...argv: readonly string[]): Promise<readonly Heard[]> => {
      const { workspace } = world as World;
      await world?.run(['chat', '--answer', 'script:talk.yaml', '--events', 'events.jsonl', ...argv]);
      return readFileSync(join(workspace, 'events.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Heard);
    };
    const id = expect.any(String) as string;
    const before = await told('-p', 'hello');
    expect(before).toEqual([loaded(id), failed('SKILL_UNKNOWN', id)]);
    expect((await told('-p', '/study')).slice(before.length)).toEqual([
      loaded(null, 'study'),
      loaded(id),
      failed('SKILL_UNKNOWN', id),
    ]);
  });

  it('by an agent inside a run, whose refused call has failed in the journal too', async () => {
    world = createWorld(skills);
    const server = await createModelServer({
      key: 'sk-events-0123456789',
      turns: [
        {
          calls: [
            { tool: 'skill_load', input: { name: 'tides' } },
            { tool: 'skill_load', input: { name: 'mon' } },
            { tool: 'read_file', input: { path: 'none.txt' } },
          ],
        },
        { text: 'done' },
      ],
    });
    const models = {
      near: { provider: 'openai-compatible', baseUrl: server.url, model: 'm', apiKeyEnv: 'NEAR_KEY' },
    };
    world.write({
      'home/.techne/config.json': JSON.stringify({ trust: { folders: [world.workspace] }, models }),
    });
    const events: Heard[] = [];
    const techne = await createTechne({
      cwd: world.workspace,
      homeFolder: world.home,
      variables: { NEAR_KEY: 'sk-events-0123456789' },
      answerer: 'model:near',
      onEvent: (event) => void events.push(event),
    });
    try {
      const { status, run } = await techne.run('go', { go: true });
      expect(status).toBe('completed');
      const id = expect.any(String) as string;
      const at = expect.any(Number) as number;
      expect(aboutSkills(events)).toEqual([
        { ...loaded(id), run, at, key: '1' },
        { type: 'tool.failed', run, at, key: '1/3', tool: 'skill_load', code: 'TOOL_FAILED' },
        { type: 'tool.failed', run, at, key: '1/4', tool: 'read_file', code: 'TOOL_FAILED' },
      ]);
      expect(
        events.flatMap((event) =>
          event.type === 'effect.ended' && event.kind === 'tool' ? [[event.key, event.ok]] : [],
        ),
      ).toEqual([
        ['1/2', true],
        ['1/3', false],
        ['1/4', false],
      ]);
      const said = server.requests[1]?.body['messages'] as readonly {
        readonly role: string;
        readonly content: string;
      }[];
      const results = said.filter(({ role }) => role === 'tool');
      expect(results.map(({ content }) => content.split('\n')[1])).toEqual([
        expect.stringContaining('# Skill: tides'),
        "error: no skill registered with name 'mon'",
        expect.stringMatching(/^error: .*none\.txt/),
      ]);
    } finally {
      await techne.close();
      await server.close();
    }
  });
});
