import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StartKeys } from './start-keys.ts';
import { createFileStartKeys } from './start-keys.ts';

const hourMs = 3_600_000;

describe('createFileStartKeys', () => {
  let folder: string;
  let nowMs: number;
  let keys: StartKeys;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'techne-keys-'));
    nowMs = Date.now();
    keys = createFileStartKeys({ folder, nowMs: () => nowMs, ttlMs: 24 * hourMs });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives the run of the first request, and refuses another body', async () => {
    const claims = ['R1', 'R2', 'R3'].map((run) => keys.claim('ada', 'k', { a: 1 }, run));
    expect(new Set(await Promise.all(claims)).size).toBe(1);
    await expect(keys.claim('ada', 'k', { a: 2 }, 'R4')).rejects.toMatchObject({ code: 'KEY_REUSED' });
    expect([await keys.claim('bob', 'k', { a: 2 }, 'R5'), readdirSync(folder).length]).toEqual(['R5', 2]);
  });

  it('withdraws a key whose run was not made, and no other one', async () => {
    await keys.claim('ada', 'k', { a: 1 }, 'R1');
    await keys.withdraw('ada', 'k', 'R9');
    await keys.withdraw('ada', 'unknown', 'R1');
    expect(await keys.claim('ada', 'k', { a: 1 }, 'R2')).toBe('R1');
    await keys.withdraw('ada', 'k', 'R1');
    expect([await keys.claim('ada', 'k', { a: 2 }, 'R3'), readdirSync(folder).length]).toEqual(['R3', 1]);
  });

  it('removes keys that are too old while it is used, not only when it starts', async () => {
    await keys.claim('ada', 'old', { a: 1 }, 'R1');
    const [old = ''] = readdirSync(folder);
    utimesSync(join(folder, old), new Date(nowMs), new Date(nowMs - 25 * hourMs));
    await keys.claim('ada', 'second', {}, 'R2');
    expect(readdirSync(folder)).toContain(old);
    nowMs += hourMs;
    await keys.claim('ada', 'third', {}, 'R3');
    expect([readdirSync(folder).includes(old), readdirSync(folder).length]).toEqual([false, 2]);
  });

  it('takes a key that is too old for a new one before it is removed', async () => {
    await keys.claim('ada', 'k', { a: 1 }, 'R1');
    // Its file is as new as any; what counts is when the key was claimed.
    const [name = ''] = readdirSync(folder);
    const at = nowMs - 25 * hourMs;
    writeFileSync(join(folder, name), JSON.stringify({ run: 'R1', body: 'x', at }));
    expect(await keys.claim('ada', 'k', { a: 2 }, 'R2')).toBe('R2');
    expect([await keys.claim('ada', 'k', { a: 2 }, 'R3'), readdirSync(folder)]).toEqual(['R2', [name]]);
  });

  it('says which record is damaged', async () => {
    await keys.claim('ada', 'k', { a: 1 }, 'R1');
    const path = join(folder, readdirSync(folder)[0] as string);
    writeFileSync(path, '{"run":');
    await expect(keys.claim('ada', 'k', { a: 1 }, 'R2')).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: `the record of the idempotency key in "${path}" is damaged`,
    });
  });
});
