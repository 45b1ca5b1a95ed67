// The contract of the Blobs port.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest, SweptBlobs } from './blobs.ts';

export interface BlobsWorld {
  readonly blobs: SweptBlobs;
  corrupt(digest: BlobDigest, bytes: Uint8Array): void | Promise<void>;
  close?(): Promise<void>;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

export function blobsContract(implementation: string, open: () => BlobsWorld | Promise<BlobsWorld>): void {
  describe(`Blobs: ${implementation}`, () => {
    let world: BlobsWorld;
    let blobs: SweptBlobs;
    beforeEach(async () => {
      world = await open();
      blobs = world.blobs;
    });
    afterEach(() => world.close?.());

    it('gives back what was put, by its SHA-256', async () => {
      const digest = await blobs.put(bytes('tides'));
      expect(digest).toBe(`sha256:${nodeSha256('tides')}`);
      expect(Buffer.from(await blobs.get(digest)).toString()).toBe('tides');
      expect(await blobs.has(digest)).toBe(true);
      expect(await blobs.put(bytes('tides'))).toBe(digest);
      const empty = await blobs.put(new Uint8Array(0));
      expect((await blobs.get(empty)).length).toBe(0);
    });

    it('keeps what was put when the buffer is used again', async () => {
      const buffer = bytes('before');
      const putting = blobs.put(buffer);
      buffer.fill(0);
      const digest = await putting;
      buffer.fill(1);
      expect(digest).toBe(`sha256:${nodeSha256('before')}`);
      const got = await blobs.get(digest);
      got.fill(2);
      expect(Buffer.from(await blobs.get(digest)).toString()).toBe('before');
    });

    it('says BLOB_MISSING for a digest it does not hold or that is none', async () => {
      const unknown = `sha256:${'0'.repeat(64)}` as const;
      await expect(blobs.get(unknown)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
      expect(await blobs.has(unknown)).toBe(false);
      for (const shape of [
        'sha256:../../etc/passwd',
        `sha256:${'A'.repeat(64)}`,
        'sha256:',
        `sha256:${'0'.repeat(64)}\n`,
      ] as const) {
        await expect(blobs.get(shape)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
        await expect(blobs.has(shape)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
      }
    });

    it('says BLOB_CORRUPT instead of giving other bytes, and putting again repairs it', async () => {
      const digest = await blobs.put(bytes('tides'));
      for (const wrong of ['tidez', '', 'tides and more']) {
        await world.corrupt(digest, bytes(wrong));
        await expect(blobs.get(digest)).rejects.toMatchObject({ code: 'BLOB_CORRUPT' });
        await blobs.put(bytes('tides'));
        expect(Buffer.from(await blobs.get(digest)).toString()).toBe('tides');
      }
    });

    it('serves many writers of the same and of other blobs at once', async () => {
      const digests = await Promise.all(
        Array.from({ length: 40 }, (_, n) => blobs.put(bytes(`blob ${n % 10}`))),
      );
      expect(new Set(digests).size).toBe(10);
      for (const digest of digests) expect(digest).toBe(`sha256:${nodeSha256(await blobs.get(digest))}`);
    });

    it('lists what it holds, and removes what is old enough', async () => {
      const [one, two] = [await blobs.put(bytes('one')), await blobs.put(bytes('other'))];
      const listed = await blobs.list();
      expect(new Map(listed.map(({ digest, bytes: size }) => [digest, size]))).toEqual(
        new Map([
          [one, 3],
          [two, 5],
        ]),
      );
      const latest = Math.max(...listed.map(({ putAtMs }) => putAtMs));
      expect(await blobs.remove([one, two], Math.min(...listed.map(({ putAtMs }) => putAtMs)))).toEqual({
        blobs: 0,
        bytes: 0,
      });
      expect(await blobs.remove([one, `sha256:${'0'.repeat(64)}`], latest + 1)).toEqual({
        blobs: 1,
        bytes: 3,
      });
      await expect(blobs.get(one)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
      expect((await blobs.list()).map(({ digest }) => digest)).toEqual([two]);
      expect(await blobs.put(bytes('one'))).toBe(one);
      expect(Buffer.from(await blobs.get(one)).toString()).toBe('one');
    });
  });
}
