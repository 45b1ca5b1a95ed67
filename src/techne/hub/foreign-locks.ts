// Moving between techne and `npx skills`, both ways.
//
//   skills-lock.json -> what to add, each verified by its hash;   techne-lock.json and what is installed -> skills-lock.json
import { promises } from 'node:fs';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Hub } from '../../hub/install/hub.ts';
import { fullResolved } from '../../hub/install/source-text.ts';
import type { AddRequest } from '../../hub/install/propose/add.ts';
import type { ForeignEntry, ForeignFormat } from '../../hub/lock/skills-lock.ts';
import { foreignEntry, foreignHashOf, mergeForeign, parseForeignLock } from '../../hub/lock/skills-lock.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { encodeUtf8 } from '../../base/utf8.ts';

/** Throws FILE_MISSING and LOCK_INVALID. */
export async function readForeignLock(path: string): Promise<readonly ForeignEntry[]> {
  const text = await readOr(path);
  if (text === null) throw new TechneError('FILE_MISSING', `there is no file "${path}"`);
  return parseForeignLock(text, path).entries;
}

/** What to add for an entry; a content other than the one of its hash is refused. */
export function addRequestOf({ name, source, hash }: ForeignEntry, cwd: string): AddRequest {
  return {
    source,
    cwd,
    skills: [name],
    expect: [],
    verify({ files, leftOut }) {
      if (hash === null || foreignHashOf(hash.kind, new Map([...files, ...leftOut])) === hash.value) return;
      throw new TechneError(
        'SOURCE_CHANGED',
        `"${source}" no longer has "${name}" as the lock of npx skills names it`,
        {
          hint: `to take what it has now: techne add ${source} --skill ${name}`,
        },
      );
    },
  };
}

export interface Exported {
  readonly text: string;
  readonly names: readonly string[];
  /** Skills that the format has no word for, or that are not as locked. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

/** `into`: the file whose other entries stay; `null`: a lock of its own. */
export async function exportLock(
  hub: Hub,
  format: ForeignFormat,
  into: string | null,
  nowMs: number,
): Promise<Exported> {
  const entries = new Map<string, JsonObject>();
  const leftOut: { name: string; why: string }[] = [];
  for (const { entry, files } of await hub.installedFiles()) {
    const why =
      files === null ? 'it is not as the lock says' : 'the format has no word for where it comes from';
    // Their locks have a path for a folder, and an address for a repository.
    const resolved =
      entry.resolved.kind === 'folder' ? entry.resolved : fullResolved(entry.resolved, hub.place.root);
    const made =
      files === null
        ? null
        : foreignEntry({ ...entry, resolved }, files, format, new Date(nowMs).toISOString());
    if (made === null) leftOut.push({ name: entry.name, why });
    else entries.set(entry.name, made);
  }
  const text = mergeForeign(into === null ? null : await readOr(into), into ?? '', format, entries);
  return { text, names: [...entries.keys()], leftOut };
}

/** Whole or not at all. */
export async function writeExport(path: string, text: string): Promise<void> {
  await createNodeFiles().writeAtomic(path, encodeUtf8(text), 0o644);
}

async function readOr(path: string): Promise<string | null> {
  try {
    return await promises.readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new TechneError('FILE_DENIED', `"${path}" cannot be read: ${codeOf(error)}`, { cause: error });
  }
}
