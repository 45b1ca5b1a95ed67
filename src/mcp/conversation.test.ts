import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, skillText } from '../../test/support/library.ts';
import { createSkillSession } from '../prompt/skill-session.ts';
import { ToolFault } from '../ports/tool.ts';
import { Conversation } from './conversation.ts';
import type { Snapshot } from '../registry/snapshot.ts';

async function talk(): Promise<{
  readonly conversation: Conversation;
  readonly load: (name: string) => Promise<string>;
  readonly move: (snapshot: Snapshot) => void;
  readonly wait: (ms: number) => void;
  readonly files: ReturnType<typeof libraryOf>;
}> {
  const files = libraryOf(['/user/tides', '/user/moon', '/user/wind', '/user/rain']);
  let snapshot = await loadFrom(files);
  let now = 0;
  const skills = {
    get snapshot() {
      return snapshot;
    },
    matcher: () => ({ match: () => ({ matches: [], abstained: null, candidates: [] }) }),
  };
  const conversation = new Conversation({
    skills,
    openSession: () =>
      createSkillSession({
        snapshot,
        settings: { preload: [] },
        isUntrusted: async () => false,
        runs: true,
      }),
    runs: true,
    windowMs: 1_000,
    nowMs: () => now,
  });
  const load = async (name: string): Promise<string> => {
    try {
      const { metadata } = await conversation.call('skill_load', { name }, '1');
      return metadata?.['already_loaded'] === true ? 'pointer' : 'body';
    } catch (error) {
      if (error instanceof ToolFault) return 'refused';
      throw error;
    }
  };
  return {
    conversation,
    load,
    move: (next) => {
      snapshot = next;
    },
    wait: (ms) => {
      now += ms;
    },
    files,
  };
}

describe('Conversation', () => {
  it('points to a body once, and gives it again on the next request', async () => {
    const { load } = await talk();
    expect([await load('tides'), await load('tides'), await load('tides'), await load('tides')]).toEqual([
      'body',
      'pointer',
      'body',
      'pointer',
    ]);
  });

  it('starts anew after a while, also where calls never cease', async () => {
    const { load, wait } = await talk();
    expect([await load('tides'), await load('moon'), await load('wind'), await load('rain')]).toEqual([
      'body',
      'body',
      'body',
      'refused',
    ]);
    wait(600);
    expect(await load('rain')).toBe('refused');
    wait(600);
    expect([await load('rain'), await load('tides')]).toEqual(['body', 'body']);
  });

  it('says which settings limit what is loaded', async () => {
    const { conversation, load } = await talk();
    for (const name of ['tides', 'moon', 'wind']) await load(name);
    await expect(conversation.call('skill_load', { name: 'rain' }, '1')).rejects.toMatchObject({
      hint: 'The limits are `prompt.activations` and `prompt.capTokens` of the configuration, and count what this connection loaded within 0 minutes; `mcp.activationLimits` turns them off.',
    });
    await expect(conversation.call('skill_load', { name: 'ran' }, '1')).rejects.toMatchObject({
      hint: "Did you mean 'rain'?",
    });
  });

  it('says of a metaskill how it is run, and with which keys', async () => {
    const { conversation, move, files } = await talk();
    files.write(
      '/user/loop/SKILL.md',
      skillText(
        'loop',
        'metaskill: SKILL.star\ninputs:\n  task: {type: string, required: true, description: What to do}\n  rounds: {type: integer, default: 3}\n',
      ),
    );
    files.write('/user/loop/SKILL.star', 'def run(input):\n    return {}\n');
    move(await loadFrom(files));
    const { text, metadata } = await conversation.call('skill_load', { name: 'loop' }, '1');
    expect(text).toContain(
      '\n\nThis skill is a program: run it with run_metaskill, name "loop"; keys: task (required string), rounds (integer).\n',
    );
    expect(metadata?.['inputs']).toMatchObject([{ key: 'task', required: true }, { key: 'rounds' }]);
    expect((await conversation.call('skill_load', { name: 'tides' }, '1')).text).not.toContain(
      'run_metaskill',
    );
  });

  it('says of a composition that it takes a message', async () => {
    const { conversation, move, files } = await talk();
    files.write(
      '/user/trip/SKILL.md',
      skillText(
        'trip',
        'kind: meta\ncomposition:\n  steps:\n    - {id: plan, kind: llm_chat, with: {task: "{{ inputs.user_message | truncate(100) }}"}}\n',
      ),
    );
    move(await loadFrom(files));
    const { text, metadata } = await conversation.call('skill_load', { name: 'trip' }, '1');
    expect(text).toContain('run it with run_metaskill, name "trip"; keys: user_message (required string).\n');
    expect(metadata?.['inputs']).toMatchObject([{ key: 'user_message', required: true }]);
  });

  it('moves with the store, between two calls', async () => {
    const { conversation, load, move, files } = await talk();
    expect(await load('tides')).toBe('body');
    files.write('/user/snow/SKILL.md', skillText('snow'));
    move(await loadFrom(files));
    expect([await load('snow'), await load('tides')]).toEqual(['body', 'pointer']);
    expect(await conversation.use((session) => session.list().map(({ name }) => name))).toContain('snow');
  });
});
