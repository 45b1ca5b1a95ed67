import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultyCalls } from '../../../test/crash/runs/faulty-calls.ts';
import { childProgram } from '../../../test/support/child-program.ts';
import { failingCalls } from '../../../test/support/failing-calls.ts';
import { FaultyDisk, seededRandom } from '../../../test/support/faulty-journal-files.ts';
import type { TechneError } from '../../base/error.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import { blobsContract } from '../../ports/blobs.contract.ts';
import { createFileBlobs } from './blobs.ts';
import { nodeSha256 } from '../environment.ts';
import { createNodeFiles } from './files.ts';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'techne-blobs-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const content = Buffer.from('tides');
const hex = nodeSha256(content);
const digest = `sha256:${hex}` as const;
const place = (folder: string, of = hex): string => join(folder, 'sha256', of.slice(0, 2), of.slice(2));

blobsContract('files of Node', () => ({
  blobs: createFileBlobs(root, createNodeFiles(), nodeSha256),
  corrupt: (of, bytes) => fs.writeFileSync(place(root, of.slice(7)), bytes),
}));

blobsContract('files in memory', () => {
  const files = createMemoryFiles();
  return {
    blobs: createFileBlobs('/blobs', files, nodeSha256),
    corrupt: (of, bytes) => files.write(place('/blobs', of.slice(7)), bytes),
  };
});

describe('createFileBlobs', () => {
  it('stores files only the user can read, two digits per folder', async () => {
    await createFileBlobs(root, createNodeFiles(), nodeSha256).put(content);
    expect(fs.statSync(place(root)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(root, 'sha256')).mode & 0o777).toBe(0o700);
    expect(fs.statSync(join(root, 'sha256', hex.slice(0, 2))).mode & 0o777).toBe(0o700);
  });

  it.each(['once', 'dead'] as const)(
    'holds the whole blob or none when any single call fails (%s)',
    async (mode) => {
      const wrong: unknown[] = [];
      let points = 0;
      for (let n = 1, failed = true; failed; n += 1) {
        const folder = join(root, String(n));
        const failing = failingCalls(n, 'EIO', mode);
        const putting = createFileBlobs(folder, createNodeFiles({ calls: failing.calls }), nodeSha256).put(
          content,
        );
        const outcome = await putting.catch((error: unknown) => (error as TechneError).code);
        failed = failing.failed();
        points += failed ? 1 : 0;
        const after = createFileBlobs(folder, createNodeFiles(), nodeSha256);
        const textOf = (): Promise<string> =>
          after.get(digest).then(
            (bytes) => Buffer.from(bytes).toString(),
            (error: TechneError) => error.code,
          );
        const text = await textOf();
        const held = (await after.has(digest)) ? 'tides' : 'BLOB_MISSING';
        // The next attempt finds nothing in its way.
        await after.put(content);
        if (outcome !== (failed ? 'JOURNAL_WRITE' : digest) || text !== held || (await textOf()) !== 'tides')
          wrong.push({ n, outcome, text, held });
      }
      expect(wrong).toEqual([]);
      expect(points).toBeGreaterThanOrEqual(9);
    },
  );

  it('ignores what a crashed writer left behind', async () => {
    const blobs = createFileBlobs(root, createNodeFiles(), nodeSha256);
    fs.mkdirSync(join(root, 'sha256', hex.slice(0, 2)), { recursive: true });
    fs.writeFileSync(join(root, 'sha256', hex.slice(0, 2), `.${hex.slice(2)}.1.abc.tmp`), 'tid');
    expect(await blobs.has(digest)).toBe(false);
    await blobs.put(content);
    expect(Buffer.from(await blobs.get(digest)).equals(content)).toBe(true);
  });

  it('makes durable what a killed process had put and not synced', async () => {
    const lost: string[] = [];
    for (let stopAt = 1; stopAt <= 16; stopAt += 1) {
      const first = new FaultyDisk({ stopAt });
      const open = (disk: FaultyDisk): ReturnType<typeof createFileBlobs> =>
        createFileBlobs(join(root, 'blobs'), createNodeFiles({ calls: faultyCalls(disk) }), nodeSha256);
      const put = async (disk: FaultyDisk): Promise<void> => {
        await disk.files.makeFolders(root);
        await open(disk).put(content);
      };
      await Promise.race([first.stopped, put(first)]);
      const second = first.killed();
      await put(second);
      for (let seed = 0; seed < 12; seed += 1) {
        const found = await open(second.restarted(seededRandom(seed)))
          .get(digest)
          .then(
            (bytes) => Buffer.from(bytes).toString(),
            (error: TechneError) => error.code,
          );
        if (found !== 'tides') lost.push(`stopped at ${stopAt}, seed ${seed}: ${found}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it('makes an old blob young again when it is put, so that it is not removed before a journal names it', async () => {
    const blobs = createFileBlobs(root, createNodeFiles(), nodeSha256);
    await blobs.put(content);
    const dayAgo = new Date(Date.now() - 86_400_000);
    fs.utimesSync(place(root), dayAgo, dayAgo);
    const cutoff = Date.now() - 3_600_000;
    await blobs.put(content);
    expect(await blobs.remove([digest], cutoff)).toEqual({ blobs: 0, bytes: 0 });
    fs.utimesSync(place(root), dayAgo, dayAgo);
    expect(await blobs.remove([digest], cutoff)).toEqual({ blobs: 1, bytes: content.length });
    // The process that had put it does not believe in it for ever.
    await blobs.put(content);
    expect(Buffer.from(await blobs.get(digest)).toString()).toBe('tides');
  });

  it('says what a read-only home means, and what cannot be read is corrupt', async () => {
    const failing = failingCalls(1, 'EROFS', 'dead');
    await expect(
      createFileBlobs(root, createNodeFiles({ calls: failing.calls }), nodeSha256).put(content),
    ).rejects.toMatchObject({ code: 'JOURNAL_WRITE', hint: expect.stringContaining('set HOME') as unknown });
    fs.mkdirSync(place(root), { recursive: true });
    await expect(createFileBlobs(root, createNodeFiles(), nodeSha256).get(digest)).rejects.toMatchObject({
      code: 'BLOB_CORRUPT',
    });
  });

  it('serves two processes that write the same blobs concurrently', async () => {
    const child = await childProgram('put-blobs');
    try {
      const [one, two] = await Promise.all([child.run(root, '50'), child.run(root, '50')]);
      expect(one).toBe(two);
      const blobs = createFileBlobs(root, createNodeFiles(), nodeSha256);
      const digests = one.trim().split('\n');
      expect(digests.length).toBe(50);
      for (const [n, each] of digests.entries()) {
        expect(
          Buffer.from(await blobs.get(each as typeof digest)).equals(Buffer.alloc(10_000, `blob ${n}`)),
        ).toBe(true);
      }
    } finally {
      child.close();
    }
  });
});
