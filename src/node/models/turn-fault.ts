// A failed request to a model -> whether to retry, and the message.
//
// Retried are 429, 408, 409, 5xx, a cut or idle stream, garbled events and failed connections; a refused connection
// is retried once, soon, since waiting seldom helps. A message never holds a key, nor what a server answers when it
// refuses one, and is one bounded line (safe-message.ts).
import { safeMessage } from '../safe-message.ts';

export interface EndpointFacts {
  /** `model:fast (claude-x at 127.0.0.1:8080)`. */
  readonly label: string;
  readonly apiKeyEnv: string | null;
  readonly apiKey: string | null;
}

interface TurnFault {
  readonly message: string;
  readonly retryable: boolean;
  /** The wait that the server asks for; null if it gives none. */
  readonly retryAfterMs: number | null;
  /** A shorter history would do. Default: false. */
  readonly isTooLong?: true;
  /** The connection was refused. Default: false. */
  readonly isRefused?: true;
}

/** The stream ended without an answer, or held something else. */
export class BrokenStream extends Error {
  /** Whether the next try may go better. */
  readonly retryable: boolean;
  constructor(message: string, { retryable = true }: { readonly retryable?: boolean } = {}) {
    super(message);
    this.name = 'BrokenStream';
    this.retryable = retryable;
  }
}

/** As the AI SDK throws it; recognised by its shape, so that this file does not load it. */
interface CallError extends Error {
  readonly statusCode?: number;
  readonly responseHeaders?: { readonly [name: string]: string };
  readonly responseBody?: string;
  readonly isRetryable?: boolean;
}

const retryableStatus: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const tooLong =
  /context.{0,20}(?:length|window|limit)|prompt is too long|too many tokens|maximum context|input is too long|exceed.{0,20}context/i;

export function turnFaultOf(error: unknown, endpoint: EndpointFacts, nowMs: number): TurnFault {
  const { label } = endpoint;
  const status = statusOf(error);
  const broken = brokenStreamIn(error);
  const detail = safeMessage(detailOf(broken ?? error), endpoint.apiKey === null ? [] : [endpoint.apiKey]);
  if (broken !== null)
    return { message: `${label}: ${detail}`, retryable: broken.retryable, retryAfterMs: null };
  if (status === null)
    return {
      message: `${label} cannot be reached or understood: ${detail}`,
      retryable: isConnectionFault(error),
      retryAfterMs: null,
      ...(isRefused(error) ? { isRefused: true } : {}),
    };
  if (status === 401 || status === 403)
    return { message: keyFault(status, endpoint), retryable: false, retryAfterMs: null };
  if (status === 404)
    return {
      message: `${label} is not there (HTTP 404): ${detail}; is the name of the model right, and the address?`,
      retryable: false,
      retryAfterMs: null,
    };
  if (status === 413 || ((status === 400 || status === 422) && tooLong.test(detail)))
    return {
      message: `the conversation is too long for ${label}: ${detail}`,
      retryable: false,
      retryAfterMs: null,
      isTooLong: true,
    };
  const retryable = retryableStatus.has(status) || status >= 500;
  return {
    message: `${label} answered HTTP ${status}: ${detail}`,
    retryable,
    retryAfterMs: retryable ? retryAfterOf(error as CallError, nowMs) : null,
  };
}

function keyFault(status: number, { label, apiKeyEnv }: EndpointFacts): string {
  if (apiKeyEnv === null)
    return `${label} wants a key (HTTP ${status}); name its variable as apiKeyEnv in the configuration`;
  return `${label} refused the key in ${apiKeyEnv} (HTTP ${status})`;
}

function statusOf(error: unknown): number | null {
  const status = (error as { readonly statusCode?: unknown } | null)?.statusCode;
  // A stream that was begun well has the status of its beginning.
  return typeof status === 'number' && status >= 400 ? status : null;
}

/** Libraries wrap what a stream failed with. */
function brokenStreamIn(error: unknown): BrokenStream | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if (at instanceof BrokenStream) return at;
  return null;
}

function isConnectionFault(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if ((at as CallError).isRetryable === true || at instanceof TypeError) return true;
    const { code } = at as { readonly code?: unknown };
    if (
      typeof code === 'string' &&
      /^(?:E(?:CONN|TIMEDOUT|PIPE|AI_AGAIN|NETUNREACH|HOSTUNREACH)|UND_ERR_)/.test(code)
    )
      return true;
  }
  return false;
}

function isRefused(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if ((at as { readonly code?: unknown }).code === 'ECONNREFUSED') return true;
  return false;
}

/** The message of the server, else that of the library. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return messageIn(error);
  return bodyMessage((error as CallError).responseBody) ?? error.message;
}

function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : (JSON.stringify(value) ?? 'no reason given');
}

function bodyMessage(body: string | undefined): string | null {
  if (body === undefined || body.trim() === '') return null;
  try {
    const { error, message } = JSON.parse(body) as { readonly error?: unknown; readonly message?: unknown };
    return typeof message === 'string' ? message : error === undefined ? null : messageIn(error);
  } catch {
    return null; // a web page; the message has all that is needed
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterOf({ responseHeaders = {} }: CallError, nowMs: number): number | null {
  const exact = Number(responseHeaders['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const given = responseHeaders['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (given.trim() !== '' && Number.isFinite(seconds)) return seconds < 0 ? null : Math.ceil(seconds * 1000);
  const date = Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
