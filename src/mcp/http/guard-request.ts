// Checks the head of every HTTP request before its body is read.
//
//   method, target, headers -> pass, or a refusal with its status
//
// The order is host, origin, token, path, method, content type: a client without the token learns nothing about the server. A web
// page can point any name at this machine (DNS rebinding), so the Host must be a known name with the right port, and an Origin must
// be the server's own or allowed; "null" never is. Duplicate or malformed headers are refused. There is no CORS: a browser is never
// allowed to read a response.
import { createHash, timingSafeEqual } from 'node:crypto';

interface RequestHead {
  readonly method: string;
  /** From the request line. */
  readonly target: string;
  /** Name, value, name, value …, in order. */
  readonly rawHeaders: readonly string[];
}

export interface GuardOptions {
  /** `127.0.0.1:8484`, `localhost:8484` …: lower case, with the port. */
  readonly hosts: readonly string[];
  /** In addition to `http://` and one of the hosts. */
  readonly origins: readonly string[];
  readonly token: string;
  readonly path: string;
}

export interface HttpRefusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 500 | 503;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

export interface RequestVerdict {
  /** `null`: it may pass. */
  readonly refusal: HttpRefusal | null;
  /** It has the token, even where it is refused for something else. */
  readonly proven: boolean;
}

export type RequestGuard = (head: RequestHead) => RequestVerdict;

export function createGuard({ hosts, origins, token, path }: GuardOptions): RequestGuard {
  const knownHosts = new Set(hosts);
  const knownOrigins = new Set([...hosts.map((host) => `http://${host}`), ...origins]);
  const wanted = digestOf(token);
  const identify = ({ target }: RequestHead, of: HeaderValues): HttpRefusal | null => {
    const [host, ...moreHosts] = of('host');
    if (host === undefined || moreHosts.length > 0 || !knownHosts.has(host.toLowerCase()))
      return forbidden('the Host header names another server');
    const [origin, ...moreOrigins] = of('origin');
    if (moreOrigins.length > 0 || (origin !== undefined && !knownOrigins.has(origin)))
      return forbidden('requests from this Origin are not allowed');
    // Browsers add this header themselves, even without an Origin.
    if (of('sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none'))
      return forbidden('requests from other sites are not allowed');
    if (!target.startsWith('/')) return forbidden('the request target names another server');
    const [authorization, ...moreTokens] = of('authorization');
    const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
    if (moreTokens.length > 0 || given === undefined)
      return unauthorized(
        authorization === undefined
          ? 'a bearer token is required'
          : 'the Authorization header must be "Bearer TOKEN", once',
        '',
      );
    if (!timingSafeEqual(digestOf(given), wanted))
      return unauthorized('the bearer token is wrong', ', error="invalid_token"');
    return null;
  };
  const judge = ({ method, target }: RequestHead, of: HeaderValues): HttpRefusal | null => {
    if (target !== path) return { status: 404, message: `not found; the server is at ${path}` };
    if (!['POST', 'GET', 'DELETE'].includes(method))
      return { status: 405, message: 'this method is not allowed', headers: { allow: 'POST, GET, DELETE' } };
    const [kind, ...moreKinds] = of('content-type');
    if (method === 'POST' && (moreKinds.length > 0 || !/^application\/json\s*(?:;|$)/i.test(kind ?? '')))
      return { status: 415, message: 'the body must be application/json' };
    return null;
  };
  return (head) => {
    const of: HeaderValues = (name) => valuesOf(head.rawHeaders, name);
    const unknown = identify(head, of);
    return unknown === null
      ? { proven: true, refusal: judge(head, of) }
      : { proven: false, refusal: unknown };
  };
}

type HeaderValues = (name: string) => readonly string[];

function unauthorized(message: string, more: string): HttpRefusal {
  return { status: 401, message, headers: { 'www-authenticate': `Bearer realm="techne"${more}` } };
}

function forbidden(message: string): HttpRefusal {
  return { status: 403, message };
}

/** Hashes have equal lengths, so that the comparison leaks nothing about the token. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if ((rawHeaders[at] as string).toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  return values;
}
