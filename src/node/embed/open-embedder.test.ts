import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { installFakeWeights } from '../../../test/support/fake-weights.ts';
import type { EmbeddingEndpoint } from '../../config/types.ts';
import { openEmbedder } from './open-embedder.ts';

const served: EmbeddingEndpoint = {
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'small',
  apiKeyEnv: null,
};
const local: EmbeddingEndpoint = { provider: 'local', baseUrl: null, model: 'fake-weights', apiKeyEnv: null };
const top = mkdtempSync(join(tmpdir(), 'techne-embedder-'));
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('openEmbedder', () => {
  it('gives none when nothing is configured', () => {
    expect(openEmbedder({}, { variables: {} })).toEqual({ embedder: null, notices: [] });
  });

  it('takes the first by name that can be used, and says why others are not', () => {
    const opened = openEmbedder(
      { z: { ...served, model: 'last' }, c: served, a: local, b: { ...served, apiKeyEnv: 'NO_KEY' } },
      { variables: {} },
    );
    expect(opened.embedder?.name).toBe('small at 127.0.0.1:9');
    expect(opened.notices).toEqual([
      'match.embeddings.a is not used: the packages fake-weights, @energetic-ai/embeddings and @energetic-ai/core are not installed beside techne',
      'match.embeddings.b is not used: the variable NO_KEY is not set',
    ]);
  });

  it('takes none in the place of one whose entry has an error', () => {
    expect(
      openEmbedder(
        {
          a: {
            fault: '"baseURL" is not a known key in "match.embeddings.a"',
            hint: 'did you mean "baseUrl"?',
          },
          b: served,
        },
        { variables: {} },
      ),
    ).toEqual({
      embedder: null,
      notices: [
        'match.embeddings.a is not used: "baseURL" is not a known key in "match.embeddings.a" (did you mean "baseUrl"?)',
      ],
    });
  });

  it.each([
    ['z b', 'match.embeddings.z b'],
    ['', 'match.embeddings'],
  ])('takes none in the place of one whose name %j is at fault, wherever it would stand', (name, shown) => {
    expect(
      openEmbedder(
        { a: served, [name]: { fault: 'a name must be short', hint: null, misnamed: true } },
        { variables: {} },
      ),
    ).toEqual({ embedder: null, notices: [`${shown} is not used: a name must be short`] });
  });

  it('keeps the vectors of local weights for the next process', async () => {
    const from = installFakeWeights(top);
    const open = () =>
      openEmbedder({ own: local }, { variables: {}, from, cacheFolder: join(top, 'cache') }).embedder;
    const { signal } = new AbortController();
    const first = await open()?.embed(['a', 'bb'], signal);
    expect(first?.map(([length]) => length)).toEqual([1, 2]);
    expect(readdirSync(join(top, 'cache'))).toEqual([expect.stringMatching(/^vectors-[0-9a-f]{16}\.bin$/)]);
    // Weights that fail would be noticed.
    installFakeWeights(top, 'throw new Error("asked again")');
    expect(await open()?.embed(['bb', 'a'], signal)).toEqual([first?.[1], first?.[0]]);
    await expect(open()?.embed(['ccc'], signal)).rejects.toThrow('asked again');
  });
});
