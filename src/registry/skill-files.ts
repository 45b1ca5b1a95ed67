// The files of a skill folder besides SKILL.md, and the manifest of all of them.
//
// Links are named, never followed. In a manifest a link counts by where in the folder it leads, so that redirecting it
// changes the digest. A link that leads to something outside the digest (outside the folder, or excluded) is reported as
// uncovered, because such a digest covers too little. A listing that reaches its limit ends with an entry that says so; a
// digest over a part is refused.
import { TechneError } from '../base/error.ts';
import type { Config } from '../config/types.ts';
import type { Sha256 } from '../ports/environment.ts';
import { FileFault } from '../ports/files.ts';
import type { FileManifest } from '../skill/file-manifest.ts';
import { isExcluded, manifestOf } from '../skill/file-manifest.ts';
import type { ResourceKind } from '../skill/resources.ts';
import { resourceKind } from '../skill/resources.ts';
import type { FoundSkill } from './discover/found-skill.ts';
import type { ContentReader } from './read-content.ts';
import { refusalOf } from './read-content.ts';

/** A file beside SKILL.md. */
export interface ResourceEntry {
  /** Relative to the skill folder, with `/`. */
  readonly path: string;
  readonly kind: ResourceKind;
  /** `cut`: the limit was reached, this and what follows is not listed. */
  readonly entry: 'file' | 'link' | 'other' | 'cut';
  /** Bytes; 0 for what is not a file. */
  readonly size: number;
}

interface ManifestLink {
  readonly path: string;
  /** Where in the folder it leads; `null` for nowhere, or for a place outside. */
  readonly target: string | null;
  /** Leads to something that the digest does not cover. */
  readonly uncovered: boolean;
}

/** A manifest, with what is in the folder besides. */
export interface SkillManifest extends FileManifest {
  readonly links: readonly ManifestLink[];
  /** Files, and folders with a `/` at the end, that are left out; not what is inside those folders. */
  readonly excluded: readonly string[];
}

type Limits = Config['limits'];

/** Everything in the folder but SKILL.md and what is excluded from manifests, by path. */
export function listFiles(skill: FoundSkill, limits: Limits): readonly ResourceEntry[] {
  const found: ResourceEntry[] = [];
  for (const { path, entry } of walk(skill)) {
    if (path === 'SKILL.md' || entry === 'excluded') continue;
    if (found.length >= limits.files) {
      found.push({ path, kind: resourceKind(path), entry: 'cut', size: 0 });
      break;
    }
    found.push({ path, kind: resourceKind(path), entry, size: entry === 'file' ? sizeOf(skill, path) : 0 });
  }
  return found;
}

/** Throws DIGEST_LIMIT, and what reading throws. */
export async function digestFiles(
  skill: FoundSkill,
  reader: ContentReader,
  limits: Limits,
  sha256: Sha256,
): Promise<SkillManifest> {
  const files: FileManifest['files'][number][] = [];
  const links: ManifestLink[] = [];
  const excluded: string[] = [];
  let bytes = 0;
  for (const { path, entry } of walk(skill)) {
    if (entry === 'excluded') {
      excluded.push(path);
      continue;
    }
    if (files.length >= limits.files)
      throw overLimit(skill, `more than ${limits.files} files`, 'limits.files');
    if (entry === 'other')
      throw new TechneError(
        'FILE_DENIED',
        `"${path}" of the skill "${skill.name}" is a special file and cannot be digested`,
      );
    if (entry === 'link') {
      const target = linkTarget(skill, path);
      files.push({ path, size: 0, executable: false, sha256: sha256(`link:${target}`) });
      const inside = target.startsWith('in:') ? target.slice('in:'.length) : null;
      links.push({
        path,
        target: inside,
        uncovered: target === 'out' || (inside !== null && isExcluded(inside)),
      });
      continue;
    }
    if (bytes + sizeOf(skill, path) > limits.bytes)
      throw overLimit(skill, `more than ${limits.bytes} bytes`, 'limits.bytes');
    const file = await reader.digest(skill, path);
    bytes += file.size;
    files.push({ path, size: file.size, executable: file.executable, sha256: file.sha256 });
  }
  return { ...manifestOf(files, sha256), links, excluded };
}

function* walk(
  skill: FoundSkill,
): Generator<{ readonly path: string; readonly entry: 'file' | 'link' | 'other' | 'excluded' }> {
  const ahead: { readonly path: string; readonly kind: 'file' | 'link' | 'other' | 'folder' | 'excluded' }[] =
    [{ path: '', kind: 'folder' }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (next.kind !== 'folder') {
      yield { path: next.path, entry: next.kind };
      continue;
    }
    const prefix = next.path === '' ? '' : `${next.path}/`;
    const entries = faultless(skill, next.path, () =>
      skill.files.list(`${skill.realFolder}/${next?.path ?? ''}`),
    );
    if (entries === null)
      throw new TechneError(
        'FILE_DENIED',
        `"${next.path}" of the skill "${skill.name}" is listed but cannot be found: it went away, or its name is not valid UTF-8`,
      );
    for (const { name, kind } of entries.toReversed()) {
      const path = prefix + name;
      if (isExcluded(path)) ahead.push({ path: kind === 'folder' ? `${path}/` : path, kind: 'excluded' });
      else ahead.push({ path, kind });
    }
  }
}

function sizeOf(skill: FoundSkill, path: string): number {
  return Number(faultless(skill, path, () => skill.files.lstat(`${skill.realFolder}/${path}`))?.size ?? 0n);
}

/** Where inside the folder a link leads; where outside is not ours to look at. */
function linkTarget(skill: FoundSkill, path: string): string {
  const real = faultless(skill, path, () => skill.files.realPath(`${skill.realFolder}/${path}`));
  if (real === null) return 'nowhere';
  return real.startsWith(`${skill.realFolder}/`) ? `in:${real.slice(skill.realFolder.length + 1)}` : 'out';
}

/** A fault while looking at a file of the skill, as a refusal. */
export function faultless<T>(skill: FoundSkill, path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw error instanceof FileFault ? refusalOf(error, skill, path === '' ? '.' : path) : error;
  }
}

function overLimit(skill: FoundSkill, what: string, key: string): TechneError {
  return new TechneError('DIGEST_LIMIT', `the skill "${skill.name}" has ${what}`, {
    hint: `move generated files out of the skill folder, or raise ${key}`,
  });
}
