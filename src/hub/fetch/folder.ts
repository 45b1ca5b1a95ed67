// A folder of this machine -> its entries.
//
// Links are listed and never followed, below the folder that the person named. A file is read only if it is still the file
// that was listed: opened without following links, and of the same identity and size.
import { constants } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import { overLimit } from '../archive/limited.ts';
import type { ListedEntry, Listing } from '../archive/listing.ts';
import { decodeName, showBytes } from '../archive/listing.ts';
import { show } from '../source/git-words.ts';
import type { Fetched, Source } from '../source/source.ts';
import type { FetchContext } from './context.ts';
import { stopIfAborted } from './context.ts';
import { takePackages } from './take-packages.ts';

export async function fetchFolder(
  source: Extract<Source, { kind: 'folder' }>,
  context: FetchContext,
  root = '',
): Promise<Fetched> {
  context.tell({ phase: 'resolve', what: source.path, doneBytes: null, totalBytes: null });
  const folder = await realFolder(source.path);
  const listing = await listFolder(folder, context);
  return takePackages(
    listing,
    {
      root,
      skills: source.skills,
      resolvedOf: () => ({ kind: 'folder', path: source.path }),
      rootName: basename(folder),
      source: source.path,
    },
    context,
  );
}

/** The person may name a link. */
async function realFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if ((await lstat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new TechneError('SOURCE_INVALID', `"${show(path)}" is not a folder`, {
    hint: 'name a folder with skills',
  });
}

interface FileIdentity {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

async function listFolder(folder: string, context: FetchContext): Promise<Listing> {
  const entries: ListedEntry[] = [];
  const identities = new Map<ListedEntry, FileIdentity>();
  const walk = async (place: string, prefix: string, depth: number): Promise<void> => {
    if (depth > context.limits.depth) {
      const fault = `it is more than ${context.limits.depth} folders deep, and was not looked into`;
      entries.push({ path: prefix.slice(0, -1), kind: 'other', size: 0, executable: false, fault });
      return;
    }
    for await (const found of await opendirIn(place)) {
      stopIfAborted(context.signal);
      const raw = found.name as unknown as Buffer;
      const name = decodeName(raw);
      const path = `${prefix}${name ?? showBytes(raw)}`;
      if (entries.length >= context.limits.listed)
        throw overLimit(
          `"${show(folder)}" has more than ${context.limits.listed} entries`,
          'name the folder of the skills in it',
        );
      if (name === null) {
        entries.push({ path, kind: 'other', size: 0, executable: false, fault: 'its name is not UTF-8' });
        continue;
      }
      const full = join(place, name);
      const facts = await lstatIn(full);
      if (facts === null) continue;
      const kind = facts.isFile()
        ? 'file'
        : facts.isDirectory()
          ? 'folder'
          : facts.isSymbolicLink()
            ? 'link'
            : 'other';
      const entry: ListedEntry = {
        path,
        kind,
        size: kind === 'file' ? Number(facts.size) : 0,
        executable: kind === 'file' && (Number(facts.mode) & 0o100) !== 0,
        fault: null,
      };
      entries.push(entry);
      if (kind === 'file') identities.set(entry, { path: full, device: facts.dev, inode: facts.ino });
      if (kind === 'folder' && name !== '.git' && name !== 'node_modules')
        await walk(full, `${path}/`, depth + 1);
    }
  };
  await walk(folder, '', 1);
  // The order of a folder is that of the file system; ours is the same everywhere.
  entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { entries, read: (entry) => readIdentified(entry, identities.get(entry)) };
}

async function opendirIn(path: string): Promise<Awaited<ReturnType<typeof opendir>>> {
  try {
    // Names come as bytes: a name that is not UTF-8 must not be lost.
    return await opendir(path, { encoding: 'buffer' as BufferEncoding });
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function lstatIn(path: string): Promise<import('node:fs').BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unreadable(path, error);
  }
}

async function readIdentified(entry: ListedEntry, identity: FileIdentity | undefined): Promise<Uint8Array> {
  if (identity === undefined) throw new Error('not a file of this folder');
  const changed = (): TechneError =>
    new TechneError('STALE', `"${show(identity.path)}" changed while it was read`, { hint: 'try again' });
  let file;
  try {
    file = await open(identity.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ELOOP', 'ENOENT', 'ENOTDIR', 'ENXIO'].includes(codeOf(error))) throw changed();
    throw unreadable(identity.path, error);
  }
  try {
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile() || facts.dev !== identity.device || facts.ino !== identity.inode) throw changed();
    const bytes = Buffer.alloc(entry.size + 1);
    let have = 0;
    while (have < bytes.length) {
      const { bytesRead } = await file.read(bytes, have, bytes.length - have, have);
      if (bytesRead === 0) break;
      have += bytesRead;
    }
    if (have !== entry.size) throw changed();
    return new Uint8Array(bytes.subarray(0, have));
  } finally {
    await file.close();
  }
}

function unreadable(path: string, error: unknown): TechneError {
  if (codeOf(error) === '') throw error;
  return new TechneError('SOURCE_UNREACHABLE', `"${show(path)}" cannot be read (${codeOf(error)})`, {
    hint: 'check that it exists and that you may read it',
    cause: error,
  });
}
