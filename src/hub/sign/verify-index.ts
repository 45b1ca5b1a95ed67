// An index, and what is known of keys and hubs -> who signed it; and the signature of an index.
//
//   "techne-hub-index 1\n" + canonical JSON of the index without `signature`, as UTF-8 -> Ed25519
//
// 1. An index whose signature does not fit its content is refused.
// 2. Once a hub was seen signed by a key, an index of it without a signature, by another key, or older than the one that was
//    seen is refused. What was seen is remembered by the address of the hub, also for keys that are not trusted.
// 3. A valid signature proves who published, not that the content is safe; a key that is not trusted is named as such.
import { verify } from 'node:crypto';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { IndexSignature, SkillIndex } from '../source/index-format.ts';
import type { Publisher } from '../source/source.ts';
import type { KeyRecords, SeenHub } from './key-records.ts';
import type { SigningKey } from './signing-key.ts';
import { bytesOf, fingerprintOf, publicKeyOf } from './signing-key.ts';

const signatureBytes = 64;

export interface VerifiedIndex {
  readonly publisher: Publisher | null;
  /** What is to be remembered of the hub; `null`: nothing new. */
  readonly seen: SeenHub | null;
}

/** Throws HUB_SIGNATURE. `hub`: its address, by which it is remembered. */
export function verifyIndex(hub: string, index: Json, { keys, hubs }: KeyRecords): VerifiedIndex {
  const before = hubs.find((one) => one.hub === hub) ?? null;
  const given = isJsonObject(index) ? index['signature'] : undefined;
  if (!isJsonObject(index) || given === undefined) {
    if (before === null) return { publisher: null, seen: null };
    throw refusal(
      hub,
      `it was signed by ${named(before.keyId, keys)} when you last read it, and now it has no signature`,
      `ask its publisher; if it is meant to be unsigned now: techne hub keys forget ${hub}`,
    );
  }
  const signature = readSignature(given);
  if (signature === null) throw refusal(hub, 'its signature is not well formed', askPublisher);
  const key = publicKeyOf(signature.publicKey);
  const value = bytesOf(signature.value, signatureBytes);
  if (key === null || value === null || key.keyId !== signature.keyId)
    throw refusal(hub, 'its signature is not well formed', askPublisher);
  if (!verify(null, signedBytes(index), key.key, value))
    throw refusal(
      hub,
      'its signature does not fit its content: the index was changed after it was signed',
      askPublisher,
    );
  const { sequence } = index;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0)
    throw refusal(hub, 'it is signed, but has no sequence number', askPublisher);
  if (before !== null && before.keyId !== key.keyId)
    throw refusal(
      hub,
      `it was signed by ${named(before.keyId, keys)} when you last read it, and now by ${named(key.keyId, keys)}`,
      `ask its publisher whether the key was changed; if so: techne hub keys forget ${hub}`,
    );
  if (before !== null && sequence < before.sequence)
    throw refusal(
      hub,
      `it has the sequence number ${sequence}, and you have read number ${before.sequence} before: this is an old index`,
      `try again later; if the publisher began anew: techne hub keys forget ${hub}`,
    );
  return {
    publisher: {
      keyId: key.keyId,
      trustedAs: keys.find(({ keyId }) => keyId === key.keyId)?.name ?? null,
    },
    seen: before?.sequence === sequence ? null : { hub, keyId: key.keyId, sequence },
  };
}

/** The index with its signature, in the place of any it had. */
export function signIndex(index: SkillIndex, key: SigningKey): SkillIndex {
  const { signature: _, ...unsigned } = index;
  const signature: IndexSignature = {
    algorithm: 'ed25519',
    keyId: key.keyId,
    publicKey: key.base64,
    value: Buffer.from(key.sign(signedBytes(unsigned as unknown as JsonObject))).toString('base64'),
  };
  return { ...unsigned, signature };
}

const askPublisher = 'nothing of this hub is used; try again later, or tell its publisher';

function signedBytes(index: JsonObject): Uint8Array {
  const { signature: _, ...unsigned } = index;
  return encodeUtf8(`techne-hub-index 1\n${canonicalJson(unsigned)}`);
}

/** Exactly its four fields: nothing unsigned rides along. */
function readSignature(value: Json): IndexSignature | null {
  if (!isJsonObject(value) || Object.keys(value).length !== 4) return null;
  const { algorithm, keyId, publicKey, value: text } = value;
  return algorithm === 'ed25519' &&
    typeof keyId === 'string' &&
    typeof publicKey === 'string' &&
    typeof text === 'string'
    ? { algorithm, keyId, publicKey, value: text }
    : null;
}

function named(keyId: string, keys: KeyRecords['keys']): string {
  const name = keys.find((key) => key.keyId === keyId)?.name;
  return name === undefined ? `the key ${fingerprintOf(keyId)}` : `"${name}" (${fingerprintOf(keyId)})`;
}

function refusal(hub: string, why: string, hint: string): TechneError {
  return new TechneError('HUB_SIGNATURE', `the hub ${hub} is refused: ${why}`, { hint });
}
