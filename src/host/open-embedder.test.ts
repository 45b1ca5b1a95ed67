import { describe, expect, it } from 'vitest';
import type { ModelEndpoint } from '../config/types.ts';
import { openEmbedder } from './open-embedder.ts';

const local: ModelEndpoint = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'small', apiKeyEnv: null };

describe('openEmbedder', () => {
  it('gives none when nothing is configured', () => {
    expect(openEmbedder({}, {})).toEqual({ embedder: null, notices: [] });
  });
  it('takes the first by name that can be asked, and says why others are not', () => {
    const opened = openEmbedder({ z: { ...local, model: 'last' }, c: local, a: { ...local, provider: 'anthropic' }, b: { ...local, apiKeyEnv: 'NO_KEY' } }, {});
    expect(opened.embedder?.name).toBe('small at 127.0.0.1:9');
    expect(opened.notices).toEqual([
      'match.embeddings.a is not used: only endpoints of the provider "openai-compatible" have embeddings',
      'match.embeddings.b is not used: the variable NO_KEY is not set',
    ]);
  });
});
