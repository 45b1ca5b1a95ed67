import { describe, expect, it } from 'vitest';
import { keepVectors } from './kept-embedder.ts';
import type { Embedder } from '../../ports/embedder.ts';

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
    expect((await embedder.embed(['a', 'bb', 'ccc', 'a'], signal)).map(([length]) => length)).toEqual([
      1, 2, 3, 1,
    ]);
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

  it('keeps in its file how strong it is, by the texts that showed it', async () => {
    const kept: (readonly [string, Float32Array])[] = [];
    const file = {
      read: () => kept,
      add: (made: readonly (readonly [string, Float32Array])[]) => void kept.push(...made),
    };
    const embedder = keepVectors(noting([]), { file });
    embedder.strength?.set('before any vector', true);
    await embedder.embed(['a'], signal);
    embedder.strength?.set('these texts', false);
    const later = keepVectors(noting([]), { file }).strength;
    expect(['before any vector', 'these texts', 'others'].map((of) => later?.get(of))).toEqual([
      null,
      false,
      null,
    ]);
    expect(kept.map(([, vector]) => vector.length)).toEqual([1, 1]);
  });

  it('reads its file once, and adds to it what is new', async () => {
    const asked: string[][] = [];
    const written: number[] = [];
    let reads = 0;
    const kept: (readonly [string, Float32Array])[] = [];
    const file = {
      read: () => ((reads += 1), kept),
      add: (made: readonly (readonly [string, Float32Array])[]) => (
        written.push(made.length),
        kept.push(...made),
        undefined
      ),
    };
    const open = () => keepVectors(noting(asked), { file });
    await open().embed(['a', 'bb'], signal);
    const next = open();
    await next.embed(['bb', 'ccc'], signal);
    await next.embed(['a'], signal);
    expect([asked, written, reads]).toEqual([[['a', 'bb'], ['ccc']], [2, 1], 2]);
  });

  it('keeps no vector that is none, and asks again', async () => {
    const answers: Float32Array[][] = [
      [Float32Array.of(Number.NaN)],
      [],
      [Float32Array.of(1), Float32Array.of(2)],
      [Float32Array.of(7)],
    ];
    const written: unknown[] = [];
    const embedder = keepVectors(
      { name: 'sick', embed: async () => answers.shift() ?? [] },
      { file: { read: () => [], add: (made) => void written.push(...made) } },
    );
    for (let at = 0; at < 3; at += 1)
      await expect(embedder.embed(['a'], signal)).rejects.toThrow(/not finite|vectors came for 1 texts/);
    expect(await embedder.embed(['a'], signal)).toEqual([Float32Array.of(7)]);
    expect(written).toHaveLength(1);
  });

  it('forgets the vectors of a model that was changed behind its name', async () => {
    let length = 2;
    const embedder = keepVectors({
      name: 'm',
      embed: async (texts) => texts.map(() => new Float32Array(length).fill(1)),
    });
    await embedder.embed(['a', 'b'], signal);
    length = 3;
    expect((await embedder.embed(['a', 'b', 'c'], signal)).map((vector) => vector.length)).toEqual([3, 3, 3]);
  });

  it('parts models by their identity, and writes no message down', async () => {
    const asked: string[][] = [];
    const written: unknown[] = [];
    const file = { read: () => [], add: (made: readonly unknown[]) => void written.push(...made) };
    const [one, other] = ['http://h/a', 'http://h/b'].map((identity) =>
      keepVectors({ ...noting(asked), identity }, { file }),
    );
    await one?.embed(['text'], signal);
    await other?.embed(['text'], signal);
    await one?.embed(['a message'], signal, { once: true });
    await one?.embed(['a message'], signal, { once: true });
    expect(asked).toEqual([['text'], ['text'], ['a message']]);
    expect(written).toHaveLength(2);
    expect(new Set((written as readonly (readonly [string])[]).map(([key]) => key)).size).toBe(2);
  });
});
