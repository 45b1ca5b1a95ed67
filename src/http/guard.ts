// Who is asking: the head of a request -> an identity, or a refusal.
//
// The order is host, origin, who it is, rate: a client that has no right to be here learns nothing about the server, not even
// which paths there are. Only the paths of operations without a role pass without a token; the probes among them also with
// another Host, because the machinery that asks them does not know the names of the server, and they tell nothing.
import type { Role } from '../api/role.ts';
import { TechneError } from '../base/error.ts';
import { operationNames, operationOf } from '../api/operations.ts';
import type { TokenFile, TokenRecord } from '../techne/tokens/token-file.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Session, Sessions } from './sessions.ts';
import type { HttpRefusal, PlaceOptions, RequestHead } from './server/check-place.ts';
import { bearerOf, createPlaceCheck, headerValues, unauthorized } from './server/check-place.ts';
import type { RequestVerdict, Standing } from './server/open-server.ts';

/** Who asks. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** With a cookie: what every POST must bring along. `null` with a token. */
  readonly csrf: string | null;
  /** With a cookie: the session. `null` with a token. */
  readonly session: string | null;
}

/** For refusals of a role. */
export function whoIs(identity: Identity | null): string {
  return identity === null
    ? 'the request brought no token'
    : `the token "${identity.name}" has the role "${identity.role}"`;
}

export interface KnownRequest {
  /** `null`: not authenticated. */
  readonly identity: Identity | null;
  /** An allowed origin besides our own: it may read the response. */
  readonly crossOrigin: string | null;
}

export interface GuardParts {
  readonly tokens: TokenFile;
  readonly sessions: Sessions;
  readonly rate: RateLimit;
  /** Of logins, for each address. */
  readonly loginRate: RateLimit;
  /** Paths of the browser client: everybody may read its files. Default: none. */
  readonly isOfClient?: (path: string) => boolean;
  /** Called for each request that is refused, with the reason. */
  readonly onRefused: (refusal: HttpRefusal) => void;
}

const openPaths = new Set(
  operationNames().flatMap((name) => (operationOf(name).role === null ? [operationOf(name).path] : [])),
);
/** Callback tokens are their own proof; all of them together are as many requests as those of one token, a quarter of them from one peer. */
const callbackPath = /^\/v1\/callbacks\/[\w-]+(?:\.[\w-]+)?$/;
const costOfPeer = 4;
const logins = new Set(['/login', '/v1/login']);
const probes = new Set(['/healthz', '/readyz']);
const nobody = (crossOrigin: string | null): KnownRequest => ({ identity: null, crossOrigin });

export function createApiGuard(
  { hosts, origins, publicOrigin = null }: PlaceOptions,
  { tokens, sessions, rate, loginRate, isOfClient = () => false, onRefused }: GuardParts,
): (head: RequestHead) => RequestVerdict<KnownRequest> {
  const place = createPlaceCheck({ hosts, origins, publicOrigin });
  const allowed = new Set(origins);

  const refuse = (refusal: HttpRefusal, identity: Identity | null = null): RequestVerdict<KnownRequest> => {
    onRefused(refusal);
    return { refusal, proven: identity !== null, known: { identity, crossOrigin: null } };
  };

  return (head) => {
    const path = routedPath(head.target);
    const isFile = ['GET', 'HEAD'].includes(head.method) && isOfClient(path);
    // A link on another site may lead to the client: its page is the same for everybody, and cannot be framed.
    const elsewhere =
      (probes.has(path) ? null : place.host(head)) ??
      (isFile && isNavigation(head) ? null : place.origin(head));
    if (elsewhere !== null) return refuse({ ...elsewhere, code: 'PLACE_REFUSED' });
    if (!isParsable(head.target)) return refuse({ status: 400, message: 'the request target is no path' });
    const [origin = ''] = headerValues(head.rawHeaders, 'origin');
    const crossOrigin = allowed.has(origin) ? origin : null;
    // A browser asks first, without a token, whether the page may ask at all.
    if (head.method === 'OPTIONS' && crossOrigin !== null)
      return { refusal: null, proven: false, known: nobody(crossOrigin) };
    if (callbackPath.test(path)) {
      // What a peer has no right to takes nothing from the others.
      const peerSeconds = rate.take(`callback tokens from ${networkOf(head.peer ?? '')}`, costOfPeer);
      if (peerSeconds !== null) return refuse(tooMany('this address', peerSeconds));
      const waitSeconds = rate.take('callback tokens');
      if (waitSeconds !== null) return refuse(tooMany('callback tokens', waitSeconds));
      return { refusal: null, proven: false, known: nobody(crossOrigin) };
    }
    if (logins.has(path)) {
      const waitSeconds = loginRate.take(networkOf(head.peer ?? ''));
      if (waitSeconds !== null) return refuse(tooMany('this address', waitSeconds));
    }
    if (openPaths.has(path) || isFile) return { refusal: null, proven: false, known: nobody(crossOrigin) };
    const found = identify(head, tokens, sessions);
    if ('status' in found) return refuse(found);
    const { identity, standing } = found;
    const waitSeconds = rate.take(identity.name);
    if (waitSeconds !== null) return refuse(tooMany(`the token "${identity.name}"`, waitSeconds), identity);
    if (identity.csrf !== null && !['GET', 'HEAD'].includes(head.method)) {
      const [given, ...more] = headerValues(head.rawHeaders, 'x-techne-csrf');
      if (given !== identity.csrf || more.length > 0)
        return refuse(
          {
            status: 403,
            message: 'a request with a cookie that changes something needs the header X-Techne-Csrf',
            code: 'PLACE_REFUSED',
            hint: 'its value is "csrf" of GET /v1/session',
          },
          identity,
        );
    }
    return {
      refusal: null,
      proven: true,
      known: { identity, crossOrigin },
      isStream: staysOpen(head.target),
      holder: `the token "${identity.name}"`,
      standing,
    };
  };
}

