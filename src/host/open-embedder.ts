// The configured embedding endpoints -> the embedder that is used, or why none is.
//
// The first by name that can be asked. The key is read from its variable and goes nowhere else.
import type { ModelEndpoint } from '../config/types.ts';
import { createOpenAiEmbedder } from './openai-embedder.ts';
import type { Embedder } from './ports/embedder.ts';

export interface OpenEmbedder {
  readonly embedder: Embedder | null;
  /** Why an endpoint that is configured is not used, one sentence each. */
  readonly notices: readonly string[];
}

const openAiUrl = 'https://api.openai.com/v1';

export function openEmbedder(endpoints: { readonly [name: string]: ModelEndpoint }, variables: { readonly [name: string]: string | undefined }): OpenEmbedder {
  const notices: string[] = [];
  for (const [name, { provider, baseUrl, model, apiKeyEnv }] of Object.entries(endpoints).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (provider !== 'openai-compatible') {
      notices.push(`match.embeddings.${name} is not used: only endpoints of the provider "openai-compatible" have embeddings`);
      continue;
    }
    const apiKey = apiKeyEnv === null ? null : (variables[apiKeyEnv] ?? '');
    if (apiKey === '') {
      notices.push(`match.embeddings.${name} is not used: the variable ${apiKeyEnv} is not set`);
      continue;
    }
    return { embedder: createOpenAiEmbedder({ baseUrl: baseUrl ?? openAiUrl, model, apiKey }), notices };
  }
  return { embedder: null, notices };
}
