import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import { FolderCache, removeFolder } from './folder-cache.ts';
import type { TravelManifest } from './manifest.ts';
import { renderManifest } from './manifest.ts';

let folder: string;
let blobs: Blobs;
let now = Date.now();
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'techne-cache-'));
  blobs = createMemoryBlobs(nodeSha256);
  now = Date.now();
});
afterEach(() => removeFolder(folder));

const open = (limits?: ConstructorParameters<typeof FolderCache>[0]['limits']): FolderCache =>
  new FolderCache({ folder, blobs, nowMs: () => now, ...(limits === undefined ? {} : { limits }) });
const put = async (
  texts: { readonly [path: string]: string },
  links: TravelManifest['links'] = [],
): Promise<BlobDigest> => {
  const files = [];
  for (const [path, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    files.push({
      path,
      digest: await blobs.put(bytes),
      size: bytes.length,
      executable: path.endsWith('.sh'),
    });
  }
  return blobs.put(renderManifest({ files, links }));
};
const read = (path: string): string => fs.readFileSync(path, 'utf8');

describe('FolderCache', () => {
  it('makes a read-only folder, once', async () => {
    const digest = await put({ 'a/SKILL.md': 'text', 'a/run.sh': 'echo' }, [
      { path: 'b', target: 'a/SKILL.md' },
    ]);
    const { path } = await open().open(digest);
    expect([read(join(path, 'a/SKILL.md')), read(join(path, 'b'))]).toEqual(['text', 'text']);
    const modes = ['a', 'a/SKILL.md', 'a/run.sh'].map((name) => fs.statSync(join(path, name)).mode & 0o777);
    expect(modes).toEqual([0o555, 0o444, 0o555]);
    const before = fs.statSync(join(path, 'a/SKILL.md')).ino;
    expect((await open().open(digest)).path).toBe(path);
    expect(fs.statSync(join(path, 'a/SKILL.md')).ino).toBe(before);
  });

  it.each<[string, (path: string) => void]>([
    [
      'other bytes of the same size',
      (path) => {
        const { atime, mtime } = fs.statSync(join(path, 'a.txt'));
        fs.chmodSync(join(path, 'a.txt'), 0o644);
        fs.writeFileSync(join(path, 'a.txt'), 'evil');
        fs.chmodSync(join(path, 'a.txt'), 0o444);
        fs.utimesSync(join(path, 'a.txt'), atime, mtime);
      },
    ],
    ['a missing file', (path) => fs.rmSync(join(path, 'a.txt'))],
    ['a file too many', (path) => fs.writeFileSync(join(path, 'more.txt'), '', { mode: 0o444 })],
    ['another mode', (path) => fs.chmodSync(join(path, 'a.txt'), 0o555)],
    [
      'a link in the place of a file',
      (path) => {
        fs.rmSync(join(path, 'a.txt'));
        fs.symlinkSync('/etc/hostname', join(path, 'a.txt'));
      },
    ],
    ['a manifest of something else', (path) => fs.chmodSync(join(path, '..', 'manifest.json'), 0o644)],
  ])('fetches anew what was changed: %s', async (what, change) => {
    const digest = await put({ 'a.txt': 'good' });
    const cache = open();
    const { path } = await cache.open(digest);
    fs.chmodSync(path, 0o755);
    change(path);
    if (what.startsWith('a manifest')) fs.writeFileSync(join(path, '..', 'manifest.json'), '{}');
    const again = await cache.open(digest);
    expect(fs.readdirSync(again.path)).toEqual(['a.txt']);
    expect(read(join(again.path, 'a.txt'))).toBe('good');
    expect(fs.lstatSync(join(again.path, 'a.txt')).isFile()).toBe(true);
  });

  it('opens one folder for many at once', async () => {
    const digest = await put(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, String(n)])));
    const opened = await Promise.all(Array.from({ length: 8 }, () => open().open(digest)));
    expect(new Set(opened.map(({ path }) => path)).size).toBe(1);
    expect(fs.readdirSync(join(folder, 'sets'))).toHaveLength(1);
  });

  it('is whole after a kill in the middle', async () => {
    const texts = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`d${n % 7}/f${n}`, `text ${n}`]));
    const digest = await put(texts);
    const dump = join(folder, 'blobs.json');
    const all: { [digest: string]: string } = {};
    for (const text of Object.values(texts)) {
      const bytes = Buffer.from(text);
      all[`sha256:${nodeSha256(bytes)}`] = bytes.toString('base64');
    }
    all[digest] = Buffer.from(await blobs.get(digest)).toString('base64');
    fs.writeFileSync(dump, JSON.stringify(all));
    const script = `
      import { readFileSync } from 'node:fs';
      import { FolderCache } from ${JSON.stringify(new URL('./folder-cache.ts', import.meta.url).href)};
      const all = JSON.parse(readFileSync(${JSON.stringify(dump)}, 'utf8'));
      const blobs = { get: async (digest) => Buffer.from(all[digest], 'base64') };
      process.stdout.write('.');
      await new FolderCache({ folder: ${JSON.stringify(folder)}, blobs, nowMs: Date.now }).open(${JSON.stringify(digest)});
      process.stdout.write('done');
      setInterval(() => {}, 1000);
    `;
    let killedEarly = 0;
    for (const files of [1, 60, 200, 399]) {
      const child = spawn(process.execPath, [
        '--experimental-strip-types',
        '--no-warnings',
        '--input-type=module',
        '-e',
        script,
      ]);
      let said = '';
      child.stdout.on('data', (text: Buffer) => (said += text.toString()));
      const ended = new Promise((resolve) => child.on('exit', resolve));
      // Killed when so many files are there: between the first and the last.
      while (child.exitCode === null && !said.includes('done') && written() < files)
        await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill('SIGKILL');
      await ended;
      if (!said.includes('done')) killedEarly += 1;
      const { path } = await open().open(digest);
      for (const [name, text] of Object.entries(texts)) expect(read(join(path, name))).toBe(text);
      await removeFolder(join(folder, 'sets', digest.slice(7)));
    }
    expect(killedEarly).toBeGreaterThan(0);
    // What the killed ones left goes when it is old.
    now += 2 * 3_600_000;
    await open().clean();
    expect(fs.readdirSync(join(folder, 'sets'))).toEqual([]);

    function written(): number {
      const sets = join(folder, 'sets');
      const [fresh] = fs.existsSync(sets)
        ? fs.readdirSync(sets).filter((name) => name.startsWith('.new-'))
        : [];
      if (fresh === undefined) return 0;
      try {
        return fs.readdirSync(join(sets, fresh, 'files'), { recursive: true }).length;
      } catch {
        // It was renamed meanwhile.
        return 1_000;
      }
    }
  }, 60_000);

  it('removes what is old and what is too many, and nothing that may be in use', async () => {
    const digests = [await put({ a: '1' }), await put({ a: '2' }), await put({ a: '3' })];
    const cache = open({ folders: 2, bytes: 1_000, ageMs: 10 * 86_400_000 });
    for (const digest of digests) {
      await cache.open(digest);
      now += 60_000;
    }
    await cache.clean();
    expect(fs.readdirSync(join(folder, 'sets'))).toHaveLength(3);
    now += 2 * 3_600_000;
    await cache.touch(digests[2] as BlobDigest);
    await cache.clean();
    expect(fs.readdirSync(join(folder, 'sets')).toSorted()).toEqual(
      digests
        .slice(1)
        .map((digest) => digest.slice(7))
        .toSorted(),
    );
    now += 20 * 86_400_000;
    await cache.clean();
    expect(fs.readdirSync(join(folder, 'sets'))).toEqual([]);
  });

  it('refuses a manifest that leads out, a missing blob and a folder that cannot be written', async () => {
    const bad = await blobs.put(
      Buffer.from('{"version":1,"files":[],"links":[{"path":"a","target":"/etc"}]}\n'),
    );
    await expect(open().open(bad)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
    await expect(open().open('sha256:../../x')).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
    const digest = `sha256:${'0'.repeat(64)}` as const;
    await expect(open().open(digest)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
    fs.writeFileSync(join(folder, 'file'), '');
    const blocked = new FolderCache({ folder: join(folder, 'file'), blobs, nowMs: () => now });
    await expect(blocked.open(await put({ a: '1' }))).rejects.toMatchObject({ code: 'ENVIRONMENT' });
    expect(fs.readdirSync(join(folder, 'sets')).filter((name) => !name.startsWith('.'))).toEqual([]);
  });
});
