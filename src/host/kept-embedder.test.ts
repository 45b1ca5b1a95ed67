import { describe, expect, it } from 'vitest';
import { keepVectors } from './kept-embedder.ts';
import type { Embedder } from './ports/embedder.ts';

const { signal } = new AbortController();

function noting(asked: string[][]): Embedder {
  return {
    name: 'lengths',
    embed: async (texts) => {
      asked.push([...texts]);
      if (texts.includes('bad')) throw new Error('it fails');
      return texts.map((text) => new Float32Array([text.length]));
    },
  };
}

describe('keepVectors', () => {
  it('asks in batches, and for each text once', async () => {
    const asked: string[][] = [];
    const embedder = keepVectors(noting(asked), { batchTexts: 2 });
    expect((await embedder.embed(['a', 'bb', 'ccc', 'a'], signal)).map(([length]) => length)).toEqual([1, 2, 3, 1]);
    expect((await embedder.embed(['ccc', 'dddd'], signal)).map(([length]) => length)).toEqual([3, 4]);
    expect(asked).toEqual([['a', 'bb'], ['ccc'], ['dddd']]);
  });

  it('keeps only so many, the least used go first', async () => {
    const asked: string[][] = [];
    const embedder = keepVectors(noting(asked), { keptTexts: 2 });
    for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) await embedder.embed([text], signal);
    expect(asked.flat()).toEqual(['a', 'bb', 'ccc', 'bb']);
  });

  it('keeps what was given before a failure', async () => {
    const asked: string[][] = [];
    const embedder = keepVectors(noting(asked), { batchTexts: 1 });
    await expect(embedder.embed(['a', 'bad', 'c'], signal)).rejects.toThrow('it fails');
    await embedder.embed(['a', 'c'], signal);
    expect(asked).toEqual([['a'], ['bad'], ['c']]);
  });

  it('reads its file once, and adds to it what is new', async () => {
    const asked: string[][] = [];
    const written: number[] = [];
    let reads = 0;
    const kept: (readonly [string, Float32Array])[] = [];
    const file = { read: () => ((reads += 1), kept), add: (made: readonly (readonly [string, Float32Array])[]) => (written.push(made.length), kept.push(...made), undefined) };
    const open = () => keepVectors(noting(asked), { file });
    await open().embed(['a', 'bb'], signal);
    const next = open();
    await next.embed(['bb', 'ccc'], signal);
    await next.embed(['a'], signal);
    expect([asked, written, reads]).toEqual([[['a', 'bb'], ['ccc']], [2, 1], 2]);
  });
});
