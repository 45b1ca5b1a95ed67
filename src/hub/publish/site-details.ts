// What the page of a version is made of: SKILL.md and the list of files, beside the artifact.
//
//   NAME-VERSION.json <-> SiteDetails
//
// It is proved by the digest of the tree that the index names: the list of files must give that digest, and the text must be
// the SKILL.md of the list. What does not is not used.
import type { Json } from '../../base/json.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import { manifestOf } from '../../skill/resources.ts';

export interface SiteDetails {
  /** The whole SKILL.md. */
  readonly text: string;
  readonly files: readonly ManifestFile[];
}

export function renderDetails({ text, files }: SiteDetails): Uint8Array {
  return encodeUtf8(`${JSON.stringify({ format: 1, files, text })}\n`);
}

/** `null` unless they are the details of exactly this tree. */
export function readDetails(bytes: Uint8Array, tree: string, sha256: Sha256): SiteDetails | null {
  const value = jsonIn(decodeUtf8(bytes).text);
  if (!isJsonObject(value) || value['format'] !== 1) return null;
  const { text, files: listed } = value;
  if (typeof text !== 'string' || !Array.isArray(listed)) return null;
  const files = (listed as readonly Json[]).flatMap(readFile);
  if (files.length !== listed.length || manifestOf(files, sha256).digest !== tree) return null;
  return files.some((file) => file.path === 'SKILL.md' && file.sha256 === sha256(encodeUtf8(text)))
    ? { text, files }
    : null;
}

function readFile(value: Json): readonly ManifestFile[] {
  if (!isJsonObject(value)) return [];
  const { path, size, executable, sha256 } = value;
  return typeof path === 'string' &&
    typeof size === 'number' &&
    typeof executable === 'boolean' &&
    typeof sha256 === 'string'
    ? [{ path, size, executable, sha256 }]
    : [];
}
