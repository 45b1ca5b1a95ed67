// Makes a folder and the missing ones above it.
//
// Not Node's `recursive`: where a file system answers ENOENT to making a folder in one that exists (as /proc
// does), that starts again for ever. Here every folder is tried at most twice.
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { AsyncCalls } from './durable.ts';
import { codeOf } from './file-fault.ts';

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
