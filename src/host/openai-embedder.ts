// Any endpoint that speaks OpenAI's embeddings -> an Embedder.
//
//   POST <baseUrl>/embeddings  { model, input: [texts], encoding_format: "float" } -> { data: [{ index, embedding }] }
//
// B1. Each text is asked for once: vectors are kept by the digest of model and text, the least used go first.
// B2. So many texts in a request, so long a request, so large an answer; a redirect is an error, since the key goes to
//     nobody else.
// B3. After a failure it rests: until then every call fails at once, so that a dead endpoint does not slow each turn.
// B4. What a server says is told as one bounded line without the key.
import { createHash } from 'node:crypto';
import type { Abort } from '../base/abort.ts';
import { createBoundedFetch } from './answerers/model/bounded-fetch.ts';
import type { Embedder } from './ports/embedder.ts';
import { safeMessage } from './safe-message.ts';

export interface OpenAiEmbedderOptions {
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Default: none is sent. */
  readonly apiKey?: string | null;
  /** For one request. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Texts in one request. Default: 64. */
  readonly batchTexts?: number;
  /** Vectors that are kept. Default: 20,000. */
  readonly cachedTexts?: number;
  /** How long it rests after a failure. Default: 30,000. */
  readonly restMs?: number;
  /** Default: the clock of this machine. */
  readonly nowMs?: () => number;
}

const mebibyte = 1024 * 1024;
const limits = { bodyBytes: 64 * mebibyte, lineBytes: 64 * mebibyte, faultBytes: 64 * 1024 };
const mostDimensions = 16_384;

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { baseUrl, model, apiKey = null, timeoutMs = 10_000, batchTexts = 64, cachedTexts = 20_000, restMs = 30_000, nowMs = Date.now } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const name = `${model} at ${new URL(url).host}`;
  const send = createBoundedFetch(limits);
  const cache = new Map<string, Float32Array>();
  let restsUntil = 0;
  let lastFault = '';

  const keep = (key: string, vector: Float32Array): void => {
    cache.delete(key);
    cache.set(key, vector);
    for (const [oldest] of cache) {
      if (cache.size <= cachedTexts) break;
      cache.delete(oldest);
    }
  };

  const request = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`it answered HTTP ${response.status}: ${body}`);
    return readVectors(body, texts.length);
  };

  const embed = async (texts: readonly string[], signal: Abort): Promise<readonly Float32Array[]> => {
    const keys = texts.map((text) => createHash('sha256').update(model).update('\0').update(text).digest('base64'));
    const found = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    for (const [at, key] of keys.entries()) {
      const known = cache.get(key);
      if (known === undefined) missing.set(key, texts[at] as string);
      else {
        found.set(key, known);
        keep(key, known);
      }
    }
    const waiting = [...missing];
    for (let from = 0; from < waiting.length; from += batchTexts) {
      const batch = waiting.slice(from, from + batchTexts);
      const vectors = await withNativeSignal(signal, (native) => request(batch.map(([, text]) => text), AbortSignal.any([AbortSignal.timeout(timeoutMs), native])));
      for (const [at, [key]] of batch.entries()) {
        const vector = vectors[at] as Float32Array;
        found.set(key, vector);
        keep(key, vector);
      }
    }
    return keys.map((key) => found.get(key) as Float32Array);
  };

  return {
    name,
    async embed(texts, signal) {
      // B3
      if (nowMs() < restsUntil) throw new Error(`${name} failed a moment ago: ${lastFault}`);
      try {
        return await embed(texts, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        lastFault = safeMessage(faultOf(error, timeoutMs), apiKey === null ? [] : [apiKey]);
        restsUntil = nowMs() + restMs;
        throw new Error(`${name} failed: ${lastFault}`, { cause: error });
      }
    },
  };
}

function readVectors(body: string, count: number): readonly Float32Array[] {
  const answer = JSON.parse(body) as { readonly data?: unknown };
  if (!Array.isArray(answer.data) || answer.data.length !== count) throw new Error(`the answer has no "data" of ${count} vectors`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const [at, item] of (answer.data as readonly { readonly index?: unknown; readonly embedding?: unknown }[]).entries()) {
    const index = item.index ?? at;
    const { embedding } = item;
    const isVector = Array.isArray(embedding) && embedding.length > 0 && embedding.length <= mostDimensions && embedding.every((value) => typeof value === 'number' && Number.isFinite(value));
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined || !isVector) throw new Error('an item of "data" is no vector of numbers, or has a wrong index');
    vectors[index] = Float32Array.from(embedding as number[]);
  }
  return vectors as Float32Array[];
}

function faultOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Works with the core's part of a signal as the web's, and leaves no listener behind. */
async function withNativeSignal<T>(signal: Abort, work: (native: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
