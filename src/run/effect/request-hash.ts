// The identity of a request: what a replay compares.
import { canonicalJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { Sha256 } from '../../ports/environment.ts';

export function requestHash(sha256: Sha256, kind: string, request: Json): string {
  return hashText(sha256, kind, canonicalJson(request));
}

/** `text` is the request in canonical order. */
export function hashText(sha256: Sha256, kind: string, text: string): string {
  return sha256(`${kind} ${text}`).slice(0, 32);
}
