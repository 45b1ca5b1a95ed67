// The locks of `npx skills`: skills-lock.json of a project (version 1) and .skill-lock.json of a user (version 3).
//
//   text -> ForeignEntry[];   LockEntry + files -> an entry of theirs;   entries + text -> text with them put in
//
// Theirs pin a ref and not a commit, and are not verified when they are used; ours is the lock that counts. Reading is
// strict: a file with a fault is an error with a line, not an empty lock. Writing keeps entries of other skills as they are.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { placeOf } from '../../base/span.ts';
import { parseJsonNodes } from '../../config/parse-json.ts';
import type { FetchedFile, Resolved } from '../source/source.ts';
import { computedHash, gitTreeId } from './foreign-hash.ts';
import type { LockEntry } from './lock.ts';

export type ForeignFormat = 'skills-lock' | 'skill-lock';

export interface ForeignEntry {
  readonly name: string;
  /** As `techne add` takes it. */
  readonly source: string;
  /** `null`: the lock has none. */
  readonly hash: { readonly kind: 'computed' | 'tree'; readonly value: string } | null;
}

/** Throws LOCK_INVALID, naming `file` and the line. */
export function parseForeignLock(
  text: string,
  file: string,
): { readonly format: ForeignFormat; readonly entries: readonly ForeignEntry[] } {
  const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/m.exec(text);
  if (conflict !== null)
    throw broken(
      file,
      placeOf(text, conflict.index).line,
      'it has the marks of a merge that is not resolved',
    );
  const value = parsed(text, file);
  const version = isJsonObject(value) ? value['version'] : undefined;
  const skills = isJsonObject(value) ? value['skills'] : undefined;
  if (version !== 1 && version !== 3)
    throw broken(file, 1, 'its version is neither 1 (skills-lock.json) nor 3 (.skill-lock.json)');
  if (!isJsonObject(skills)) throw broken(file, 1, '"skills" is not an object');
  const format: ForeignFormat = version === 1 ? 'skills-lock' : 'skill-lock';
  const entries = Object.keys(skills).map((name) => {
    const index = text.indexOf(`${JSON.stringify(name)}:`);
    const line = placeOf(text, Math.max(index, 0)).line;
    const fault = (why: string): TechneError =>
      broken(file, line, `the skill "${printableLine(name)}" ${why}`);
    return readEntry(name, skills[name] as Json, format, fault);
  });
  return { format, entries };
}

function parsed(text: string, file: string): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    let line = 1;
    parseJsonNodes(text, (_code, span) => {
      if (span !== null) line = placeOf(text, span.start).line;
    });
    throw broken(file, line, 'it is not JSON', cause);
  }
}

function readEntry(
  name: string,
  value: Json,
  format: ForeignFormat,
  fault: (why: string) => TechneError,
): ForeignEntry {
  if (!isJsonObject(value)) throw fault('is not an object');
  const text = (key: string): string | null => {
    const found = value[key];
    if (found === undefined || found === null) return null;
    if (typeof found !== 'string') throw fault(`has a "${key}" that is not text`);
    return found;
  };
  const source = text('source');
  const type = text('sourceType');
  if (source === null || type === null) throw fault('has no "source" or no "sourceType"');
  const hash = text(format === 'skills-lock' ? 'computedHash' : 'skillFolderHash');
  const isHash = hash !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash);
  if (hash !== null && hash !== '' && !isHash) throw fault('has a hash that is none');
  return {
    name,
    source: sourceOf(
      { source, type, url: text('sourceUrl'), ref: text('ref'), version: text('version') },
      fault,
    ),
    hash: isHash ? { kind: hash.length === 40 ? 'tree' : 'computed', value: hash } : null,
  };
}

function sourceOf(
  {
    source,
    type,
    url,
    ref,
    version,
  }: { source: string; type: string; url: string | null; ref: string | null; version: string | null },
  fault: (why: string) => TechneError,
): string {
  const at = ref === null ? '' : `#${ref}`;
  switch (type) {
    case 'github':
      return source + at;
    case 'gitlab':
    case 'git':
      return (url ?? source) + at;
    case 'local':
      return source;
    case 'well-known':
      return url ?? (/^https?:/.test(source) ? source : `https://${source}`);
    case 'node_modules':
      return `npm:${source}${version === null ? '' : `@${version}`}`;
    default:
      throw fault(`comes from a "${printableLine(type)}", which techne does not know`);
  }
}

