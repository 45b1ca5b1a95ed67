// The configured embeddings -> the embedder to use, or the reasons why there is none.
//
// The first usable one by name is taken. A key is read from its variable and sent nowhere else. An entry with an
// error is never replaced by the next one: it may have been meant to stay on this machine, while the next one sends
// texts elsewhere. An entry with an error in its name may have been meant as the first.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EmbeddingEndpoint, FaultyEndpoint } from '../../config/types.ts';
import { keepVectors } from './kept-embedder.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { createOpenAiEmbedder } from './openai-embedder.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { createVectorFile } from './vector-file.ts';

interface OpenEmbedder {
  readonly embedder: Embedder | null;
  /** Why embeddings that are configured are not used, one sentence each. */
  readonly notices: readonly string[];
}

interface OpenEmbedderOptions {
  readonly variables: { readonly [name: string]: string | undefined };
  /** Where vectors are kept for the next process. Default: nowhere. */
  readonly cacheFolder?: string | null;
  /** Called before an embedder embeds many texts. Default: none. */
  readonly onMany?: (count: number, name: string) => void;
  /** A file beside whose packages local weights are looked for. Default: techne's own. */
  readonly from?: string;
}

const openAiUrl = 'https://api.openai.com/v1';
/** A thread checks for an abort between batches; a server gets as few requests as possible. */
const batchTexts = { local: 8, 'openai-compatible': 64 };

export function openEmbedder(
  endpoints: { readonly [name: string]: EmbeddingEndpoint | FaultyEndpoint },
  options: OpenEmbedderOptions,
): OpenEmbedder {
  const { cacheFolder = null, onMany = () => undefined } = options;
  const notices: string[] = [];
  const isMisnamed = (endpoint: EmbeddingEndpoint | FaultyEndpoint): boolean =>
    'fault' in endpoint && endpoint.misnamed === true;
  const byName = Object.entries(endpoints).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, endpoint] of [
    ...byName.filter(([, one]) => isMisnamed(one)),
    ...byName.filter(([, one]) => !isMisnamed(one)),
  ]) {
    if ('fault' in endpoint) {
      notices.push(
        `match.embeddings${name === '' ? '' : `.${name}`} is not used: ${endpoint.fault}${endpoint.hint === null ? '' : ` (${endpoint.hint})`}`,
      );
      return { embedder: null, notices };
    }
    const opened = open(endpoint, options);
    if (typeof opened === 'string') {
      notices.push(`match.embeddings.${name} is not used: ${opened}`);
      continue;
    }
    const file =
      cacheFolder === null
        ? null
        : createVectorFile(
            join(
              cacheFolder,
              `vectors-${createHash('sha256')
                .update(opened.identity ?? opened.name)
                .digest('hex')
                .slice(0, 16)}.bin`,
            ),
          );
    return {
      embedder: keepVectors(opened, {
        file,
        batchTexts: batchTexts[endpoint.provider],
        onMany: (count) => onMany(count, opened.name),
      }),
      notices,
    };
  }
  return { embedder: null, notices };
}

/** Or why it cannot be used. */
function open(
  { provider, baseUrl, model, apiKeyEnv }: EmbeddingEndpoint,
  { variables, from }: OpenEmbedderOptions,
): Embedder | string {
  if (provider === 'local') {
    try {
      return createLocalEmbedder({ model, ...(from === undefined ? {} : { from }) });
    } catch {
      return `the packages ${model}, @energetic-ai/embeddings and @energetic-ai/core are not installed beside techne`;
    }
  }
  const apiKey = apiKeyEnv === null ? null : (variables[apiKeyEnv] ?? '');
  if (apiKey === '') return `the variable ${apiKeyEnv} is not set`;
  return createOpenAiEmbedder({ baseUrl: baseUrl ?? openAiUrl, model, apiKey });
}
