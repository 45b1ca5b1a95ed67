import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, skillText } from '../../test/support/library.ts';
import { Conversation } from './conversation.ts';
import type { ShelfState, SkillShelf } from './skill-shelf.ts';

async function talk(): Promise<{ readonly conversation: Conversation; readonly load: (name: string) => Promise<string>; readonly move: (state: ShelfState) => void; readonly wait: (ms: number) => void; readonly files: ReturnType<typeof libraryOf> }> {
  const files = libraryOf(['/user/tides', '/user/moon', '/user/wind', '/user/rain']);
  let state: ShelfState = { snapshot: await loadFrom(files), matcher: null };
  let now = 0;
  const shelf: SkillShelf = { get state() { return state; }, onChange: () => () => undefined, close: async () => undefined };
  const conversation = new Conversation({ shelf, settings: {}, runs: true, idleMs: 1_000, nowMs: () => now, onLoaded: () => undefined });
  const load = async (name: string): Promise<string> => {
    const { ok, metadata } = await conversation.call('skill_load', { name }, null);
    return !ok ? 'refused' : metadata['already_loaded'] === true ? 'pointer' : 'body';
  };
  return { conversation, load, move: (next) => { state = next; }, wait: (ms) => { now += ms; }, files };
}

describe('Conversation', () => {
  it('points to a body once, and gives it again to whoever still asks', async () => {
    const { load } = await talk();
    expect([await load('tides'), await load('tides'), await load('tides'), await load('tides')]).toEqual(['body', 'pointer', 'body', 'pointer']);
  });

  it('starts anew after a time without a call', async () => {
    const { load, wait } = await talk();
    expect([await load('tides'), await load('moon'), await load('wind'), await load('rain')]).toEqual(['body', 'body', 'body', 'refused']);
    wait(1_001);
    expect([await load('rain'), await load('tides')]).toEqual(['body', 'body']);
  });

  it('moves with the shelf, between two calls', async () => {
    const { conversation, load, move, files } = await talk();
    expect(await load('tides')).toBe('body');
    files.write('/user/snow/SKILL.md', skillText('snow'));
    move({ snapshot: await loadFrom(files), matcher: null });
    expect([await load('snow'), await load('tides')]).toEqual(['body', 'pointer']);
    expect(await conversation.use((session) => session.list().map(({ name }) => name))).toContain('snow');
  });
});
