import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../node/files/files.ts';
import { TokenFile } from './token-file.ts';

let folder: string;
let nowMs: number;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-tokens-')));
  nowMs = 1_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): TokenFile =>
  new TokenFile({ file: join(folder, 'tokens.json'), files: createNodeFiles(), nowMs: () => nowMs });

describe('TokenFile', () => {
  it('finds a token by its text, which is nowhere in the file', async () => {
    const tokens = open();
    const text = await tokens.create('ci', 'runner', null);
    expect(text).toMatch(/^techne_[\w-]{43}$/);
    expect(tokens.find(text)).toMatchObject({
      name: 'ci',
      role: 'runner',
      createdAt: 1_000,
      revokedAt: null,
    });
    expect(tokens.find(`${text}x`)).toBe('unknown');
    expect(readFileSync(tokens.file, 'utf8')).not.toContain(text.slice(7));
  });

  it('knows at once what another process changed', async () => {
    const [here, there] = [open(), open()];
    const text = await there.create('ci', 'runner', null);
    expect(here.find(text)).toMatchObject({ name: 'ci' });
    await there.revoke('ci');
    expect(here.find(text)).toBe('revoked');
    expect(await there.revoke('ci')).toMatchObject({ revokedAt: 1_000 });
  });

  it('ends a token when its time is over', async () => {
    const tokens = open();
    const text = await tokens.create('ci', 'viewer', 2_000);
    nowMs = 1_999;
    expect(tokens.find(text)).toMatchObject({ name: 'ci' });
    nowMs = 2_000;
    expect(tokens.find(text)).toBe('expired');
  });

  it('gives a name once, also after it was revoked', async () => {
    const tokens = open();
    await tokens.create('ci', 'viewer', null);
    await tokens.revoke('ci');
    await expect(tokens.create('CI', 'viewer', null)).rejects.toMatchObject({ code: 'USAGE' });
    for (const name of ['', 'a b', '-x', 'a\n', 'x'.repeat(65), '../x'])
      await expect(tokens.create(name, 'viewer', null)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('loses nothing when several processes make tokens at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, at) => open().create(`t${at}`, 'viewer', null)));
    expect(open().list()).toHaveLength(10);
  });

  it.each([
    ['{', 'is not JSON'],
    ['{"version": 2, "tokens": []}', 'of this version'],
    ['{"version": 1, "tokens": [{"name": "x"}]}', 'lacks a name'],
    ['{"version": 1, "tokens": [7]}', 'is not an object'],
    [
      '{"version": 1, "tokens": [{"name": "x", "role": "king", "hash": "", "createdAt": 1, "expiresAt": null, "revokedAt": null}]}',
      'lacks a name',
    ],
  ])('refuses every token of a damaged file: %s', async (text, why) => {
    const tokens = open();
    const token = await tokens.create('ci', 'operator', null);
    writeFileSync(tokens.file, text);
    expect(() => tokens.find(token)).toThrow(why);
    await expect(tokens.create('more', 'viewer', null)).rejects.toMatchObject({ code: 'TOKENS_FILE' });
  });

  it('refuses a file that others can write', async () => {
    const tokens = open();
    const token = await tokens.create('ci', 'operator', null);
    chmodSync(tokens.file, 0o666);
    expect(() => tokens.find(token)).toThrow('proves nothing');
  });
});
