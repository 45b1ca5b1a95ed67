// An Embedder over any endpoint with OpenAI's embeddings API.
//
//   POST <baseUrl>/embeddings  { model, input: [texts], encoding_format: "float" } -> { data: [{ index, embedding }] }
//
// Requests have a time limit and answers a size limit, and a redirect is an error because the key must not go to
// another host. After a failure all calls fail immediately for a while, so a dead endpoint does not slow down each
// turn. Error messages are one bounded line without the key.
//
// openai-embedder#B4. `close` aborts requests under way, so none keeps the process alive; nothing is sent afterwards.
import { createBoundedFetch } from '../models/bounded-fetch.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { safeMessage } from '../safe-message.ts';
import { withTimeLimit } from '../with-time-limit.ts';

interface OpenAiEmbedderOptions {
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Default: none is sent. */
  readonly apiKey?: string | null;
  /** For one request. Default: 10,000. */
  readonly timeoutMs?: number;
  /** How long it rests after a failure. Default: 30,000. */
  readonly restMs?: number;
  /** Default: the clock of this machine. */
  readonly nowMs?: () => number;
}

const mebibyte = 1024 * 1024;
const limits = { bodyBytes: 64 * mebibyte, lineBytes: 64 * mebibyte, faultBytes: 64 * 1024 };
const mostDimensions = 16_384;

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { baseUrl, model, apiKey = null, timeoutMs = 10_000, restMs = 30_000, nowMs = Date.now } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const name = `${model} at ${new URL(url).host}`;
  const send = createBoundedFetch(limits);
  let restsUntil = 0;
  let lastFault = '';
  const closing = new AbortController();

  const request = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const response = await send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`it answered HTTP ${response.status}: ${body}`);
    return readVectors(body, texts.length);
  };

  return {
    name,
    identity: `${model} at ${url}`,
    async embed(texts, signal) {
      // It failed a moment ago.
      if (nowMs() < restsUntil) throw new Error(`${name} failed a moment ago: ${lastFault}`);
      try {
        return await withTimeLimit({ timeoutMs, signals: [signal, closing.signal] }, (limited) =>
          request(texts, limited),
        );
      } catch (error) {
        if (signal.aborted || closing.signal.aborted) throw error;
        lastFault = safeMessage(faultOf(error, timeoutMs), apiKey === null ? [] : [apiKey]);
        restsUntil = nowMs() + restMs;
        throw new Error(`${name} failed: ${lastFault}`, { cause: error });
      }
    },
    // No request keeps the process alive (openai-embedder#B4).
    async close() {
      closing.abort(new Error(`${name} is closed`));
    },
  };
}

function readVectors(body: string, count: number): readonly Float32Array[] {
  const answer = JSON.parse(body) as { readonly data?: unknown };
  if (!Array.isArray(answer.data) || answer.data.length !== count)
    throw new Error(`the answer has no "data" of ${count} vectors`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const [at, item] of (
    answer.data as readonly { readonly index?: unknown; readonly embedding?: unknown }[]
  ).entries()) {
    const index = item.index ?? at;
    const { embedding } = item;
    const isVector =
      Array.isArray(embedding) &&
      embedding.length > 0 &&
      embedding.length <= mostDimensions &&
      embedding.every((value) => typeof value === 'number' && Number.isFinite(value));
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined || !isVector)
      throw new Error('an item of "data" is not a vector of numbers, or has a wrong index');
    vectors[index] = Float32Array.from(embedding as number[]);
  }
  return vectors as Float32Array[];
}

function faultOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
