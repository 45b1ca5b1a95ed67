// Requests to the API: one function over `fetch`, with problems as errors.
//
// Only what every `fetch` has is used, so that it works in Node and in browsers, and its types need no library.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';

/** The part of a response that is used. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
  text(): Promise<string>;
}

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string | Uint8Array;
    readonly signal?: Abort;
  },
) => Promise<FetchResponse>;

/** The server refused a request. `code` is one of docs/errors.md. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;
  /** What of the request does not fit. */
  readonly faults: readonly string[];

  constructor(status: number, body: Json) {
    const { detail, code, hint, faults } = isJsonObject(body) ? body : {};
    super(typeof detail === 'string' ? detail : `the server answered with the status ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof code === 'string' ? code : 'INTERNAL';
    this.hint = typeof hint === 'string' ? hint : null;
    this.faults = Array.isArray(faults) ? faults.filter((fault) => typeof fault === 'string') : [];
  }
}

export interface TransportOptions {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly fetch: Fetch;
  readonly maxRetries: number;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  /** JSON, or bytes as they are. */
  readonly body?: Json | Uint8Array;
  readonly signal?: Abort;
  /** Whether a repetition does the same as one request. */
  readonly repeatable: boolean;
}

/** Sends a request, again where the server was busy or not there and that is safe. Throws ApiError, and what `fetch` throws. */
export async function send(options: TransportOptions, sent: SentRequest): Promise<FetchResponse> {
  const { method, path, headers, body, signal, repeatable } = sent;
  for (let tries = 0; ; tries += 1) {
    let response: FetchResponse;
    try {
      response = await options.fetch(`${options.url}${path}`, {
        method,
        headers: {
          ...options.headers,
          ...(body === undefined
            ? {}
            : {
                'content-type': body instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
              }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (!repeatable || signal?.aborted === true || tries >= options.maxRetries) throw error;
      await pause(waitMs(tries), signal);
      continue;
    }
    if (response.status < 300) return response;
    const isBusy = response.status === 429 || response.status === 503;
    // What is refused for its rate was not done, whatever it is.
    const isSafe = repeatable || response.status === 429;
    if (!isBusy || !isSafe || tries >= options.maxRetries)
      throw new ApiError(response.status, await problemIn(response));
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    await response.text();
    await pause(Math.max(seconds * 1_000, waitMs(tries)), signal);
  }
}

async function problemIn(response: FetchResponse): Promise<Json> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // Something between us and the server answered.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A quarter of a second at first, five seconds at most. */
export function waitMs(tries: number): number {
  return Math.min(5_000, 250 * 2 ** tries);
}

/** Rejects when `signal` aborts. */
export function pause(ms: number, signal?: Abort): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
  });
}
