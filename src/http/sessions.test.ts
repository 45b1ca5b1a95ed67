import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../node/files/files.ts';
import { TokenFile } from '../techne/tokens/token-file.ts';
import type { SessionsOptions } from './sessions.ts';
import { Sessions } from './sessions.ts';

let folder: string;
let nowMs: number;
let tokens: TokenFile;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-sessions-')));
  nowMs = 1_000;
  tokens = new TokenFile({ file: join(folder, 'tokens.json'), files: createNodeFiles(), nowMs: () => nowMs });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: Partial<SessionsOptions> = {}): Sessions =>
  new Sessions({
    person: 'ada@local',
    tokens,
    nowMs: () => nowMs,
    port: () => 8486,
    isSecure: false,
    file: null,
    ...more,
  });
const pairOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';
const hashOfToken = async (name: string, expiresAt: number | null = null): Promise<string> => {
  const found = tokens.find(await tokens.create(name, 'reviewer', expiresAt));
  return typeof found === 'string' ? found : found.hash;
};

describe('Sessions', () => {
  it('finds the session of a cookie among others, and no other', () => {
    const sessions = open();
    const { setCookie, session } = sessions.open(null, false);
    const pair = pairOf(setCookie);
    expect(setCookie).toBe(`${pair}; Path=/; HttpOnly; SameSite=Strict`);
    expect(pair).toMatch(/^techne_session_8486=[\w-]{43}$/);
    expect(session).toMatchObject({ name: 'ada@local', role: 'operator' });
    expect(sessions.find(`a=b; ${pair}; c=d`)).toEqual(session);
    for (const wrong of [
      '',
      'techne_session_8486',
      'techne_session_8486=',
      pair.replace('8486', '8487'),
      `${pair}x`,
      `x${pair}`,
    ])
      expect(sessions.find(wrong)).toBeNull();
  });

  it('has the name and role of its token, and ends when that is revoked', async () => {
    const sessions = open();
    const pair = pairOf(sessions.open(await hashOfToken('bea'), false).setCookie);
    expect(sessions.find(pair)).toMatchObject({ name: 'bea', role: 'reviewer' });
    await tokens.revoke('bea');
    expect(sessions.find(pair)).toBeNull();
  });

  it('ends when its token expires, and after a week', async () => {
    const sessions = open();
    const short = pairOf(sessions.open(await hashOfToken('short', 2_000), false).setCookie);
    const long = pairOf(sessions.open(await hashOfToken('long'), false).setCookie);
    nowMs = 2_000;
    expect([sessions.find(short), sessions.find(long)?.name]).toEqual([null, 'long']);
    nowMs = 1_001 + 7 * 86_400_000;
    expect(sessions.find(long)).toBeNull();
  });

  it('is ended, and its cookie removed', () => {
    const sessions = open();
    const { setCookie, session } = sessions.open(null, false);
    expect(sessions.end(session?.id ?? '', false)).toBe(
      'techne_session_8486=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    );
    expect(sessions.find(pairOf(setCookie))).toBeNull();
  });

  it('gives a Secure cookie over https, and behind a proxy that has it', () => {
    expect(open().open(null, true).setCookie).toMatch(/; Secure$/);
    expect(open({ isSecure: true }).open(null, false).setCookie).toMatch(/; Secure$/);
  });

  it('ends the oldest of a token where there are too many, and none of another', async () => {
    const sessions = open();
    const other = pairOf(sessions.open(await hashOfToken('other'), false).setCookie);
    const token = await hashOfToken('many');
    const pairs = Array.from({ length: 20 }, () => pairOf(sessions.open(token, false).setCookie));
    expect(pairs.filter((pair) => sessions.find(pair) !== null)).toEqual(pairs.slice(4));
    expect(sessions.find(other)).not.toBeNull();
  });

  it('outlives a restart with a file that has neither cookie nor token and is for one user', async () => {
    const file = join(folder, 'serve', 'sessions.json');
    const text = await tokens.create('bea', 'reviewer', null);
    const found = tokens.find(text);
    const first = open({ file: () => file });
    const pair = pairOf(first.open(typeof found === 'string' ? null : found.hash, false).setCookie);
    const link = pairOf(first.open(null, false).setCookie);
    expect(open({ file: () => file }).find(pair)?.name).toBe('bea');
    expect(open({ file: () => file }).find(link)?.name).toBe('ada@local');
    // A server that others reach has no link, so sessions of a link from before count for nothing.
    expect(open({ file: () => file, person: null }).find(link)).toBeNull();
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain(pair.split('=')[1]);
    expect(kept).not.toContain(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{"x": 1, "y": {"csrf": 7}}');
    expect(open({ file: () => file }).find(pair)).toBeNull();
  });

  it('goes on without a file where none can be written', () => {
    writeFileSync(join(folder, 'file'), '');
    const sessions = open({ file: () => join(folder, 'file', 'sessions.json') });
    expect(sessions.find(pairOf(sessions.open(null, false).setCookie))).not.toBeNull();
  });
});
