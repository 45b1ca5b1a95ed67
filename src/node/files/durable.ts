// How bytes and names reach the disk: fsync and fdatasync are called here, and by the log of a chat.
//
// The bytes of a file are durable after a sync of the file; the name of a new or renamed one after a sync of its folder.
import * as fs from 'node:fs';
import { codeOf } from './file-fault.ts';
import { dirname } from 'node:path';

/** The asynchronous file calls that change something, as one argument: tests fail the Nth one. */
export type AsyncCalls = Pick<
  typeof fs.promises,
  'open' | 'rename' | 'unlink' | 'mkdir' | 'link' | 'readFile'
>;

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

interface Replacement {
  readonly path: string;
  /** Beside `path`; must not exist. */
  readonly temporary: string;
  readonly bytes: Uint8Array;
  /** Of the temporary file, while it is written. */
  readonly createMode: number;
  /** Of the finished file; `null` leaves it as it was created. */
  readonly mode: number | null;
}

/** Writes beside a file and renames over it, so that a reader sees all of it or nothing. The name is not synced. */
export async function replaceFile(
  calls: Pick<AsyncCalls, 'open' | 'rename' | 'unlink'>,
  { path, temporary, bytes, createMode, mode }: Replacement,
): Promise<void> {
  // Windows has no O_NOFOLLOW.
  const handle = await calls.open(
    temporary,
    O_WRONLY | O_CREAT | O_EXCL | ((O_NOFOLLOW as number | undefined) ?? 0),
    createMode,
  );
  try {
    try {
      await handle.writeFile(bytes);
      if (mode !== null) await handle.chmod(mode);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await calls.rename(temporary, path);
  } catch (error) {
    // The fault that made the temporary file useless is the one to report.
    await calls.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Makes the names in a folder durable; the bytes of a file, too, where it need not be open for writing. */
export async function syncFolder(
  folder: string,
  calls: Pick<AsyncCalls, 'open'> = fs.promises,
): Promise<void> {
  // Windows cannot open a folder for this; its file systems keep names by themselves.
  if (process.platform === 'win32') return;
  const handle = await calls.open(folder, O_RDONLY | O_NONBLOCK);
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems do not know how to sync a folder; there is nothing more to do on those.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
}

/** With a callback, not Node's promises: a write and a sync take about two thirds of the time. */
export function syncBytes(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) =>
    fs.fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error))),
  );
}

// Makes a folder and the missing ones above it.
//
// Not Node's `recursive`: where a file system answers ENOENT to making a folder in one that exists (as /proc
// does), that starts again for ever. Here every folder is tried at most twice.

// Error codes for a folder that exists: EEXIST, and for a root or on a read-only disk one of the others.
const mayExist: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'EPERM', 'EACCES', 'EROFS']);

/** The topmost folder that was made; `undefined` when all were there. Throws what `mkdir` throws. */
export async function makeFolders(
  calls: Pick<AsyncCalls, 'mkdir'>,
  folder: string,
  mode: number,
): Promise<string | undefined> {
  try {
    await calls.mkdir(folder, { mode });
    return folder;
  } catch (error) {
    if (mayExist.has(codeOf(error)) && fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
      return undefined;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    const made = await makeFolders(calls, parent, mode);
    try {
      await calls.mkdir(folder, { mode });
    } catch (again) {
      // Another process may have made it meanwhile.
      if (
        codeOf(again) !== 'EEXIST' ||
        fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true
      )
        throw again;
    }
    return made ?? folder;
  }
}
