// The findings of a repository that are known and do not fail.
//
//   {"version": 1, "findings": [{key, kind, code, path, message}, …]}     one line for each, by path
//
// L1. Only the key counts (finding.ts, F1); the rest is for people who review the file.
// L2. A file that is not exactly so is an error: a baseline is never taken for an empty one, and never overwritten.
// L3. An entry counts as gone only where the run looked: at its skill and with its kind.
import { posix, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { CiKind, KeyedFinding } from './finding.ts';
import { ciKinds } from './finding.ts';
import type { CiReport } from './run-ci.ts';

export interface BaselineEntry {
  readonly key: string;
  readonly kind: CiKind;
  readonly code: string;
  /** From the repository, with `/`. */
  readonly path: string;
  readonly message: string;
}

const maxBytes = 64 * 1024 * 1024;
const longestMessage = 300;

/** `null`: there is no such file. Throws FILE_INVALID. */
export async function readBaseline(files: Files, path: string): Promise<readonly BaselineEntry[] | null> {
  let bytes: Uint8Array | null;
  try {
    bytes = (await files.read(path, maxBytes))?.bytes ?? null;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('FILE_INVALID', `the baseline cannot be read: ${error.message}`, {
      hint: 'name the file of known findings with --baseline',
    });
  }
  if (bytes === null) return null;
  const { text, valid } = decodeUtf8(bytes);
  const value = valid ? jsonIn(text) : undefined;
  if (!isJsonObject(value)) throw broken(path, 'it is not a JSON object');
  if (value['version'] !== 1)
    throw broken(path, 'its "version" is not 1, the only one that this techne knows');
  const list = value['findings'];
  if (!Array.isArray(list)) throw broken(path, 'it has no list "findings"');
  return list.map((one: Json, index) => {
    if (!isEntry(one)) throw broken(path, `entry ${index + 1} lacks one of key, kind, code, path, message`);
    return one as unknown as BaselineEntry;
  });
}

export interface AgainstBaseline {
  /** The keys of findings that are known. */
  readonly known: ReadonlySet<string>;
  /** Entries that no longer occur. */
  readonly gone: readonly BaselineEntry[];
}

/** `kinds`: what the run looked for; `isWhole`: at everything that is in the repository. */
export function compareWithBaseline(
  entries: readonly BaselineEntry[],
  { findings, skills, root }: Pick<CiReport, 'findings' | 'skills' | 'root'>,
  { kinds, isWhole, files }: { kinds: ReadonlySet<CiKind>; isWhole: boolean; files: Pick<Files, 'lstat'> },
): AgainstBaseline {
  const there = new Set(findings.map(({ key }) => key));
  const folders = new Set(skills.map(({ path }) => path));
  const isLookedAt = ({ kind, path }: BaselineEntry): boolean => {
    if (!kinds.has(kind)) return false;
    if (isWhole || isMissing(files, resolve(root, path))) return true;
    for (let at = path; at !== '.' && at !== '/'; at = posix.dirname(at)) if (folders.has(at)) return true;
    return folders.has('.');
  };
  return {
    known: new Set(entries.filter(({ key }) => there.has(key)).map(({ key }) => key)),
    gone: entries.filter((entry) => !there.has(entry.key) && isLookedAt(entry)),
  };
}

function isMissing(files: Pick<Files, 'lstat'>, path: string): boolean {
  try {
    return files.lstat(path) === null;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

export async function writeBaseline(
  files: Files,
  path: string,
  entries: readonly BaselineEntry[],
): Promise<void> {
  const lines = entries
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.code, b.code) || compare(a.key, b.key))
    .map(({ key, kind, code, path: file, message }) =>
      JSON.stringify({ key, kind, code, path: file, message }),
    );
  const list = lines.length === 0 ? '[]' : `[\n    ${lines.join(',\n    ')}\n  ]`;
  await files.writeAtomic(path, encodeUtf8(`{\n  "version": 1,\n  "findings": ${list}\n}\n`), 0o644);
}

export function entryOf({ key, kind, code, shown, message }: KeyedFinding): BaselineEntry {
  return { key, kind, code, path: shown, message: message.slice(0, longestMessage) };
}

function isEntry(one: Json): boolean {
  return (
    isJsonObject(one) &&
    ['key', 'code', 'path', 'message'].every((key) => typeof one[key] === 'string') &&
    (ciKinds as readonly (Json | undefined)[]).includes(one['kind'])
  );
}

function broken(path: string, why: string): TechneError {
  return new TechneError('FILE_INVALID', `the baseline "${path}" cannot be used: ${why}`, {
    hint: 'take the file from version control again, or remove it and write it anew with --write-baseline',
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
