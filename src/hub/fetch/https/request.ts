// One request to a checked host -> its answer as a stream, and downloads with redirects.
//
// R1. No cookies, no credentials of the system, no proxy; headers of the caller go to the host they were meant for only.
// R2. A redirect is a new request: the address is checked again, at most five, and never from https to http.
// R3. Bytes are counted as they come and after they are unpacked; silence and length in time are bounded.
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { createGunzip } from 'node:zlib';
import type { Abort } from '../../../base/abort.ts';
import { TechneError } from '../../../base/error.ts';
import { codeOf } from '../../../node/files/file-fault.ts';
import { packageVersion } from '../../../node/package-info.ts';
import { checkRatio, overLimit } from '../../archive/limited.ts';
import { show } from '../../source/git-words.ts';
import type { FetchContext } from '../context.ts';
import type { FetchLimits } from '../options.ts';
import { stopIfAborted } from '../context.ts';
import type { CheckedHost } from './check-host.ts';
import { checkUrl } from './check-host.ts';

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface Asked {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Must be read to its end, or closed. */
  readonly body: IncomingMessage;
  close(): void;
}

/** Sends one request; redirects are answers. The host must have been checked. */
export function send(
  url: URL,
  host: CheckedHost,
  asked: Asked,
  context: Pick<FetchContext, 'signal'> & { readonly limits: Pick<FetchLimits, 'idleMs' | 'totalMs'> },
): Promise<Answer> {
  const { limits, signal } = context;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request({
      method: asked.method ?? 'GET',
      host: host.host,
      port: url.port === '' ? undefined : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: {
        'user-agent': `techne/${packageVersion()}`,
        'accept-encoding': 'identity',
        ...asked.headers,
        host: url.host,
      },
      agent: false,
      lookup: onlyTo(host),
      timeout: limits.idleMs,
      ...(url.protocol === 'https:' && isIP(host.host) === 0 ? { servername: host.host } : {}),
    });
    const timer = setTimeout(() => sent.destroy(tooSlow(url, limits.totalMs)), limits.totalMs);
    const stop = (): void => void sent.destroy(reasonOf(signal));
    const close = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    sent.on('timeout', () => sent.destroy(tooSlow(url, limits.idleMs)));
    sent.on('close', close);
    sent.on('error', (error) => reject(asFault(url, error)));
    sent.on('response', (body) => {
      resolve({
        status: body.statusCode ?? 0,
        headers: body.headers,
        body,
        close: () => sent.destroy(),
      });
    });
    sent.end(asked.body);
  });
}

export interface Downloaded {
  readonly bytes: Uint8Array;
  /** After redirects. */
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
}

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly headers?: { readonly [name: string]: string };
  /** What is fetched, for messages and progress. Default: the address. */
  readonly what?: string;
}

/** The whole answer to a GET. Throws SOURCE_UNREACHABLE for any status but 200. */
export async function download(
  from: URL,
  { maxBytes, headers = {}, what }: DownloadOptions,
  context: FetchContext,
): Promise<Downloaded> {
  const { url, answer } = await follow(from, { headers }, context);
  try {
    if (answer.status !== 200) throw badStatus(url, answer);
    const bytes = await readBody(answer, url, maxBytes, what ?? url.href, context);
    return { bytes, url, headers: answer.headers };
  } finally {
    answer.close();
  }
}

