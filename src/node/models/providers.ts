// Model endpoints -> the providers of the AI SDK. The only file that loads the SDK, when a model is first asked.
//
// A key goes only to the address it is configured for: nothing else is taken from the environment, and a redirect is
// an error (bounded-fetch.ts).
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelEndpoint } from '../../config/types.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

export type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type PromptMessage = CallOptions['prompt'][number];
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
export type ModelUsage = Extract<StreamPart, { type: 'finish' }>['usage'];

const anthropicUrl = 'https://api.anthropic.com/v1';
const openAiUrl = 'https://api.openai.com/v1';

export async function loadModel(
  { provider, model, baseUrl }: ModelEndpoint,
  apiKey: string | null,
): Promise<LanguageModel> {
  const fetchBounded = createBoundedFetch();
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      // Without a key it would look for one in the environment.
      return createAnthropic({
        baseURL: baseUrl ?? anthropicUrl,
        apiKey: apiKey ?? '',
        fetch: fetchBounded,
      }).languageModel(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible: create } = await import('@ai-sdk/openai-compatible');
      return create({
        name: 'openai-compatible',
        baseURL: baseUrl ?? openAiUrl,
        ...(apiKey === null ? {} : { apiKey }),
        includeUsage: true,
        fetch: fetchBounded,
      }).chatModel(model);
    }
  }
}

/** Further options of a provider: caching if it is known to be supported, and keep-alive events. */
export function providerOptionsFor({
  provider,
  baseUrl,
}: ModelEndpoint): NonNullable<CallOptions['providerOptions']> {
  if (provider !== 'anthropic') return {};
  return {
    anthropic: { includePings: true, ...(baseUrl === null ? { cacheControl: { type: 'ephemeral' } } : {}) },
  };
}
