// The text of a lock.
//
//   Lock <-> text: two spaces of indent, names and paths sorted by code unit, one line for each file
//
// A text is taken only if it is, letter for letter, what `renderLock` writes for the lock in it; line ends may be those of
// Windows. So nothing is ambiguous: no doubled or unknown keys, no other order. Each entry ends with the SHA-256 of itself:
// a merge that mixes two versions of an entry line by line, or a hand that changes one field, is noticed. That is no
// signature: who can write the file can write a new sum. What was trusted is in the user's own trust file.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson, isJsonObject, parseJson } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { placeOf } from '../../base/span.ts';
import { parseJsonNodes } from '../../config/parse-json.ts';
import type { Verdict } from '../../guard/report.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { isSafeRelativePath, manifestOf } from '../../skill/resources.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import type { Resolved } from '../source/source.ts';
import type { Lock, LockEntry } from './lock.ts';
import { isSkillName } from './lock.ts';

/** More than any lock that a person can read. */
export const maxLockBytes = 32 * 1024 * 1024;

const verdicts: readonly Verdict[] = ['clean', 'caution', 'incomplete', 'dangerous'];
const hex64 = /^[0-9a-f]{64}$/;
const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function renderLock(lock: Lock): string {
  const skills = Object.create(null) as { [name: string]: JsonObject };
  for (const entry of lock.skills) skills[entry.name] = entryJson(entry);
  return `${JSON.stringify({ version: lock.version, skills }, null, 2)}\n`;
}

/** With the sum at its end. */
function entryJson(entry: LockEntry): JsonObject {
  const files = Object.create(null) as { [path: string]: string };
  for (const { path, size, executable, sha256 } of entry.files)
    files[pathKey(path)] = `${executable ? '755' : '644'} ${size} ${sha256}`;
  const body = {
    source: entry.source,
    resolved: { ...entry.resolved } as unknown as JsonObject,
    path: entry.path,
    pinned: entry.pinned,
    adopted: entry.adopted,
    digest: entry.digest,
    verdict: entry.verdict,
    rulesVersion: entry.rulesVersion,
    trusted: entry.trusted,
    files,
  };
  return { ...body, sum: `sha256:${nodeSha256(canonicalJson({ name: entry.name, ...body }))}` };
}

/** Keys that are numbers would come first, whatever the order in which they were set. */
function pathKey(path: string): string {
  return `./${path}`;
}

/** Throws LOCK_INVALID, naming `file` and the line. */
export function parseLock(given: string, file: string): Lock {
  const text = given.replaceAll('\r\n', '\n');
  const conflict = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.exec(text);
  if (conflict !== null)
    throw broken(file, lineAt(text, conflict.index), 'it has the marks of a merge that is not resolved', {
      hint: 'keep one side of every skill whole, remove the marks, then: techne restore',
    });
  const value = parsed(text, file);
  if (!isJsonObject(value)) throw broken(file, 1, 'it is not an object');
  if (typeof value['version'] === 'number' && value['version'] > 1)
    throw broken(
      file,
      lineOf(text, '"version"'),
      `its version is ${value['version']}, and this techne knows 1`,
      {
        hint: 'update techne',
      },
    );
  if (value['version'] !== 1) throw broken(file, lineOf(text, '"version"'), 'its version is not 1');
  const { skills } = value;
  if (!isJsonObject(skills)) throw broken(file, lineOf(text, '"skills"'), '"skills" is not an object');
  const entries: LockEntry[] = [];
  for (const name of Object.keys(skills)) {
    const fault = (why: string): TechneError =>
      broken(file, lineOf(text, `${JSON.stringify(name)}: {`), `the entry "${printableLine(name)}" ${why}`);
    if (!isSkillName(name)) throw fault('is not the name of a skill');
    entries.push(readEntry(name, skills[name] as Json, fault));
  }
  const lock: Lock = { version: 1, skills: entries };
  exactly(text, lock, file);
  return lock;
}

function parsed(text: string, file: string): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    let line = 1;
    let why = 'it is not JSON';
    parseJsonNodes(text, (_code, span, message) => {
      if (span !== null) line = placeOf(text, span.start).line;
      why = message;
    });
    throw broken(file, line, why, { cause });
  }
}

/** Texts differ first at a line that has another order, a doubled or unknown key, or another sum. */
function exactly(text: string, lock: Lock, file: string): void {
  const wanted = renderLock({
    version: 1,
    skills: lock.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  });
  if (text === wanted) return;
  const [got, right] = [text.split('\n'), wanted.split('\n')];
  const at = got.findIndex((line, index) => line !== right[index]);
  const line = at === -1 ? got.length : at;
  if (/^ {6}"sum":/.test(got[line] ?? '') && /^ {6}"sum":/.test(right[line] ?? '')) {
    const name = [...lock.skills]
      .reverse()
      .find((entry) => lineOf(text, `${JSON.stringify(entry.name)}: {`) <= line);
    throw broken(
      file,
      line + 1,
      `the entry "${name?.name ?? ''}" was changed by hand or by a merge: it does not have the sum it was written with`,
      {
        hint: 'git restore techne-lock.json brings back the version of the repository; or take the whole entry from one version of the file; or remove the entry, and add the skill again',
      },
    );
  }
  throw broken(file, line + 1, 'it is not as techne writes it (order, spaces, a doubled or unknown key)');
}

type Fault = (why: string) => TechneError;

const entryKeys = [
  'source',
  'resolved',
  'path',
  'pinned',
  'adopted',
  'digest',
  'verdict',
  'rulesVersion',
  'trusted',
  'files',
  'sum',
] as const;

