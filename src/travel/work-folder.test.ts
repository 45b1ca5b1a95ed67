import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import type { KeptFiles, SharedFiles } from '../ports/shared-files.ts';
import { removeFolder } from './folder-cache.ts';
import { WorkFolder } from './work-folder.ts';

let parent: string;
let blobs: Blobs;
let kept: Map<string, KeptFiles>;
let owner: string;
beforeEach(() => {
  parent = fs.mkdtempSync(join(tmpdir(), 'techne-work-'));
  blobs = createMemoryBlobs(nodeSha256);
  kept = new Map();
  owner = 'a';
});
afterEach(() => removeFolder(parent));

/** The part of a store that workspaces use, as one worker sees it. */
function sharedBy(worker: string): SharedFiles {
  const part: Partial<SharedFiles> = {
    async missing(digests) {
      const there = await Promise.all(digests.map((digest) => blobs.has(digest)));
      return digests.filter((_, at) => there[at] !== true);
    },
    putManifest: (bytes) => blobs.put(bytes),
    keptOf: async (run) => kept.get(run) ?? null,
    async keep(run, files) {
      if (worker !== owner) throw new TechneError('OWNER_LOST', 'another process drives it');
      kept.set(run, files);
    },
  };
  return part as SharedFiles;
}

const open = (worker: string, run = 'RUN', forkedFrom: string | null = null): Promise<WorkFolder> =>
  WorkFolder.open({
    parent: join(parent, worker),
    run,
    travel: { skills: `sha256:${'0'.repeat(64)}`, files: null, name: null },
    forkedFrom,
    blobs,
    shared: sharedBy(worker),
  });

describe('WorkFolder', () => {
  it('gives the next worker what was kept: changed, new and removed files, modes and links', async () => {
    const first = await open('a');
    fs.writeFileSync(join(first.path, 'gone.txt'), 'gone');
    fs.writeFileSync(join(first.path, 'same.txt'), 'one');
    await first.keep();
    fs.rmSync(join(first.path, 'gone.txt'));
    fs.writeFileSync(join(first.path, 'same.txt'), 'two');
    fs.mkdirSync(join(first.path, 'sub'));
    fs.writeFileSync(join(first.path, 'sub', 'run.sh'), 'echo', { mode: 0o755 });
    fs.symlinkSync('../same.txt', join(first.path, 'sub', 'link'));
    await first.keep();
    // Not kept: the effect that writes it has not ended.
    fs.writeFileSync(join(first.path, 'half.txt'), 'ha');
    owner = 'b';
    const second = await open('b');
    expect(second.path).not.toBe(first.path);
    expect((fs.readdirSync(second.path, { recursive: true }) as string[]).toSorted()).toEqual([
      'same.txt',
      'sub',
      'sub/link',
      'sub/run.sh',
    ]);
    expect(fs.readFileSync(join(second.path, 'sub', 'link'), 'utf8')).toBe('two');
    expect(fs.statSync(join(second.path, 'sub', 'run.sh')).mode & 0o111).not.toBe(0);
  });

  it('refuses to keep for a worker that was taken over', async () => {
    const first = await open('a');
    fs.writeFileSync(join(first.path, 'a.txt'), 'one');
    await first.keep();
    const before = kept.get('RUN');
    owner = 'b';
    fs.writeFileSync(join(first.path, 'a.txt'), 'of the old owner');
    await expect(first.keep()).rejects.toMatchObject({ code: 'OWNER_LOST' });
    expect(kept.get('RUN')).toEqual(before);
  });

  it.each<readonly [string, (folder: string) => void, RegExp]>([
    ['a link out of it', (folder) => fs.symlinkSync('/etc/hostname', join(folder, 'out')), /leads out of/],
    ['a name that other systems cannot have', (folder) => fs.writeFileSync(join(folder, 'con'), ''), /con/],
  ])('goes on here with %s, and lets no other worker continue without it', async (_, spoil, why) => {
    const first = await open('a');
    fs.writeFileSync(join(first.path, 'a.txt'), 'one');
    await first.keep();
    spoil(first.path);
    await first.keep();
    expect(kept.get('RUN')?.fault).toMatch(why);
    owner = 'b';
    await expect(open('b')).rejects.toMatchObject({ code: 'FILES_LOST' });
    // Once it is gone, everything is kept again.
    owner = 'a';
    fs.rmSync(join(first.path, fs.existsSync(join(first.path, 'con')) ? 'con' : 'out'));
    await first.keep();
    owner = 'b';
    expect(fs.readFileSync(join((await open('b')).path, 'a.txt'), 'utf8')).toBe('one');
  });

  it('keeps everything that was there when it was asked, however many ask at once', async () => {
    const first = await open('a');
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        fs.writeFileSync(join(first.path, `${n}.txt`), `${n}`);
        await first.keep();
        const digest = kept.get('RUN')?.digest as BlobDigest;
        expect(Buffer.from(await blobs.get(digest)).toString()).toContain(`"${n}.txt"`);
      }),
    );
  });

  it('begins a fork with the files of its origin', async () => {
    const first = await open('a');
    fs.writeFileSync(join(first.path, 'a.txt'), 'one');
    await first.keep();
    expect(fs.readFileSync(join((await open('a', 'FORK', 'RUN')).path, 'a.txt'), 'utf8')).toBe('one');
  });

  it('makes the folder anew, whatever a killed worker left there', async () => {
    fs.mkdirSync(join(parent, 'a', 'RUN'), { recursive: true });
    fs.writeFileSync(join(parent, 'a', 'RUN', 'left.txt'), 'half');
    expect(fs.readdirSync((await open('a')).path)).toEqual([]);
  });
});
