// One file in a folder that is held open: reading it, its size, replacing it.
//
// Only regular files are opened, without blocking and never through a link; devices, pipes and sockets are refused,
// and reads are bounded. A file is replaced completely or not at all: a temporary file is written, synced and
// renamed.
import type { Stats } from 'node:fs';
import { constants, promises as fs } from 'node:fs';
import { join } from 'node:path';
import type { AsyncCalls } from '../files/durable.ts';
import { replaceFile, syncFolder } from '../files/durable.ts';
import { codeOf, leadsNowhere } from '../files/file-fault.ts';
import { nodeCrypto } from '../environment.ts';
import type { OpenFolder } from './open-folder.ts';
import { ToolFault } from '../../ports/tool.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** `null` when there is no such file. */
export async function readRegular(
  folder: OpenFolder,
  name: string,
  shown: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(
      join(folder.path, name),
      O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0),
    );
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
  try {
    const stat = await handle.stat();
    mustBeRegular(stat, shown);
    if (stat.size > maxBytes)
      throw new ToolFault(`${JSON.stringify(shown)} has ${stat.size} bytes, over the limit of ${maxBytes}`);
    // One byte more than allowed, so that a file that grows is noticed.
    const bytes = new Uint8Array(Math.min(stat.size, maxBytes) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > stat.size) throw new ToolFault(`${JSON.stringify(shown)} was written to while it was read`);
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** `null` when there is no such file. */
export async function sizeOfRegular(folder: OpenFolder, name: string, shown: string): Promise<number | null> {
  try {
    const stat = await fs.lstat(join(folder.path, name));
    mustBeRegular(stat, shown);
    return stat.size;
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
}

/** Keeps the permissions of a file that is there. */
export async function writeRegular(
  folder: OpenFolder,
  name: string,
  bytes: Uint8Array,
  shown: string,
): Promise<void> {
  const path = join(folder.path, name);
  const before = await fs.lstat(path).catch((error: unknown) => {
    if (leadsNowhere(error)) return null;
    throw error;
  });
  if (before !== null) mustBeRegular(before, shown);
  const temporary = join(
    folder.path,
    `.${name.slice(0, 100)}.${nodeCrypto().randomBytes(6).toString('hex')}.tmp`,
  );
  await replaceFile(fs, {
    path,
    temporary,
    bytes,
    createMode: before === null ? 0o666 : 0o600,
    mode: before === null ? null : before.mode & 0o777,
  });
}

/**
 * From exactly `before` to exactly `after`; null is no file. `false` when the file is something else: then it is left alone.
 * A new file does not replace one that appears meanwhile. A crash leaves the one or the other, and perhaps a temporary dot file,
 * which the next change of this file removes.
 */
export async function replaceRegular(
  folder: OpenFolder,
  name: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
  shown: string,
  { maxBytes, calls }: { readonly maxBytes: number; readonly calls: AsyncCalls },
): Promise<boolean> {
  const path = join(folder.path, name);
  const now = await readRegular(folder, name, shown, maxBytes);
  if (now === null || before === null ? now !== before : !Buffer.from(now).equals(before)) return false;
  const stem = `.${name.slice(0, 100)}.`;
  for (const other of await fs.readdir(folder.path))
    if (other.startsWith(stem) && /^[0-9a-f]{12}\.tmp$/.test(other.slice(stem.length)))
      await calls.unlink(join(folder.path, other));
  if (after === null) {
    if (now !== null) await calls.unlink(path);
  } else {
    const mode = now === null ? null : (await fs.lstat(path)).mode & 0o777;
    try {
      await replaceFile(now === null ? { ...calls, rename: linkNew(calls) } : calls, {
        path,
        temporary: join(folder.path, `${stem}${nodeCrypto().randomBytes(6).toString('hex')}.tmp`),
        bytes: after,
        createMode: now === null ? 0o666 : 0o600,
        mode,
      });
    } catch (error) {
      if (now === null && codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }
  await syncFolder(folder.path, calls);
  return true;
}

/** A rename that replaces nothing. */
function linkNew(calls: AsyncCalls): AsyncCalls['rename'] {
  return async (from, to) => {
    try {
      await calls.link(from, to);
    } catch (error) {
      // Some file systems have no second names.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(codeOf(error)))
        throw error;
      return calls.rename(from, to);
    }
    await calls.unlink(from);
  };
}

function mustBeRegular(stat: Stats, shown: string): void {
  if (!stat.isFile())
    throw new ToolFault(
      `${JSON.stringify(shown)} is ${stat.isDirectory() ? 'a folder' : 'a special file'}, not a file`,
    );
}
