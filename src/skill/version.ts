// The version of a skill's instructions: a digest of the body alone, so that an edit to the description
// does not change what traces record as executed.
import type { Sha256 } from '../ports/environment.ts';

/** The first 16 hex digits of the SHA-256 of `body`. */
export function bodyVersion(body: string, sha256: Sha256): string {
  return sha256(body).slice(0, 16);
}