/** The first answer that is no redirect, and where it came from. */
export async function follow(
  from: URL,
  asked: Asked,
  context: FetchContext,
): Promise<{ readonly url: URL; readonly answer: Answer }> {
  let url = from;
  let headers = asked.headers ?? {};
  for (let hop = 0; ; hop += 1) {
    stopIfAborted(context.signal);
    const answer = await send(url, await checkUrl(url, context.options), { ...asked, headers }, context);
    const to = answer.headers.location;
    if (!redirects.has(answer.status) || to === undefined) return { url, answer };
    answer.close();
    if (hop === maxRedirects)
      throw refused(
        `"${show(from.href)}" redirects more than ${maxRedirects} times`,
        'use the address it ends at',
      );
    if (!URL.canParse(to, url.href))
      throw refused(
        `"${show(url.href)}" redirects to "${show(to)}", which is no address`,
        'tell its publisher',
      );
    const next = new URL(to, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw refused(
        `"${show(url.href)}" redirects to "${show(next.href)}", which is not https`,
        'use an https address',
      );
    if (next.host !== url.host) headers = {};
    url = next;
  }
}

async function readBody(
  answer: Answer,
  url: URL,
  maxBytes: number,
  what: string,
  context: FetchContext,
): Promise<Uint8Array> {
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  const encoding = (answer.headers['content-encoding'] ?? 'identity').toLowerCase();
  const tooLarge = (): TechneError => overLimit(`"${show(url.href)}" sends more than ${maxBytes} bytes`);
  if (length > maxBytes) throw tooLarge();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw refused(
      `"${show(url.href)}" answers in the encoding "${show(encoding)}", which was not asked for`,
      'tell its publisher',
    );
  const chunks: Uint8Array[] = [];
  let packed = 0;
  let have = 0;
  const count = (chunk: Uint8Array): void => {
    packed += chunk.length;
    if (packed > maxBytes) throw tooLarge();
    context.tell({
      phase: 'download',
      what,
      doneBytes: packed,
      totalBytes: Number.isNaN(length) ? null : length,
    });
  };
  try {
    for await (const chunk of encoding === 'gzip' ? unzipped(answer.body, count) : answer.body) {
      const bytes = chunk as Uint8Array;
      if (encoding !== 'gzip') count(bytes);
      have += bytes.length;
      if (have > maxBytes) throw tooLarge();
      if (encoding === 'gzip') checkRatio(packed, have, context.limits.ratio);
      chunks.push(bytes);
    }
  } catch (error) {
    stopIfAborted(context.signal);
    throw asFault(url, error);
  }
  return Buffer.concat(chunks);
}

async function* unzipped(
  body: IncomingMessage,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  body.on('data', (chunk: Uint8Array) => {
    try {
      count(chunk);
    } catch (error) {
      unzip.destroy(error as Error);
    }
  });
  body.on('error', (error) => unzip.destroy(error));
  body.pipe(unzip);
  try {
    yield* unzip as AsyncIterable<Uint8Array>;
  } finally {
    unzip.destroy();
  }
}

/** Gives the addresses that were checked, whatever is asked. */
function onlyTo({ addresses }: CheckedHost): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const wanted =
      options.family === 4 || options.family === 6
        ? found.filter(({ family }) => family === options.family)
        : found;
    const usable = wanted.length === 0 ? found : wanted;
    const first = usable[0] as { address: string; family: number };
    process.nextTick(() => {
      if (options.all === true) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/** What is wrong with a certificate, by the code of the TLS library. */
const certificateFaults: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed its certificate itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is signed by an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an authority that is not known',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

function asFault(url: URL, error: unknown): unknown {
  if (error instanceof TechneError || codeOf(error) === '') return error;
  const certificate = certificateFaults[codeOf(error)];
  if (certificate !== undefined)
    return new TechneError(
      'SOURCE_REFUSED',
      `"${show(url.host)}" cannot prove who it is: ${certificate} (${codeOf(error)})`,
      {
        hint: 'nothing was fetched. Check the address; for an authority of your own set NODE_EXTRA_CA_CERTS to the file of its certificate',
        cause: error,
      },
    );
  return new TechneError(
    'SOURCE_UNREACHABLE',
    `"${show(url.href)}" cannot be fetched: ${wordsOf(error as Error)}`,
    {
      hint: 'check the address and the network, and try again',
      cause: error,
    },
  );
}

function wordsOf(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : null;
  const message = inner instanceof Error ? inner.message : error.message;
  return codeOf(error) === 'ECONNRESET' && message === 'aborted'
    ? 'the connection ended early'
    : show(message);
}

function badStatus(url: URL, { status, headers }: Answer): TechneError {
  const wait = headers['retry-after'];
  return new TechneError('SOURCE_UNREACHABLE', `"${show(url.href)}" answered with status ${status}`, {
    hint:
      status === 404 || status === 410
        ? 'check the address: there is nothing'
        : status === 401 || status === 403
          ? 'it is not public, or your address is blocked'
          : wait === undefined
            ? 'try again later'
            : `try again later; the server says: ${show(wait)} (seconds, or a time)`,
  });
}

function tooSlow(url: URL, ms: number): TechneError {
  return new TechneError('SOURCE_LIMIT', `"${show(url.href)}" took longer than ${ms / 1000} s`, {
    hint: 'try again later',
  });
}

function reasonOf(signal: Abort): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('stopped');
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('SOURCE_REFUSED', message, { hint });
}
