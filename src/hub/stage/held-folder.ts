// A folder that is held open while something is done in it, so that a link put in its place meanwhile has no effect.
//
//   path -> HeldFolder -> names in it, made, read and removed through the open folder
//
// No link is ever followed: not at the end of a path, nor on the way below a folder that is held. On systems without
// /proc names are looked up by path, and a folder that was swapped is noticed after the fact instead of before.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { AsyncCalls } from '../../node/files/durable.ts';
import { codeOf, leadsNowhere } from '../../node/files/file-fault.ts';

/** Every file call of the hub that touches what is installed; tests fail the Nth one, or end the process there. */
export type HubCalls = AsyncCalls & Pick<typeof fs.promises, 'rmdir' | 'lstat' | 'readdir'>;

const constants: { readonly [name: string]: number | undefined } = fs.constants;
// Windows has neither.
const noFollow = constants['O_NOFOLLOW'] ?? 0;
const directory = constants['O_DIRECTORY'] ?? 0;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK } = fs.constants;
const hasProc = process.platform === 'linux';

export interface HeldFolder {
  /** As a person knows it. */
  readonly shown: string;
  /** The path of a name in this very folder, whatever is renamed meanwhile. */
  at(name: string): string;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** `null`: there is nothing of that name. Throws PATH_UNSAFE for a link, or for what is no folder. */
export async function holdFolder(
  calls: HubCalls,
  path: string,
  shown: string = path,
): Promise<HeldFolder | null> {
  let handle: fs.promises.FileHandle;
  try {
    handle = await calls.open(path, O_RDONLY | O_NONBLOCK | noFollow | directory);
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || (codeOf(error) === 'ENOTDIR' && (await isThere(calls, path))))
      throw notAFolder(shown);
    if (leadsNowhere(error)) return null;
    throw error;
  }
  return {
    shown,
    at: (name) => join(hasProc ? `/proc/self/fd/${handle.fd}` : path, name),
    async sync() {
      if (process.platform === 'win32') return;
      try {
        await handle.sync();
      } catch (error) {
        // Some file systems do not know how to sync a folder; there is nothing more to do on those.
        if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
      }
    },
    close: () => handle.close(),
  };
}

/** Runs `work` in the folder; `null` where there is none. */
export async function inFolder<T>(
  calls: HubCalls,
  path: string,
  work: (folder: HeldFolder) => Promise<T>,
  shown: string = path,
): Promise<T | null> {
  const folder = await holdFolder(calls, path, shown);
  if (folder === null) return null;
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** Runs `work` in a folder of the folder, which is made when it is missing. */
export async function inChild<T>(
  calls: HubCalls,
  parent: HeldFolder,
  name: string,
  mode: number,
  work: (folder: HeldFolder) => Promise<T>,
): Promise<T> {
  try {
    await calls.mkdir(parent.at(name), { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const child = await holdFolder(calls, parent.at(name), join(parent.shown, name));
  if (child === null) throw notAFolder(join(parent.shown, name));
  try {
    return await work(child);
  } finally {
    await child.close();
  }
}

/** A new file with these bytes, on the disk when this returns. Its name is not synced. */
export async function writeNew(
  calls: HubCalls,
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const handle = await calls.open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600);
  try {
    await handle.writeFile(bytes);
    // Not when it was created: the mask of the process must not count.
    await handle.chmod(mode);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

export interface ReadBack {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** `null` where the name is not that of a file of at most `maxBytes`: a link, a folder, a device, too large, changing. */
export async function readFileIn(
  calls: HubCalls,
  folder: HeldFolder,
  name: string,
  maxBytes: number,
): Promise<ReadBack | null> {
  let handle: fs.promises.FileHandle;
  try {
    handle = await calls.open(folder.at(name), O_RDONLY | O_NONBLOCK | noFollow);
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENXIO' || leadsNowhere(error)) return null;
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > maxBytes) return null;
    const bytes = new Uint8Array(await handle.readFile());
    return bytes.length === stat.size ? { bytes, executable: (stat.mode & 0o100) !== 0 } : null;
  } finally {
    await handle.close();
  }
}

/** Removes a file, a link, or a folder with all that is in it. What is missing is fine. */
export async function removeIn(calls: HubCalls, parent: HeldFolder, name: string): Promise<void> {
  try {
    await calls.unlink(parent.at(name));
    return;
  } catch (error) {
    if (leadsNowhere(error)) return;
    // A folder: EISDIR on Linux, EPERM elsewhere.
    if (codeOf(error) !== 'EISDIR' && codeOf(error) !== 'EPERM') throw error;
  }
  await inFolder(
    calls,
    parent.at(name),
    async (folder) => {
      for (const inner of await calls.readdir(folder.at('.'))) await removeIn(calls, folder, inner);
    },
    join(parent.shown, name),
  );
  try {
    await calls.rmdir(parent.at(name));
  } catch (error) {
    if (!leadsNowhere(error)) throw error;
  }
}

/** Whether anything has this name, also a link that leads nowhere. */
export async function isThere(calls: Pick<HubCalls, 'lstat'>, path: string): Promise<boolean> {
  try {
    await calls.lstat(path);
    return true;
  } catch (error) {
    if (leadsNowhere(error)) return false;
    throw error;
  }
}

function notAFolder(shown: string): TechneError {
  return new TechneError('PATH_UNSAFE', `"${shown}" is not a folder, but a link or a file`, {
    hint: 'remove it, or put a folder in its place',
  });
}