function readEntry(name: string, value: Json, fault: Fault): LockEntry {
  if (!isJsonObject(value)) throw fault('is not an object');
  const unknown = Object.keys(value).find((key) => !(entryKeys as readonly string[]).includes(key));
  if (unknown !== undefined) throw fault(`has an unknown key "${printableLine(unknown)}"`);
  const text = (key: string): string => {
    const found = value[key];
    if (typeof found !== 'string') throw fault(`has no text "${key}"`);
    return found;
  };
  const flag = (key: string): boolean => {
    const found = value[key];
    if (typeof found !== 'boolean') throw fault(`has no "${key}" that is true or false`);
    return found;
  };
  const path = text('path');
  if (path !== '' && !isSafeRelativePath(path)) throw fault('has a "path" that is not inside its source');
  const verdict = text('verdict') as Verdict;
  if (!verdicts.includes(verdict)) throw fault('has an unknown "verdict"');
  const digest = text('digest');
  if (!digestPattern.test(digest)) throw fault('has a "digest" that is none');
  const files = readFiles(value['files'], fault);
  if (manifestOf(files, nodeSha256).digest !== digest) throw fault('has files that do not give its "digest"');
  return {
    name,
    source: text('source'),
    resolved: readResolved(value['resolved'], fault),
    path,
    pinned: flag('pinned'),
    adopted: flag('adopted'),
    digest,
    files,
    verdict,
    rulesVersion: text('rulesVersion'),
    trusted: flag('trusted'),
  };
}

function readFiles(value: Json | undefined, fault: Fault): readonly ManifestFile[] {
  if (!isJsonObject(value)) throw fault('has no "files"');
  const files = Object.keys(value).map((key): ManifestFile => {
    const path = key.slice(2);
    const shown = printableLine(key);
    if (!key.startsWith('./') || !isSafeRelativePath(path))
      throw fault(`has a file "${shown}" that is not inside it`);
    const line = value[key];
    const [, mode, size, sha256] =
      /^(644|755) (0|[1-9]\d{0,15}) ([0-9a-f]+)$/.exec(typeof line === 'string' ? line : '') ?? [];
    if (mode === undefined || !hex64.test(sha256 ?? ''))
      throw fault(`has a file "${shown}" without mode, size and SHA-256`);
    return { path, size: Number(size), executable: mode === '755', sha256: sha256 as string };
  });
  if (!files.some(({ path }) => path === 'SKILL.md')) throw fault('has no file "./SKILL.md"');
  return files;
}

type FieldKind = 'text' | 'text?' | 'publisher?';

/** The fields of each kind, in the order in which they are written. */
const resolvedFields: { readonly [kind in Resolved['kind']]: readonly (readonly [string, FieldKind])[] } = {
  folder: [['path', 'text']],
  git: [
    ['url', 'text'],
    ['ref', 'text?'],
    ['commit', 'text'],
    ['path', 'text?'],
    ['committedAt', 'text?'],
  ],
  archive: [
    ['location', 'text'],
    ['digest', 'text'],
  ],
  npm: [
    ['name', 'text'],
    ['version', 'text'],
    ['integrity', 'text'],
    ['tarball', 'text'],
    ['publishedAt', 'text?'],
  ],
  'well-known': [
    ['index', 'text'],
    ['url', 'text'],
    ['digest', 'text'],
    ['version', 'text?'],
    ['publishedAt', 'text?'],
    ['publisher', 'publisher?'],
  ],
  mcp: [
    ['server', 'text'],
    ['uri', 'text'],
    ['digest', 'text'],
  ],
};

function readResolved(value: Json | undefined, fault: Fault): Resolved {
  if (!isJsonObject(value)) throw fault('has no "resolved"');
  const { kind } = value;
  const fields =
    typeof kind === 'string' && Object.hasOwn(resolvedFields, kind)
      ? resolvedFields[kind as Resolved['kind']]
      : null;
  if (fields === null) throw fault('has a "resolved" of an unknown kind');
  const read: { [key: string]: Json } = { kind: kind as string };
  for (const [key, type] of fields) {
    const found = value[key];
    const isRight =
      typeof found === 'string' ||
      (type !== 'text' && found === null) ||
      (type === 'publisher?' && isPublisher(found));
    if (!isRight) throw fault(`has a "resolved" whose "${key}" is not right`);
    read[key] = found as Json;
  }
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(read, key));
  if (unknown !== undefined) throw fault(`has a "resolved" with an unknown key "${printableLine(unknown)}"`);
  return read as unknown as Resolved;
}

function isPublisher(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { keyId, trustedAs } = value;
  return typeof keyId === 'string' && (trustedAs === null || typeof trustedAs === 'string');
}

/** As `Resolved` is written: its fields in one order, whatever made it. */
export function normalResolved(resolved: Resolved): Resolved {
  const given = resolved as unknown as { readonly [key: string]: unknown };
  const ordered: { [key: string]: unknown } = { kind: resolved.kind };
  for (const [key] of resolvedFields[resolved.kind]) ordered[key] = given[key] ?? null;
  return ordered as unknown as Resolved;
}

function lineAt(text: string, index: number): number {
  return placeOf(text, index).line;
}

function lineOf(text: string, part: string): number {
  const index = text.indexOf(part);
  return index === -1 ? 1 : lineAt(text, index);
}

function broken(
  file: string,
  line: number,
  why: string,
  { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): TechneError {
  return new TechneError('LOCK_INVALID', `the lock "${file}" cannot be used: line ${line}: ${why}`, {
    hint:
      hint ??
      'put back an earlier version of the file (git restore); techne never overwrites a lock that it cannot read',
    ...(cause === undefined ? {} : { cause }),
  });
}
