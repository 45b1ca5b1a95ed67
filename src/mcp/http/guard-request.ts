// Checks the head of every HTTP request before its body is read.
//
//   method, target, headers -> pass, or a refusal with its status
//
// The order is host, origin (http/server/check-place.ts), token, path, method, content type: a client without the token learns
// nothing about the server. There is no CORS: a browser is never allowed to read a response.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRefusal, PlaceOptions, RequestHead } from '../../http/server/check-place.ts';
import { bearerOf, createPlaceCheck, isJsonBody, unauthorized } from '../../http/server/check-place.ts';
import type { RequestVerdict } from '../../http/server/open-server.ts';

export interface GuardOptions extends PlaceOptions {
  readonly token: string;
  readonly path: string;
}

export type RequestGuard = (head: RequestHead) => RequestVerdict<null>;

export function createGuard({ hosts, origins, token, path }: GuardOptions): RequestGuard {
  const place = createPlaceCheck({ hosts, origins });
  const wanted = digestOf(token);
  const identify = (head: RequestHead): HttpRefusal | null => {
    const elsewhere = place.host(head) ?? place.origin(head);
    if (elsewhere !== null) return elsewhere;
    const given = bearerOf(head);
    if (typeof given !== 'string') return given;
    return timingSafeEqual(digestOf(given), wanted)
      ? null
      : unauthorized('the bearer token is wrong', ', error="invalid_token"');
  };
  const judge = (head: RequestHead): HttpRefusal | null => {
    if (head.target !== path) return { status: 404, message: `not found; the server is at ${path}` };
    return judgeMcp(head);
  };
  return (head) => {
    const unknown = identify(head);
    return unknown === null
      ? { proven: true, refusal: judge(head), known: null }
      : { proven: false, refusal: unknown, known: null };
  };
}

/** What holds for every request to the path of the protocol. */
function judgeMcp(head: RequestHead): HttpRefusal | null {
  if (!['POST', 'GET', 'DELETE'].includes(head.method))
    return { status: 405, message: 'this method is not allowed', headers: { allow: 'POST, GET, DELETE' } };
  return head.method === 'POST' && !isJsonBody(head)
    ? { status: 415, message: 'the body must be application/json' }
    : null;
}

/** Hashes have equal lengths, so that the comparison leaks nothing about the token. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
