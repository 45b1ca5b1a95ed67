import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../node/environment.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import { loadValue, maxInlineBytes, storeValue } from './stored-value.ts';

describe('storeValue and loadValue', () => {
  it('keep small values in the entry and large ones in the blob store', async () => {
    const blobs = createMemoryBlobs(nodeSha256);
    // Two bytes are the quotes.
    for (const [text, inline] of [
      ['', true],
      ['x'.repeat(maxInlineBytes - 2), true],
      ['x'.repeat(maxInlineBytes - 1), false],
      ['é'.repeat(maxInlineBytes / 2 - 1), true],
      ['é'.repeat(maxInlineBytes / 2), false],
    ] as const) {
      const stored = await storeValue(text, blobs);
      expect('value' in stored).toBe(inline);
      expect(await loadValue(stored, blobs)).toBe(text);
    }
  });

  it('does not give back what is not what was stored', async () => {
    const blobs = createMemoryBlobs(nodeSha256);
    const stored = await storeValue('x'.repeat(9000), blobs);
    await expect(loadValue({ ...stored, bytes: 5 } as typeof stored, blobs)).rejects.toMatchObject({
      code: 'BLOB_CORRUPT',
    });
    await expect(loadValue({ blob: `sha256:${'0'.repeat(64)}`, bytes: 5 }, blobs)).rejects.toMatchObject({
      code: 'BLOB_MISSING',
    });
  });
});