/** The hash of a foreign entry, of these files. */
export function foreignHashOf(kind: 'computed' | 'tree', files: ReadonlyMap<string, FetchedFile>): string {
  return kind === 'tree' ? gitTreeId(files) : computedHash(files);
}

/** Where a skill comes from, in their words. */
interface ForeignSource {
  readonly source: string;
  readonly sourceType: string;
  readonly sourceUrl?: string;
  readonly ref?: string;
  readonly skillPath?: string;
  readonly version?: string;
}

/** `null`: their format has no word for such a source. */
export function foreignEntry(
  { resolved, path }: LockEntry,
  files: ReadonlyMap<string, FetchedFile>,
  format: ForeignFormat,
  now: string,
): JsonObject | null {
  const place = foreignSource(resolved, path);
  if (place === null) return null;
  if (format === 'skills-lock') return { ...place, computedHash: computedHash(files) };
  const isTree = place.sourceType === 'github';
  const hash = place.sourceType === 'well-known' ? '' : isTree ? gitTreeId(files) : computedHash(files);
  const { source, sourceType, ...rest } = place;
  return {
    source,
    sourceType,
    sourceUrl: rest.sourceUrl ?? (isTree ? `https://github.com/${source}.git` : source),
    ...rest,
    skillFolderHash: hash,
    installedAt: now,
    updatedAt: now,
  };
}

function foreignSource(resolved: Resolved, path: string): ForeignSource | null {
  switch (resolved.kind) {
    case 'git': {
      const { url, ref } = resolved;
      const skillPath = path === '' ? 'SKILL.md' : `${path}/SKILL.md`;
      const at = { ...(ref === null ? {} : { ref }), skillPath };
      const github = /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(
        url,
      )?.[1];
      if (github !== undefined) return { source: github, sourceType: 'github', ...at };
      const type = url.startsWith('https://gitlab.com/') ? 'gitlab' : 'git';
      return { source: url, sourceType: type, sourceUrl: url, ...at };
    }
    case 'folder':
      return { source: resolved.path, sourceType: 'local' };
    case 'npm':
      return { source: resolved.name, sourceType: 'node_modules', version: resolved.version };
    case 'well-known':
      if (!/^https?:/i.test(resolved.url)) return null;
      return { source: new URL(resolved.url).host, sourceType: 'well-known', sourceUrl: resolved.url };
    case 'archive':
    case 'mcp':
      return null;
  }
}

/** `text` (or an empty lock) with these entries in place of those of the same names. Throws LOCK_INVALID. */
export function mergeForeign(
  text: string | null,
  file: string,
  format: ForeignFormat,
  entries: ReadonlyMap<string, JsonObject>,
): string {
  if (text !== null && parseForeignLock(text, file).format !== format)
    throw broken(
      file,
      1,
      `it is not a ${format === 'skills-lock' ? 'skills-lock.json of version 1' : '.skill-lock.json of version 3'}`,
    );
  const old = (text === null ? {} : parseJson(text)) as JsonObject;
  const kept = isJsonObject(old['skills']) ? old['skills'] : {};
  const names = [...new Set([...Object.keys(kept), ...entries.keys()])];
  const skills = Object.create(null) as { [name: string]: Json };
  // Theirs is sorted for version 1, and in the order of arrival for version 3.
  for (const name of format === 'skills-lock' ? names.sort() : names) {
    const [mine, before] = [entries.get(name), kept[name]];
    const since = isJsonObject(before) ? before['installedAt'] : undefined;
    skills[name] =
      mine === undefined ? (before as Json) : since === undefined ? mine : { ...mine, installedAt: since };
  }
  const whole = format === 'skills-lock' ? { version: 1, skills } : { ...old, version: 3, skills };
  return JSON.stringify(whole, null, 2) + (format === 'skills-lock' ? '\n' : '');
}

function broken(file: string, line: number, why: string, cause?: unknown): TechneError {
  return new TechneError('LOCK_INVALID', `"${file}" cannot be used: line ${line}: ${why}`, {
    hint: 'repair the file; techne does not take a broken lock for an empty one',
    ...(cause === undefined ? {} : { cause }),
  });
}
