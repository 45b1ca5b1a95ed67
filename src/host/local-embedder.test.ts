import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installFakeWeights } from '../../test/support/fake-weights.ts';
import { createLocalEmbedder } from './local-embedder.ts';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'techne-weights-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const { signal } = new AbortController();
const open = (embed?: string) => createLocalEmbedder({ model: 'fake-weights', from: installFakeWeights(top, embed) });

describe('createLocalEmbedder', () => {
  it('gives a vector for each text, also of calls at once', async () => {
    const embedder = open();
    expect(embedder.name).toBe('fake-weights here');
    const given = await Promise.all([embedder.embed(['a', 'bb'], signal), embedder.embed(['ccc'], signal)]);
    expect(given.map((vectors) => vectors.map(([length]) => length))).toEqual([[1, 2], [3]]);
  });

  it('takes the beginning of a long text', async () => {
    expect((await open().embed(['x'.repeat(100_000)], signal))[0]?.[0]).toBe(600);
  });

  it('tells what the weights fail with, and goes on', async () => {
    const embedder = open('if (texts[0] === "bad") throw new Error("no such word"); return texts.map(() => [1])');
    await expect(embedder.embed(['bad'], signal)).rejects.toThrow('fake-weights failed: no such word');
    expect(await embedder.embed(['good'], signal)).toEqual([new Float32Array([1])]);
  });

  it('starts another thread after one that died', async () => {
    const embedder = open('if (texts[0] === "die") process.exit(3); return texts.map(() => [1])');
    await expect(embedder.embed(['die'], signal)).rejects.toThrow('fake-weights ended with code 3');
    expect(await embedder.embed(['good'], signal)).toEqual([new Float32Array([1])]);
  });

  it('does not keep whoever aborts waiting', async () => {
    const embedder = open('await new Promise(() => undefined)');
    const controller = new AbortController();
    const asked = embedder.embed(['a'], controller.signal);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(embedder.embed(['a'], controller.signal)).rejects.toThrow('enough');
  });

  it('takes the name of a package, never a path', () => {
    for (const model of ['../evil', '/tmp/evil', './evil', 'a/b/c', '@a', '']) expect(() => createLocalEmbedder({ model, from: installFakeWeights(top) })).toThrow('is not the name of a package');
    expect(() => createLocalEmbedder({ model: 'not-there', from: installFakeWeights(top) })).toThrow('not-there');
  });
});
