// What a person named -> the files that a workspace begins with, in the store.
//
//   folder | tar, tar.gz, zip | repository at a commit -> manifest
//
// Sources are written, reached and bounded as those of skills are (hub/source/, hub/fetch/). Nothing of an archive or a
// repository touches the disk. A name that no folder could hold on every system, a link or a device in it refuses the whole:
// a workspace with a part of its files would fail later and elsewhere. Of a folder `.git` is left out.
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { overLimit } from '../hub/archive/limited.ts';
import type { ListedEntry, Listing } from '../hub/archive/listing.ts';
import { readArchive } from '../hub/archive/read-archive.ts';
import { openArchive, withoutWrapper } from '../hub/fetch/archive.ts';
import type { FetchContext } from '../hub/fetch/context.ts';
import { contextOf, stopIfAborted } from '../hub/fetch/context.ts';
import { withGitTree } from '../hub/fetch/git/fetch-git.ts';
import type { FetchOptions } from '../hub/fetch/options.ts';
import { nodeLook } from '../hub/source/look-at.ts';
import { parseSource } from '../hub/source/parse-source.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { Abort } from '../base/abort.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { SharedFiles } from '../ports/shared-files.ts';
import type { TravelFile } from './manifest.ts';
import { bytesOf, renderManifest, travelLimits } from './manifest.ts';
import { packFolder } from './pack-folder.ts';
import { storePacked } from './work-folder.ts';

export interface TakenFiles {
  /** Of the manifest; null: there are no files. */
  readonly digest: BlobDigest | null;
  readonly files: number;
  readonly bytes: number;
  /** Where they came from, with the commit or the digest of the archive. */
  readonly source: string;
}

export interface TakeFilesOptions {
  readonly blobs: Blobs;
  readonly shared: SharedFiles;
  readonly fetching: FetchOptions;
  readonly signal: Abort;
}

/** Throws SOURCE_…, FILE_MISSING, FILE_LIMIT, MANIFEST_INVALID, STALE. */
export async function takeFiles(given: string, options: TakeFilesOptions): Promise<TakenFiles> {
  const { fetching } = options;
  const source = parseSource(given, fetching.cwd, nodeLook(fetching.homeFolder));
  const context = boundedContext(options);
  switch (source.kind) {
    case 'folder':
      return takeFolder(source.path, options);
    case 'archive': {
      const { listing, digest } = await openArchive(source, context);
      return takeListing(listing, '', `${source.location} ${digest}`, options);
    }
    case 'git':
      return withGitTree(source, context, (tree, { url, commit, path }) =>
        takeListing(tree, path === null ? '' : `${path}/`, `${url}#${commit}`, options),
      );
    case 'npm':
    case 'mcp':
    case 'well-known':
      throw new TechneError('SOURCE_INVALID', `"${printableLine(given)}" is no source of files`, {
        hint: 'name a folder, an archive (tar, tar.gz, zip) or a repository, such as https://host/repo.git#COMMIT',
      });
  }
}

/** The bytes of an archive that came without a place. Throws SOURCE_…, FILE_LIMIT, MANIFEST_INVALID. */
export async function takeArchive(bytes: Uint8Array, options: TakeFilesOptions): Promise<TakenFiles> {
  const { limits, signal } = boundedContext(options);
  const listing = withoutWrapper(await readArchive(bytes, '', limits, signal));
  return takeListing(listing, '', `archive sha256:${nodeSha256(bytes)}`, options);
}

function boundedContext({ fetching, signal }: TakeFilesOptions): FetchContext {
  const { files: entries, bytes: totalBytes } = travelLimits;
  return contextOf(
    { ...fetching, limits: { totalBytes, fileBytes: totalBytes, entries, listed: entries } },
    () => undefined,
    signal,
  );
}

async function takeFolder(path: string, options: TakeFilesOptions): Promise<TakenFiles> {
  const packed = await packFolder(path, new Map(), null, {
    isLeftOut: (each) => each === '.git' || each.endsWith('/.git'),
  });
  if (packed === null) return { digest: null, files: 0, bytes: 0, source: path };
  const { manifest } = packed;
  const digest = await storePacked(path, packed, options);
  return {
    digest,
    files: manifest.files.length + manifest.links.length,
    bytes: bytesOf(manifest),
    source: path,
  };
}

async function takeListing(
  listing: Listing,
  prefix: string,
  source: string,
  { blobs, shared, signal }: TakeFilesOptions,
): Promise<TakenFiles> {
  const entries = listing.entries.filter(({ kind, path }) => kind !== 'folder' && path !== '');
  for (const entry of entries) mustBePlain(entry);
  const sizes = entries.reduce((sum, { size }) => sum + size, 0);
  if (sizes > travelLimits.bytes)
    throw overLimit(`the files have ${sizes} bytes; the limit is ${travelLimits.bytes}`);
  // The names are judged before anything is stored.
  renderManifest({
    files: entries.map(({ path, size, executable }) => ({
      path: path.slice(prefix.length),
      digest: `sha256:${'0'.repeat(64)}`,
      size,
      executable,
    })),
    links: [],
  });
  const files: TravelFile[] = [];
  for (const entry of entries) {
    stopIfAborted(signal);
    const { path, size, executable } = entry;
    const digest = await blobs.put(await listing.read(entry));
    files.push({ path: path.slice(prefix.length), digest, size, executable });
  }
  if (files.length === 0) return { digest: null, files: 0, bytes: 0, source };
  const digest = await shared.putManifest(
    renderManifest({ files, links: [] }),
    files.map((file) => file.digest),
  );
  return { digest, files: files.length, bytes: bytesOf({ files }), source };
}

function mustBePlain({ path, kind, fault }: ListedEntry): void {
  const why = fault ?? (kind === 'link' ? 'it is a link' : kind === 'file' ? null : 'it is no file');
  if (why === null) return;
  throw new TechneError(
    'SOURCE_INVALID',
    `"${printableLine(path)}" cannot be a file of a workspace: ${why}`,
    { hint: 'leave it out, or put the file itself in its place' },
  );
}
