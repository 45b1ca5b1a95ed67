// Which keys a person trusts, and which key each signed hub was seen with.
//
//   ~/.techne/hub-keys.json <-> KeyRecords
//
// A file that is not as techne writes it, or that others can write, is an error that names it; it is never overwritten or
// half-read. Changes are made under a lock, and the file is replaced as a whole.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { heldByOthers } from '../../ports/held-by-others.ts';
import { hubAddress } from '../source/hub-address.ts';
import type { Publisher } from '../source/source.ts';
import { isKeyId } from './signing-key.ts';
import { verifyIndex } from './verify-index.ts';

export interface TrustedKey {
  readonly keyId: string;
  /** What the person calls its owner. */
  readonly name: string;
  /** ISO 8601. */
  readonly trustedAt: string;
}

/** A hub that was signed when it was last read. */
export interface SeenHub {
  /** Its address. */
  readonly hub: string;
  readonly keyId: string;
  readonly sequence: number;
}

export interface KeyRecords {
  readonly keys: readonly TrustedKey[];
  readonly hubs: readonly SeenHub[];
}

export interface KeyStore {
  /** Throws HUB_KEYS for a file that cannot be used; a missing one is empty. */
  read(): Promise<KeyRecords>;
  /** In the place of an earlier record of the key. */
  trust(key: TrustedKey): Promise<void>;
  /** By the name or id of a key, or the address of a hub. What was forgotten. */
  forget(what: string): Promise<KeyRecords>;
  /** `verifyIndex`, remembering what was seen. Throws HUB_SIGNATURE and HUB_KEYS. */
  verify(hub: string, index: Json): Promise<Publisher | null>;
}

const version = 1;
const maxBytes = 4 * 1024 * 1024;
const none: KeyRecords = { keys: [], hubs: [] };

export function createKeyStore(files: Files, homeFolder: string): KeyStore {
  const file = join(homeFolder, '.techne', 'hub-keys.json');

  const read = async (): Promise<KeyRecords> => {
    const found = await guarded(file, () => files.read(file, maxBytes));
    if (found === null) return none;
    const held = heldByOthers(files, file);
    if (held !== null)
      throw new TechneError('HUB_KEYS', `${held.reason}, so "${file}" proves nothing`, { hint: held.hint });
    const { text, valid } = decodeUtf8(found.bytes);
    if (!valid) throw broken(file, 'it is not valid UTF-8');
    return parseKeyRecords(text, file);
  };

  const change = <T>(
    edit: (records: KeyRecords) => { readonly records: KeyRecords; readonly result: T },
  ): Promise<T> =>
    guarded(file, () =>
      files.withLock(`${file}.lock`, async () => {
        const before = await read();
        const { records, result } = edit(before);
        if (records !== before) await files.writeAtomic(file, encodeUtf8(renderKeyRecords(records)), 0o600);
        return result;
      }),
    );

  return {
    read,
    trust: (key) =>
      change((records) => ({
        records: { ...records, keys: [...records.keys.filter(({ keyId }) => keyId !== key.keyId), key] },
        result: undefined,
      })),
    forget: (what) =>
      change((records) => {
        const isForgotten = ({ keyId, name }: TrustedKey): boolean => keyId === what || name === what;
        const result = {
          keys: records.keys.filter(isForgotten),
          hubs: records.hubs.filter(({ hub }) => hub === hubAddress(what)),
        };
        if (result.keys.length + result.hubs.length === 0) return { records, result };
        return {
          records: {
            keys: records.keys.filter((key) => !isForgotten(key)),
            hubs: records.hubs.filter(({ hub }) => hub !== hubAddress(what)),
          },
          result,
        };
      }),
    async verify(address, index) {
      const hub = hubAddress(address);
      const { publisher, seen } = verifyIndex(hub, index, await read());
      if (seen === null) return publisher;
      return change((records) => {
        // Another process may have read a newer index meanwhile.
        const now = verifyIndex(hub, index, records);
        const { seen: next } = now;
        return {
          records:
            next === null
              ? records
              : { ...records, hubs: [...records.hubs.filter((one) => one.hub !== hub), next] },
          result: now.publisher,
        };
      });
    },
  };
}

function renderKeyRecords({ keys, hubs }: KeyRecords): string {
  const sorted = {
    version,
    keys: [...keys].sort((a, b) => (a.keyId < b.keyId ? -1 : 1)),
    hubs: [...hubs].sort((a, b) => (a.hub < b.hub ? -1 : 1)),
  };
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

/** Throws HUB_KEYS, naming `file`, when `text` is anything but what `renderKeyRecords` gives. */
function parseKeyRecords(text: string, file: string): KeyRecords {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw broken(file, 'it is not valid JSON', cause);
  }
  if (!isJsonObject(value)) throw broken(file, 'it is not an object');
  if (value['version'] !== version) throw broken(file, `its version is not ${version}`);
  const keys = listOf(value['keys'], 'keys', file, ({ keyId, name, trustedAt }) =>
    isId(keyId) && isText(name) && isText(trustedAt) ? { keyId, name, trustedAt } : null,
  );
  const hubs = listOf(value['hubs'], 'hubs', file, ({ hub, keyId, sequence }) =>
    isText(hub) &&
    isId(keyId) &&
    typeof sequence === 'number' &&
    Number.isSafeInteger(sequence) &&
    sequence >= 0
      ? { hub, keyId, sequence }
      : null,
  );
  return { keys, hubs };
}

function listOf<T>(
  value: Json | undefined,
  name: string,
  file: string,
  read: (item: JsonObject) => T | null,
): readonly T[] {
  if (!Array.isArray(value)) throw broken(file, `"${name}" is not a list`);
  return (value as readonly Json[]).map((item, at) => {
    const entry = isJsonObject(item) ? read(item) : null;
    if (entry === null) throw broken(file, `"${name}"[${at}] is not well formed`);
    return entry;
  });
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isId(value: Json | undefined): value is string {
  return typeof value === 'string' && isKeyId(value);
}

function broken(file: string, why: string, cause?: unknown): TechneError {
  return new TechneError('HUB_KEYS', `the file of keys "${file}" cannot be used: ${why}`, {
    hint: `no signed hub can be read until it is repaired; to start again without any trusted key, remove "${file}"`,
    ...(cause === undefined ? {} : { cause }),
  });
}

async function guarded<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError(
      'HUB_KEYS',
      `the file of keys "${file}" cannot be read or written: ${error.message}`,
      {
        hint: `make sure that you can read and write "${file}"`,
        cause: error,
      },
    );
  }
}
