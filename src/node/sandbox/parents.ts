// The folders that placeholders are made in, kept open while a sandboxed command runs.
//
//   paths -> the folders above them, open -> a way to each that does not depend on where that folder is by then
//
// Linux only, as the sandbox is: a folder that is open is reached through /proc/self/fd, wherever it was moved to.
import * as fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf } from '../files/file-fault.ts';

export interface HeldPlace {
  readonly path: string;
  /** The folder above it, open. */
  readonly parent: number;
  /** The way to it through `parent`. */
  readonly at: string;
}

interface Parents {
  /** None where the folder above may not be entered: nothing can be made there. */
  placeOf(this: void, path: string): readonly HeldPlace[];
  close(): void;
}

// Opens a folder that may be entered but not read, too; Node has no name for it.
const pathOnly = 0o10000000;

export function openParents(paths: readonly string[]): Parents | { readonly fault: string } {
  const descriptors = new Map<string, number>();
  const close = (): void => {
    for (const descriptor of descriptors.values()) fs.closeSync(descriptor);
  };
  for (const path of paths) {
    const folder = dirname(path);
    if (descriptors.has(folder)) continue;
    try {
      descriptors.set(folder, fs.openSync(folder, fs.constants.O_DIRECTORY | pathOnly));
    } catch (error) {
      if (isClosed(error)) continue;
      close();
      return notKept(path, error);
    }
  }
  return {
    placeOf(path) {
      const parent = descriptors.get(dirname(path));
      return parent === undefined ? [] : [{ path, parent, at: `/proc/self/fd/${parent}/${basename(path)}` }];
    },
    close,
  };
}

/** Whether rights are missing. */
export function isClosed(error: unknown): boolean {
  return ['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error));
}

export function notKept(path: string, error: unknown): { readonly fault: string } {
  const code = codeOf(error);
  if (code === '') throw error;
  return { fault: `"${path}" cannot be kept from being written to (${code}), so the command is not started` };
}
