import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childProgram } from '../../../test/support/child-program.ts';
import { installFakeWeights } from '../../../test/support/fake-weights.ts';
import { createLocalEmbedder } from './local-embedder.ts';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'techne-weights-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const { signal } = new AbortController();
const open = (embed?: string) =>
  createLocalEmbedder({ model: 'fake-weights', from: installFakeWeights(top, embed) });

describe('createLocalEmbedder', () => {
  it('gives a vector for each text, also for concurrent calls', async () => {
    const embedder = open();
    expect(embedder.name).toBe('fake-weights here');
    const given = await Promise.all([embedder.embed(['a', 'bb'], signal), embedder.embed(['ccc'], signal)]);
    expect(given.map((vectors) => vectors.map(([length]) => length))).toEqual([[1, 2], [3]]);
  });

  it('takes the beginning of a long text', async () => {
    expect((await open().embed(['x'.repeat(100_000)], signal))[0]?.[0]).toBe(600);
  });

  it('reports what the weights fail with, and continues', async () => {
    const embedder = open(
      'if (texts[0] === "bad") throw new Error("no such word"); return texts.map(() => [1])',
    );
    await expect(embedder.embed(['bad'], signal)).rejects.toThrow('fake-weights failed: no such word');
    expect(await embedder.embed(['good'], signal)).toEqual([new Float32Array([1])]);
  });

  it('starts another thread after one that died', async () => {
    const embedder = open('if (texts[0] === "die") process.exit(3); return texts.map(() => [1])');
    await expect(embedder.embed(['die'], signal)).rejects.toThrow('fake-weights ended with code 3');
    expect(await embedder.embed(['good'], signal)).toEqual([new Float32Array([1])]);
  });

  it('gives up a thread that does not answer, and starts another', async () => {
    const from = installFakeWeights(
      top,
      'if (texts[0] === "hang") await new Promise(() => undefined); return texts.map(() => [1])',
    );
    const embedder = createLocalEmbedder({ model: 'fake-weights', from, mostMs: 300 });
    await expect(embedder.embed(['hang'], signal)).rejects.toThrow(
      'fake-weights gave no answer within 300 ms',
    );
    expect(await createLocalEmbedder({ model: 'fake-weights', from }).embed(['good'], signal)).toEqual([
      new Float32Array([1]),
    ]);
    await embedder.close?.();
  });

  it('fails the waiting calls when a thread dies, and none after them', async () => {
    const embedder = open(
      'if (texts[0] === "die") setTimeout(() => { throw new Error("out of memory") }, 0); else return texts.map(() => [1]); await new Promise(() => undefined)',
    );
    await expect(embedder.embed(['die'], signal)).rejects.toThrow('out of memory');
    for (let at = 0; at < 3; at += 1)
      expect(await embedder.embed(['good'], signal)).toEqual([new Float32Array([1])]);
  });

  it('has another identity with another version of the weights', () => {
    const first = open().identity;
    writeFileSync(
      join(top, 'node_modules/fake-weights/package.json'),
      '{"name": "fake-weights", "version": "2.0.0", "main": "index.js"}',
    );
    const { identity } = createLocalEmbedder({ model: 'fake-weights', from: join(top, 'x.js') });
    expect([
      first?.startsWith('fake-weights 0.0.0 at '),
      identity?.startsWith('fake-weights 2.0.0 at '),
    ]).toEqual([true, true]);
  });

  it('does not keep a process alive that waits for nothing', async () => {
    const child = await childProgram('embed-and-end');
    try {
      expect(await child.run(installFakeWeights(top, 'await new Promise(() => undefined)'))).toBe('done\n');
    } finally {
      child.close();
    }
  });

  it('does not keep an aborted call waiting', async () => {
    const embedder = open('await new Promise(() => undefined)');
    const controller = new AbortController();
    const asked = embedder.embed(['a'], controller.signal);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(embedder.embed(['a'], controller.signal)).rejects.toThrow('enough');
  });

  it('takes the name of a package, never a path', () => {
    for (const model of ['../evil', '/tmp/evil', './evil', 'a/b/c', '@a', ''])
      expect(() => createLocalEmbedder({ model, from: installFakeWeights(top) })).toThrow(
        'is not the name of a package',
      );
    expect(() => createLocalEmbedder({ model: 'not-there', from: installFakeWeights(top) })).toThrow(
      'not-there',
    );
  });
});
