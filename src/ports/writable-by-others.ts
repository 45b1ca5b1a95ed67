// Whether another user could have written a file that grants something: then it proves nothing.
import type { Files } from './files.ts';

/**
 * The file or the folder around it, also where links lead, that users besides its owner can write; `null` for none.
 * In a folder with the sticky bit they cannot replace what is not theirs. Not for Windows, whose modes say nothing.
 */
export function writableByOthers(files: Files, path: string): string | null {
  const real = files.realPath(path) ?? path;
  const folders = [...new Set([folderOf(path), folderOf(real)])];
  if (isWritable(files.stat(real)?.mode)) return real;
  return (
    folders.find((folder) => {
      const mode = files.stat(folder)?.mode;
      return isWritable(mode) && ((mode ?? 0n) & 0o1000n) === 0n;
    }) ?? null
  );
}

function isWritable(mode: bigint | undefined): boolean {
  return mode !== undefined && (mode & 0o022n) !== 0n;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
