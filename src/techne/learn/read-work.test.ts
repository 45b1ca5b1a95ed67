import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withArchive } from '../open-archive.ts';
import type { LearnFrom, ReadWork, WorkLimits } from './read-work.ts';
import { findSource, readWork } from './read-work.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-work-'));
  mkdirSync(join(home, '.techne/chats'), { recursive: true });
  mkdirSync(join(home, 'work/.git'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nowMs = Date.parse('2026-11-18T10:00:00Z');
const day = 86_400_000;
const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
/** A conversation with two calls: one at its beginning, one now. */
function chat(id: string, beganMs: number): void {
  const call = (name: string, at: number): object[] => [
    {
      type: 'turn.taken',
      at,
      turn: {
        model: 'm',
        finish: 'tool-calls',
        content: [{ type: 'call', id: name, tool: 'command', input: `{"argv":["${name}"]}` }],
      },
      usage,
    },
    { type: 'call.ended', at, id: name, ok: true, text: '', given: [] },
  ];
  const entries = [
    { type: 'chat.started', at: beganMs, chat: id, version: 1, workspace: join(home, 'work'), model: 'm' },
    ...call('first', beganMs),
    ...call('last', nowMs),
  ];
  writeFileSync(
    join(home, '.techne/chats', `${id}.jsonl`),
    entries.map((one) => `${JSON.stringify(one)}\n`).join(''),
  );
}
const place = () => ({ homeFolder: home, cwd: join(home, 'work') });
const read = (from: LearnFrom, limits: Partial<WorkLimits> = {}): Promise<ReadWork> =>
  withArchive(place(), (archive) =>
    readWork({ homeFolder: home, archive, from, workspace: join(home, 'work'), limits }),
  );
const find = (given: string): Promise<LearnFrom> =>
  withArchive(place(), (archive) => findSource(given, { homeFolder: home, archive, nowMs }));

describe('readWork', () => {
  it('takes what was done since the time, also in conversations that began before', async () => {
    chat('01KA', nowMs - 40 * day);
    chat('01KB', nowMs);
    utimesSync(join(home, '.techne/chats/01KA.jsonl'), new Date(nowMs), new Date(nowMs));
    const since = { kind: 'since', sinceMs: nowMs - 30 * day } as const;
    expect((await read(since)).works.map(({ id, calls }) => `${id} ${calls.length}`)).toEqual([
      '01KB 2',
      '01KA 1',
    ]);
    const old = new Date(nowMs - 35 * day);
    utimesSync(join(home, '.techne/chats/01KA.jsonl'), old, old);
    expect((await read(since)).works.map(({ id }) => id)).toEqual(['01KB']);
  });

  it('stops at its limits, the newest first, and says so', async () => {
    for (const id of ['01KA', '01KB', '01KC']) chat(id, nowMs);
    const since = { kind: 'since', sinceMs: 0 } as const;
    expect(await read(since, { sources: 2 })).toMatchObject({ chats: 2, calls: 4, isCut: true });
    expect(await read(since, { calls: 3 })).toMatchObject({ chats: 2, calls: 4, isCut: true });
    expect(await read(since, { sources: 4 })).toMatchObject({ chats: 3, calls: 6, isCut: false });
    expect((await read({ kind: 'chat', id: '01KB' })).works.map(({ id }) => id)).toEqual(['01KB']);
  });
});

describe('findSource', () => {
  it.each(['7d', '7 days', 'last 7 days', 'Last 7d', '7D'])('takes %j for days', async (given) => {
    expect(await find(given)).toEqual({ kind: 'since', sinceMs: nowMs - 7 * day });
  });

  it('finds a conversation by a part of its id, and refuses what fits two or none', async () => {
    chat('01KAXYZ', nowMs);
    chat('01KAXYW', nowMs);
    expect(await find('xyz')).toEqual({ kind: 'chat', id: '01KAXYZ' });
    await expect(find('01KAXY')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(find('nothing')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'there is no run and no conversation "nothing"',
    });
  });
});
