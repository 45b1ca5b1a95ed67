// Who is asking: the head of a request -> an identity, or a refusal.
//
// The order is host, origin, who it is, rate: a client that has no right to be here learns nothing about the server, not even
// which paths there are. Only the paths of operations without a role pass without a token; the probes among them also with
// another Host, because the machinery that asks them does not know the names of the server, and they tell nothing.
import type { Role } from '../api/role.ts';
import { TechneError } from '../base/error.ts';
import { operationNames, operationOf } from '../api/operations.ts';
import type { FoundToken, TokenFile } from '../techne/tokens/token-file.ts';
import type { LoginLink } from './link.ts';
import type { RateLimit } from './rate-limit.ts';
import type { HttpRefusal, PlaceOptions, RequestHead } from './server/check-place.ts';
import { bearerOf, createPlaceCheck, headerValues, unauthorized } from './server/check-place.ts';
import type { RequestVerdict } from './server/open-server.ts';

/** Who asks. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** With a cookie: what every POST must bring along. `null` with a token. */
  readonly csrf: string | null;
}

/** For refusals of a role. */
export function whoIs(identity: Identity | null): string {
  return identity === null
    ? 'the request brought no token'
    : `the token "${identity.name}" has the role "${identity.role}"`;
}

export interface KnownRequest {
  /** `null`: nobody in particular. */
  readonly identity: Identity | null;
  /** An allowed origin besides our own: it may read the response. */
  readonly crossOrigin: string | null;
}

export interface GuardParts {
  readonly tokens: TokenFile;
  /** `null`: there is none, such as on an address that others reach. */
  readonly link: LoginLink | null;
  readonly rate: RateLimit;
  /** Called for each request that is refused, with the reason. */
  readonly onRefused: (refusal: HttpRefusal) => void;
}

const openPaths = new Set(
  operationNames().flatMap((name) => (operationOf(name).role === null ? [operationOf(name).path] : [])),
);
const probes = new Set(['/healthz', '/readyz']);
const nobody = (crossOrigin: string | null): KnownRequest => ({ identity: null, crossOrigin });

export function createApiGuard(
  { hosts, origins }: PlaceOptions,
  { tokens, link, rate, onRefused }: GuardParts,
): (head: RequestHead) => RequestVerdict<KnownRequest> {
  const place = createPlaceCheck({ hosts, origins });
  const allowed = new Set(origins);

  const refuse = (refusal: HttpRefusal, identity: Identity | null = null): RequestVerdict<KnownRequest> => {
    onRefused(refusal);
    return { refusal, proven: identity !== null, known: { identity, crossOrigin: null } };
  };

  return (head) => {
    const path = head.target.split('?', 1)[0] as string;
    const elsewhere = (probes.has(path) ? null : place.host(head)) ?? place.origin(head);
    if (elsewhere !== null) return refuse({ ...elsewhere, code: 'PLACE_REFUSED' });
    const [origin = ''] = headerValues(head.rawHeaders, 'origin');
    const crossOrigin = allowed.has(origin) ? origin : null;
    // A browser asks first, without a token, whether the page may ask at all.
    if (head.method === 'OPTIONS' && crossOrigin !== null)
      return { refusal: null, proven: false, known: nobody(crossOrigin) };
    if (openPaths.has(path)) return { refusal: null, proven: false, known: nobody(crossOrigin) };
    const identity = identify(head, tokens, link);
    if ('status' in identity) return refuse(identity);
    const waitSeconds = rate.take(identity.name);
    if (waitSeconds !== null)
      return refuse(
        {
          status: 429,
          message: `the token "${identity.name}" made too many requests`,
          hint: `wait ${waitSeconds} s`,
          headers: { 'retry-after': String(waitSeconds) },
        },
        identity,
      );
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
    };
  };
}

/** Events and requests that wait: they must not take the places of those that are answered at once. */
function staysOpen(target: string): boolean {
  if (!URL.canParse(target, 'http://localhost')) return false;
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  if (searchParams.has('wait')) return true;
  // By the path that is routed: with its dots resolved and its escapes decoded. An id of a run that needs others is refused.
  const path = pathname.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/v1\/runs\/[^/]+\/events$/.test(path);
}

function identify(head: RequestHead, tokens: TokenFile, link: LoginLink | null): Identity | HttpRefusal {
  const hasToken = headerValues(head.rawHeaders, 'authorization').length > 0;
  const [cookie, ...more] = headerValues(head.rawHeaders, 'cookie');
  if (!hasToken && link !== null && cookie !== undefined && more.length === 0) {
    const session = link.sessionOf(cookie);
    if (session !== null) return { name: session.name, role: 'operator', csrf: session.csrf };
  }
  const given = bearerOf(head);
  if (typeof given !== 'string')
    return { ...given, code: 'TOKEN_REFUSED', hint: 'techne serve token create NAME --role ROLE' };
  let found: FoundToken;
  try {
    found = tokens.find(given);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    // The operator reads the reason in the log; a client without a token does not.
    return { status: 503, message: 'tokens cannot be checked now', code: error.code };
  }
  return typeof found === 'string'
    ? {
        ...unauthorized(`the token is ${found}`, ', error="invalid_token"'),
        code: 'TOKEN_REFUSED',
        hint: 'techne serve token list',
      }
    : { name: found.name, role: found.role, csrf: null };
}
