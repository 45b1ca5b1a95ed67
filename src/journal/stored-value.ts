// Json <-> Stored: small values stay in the entry, large ones go to the blob store before the entry that names them.
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import type { Json } from '../base/json.ts';
import { jsonText, parseJson } from '../base/json.ts';
import { TechneError } from '../base/error.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Stored } from './entry.ts';

/** JSON of more bytes than this is kept as a blob. */
export const maxInlineBytes = 8 * 1024;

/** Durable, if it is a blob, when it resolves. */
export async function storeValue(value: Json, blobs: Pick<Blobs, 'put'>): Promise<Stored> {
  const text = jsonText(value);
  if (text.length * 3 <= maxInlineBytes) return { value };
  const bytes = encodeUtf8(text);
  return bytes.length <= maxInlineBytes ? { value } : { blob: await blobs.put(bytes), bytes: bytes.length };
}

/** Throws BLOB_MISSING or BLOB_CORRUPT. */
export async function loadValue(stored: Stored, blobs: Pick<Blobs, 'get'>): Promise<Json> {
  if ('value' in stored) return stored.value;
  const bytes = await blobs.get(stored.blob);
  if (bytes.length !== stored.bytes) {
    throw new TechneError(
      'BLOB_CORRUPT',
      `the blob ${stored.blob} has ${bytes.length} bytes, but the journal records ${stored.bytes}`,
    );
  }
  return parseJson(decodeUtf8(bytes).text);
}
