// Ed25519 keys: PEM text <-> keys, and the id by which people know one.
//
//   keyId = "sha256:" + SHA-256 of the 32 raw bytes of the public key, in lower-case hex
//
// The id names the key completely, so trusting an id is trusting that key and no other. PEM is PKCS #8 and SPKI, as other
// tools write it.
import type { KeyObject } from 'node:crypto';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

export interface PublicKey {
  readonly keyId: string;
  /** 32 bytes in base64. */
  readonly base64: string;
}

export interface SigningKey extends PublicKey {
  sign(bytes: Uint8Array): Uint8Array;
}

const rawBytes = 32;
/** What precedes the raw key in SPKI: the algorithm Ed25519. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** PEM of a new private key and of its public key. */
export function generateKeyPem(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** `null`: it is not the PEM of an Ed25519 private key. */
export function parsePrivateKey(pem: string): SigningKey | null {
  if (!pem.includes('-----BEGIN PRIVATE KEY-----')) return null;
  const key = ed25519(() => createPrivateKey(pem));
  if (key === null) return null;
  return { ...publicPart(createPublicKey(key)), sign: (bytes) => sign(null, bytes, key) };
}

/** `null`: it is not the PEM of an Ed25519 public key. A private key is refused, too: it must not be passed around. */
export function parsePublicKey(pem: string): PublicKey | null {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----') || pem.includes('PRIVATE KEY')) return null;
  const key = ed25519(() => createPublicKey(pem));
  return key === null ? null : publicPart(key);
}

/** The key of 32 bytes in base64; `null` if the text is anything but that. */
export function publicKeyOf(base64: string): { readonly keyId: string; readonly key: KeyObject } | null {
  const raw = bytesOf(base64, rawBytes);
  if (raw === null) return null;
  const key = ed25519(() =>
    createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' }),
  );
  return key === null ? null : { keyId: keyIdOf(raw), key };
}

/** `null` unless it is the one base64 text of exactly so many bytes. */
export function bytesOf(base64: string, length: number): Buffer | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : null;
}

/** For people to compare: the first half of the id in groups of four. */
export function fingerprintOf(keyId: string): string {
  return (keyId.replace('sha256:', '').slice(0, 32).match(/.{4}/g) ?? []).join(' ');
}

export function isKeyId(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

function publicPart(key: KeyObject): PublicKey {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(-rawBytes);
  return { keyId: keyIdOf(raw), base64: raw.toString('base64') };
}

function keyIdOf(raw: Uint8Array): string {
  return `sha256:${createHash('sha256').update(raw).digest('hex')}`;
}

function ed25519(read: () => KeyObject): KeyObject | null {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    // OpenSSL has many codes for bytes that are no key; the caller says which file they are in.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
  return key.asymmetricKeyType === 'ed25519' ? key : null;
}
