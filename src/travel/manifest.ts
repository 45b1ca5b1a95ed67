// The files that travel with a run, by the digests of their content.
//
//   files and links <-> the text of a manifest, itself a blob
//
// M1. A text counts only if it is what techne would write for it, so one tree has one digest.
// M2. Every path, joined to a folder, names a place inside of it, on every system; no two of them name one place.
// M3. A link leads to a place inside of the folder, and nothing lies below a link. So what is written before the links
//     is written into the folder, whoever made the manifest.
import { TechneError } from '../base/error.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import { refuseNames } from '../hub/stage/check-names.ts';
import type { BlobDigest } from '../ports/blobs.ts';

export interface TravelFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly digest: BlobDigest;
  readonly size: number;
  readonly executable: boolean;
}

export interface TravelLink {
  readonly path: string;
  /** As the link has it: relative. */
  readonly target: string;
}

export interface TravelManifest {
  /** By path, in code units. */
  readonly files: readonly TravelFile[];
  readonly links: readonly TravelLink[];
}

export interface TravelLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Of a set of skills, and of a workspace. */
export const travelLimits: TravelLimits = { files: 20_000, bytes: 256 * 1024 * 1024 };

const version = 1;
/** A manifest of as many files as may be, with long paths. */
const maxTextBytes = 32 * 1024 * 1024;

/** Throws MANIFEST_INVALID for what no folder could hold, FILE_LIMIT for what is over a limit. */
export function renderManifest(
  { files, links }: TravelManifest,
  limits: TravelLimits = travelLimits,
): Uint8Array {
  const sorted = { files: files.toSorted(byPath), links: links.toSorted(byPath) };
  check(sorted, limits);
  return encodeUtf8(textOf(sorted));
}

/** Throws MANIFEST_INVALID, FILE_LIMIT. */
export function parseManifest(bytes: Uint8Array, limits: TravelLimits = travelLimits): TravelManifest {
  if (bytes.length > maxTextBytes) throw invalid(`it has ${bytes.length} bytes`);
  const { text, valid } = decodeUtf8(bytes);
  let value: Json;
  try {
    value = parseJson(valid ? text : '');
  } catch (error) {
    throw invalid('it is not JSON', error);
  }
  if (!isJsonObject(value) || !Array.isArray(value['files']) || !Array.isArray(value['links']))
    throw invalid('it has no lists of files and links');
  const manifest: TravelManifest = {
    files: (value['files'] as readonly Json[]).map(fileOf),
    links: (value['links'] as readonly Json[]).map(linkOf),
  };
  if (textOf(manifest) !== text) throw invalid('it is not written as techne writes it');
  check(manifest, limits);
  return manifest;
}

export function bytesOf({ files }: Pick<TravelManifest, 'files'>): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Where a link leads, relative to the folder; `null`: out of it. */
export function linkTarget({ path, target }: TravelLink): string | null {
  if (target === '' || target.startsWith('/') || /[\0\\]/.test(target) || /^[A-Za-z]:/.test(target))
    return null;
  const segments = path.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

function check(manifest: TravelManifest, limits: TravelLimits): void {
  const { files, links } = manifest;
  const all = [...files, ...links];
  if (all.length > limits.files)
    throw new TechneError('FILE_LIMIT', `${all.length} files are over the limit of ${limits.files}`, {
      hint: 'leave out what a run does not need',
    });
  const bytes = bytesOf(manifest);
  if (bytes > limits.bytes)
    throw new TechneError('FILE_LIMIT', `files of ${bytes} bytes are over the limit of ${limits.bytes}`, {
      hint: 'leave out what a run does not need',
    });
  const fault = refuseNames(all.map(({ path }) => path));
  if (fault !== null) throw invalid(fault);
  for (const list of [files, links])
    for (const [at, { path }] of list.entries())
      if (at > 0 && path <= (list[at - 1] as { readonly path: string }).path)
        throw invalid(`${JSON.stringify(path)} is not in its place`);
  for (const link of links)
    if (linkTarget(link) === null)
      throw invalid(`the link ${JSON.stringify(link.path)} leads out of the folder`);
}

function textOf({ files, links }: TravelManifest): string {
  return `${JSON.stringify({
    version,
    files: files.map(({ path, digest, size, executable }) => ({ path, digest, size, executable })),
    links: links.map(({ path, target }) => ({ path, target })),
  })}\n`;
}

function fileOf(value: Json): TravelFile {
  const { path, digest, size, executable } = objectOf(value);
  const isFile =
    typeof path === 'string' &&
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0 &&
    typeof executable === 'boolean';
  if (!isFile) throw invalid('an entry is not a file');
  return { path, digest: digest as BlobDigest, size: size as number, executable };
}

function linkOf(value: Json): TravelLink {
  const { path, target } = objectOf(value);
  if (typeof path !== 'string' || typeof target !== 'string') throw invalid('an entry is not a link');
  return { path, target };
}

function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw invalid('an entry is not an object');
  return value;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function invalid(why: string, cause?: unknown): TechneError {
  return new TechneError('MANIFEST_INVALID', `a manifest of files cannot be used: ${why}`, {
    hint: 'rename or remove the file, or give the run other files',
    ...(cause === undefined ? {} : { cause }),
  });
}