const anyOrigin = 'http://localhost';

function isParsable(target: string): boolean {
  return URL.canParse(target, anyOrigin);
}

/** With its dots resolved, as the router has it: what is decided about a path is decided about the one that is answered. */
function routedPath(target: string): string {
  return isParsable(target) ? new URL(target, anyOrigin).pathname : target;
}

/** Whoever has one address of IPv6 has the 2^64 around it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1] as string;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%', 1)[0] as string).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::`;
}

function tooMany(who: string, waitSeconds: number): HttpRefusal {
  return {
    status: 429,
    message: `${who} made too many requests`,
    hint: `wait ${waitSeconds} s`,
    headers: { 'retry-after': String(waitSeconds) },
  };
}

/** Events and requests that wait: they must not take the places of those that are answered at once. */
function staysOpen(target: string): boolean {
  const { pathname, searchParams } = new URL(target, anyOrigin);
  if (searchParams.has('wait')) return true;
  // By the path that is routed: also its escapes are decoded. An id of a run that needs others is refused.
  const path = pathname.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/v1\/(?:runs\/[^/]+\/events|changes)$/.test(path);
}

function isNavigation({ rawHeaders }: RequestHead): boolean {
  return (
    headerValues(rawHeaders, 'sec-fetch-mode').join() === 'navigate' &&
    headerValues(rawHeaders, 'sec-fetch-dest').join() === 'document'
  );
}

interface Identified {
  readonly identity: Identity;
  readonly standing: Standing;
}

function identify(head: RequestHead, tokens: TokenFile, sessions: Sessions): Identified | HttpRefusal {
  const hasToken = headerValues(head.rawHeaders, 'authorization').length > 0;
  const [cookie, ...more] = headerValues(head.rawHeaders, 'cookie');
  try {
    if (!hasToken && cookie !== undefined && more.length === 0) {
      const session = sessions.find(cookie);
      if (session !== null) return ofSession(session, sessions);
    }
    const given = bearerOf(head);
    if (typeof given !== 'string')
      return { ...given, code: 'TOKEN_REFUSED', hint: 'techne serve token create NAME --role ROLE' };
    const found = tokens.find(given);
    if (typeof found === 'string')
      return {
        ...unauthorized(`the token is ${found}`, ', error="invalid_token"'),
        code: 'TOKEN_REFUSED',
        hint: 'techne serve token list',
      };
    return ofToken(found, tokens);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    // The operator reads the reason in the log; a client without a token does not.
    return { status: 503, message: 'tokens cannot be checked now', code: error.code };
  }
}

function ofSession({ id, name, role, csrf }: Session, sessions: Sessions): Identified {
  const standing = {
    key: `session ${id}`,
    holds: () => doesNotThrow(() => sessions.sessionOf(id)?.role === role),
  };
  return { identity: { name, role, csrf, session: id }, standing };
}

function ofToken({ name, role, hash }: TokenRecord, tokens: TokenFile): Identified {
  const standing = {
    key: `token ${hash}`,
    holds: () => doesNotThrow(() => typeof tokens.findByHash(hash) !== 'string'),
  };
  return { identity: { name, role, csrf: null, session: null }, standing };
}

/** Where tokens can no longer be checked, all sessions end. */
function doesNotThrow(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return false;
  }
}
