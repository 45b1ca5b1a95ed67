// The content of the trust file: JSON text <-> records.
//
// A file that is not exactly as techne writes it is broken. A broken file grants nothing: it is an error that names the
// file, and it is never overwritten.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';

/** Everything in this folder that is local work may be executed. */
export interface FolderTrust {
  /** Real path. */
  readonly path: string;
  /** ISO 8601. */
  readonly grantedAt: string;
}

/** This content at this place may be executed. */
export interface DigestTrust {
  /** The digest of the skill's file manifest. */
  readonly digest: string;
  readonly name: string;
  /** Real path of the skill folder. */
  readonly path: string;
  readonly grantedAt: string;
}

/** The content of the trust file. */
export interface TrustRecords {
  readonly folders: readonly FolderTrust[];
  readonly digests: readonly DigestTrust[];
}

const version = 1;

export function renderTrust(records: TrustRecords): string {
  return `${JSON.stringify({ version, folders: records.folders, digests: records.digests }, null, 2)}\n`;
}

/** Throws TRUST_STORE, naming `file`, when `text` is anything but what `renderTrust` gives. */
export function parseTrust(text: string, file: string): TrustRecords {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw brokenTrust(file, 'it is not valid JSON', cause);
  }
  if (!isJsonObject(value)) throw brokenTrust(file, 'it is not an object');
  if (typeof value['version'] === 'number' && value['version'] > version) {
    throw new TechneError(
      'TRUST_STORE',
      `"${file}" has version ${value['version']}, and this techne knows version ${version}`,
      {
        hint: 'update techne',
      },
    );
  }
  if (value['version'] !== version) throw brokenTrust(file, `its version is not ${version}`);
  onlyKeys(value, ['version', 'folders', 'digests'], file);
  const folders = listOf(value['folders'], 'folders', ['path', 'grantedAt'], file);
  const digests = listOf(value['digests'], 'digests', ['digest', 'name', 'path', 'grantedAt'], file);
  for (const [at, { digest }] of digests.entries()) {
    if (!/^(?:sha256:)?[0-9a-f]{64}$/.test(digest as string))
      throw brokenTrust(file, `digests[${at}].digest is not a digest`);
  }
  return { folders: folders as unknown as FolderTrust[], digests: digests as unknown as DigestTrust[] };
}

function listOf(
  value: Json | undefined,
  name: string,
  keys: readonly string[],
  file: string,
): { readonly [key: string]: string }[] {
  if (!Array.isArray(value)) throw brokenTrust(file, `${name} is not a list`);
  return (value as readonly Json[]).map((item, at) => {
    if (!isJsonObject(item)) throw brokenTrust(file, `${name}[${at}] is not an object`);
    onlyKeys(item, keys, file);
    const entry: { [key: string]: string } = {};
    for (const key of keys) {
      const text = item[key];
      if (typeof text !== 'string' || text === '')
        throw brokenTrust(file, `${name}[${at}].${key} is not text`);
      entry[key] = text;
    }
    if (!isAbsolute(entry['path'] as string)) throw brokenTrust(file, `${name}[${at}].path is not absolute`);
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(entry['grantedAt'] as string))
      throw brokenTrust(file, `${name}[${at}].grantedAt is not a time`);
    return entry;
  });
}

function onlyKeys(value: object, known: readonly string[], file: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw brokenTrust(file, `it has an unknown key "${unknown}"`);
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

export function brokenTrust(file: string, why: string, cause?: unknown): TechneError {
  return new TechneError('TRUST_STORE', `the trust file "${file}" cannot be used: ${why}`, {
    hint: `nothing is trusted until it is repaired; to start again without any trust, remove "${file}"`,
    ...(cause === undefined ? {} : { cause }),
  });
}
