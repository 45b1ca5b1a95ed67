// Names from the clock and the random source of this machine.
import { createUlids } from '../journal/ulid.ts';
import { nodeCrypto } from './crypto.ts';
import type { Ids } from '../ports/ids.ts';

export function createNodeIds(): Ids {
  const randomBytes = (count: number): Uint8Array => nodeCrypto().randomBytes(count);
  return {
    ulid: createUlids({ nowMs: () => Date.now(), randomBytes }),
    nonce: () => nodeCrypto().randomBytes(16).toString('base64url'),
  };
}
