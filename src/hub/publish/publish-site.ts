// Skills -> a static hub in a folder.
//
//   read the site -> decide everything -> artifacts -> index.json -> pages
//
// 1. Everything is decided before the first byte is written: a publication that is refused changes nothing.
// 2. index.json is replaced by one rename, after everything it names is on the disk. A reader sees the old hub or the new one;
//    a process that is killed leaves one of them, and files that nothing names. Pages follow from the index and are made
//    again by every publication, so the next one heals them.
// 3. A published version never changes: the same content keeps its file, other content under its number is refused. Older
//    versions stay.
// 4. A signed hub stays signed by the same key, and nothing is signed that the key did not sign before and this call does not
//    bring.
import { dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson, jsonIn } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { countCodePoints } from '../../skill/code-points.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import { manifestOf } from '../../skill/resources.ts';
import { fingerprintOf } from '../sign/signing-key.ts';
import type { SigningKey } from '../sign/signing-key.ts';
import { signIndex, verifyIndex } from '../sign/verify-index.ts';
import type { IndexSkill, IndexVersion, SkillIndex } from '../source/index-format.ts';
import { indexPaths, indexSchema } from '../source/index-format.ts';
import { indexLimits, readIndex } from '../source/read-index.ts';
import type { FetchedFile } from '../source/source.ts';
import { generatorMark } from './page/html.ts';
import { clearTemporaries, mostFileBytes, writeUnlessSame } from './site-files.ts';
import { artifactPath, artifactUrl, detailsPath, indexFolder, pagePath, pageUrl } from './site-layout.ts';
import { renderDetails } from './site-details.ts';
import { insertVersion, publishedVersion } from './version.ts';
import { writePages } from './write-pages.ts';
import { writeTarball } from './write-tarball.ts';

/** A skill that was checked and scanned. */
export interface PublishableSkill {
  readonly name: string;
  readonly description: string;
  readonly declaredVersion: string | null;
  readonly license: string | null;
  readonly triggers: readonly string[];
  readonly files: ReadonlyMap<string, FetchedFile>;
}

export interface PublishOptions {
  readonly files: Files;
  readonly sha256: Sha256;
  /** The folder of the hub. */
  readonly site: string;
  /** `null`: unsigned. */
  readonly key: SigningKey | null;
  /** `null`: as before. */
  readonly title: string | null;
  readonly base: string | null;
  /** ISO 8601. */
  readonly now: string;
}

export interface PublishedSkill {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly tree: string;
  readonly size: number;
  /** `same`: this version was published before, with the same content. */
  readonly status: 'new' | 'same';
}

export interface Publication {
  readonly skills: readonly PublishedSkill[];
  /** Of the hub now: how many skills it lists. */
  readonly listed: number;
  readonly sequence: number;
  readonly keyId: string | null;
  /** Whether index.json changed. */
  readonly changed: boolean;
}

/** Throws PUBLISH_REFUSED, TARGET_EXISTS, HUB_SIGNATURE, FILE_INVALID, FILE_DENIED or LOCKED. */
export async function publishSite(
  skills: readonly PublishableSkill[],
  options: PublishOptions,
): Promise<Publication> {
  try {
    return await options.files.withLock(join(options.site, '.techne-publish.lock'), () =>
      publish(skills, options),
    );
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('FILE_DENIED', `"${error.path}" cannot be written: ${error.message}`, {
      hint: 'the hub is as it was before, or as it is now meant to be; publish again once the fault is gone',
      cause: error,
    });
  }
}

