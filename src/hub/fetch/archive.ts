// An archive, of this machine or of the web -> its skills.
//
// A digest that the person gave is compared before anything is unpacked. One folder around everything is passed over, as
// hosts of repositories and npm put one there.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { overLimit } from '../archive/limited.ts';
import type { ListedEntry, Listing } from '../archive/listing.ts';
import { readArchive } from '../archive/read-archive.ts';
import { show } from '../source/git-words.ts';
import type { Fetched, Source } from '../source/source.ts';
import type { FetchContext } from './context.ts';
import { download } from './https/request.ts';
import { takePackages } from './take-packages.ts';

type ArchiveSource = Extract<Source, { kind: 'archive' }>;

export async function fetchArchive(
  source: ArchiveSource,
  context: FetchContext,
  root = '',
): Promise<Fetched> {
  const { location } = source;
  const { listing, digest, name } = await openArchive(source, context);
  return takePackages(
    listing,
    {
      root,
      skills: source.skills,
      resolvedOf: () => ({ kind: 'archive', location, digest }),
      rootName: basename(name).replace(/\.(?:tar\.gz|tgz|tar|zip)$/i, ''),
      source: location,
    },
    context,
  );
}

/** Its entries without the folder around everything, and the digest of its bytes. */
export async function openArchive(
  source: ArchiveSource,
  context: FetchContext,
): Promise<{ readonly listing: Listing; readonly digest: string; readonly name: string }> {
  const { location } = source;
  context.tell({ phase: 'resolve', what: location, doneBytes: null, totalBytes: null });
  const isWeb = /^https?:\/\//i.test(location);
  const { totalBytes } = context.limits;
  const bytes = isWeb
    ? (await download(new URL(location), { maxBytes: totalBytes }, context)).bytes
    : await readLocal(location, totalBytes);
  const digest = `sha256:${nodeSha256(bytes)}`;
  checkDigest(location, source.digest, digest);
  const name = isWeb ? new URL(location).pathname : location;
  const listing = withoutWrapper(await readArchive(bytes, name, context.limits, context.signal));
  return { listing, digest, name };
}

/** Throws SOURCE_DAMAGED. */
export function checkDigest(what: string, expected: string | null, found: string): void {
  if (expected === null || expected === found) return;
  throw new TechneError('SOURCE_DAMAGED', `"${show(what)}" has the digest ${found}, not ${show(expected)}`, {
    hint: 'it was changed, or the digest belongs to another version; do not install it before you know which',
  });
}

async function readLocal(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      const facts = await file.stat();
      if (!facts.isFile())
        throw new TechneError('SOURCE_INVALID', `"${show(path)}" is not a file`, {
          hint: 'name an archive or a folder',
        });
      if (facts.size > maxBytes)
        throw overLimit(`"${show(path)}" has ${facts.size} bytes; the limit is ${maxBytes}`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof TechneError || codeOf(error) === '') throw error;
    throw new TechneError('SOURCE_UNREACHABLE', `"${show(path)}" cannot be read (${codeOf(error)})`, {
      hint: 'check that it exists and that you may read it',
      cause: error,
    });
  }
}

/** Without the one folder that everything lies in, when the SKILL.md is not directly in it already. */
export function withoutWrapper(listing: Listing): Listing {
  const [first] = listing.entries.find(({ path }) => path !== '')?.path.split('/') ?? [];
  if (first === undefined || first === '..' || first === '') return listing;
  const isWrapped = listing.entries.every(
    ({ path, kind }) => path.startsWith(`${first}/`) || (path === first && kind === 'folder'),
  );
  if (!isWrapped) return listing;
  const originals = new Map<ListedEntry, ListedEntry>();
  for (const entry of listing.entries)
    if (entry.path !== first) originals.set({ ...entry, path: entry.path.slice(first.length + 1) }, entry);
  return { entries: [...originals.keys()], read: (entry) => listing.read(originals.get(entry) ?? entry) };
}
