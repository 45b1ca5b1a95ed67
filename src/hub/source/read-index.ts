// The JSON of an index -> its usable entries, and what was skipped.
//
// An entry that cannot be used is skipped with a reason; it never makes the others unusable. Our optional fields are taken
// only where they have the right shape. Nothing here verifies a signature (hub/sign/verify-index.ts) or a digest.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { isPlainName, nameLimit } from '../../skill/parse-head.ts';
import { isSafeRelativePath } from '../../skill/resources.ts';
import type { IndexSkill, IndexSkillV1, IndexVersion } from './index-format.ts';
import { indexSchema } from './index-format.ts';
import type { RefusedEntry } from './source.ts';

export const indexLimits = {
  /** Bytes of an index. */
  bytes: 16 * 1024 * 1024,
  skills: 10_000,
  versions: 1000,
  descriptionCharacters: 1024,
  triggers: 100,
} as const;

interface Readable<Skill> {
  readonly skills: readonly Skill[];
  /** By the name of the entry, or its place. */
  readonly skipped: readonly RefusedEntry[];
}

/** An index, or why it cannot be used: one clause without a full stop, which may hold text of the index. */
export type IndexReading =
  | ({
      readonly version: '0.2';
      readonly title: string | null;
      readonly sequence: number | null;
    } & Readable<IndexSkill>)
  | ({ readonly version: '0.1' } & Readable<IndexSkillV1>)
  | { readonly version: null; readonly reason: string };

export function readIndex(value: Json): IndexReading {
  if (!isJsonObject(value)) return unusable('it is not a JSON object');
  const { $schema: schema, title, sequence, skills } = value;
  if (schema !== undefined && schema !== indexSchema)
    return unusable(
      `its "$schema" is ${typeof schema === 'string' ? `"${schema.slice(0, 200)}"` : 'not a text'}, which techne does not know`,
    );
  if (!Array.isArray(skills)) return unusable('it has no list "skills"');
  const entries = skills as readonly Json[];
  if (entries.length > indexLimits.skills) return unusable(`it lists more than ${indexLimits.skills} skills`);
  return schema === undefined
    ? { version: '0.1', ...readEntries(entries, readFilesEntry) }
    : {
        version: '0.2',
        title: typeof title === 'string' ? title : null,
        sequence: isCount(sequence) ? sequence : null,
        ...readEntries(entries, readArtifactEntry),
      };
}

function unusable(reason: string): IndexReading {
  return { version: null, reason };
}

function readEntries<Skill extends { readonly name: string }>(
  entries: readonly Json[],
  read: (entry: Json) => Skill | string,
): Readable<Skill> {
  const skills = new Map<string, Skill>();
  const skipped: RefusedEntry[] = [];
  for (const [at, entry] of entries.entries()) {
    const skill = read(entry);
    const path = nameIn(entry) ?? `entry ${at + 1}`;
    if (typeof skill === 'string') skipped.push({ path, reason: skill });
    else if (skills.has(skill.name)) skipped.push({ path, reason: 'the name is listed twice' });
    else skills.set(skill.name, skill);
  }
  return { skills: [...skills.values()], skipped };
}

/** An entry, or why it is skipped. */
function readArtifactEntry(entry: Json): IndexSkill | string {
  const common = readCommon(entry);
  if (typeof common === 'string') return common;
  const { type, url, digest, versions: listed, page, license, triggers } = entry as JsonObject;
  if (type !== 'skill-md' && type !== 'archive')
    return `its type is ${typeof type === 'string' ? `"${type.slice(0, 60)}"` : 'missing'}; techne reads "skill-md" and "archive"`;
  if (typeof url !== 'string' || url === '') return 'it has no "url"';
  if (!isDigest(digest)) return 'its "digest" is not "sha256:" and 64 hex digits';
  const versions = Array.isArray(listed)
    ? (listed as readonly Json[]).slice(0, indexLimits.versions).flatMap(readVersion)
    : [];
  return {
    ...common,
    type,
    url,
    digest,
    ...readVersionFields(entry as JsonObject),
    ...(versions.length === 0 ? {} : { versions }),
    ...(typeof page === 'string' ? { page } : {}),
    ...(typeof license === 'string' ? { license } : {}),
    ...(Array.isArray(triggers)
      ? { triggers: (triggers as readonly Json[]).slice(0, indexLimits.triggers).flatMap(textsIn) }
      : {}),
  };
}

function readFilesEntry(entry: Json): IndexSkillV1 | string {
  const common = readCommon(entry);
  if (typeof common === 'string') return common;
  const { files } = entry as JsonObject;
  if (!Array.isArray(files)) return 'it has no list "files"';
  const paths = files as readonly Json[];
  if (!paths.every((path): path is string => typeof path === 'string' && isSafeRelativePath(path)))
    return 'a path in its "files" leaves the folder of the skill or is no relative path';
  if (!paths.includes('SKILL.md')) return 'its "files" have no SKILL.md';
  return { ...common, files: [...new Set(paths)] };
}

function readCommon(entry: Json): Pick<IndexSkill, 'name' | 'description'> | string {
  const name = nameIn(entry);
  if (name === null) return 'it has no "name"';
  if (!isPlainName(name) || name.length > nameLimit)
    return `its name is not made of a-z, 0-9 and single hyphens, at most ${nameLimit}`;
  const { description } = entry as JsonObject;
  if (typeof description !== 'string') return 'it has no "description"';
  return { name, description: description.slice(0, indexLimits.descriptionCharacters) };
}

function readVersion(value: Json): readonly IndexVersion[] {
  if (!isJsonObject(value)) return [];
  const { version, url, digest } = value;
  return typeof version === 'string' && typeof url === 'string' && url !== '' && isDigest(digest)
    ? [{ url, digest, ...readVersionFields(value), version }]
    : [];
}

function readVersionFields({
  version,
  tree,
  size,
  publishedAt,
}: JsonObject): Pick<IndexSkill, 'version' | 'tree' | 'size' | 'publishedAt'> {
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(isDigest(tree) ? { tree } : {}),
    ...(isCount(size) ? { size } : {}),
    ...(isInstant(publishedAt) ? { publishedAt } : {}),
  };
}

function nameIn(entry: Json): string | null {
  const name = isJsonObject(entry) ? entry['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : null;
}

function isDigest(value: Json | undefined): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

function isInstant(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}

function textsIn(value: Json): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