async function publish(skills: readonly PublishableSkill[], options: PublishOptions): Promise<Publication> {
  const { files, site, key, title, base } = options;
  const before = await readSite(options);
  await requireOwnPages(options);
  const listed = new Map((before?.skills ?? []).map((skill) => [skill.name, skill]));
  const writes: [path: string, bytes: Uint8Array][] = [];
  const published: PublishedSkill[] = [];
  for (const skill of skills) {
    const { entry, result, artifact, details } = await addSkill(
      skill,
      listed.get(skill.name) ?? null,
      options,
    );
    listed.set(skill.name, entry);
    published.push(result);
    if (artifact !== null) writes.push([artifactPath(result.name, result.version), artifact]);
    writes.push([detailsPath(result.name, result.version), details]);
  }
  const rewritten = new Set(writes.map(([path]) => path));
  for (const { name, versions = [] } of before?.skills ?? [])
    for (const version of versions)
      if (!rewritten.has(artifactPath(name, version.version))) await requireArtifact(name, version, options);

  const wanted: SkillIndex = {
    $schema: indexSchema,
    ...optional('title', title ?? before?.title),
    ...optional('base', base ?? before?.base),
    sequence: before?.sequence ?? 0,
    skills: [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const changed = before === null || canonical(withoutSignature(before)) !== canonical(wanted);
  const next = { ...wanted, sequence: (wanted.sequence ?? 0) + (changed ? 1 : 0) };
  const index = key === null ? next : signIndex(next, key);
  const isWritten = before === null || canonical(before) !== canonical(index);

  for (const [path, bytes] of writes) await writeUnlessSame(files, join(site, path), bytes);
  if (isWritten)
    await files.writeAtomic(
      join(site, indexPaths.v2),
      encodeUtf8(`${JSON.stringify(index, null, 2)}\n`),
      0o644,
    );
  await writePages(index, options);
  await clearTemporaries(files, foldersOf(site, index));
  return {
    skills: published,
    listed: index.skills.length,
    sequence: next.sequence,
    keyId: key?.keyId ?? null,
    changed: isWritten,
  };
}

interface Added {
  readonly entry: IndexSkill;
  readonly result: PublishedSkill;
  /** `null`: it is there. */
  readonly artifact: Uint8Array | null;
  readonly details: Uint8Array;
}

async function addSkill(
  skill: PublishableSkill,
  before: IndexSkill | null,
  options: PublishOptions,
): Promise<Added> {
  const { name, description, license, triggers } = skill;
  if (countCodePoints(description) > indexLimits.descriptionCharacters)
    throw refused(
      `the description of the skill "${name}" has more than ${indexLimits.descriptionCharacters} characters`,
      'shorten it: other readers of the index refuse a longer one',
    );
  const manifest = manifestOf(manifestFiles(skill.files, options.sha256), options.sha256);
  const version = publishedVersion(name, skill.declaredVersion, manifest.digest);
  const versions = before?.versions ?? [];
  const there = versions.find((one) => one.version.toLowerCase() === version.toLowerCase()) ?? null;
  if (there !== null && (there.tree !== manifest.digest || there.version !== version))
    throw refused(
      `version ${there.version} of the skill "${name}" is published already, with other content`,
      'a published version never changes: raise "version" in its frontmatter',
    );
  const details = renderDetails({
    text: decodeUtf8((skill.files.get('SKILL.md') as FetchedFile).bytes).text,
    files: manifest.files,
  });
  const packed = writeTarball(skill.files);
  const digest = `sha256:${options.sha256(packed)}`;
  if (there !== null) {
    const isThere = (await digestOf(artifactPath(name, version), options)) === there.digest;
    if (!isThere && digest !== there.digest)
      throw refused(
        `the file of version ${version} of the skill "${name}" is missing or was changed, and packing it again gives other bytes`,
        'restore it from a backup of the hub, or raise "version" in the frontmatter of the skill and remove the entry from index.json',
      );
    return {
      entry: before as IndexSkill,
      result: {
        name,
        version,
        digest: there.digest,
        tree: manifest.digest,
        size: there.size ?? packed.length,
        status: 'same',
      },
      artifact: isThere ? null : packed,
      details,
    };
  }
  const added: IndexVersion = {
    version,
    url: artifactUrl(name, version),
    digest,
    tree: manifest.digest,
    size: packed.length,
    publishedAt: options.now,
  };
  const all = insertVersion(versions, added);
  return {
    // What an older version says of itself does not describe the newest one.
    entry:
      all[0] === added
        ? {
            name,
            type: 'archive',
            description,
            ...added,
            page: pageUrl(name),
            ...(license === null ? {} : { license }),
            ...(triggers.length === 0 ? {} : { triggers }),
            versions: all,
          }
        : { ...(before as IndexSkill), versions: all },
    result: { name, version, digest, tree: manifest.digest, size: packed.length, status: 'new' },
    artifact: packed,
    details,
  };
}

function manifestFiles(files: ReadonlyMap<string, FetchedFile>, sha256: Sha256): readonly ManifestFile[] {
  return [...files].map(([path, { bytes, executable }]) => ({
    path,
    size: bytes.length,
    executable,
    sha256: sha256(bytes),
  }));
}

/** The index that is there, `null` for none; refused unless this key may continue it. */
async function readSite({ files, site, key }: PublishOptions): Promise<SkillIndex | null> {
  const path = join(site, indexPaths.v2);
  const read = await files.read(path, indexLimits.bytes);
  if (read === null) return null;
  const invalid = (why: string): TechneError =>
    new TechneError('FILE_INVALID', `the index of the hub, "${path}", cannot be used: ${why}`, {
      hint: 'restore it from a backup, or publish to an empty folder',
    });
  const value = jsonIn(decodeUtf8(read.bytes).text);
  if (value === undefined) throw invalid('it is not valid JSON');
  const reading = readIndex(value);
  if (reading.version === null) throw invalid(reading.reason);
  const [skipped] = reading.skipped;
  if (skipped !== undefined) throw invalid(`"${skipped.path}": ${skipped.reason}`);
  const foreign =
    reading.version === '0.1' ? true : reading.skills.some(({ versions }) => versions === undefined);
  if (foreign || reading.version === '0.1') throw invalid('it was not written by techne publish');
  const signer = verifyIndex(path, value, { keys: [], hubs: [] }).publisher;
  if (signer !== null && signer.keyId !== key?.keyId)
    throw refused(
      `the hub is signed by the key ${fingerprintOf(signer.keyId)}, and ${key === null ? 'no key was given' : 'you gave another key'}: its readers would refuse it`,
      'publish with --sign and that key; to change the key on purpose, publish to an empty folder, and tell its readers to run "techne hub keys forget"',
    );
  return value as unknown as SkillIndex;
}

/** A page that someone else wrote is not overwritten. */
async function requireOwnPages({ files, site }: PublishOptions): Promise<void> {
  const path = join(site, 'index.html');
  const read = await files.read(path, mostFileBytes);
  if (read === null || decodeUtf8(read.bytes).text.includes(generatorMark)) return;
  throw new TechneError('TARGET_EXISTS', `"${path}" was not written by techne publish`, {
    hint: 'choose another folder for the hub',
  });
}

async function requireArtifact(
  name: string,
  { version, digest }: IndexVersion,
  options: PublishOptions,
): Promise<void> {
  const path = artifactPath(name, version);
  const found = await digestOf(path, options);
  if (found === digest) return;
  throw refused(
    `"${join(options.site, path)}" ${found === null ? 'is missing' : 'was changed'}, and the index lists it`,
    `restore it from a backup, or publish version ${version} of the skill "${name}" once more`,
  );
}

async function digestOf(path: string, { files, site, sha256 }: PublishOptions): Promise<string | null> {
  const read = await files.read(join(site, path), mostFileBytes);
  return read === null ? null : `sha256:${sha256(read.bytes)}`;
}

function foldersOf(site: string, { skills }: SkillIndex): readonly string[] {
  return [
    site,
    join(site, indexFolder),
    ...skills.flatMap(({ name }) => [join(site, indexFolder, name), join(site, dirname(pagePath(name)))]),
  ];
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('PUBLISH_REFUSED', message, { hint });
}

function optional(key: 'title' | 'base', value: string | undefined): { readonly [key: string]: string } {
  return value === undefined ? {} : { [key]: value };
}

function withoutSignature(index: SkillIndex): SkillIndex {
  const { signature: _, ...rest } = index;
  return rest;
}

function canonical(index: SkillIndex): string {
  return canonicalJson(index as unknown as JsonObject as Json);
}
