import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../node/files/files.ts';
import type { CiFinding } from './finding.ts';
import { openResultCache } from './result-cache.ts';

const files = createNodeFiles();
const key = 'a'.repeat(64);
const finding: CiFinding = {
  kind: 'check',
  code: 'LINT',
  severity: 'error',
  skill: 'tides',
  path: 'SKILL.md',
  line: 1,
  column: 1,
  endLine: null,
  endColumn: null,
  message: 'm',
  hint: null,
  anchor: 'a',
};
const value = { findings: [finding], tests: 2, names: [{ name: 'tides', takenFor: null }] };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-'));
  path = join(folder, 'in', 'ci.txt');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function open() {
  const notices: string[] = [];
  const cache = await openResultCache(files, path, (text) => notices.push(text));
  return { cache, notices };
}

/** A file with the right digest of whatever it holds. */
function forge(body: string): void {
  mkdirSync(join(folder, 'in'), { recursive: true });
  writeFileSync(path, `techne-ci-cache 1 ${createHash('sha256').update(body).digest('hex')}\n${body}\n`);
}

describe('openResultCache', () => {
  it('gives back what was kept, and writes only when something is new', async () => {
    const first = await open();
    first.cache.put(key, 'check', value);
    expect(await first.cache.save()).toBeNull();
    const written = readFileSync(path, 'utf8');
    const second = await open();
    expect([second.cache.get(key), second.cache.get('b'.repeat(64)), second.notices]).toEqual([
      value,
      null,
      [],
    ]);
    writeFileSync(path, '');
    await second.cache.save();
    expect(readFileSync(path, 'utf8')).toBe('');
    writeFileSync(path, written);
  });

  it('ignores and says every torn length and every changed byte', async () => {
    const { cache } = await open();
    cache.put(key, 'check', value);
    await cache.save();
    const good = readFileSync(path);
    for (let length = 1; length < good.length - 1; length += 7) {
      writeFileSync(path, good);
      truncateSync(path, length);
      const torn = await open();
      expect([torn.cache.get(key), torn.notices.length]).toEqual([null, 1]);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 2), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] as number) ^ by;
        writeFileSync(path, bytes);
        const changed = await open();
        expect([changed.cache.get(key), changed.notices.length]).toEqual([null, 1]);
      }),
      { numRuns: 100 },
    );
  });

  it('takes no entry that techne would not write, also with the right digest', async () => {
    const entry = { key, kind: 'check', value };
    const withFinding = (more: object): object => ({
      ...entry,
      value: { ...value, findings: [{ ...finding, ...more }] },
    });
    const hostile: readonly unknown[] = [
      null,
      [],
      'x',
      {},
      { ...entry, key: '__proto__' },
      { ...entry, key: 'A'.repeat(64) },
      { ...entry, kind: 'other' },
      { ...entry, value: { ...value, tests: -1 } },
      { ...entry, value: { ...value, tests: '2' } },
      { ...entry, value: { ...value, names: [{ name: 1, takenFor: null }] } },
      { ...entry, value: { findings: {}, tests: 0, names: [] } },
      withFinding({ path: '../../etc/passwd' }),
      withFinding({ path: '/etc/passwd' }),
      withFinding({ path: 'C:\\x' }),
      withFinding({ path: 'a/../../b' }),
      withFinding({ line: 0 }),
      withFinding({ line: 1.5 }),
      withFinding({ severity: 'fatal' }),
      withFinding({ kind: 'scan' }),
      withFinding({ message: null }),
      withFinding({ skill: null }),
    ];
    for (const one of hostile) {
      forge(JSON.stringify([one]));
      const { cache, notices } = await open();
      expect([one, cache.get(key), notices.length]).toEqual([one, null, 1]);
    }
    for (const body of ['{}', 'null', '1', '', '[', '['.repeat(200_000)]) {
      forge(body);
      const { cache, notices } = await open();
      expect([cache.get(key), notices.length]).toEqual([null, 1]);
    }
    forge(JSON.stringify([entry, null]));
    const { cache, notices } = await open();
    expect([cache.get(key), notices.length]).toEqual([value, 1]);
  });

  it('says that it cannot be written, or is a folder, and goes on', async () => {
    writeFileSync(join(folder, 'in'), 'a file');
    const blocked = await open();
    blocked.cache.put(key, 'check', value);
    const said = [...blocked.notices, await blocked.cache.save()].join('\n');
    expect(said).toMatch(/cache/);
    path = folder;
    const { cache, notices } = await open();
    cache.put(key, 'check', value);
    expect([await cache.save(), notices.length]).toEqual([null, 1]);
  });
});
