// Paths -> the content of those files of the workspace that existed before the conversation began
// (chat/trace/trace-skills.ts).
//
// A file counts if it is outside every folder of an untrusted skill and if neither the file nor a folder above it has
// changed since: a program may have copied a skill there. The time is the ctime of the file system, which a program
// cannot set. At most `maxBytes` are read in all; a file that does not fit is left out.
import { lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';

interface OutsideFiles {
  /** Absolute, links resolved, as every path here. */
  readonly workspace: string;
  /** Of untrusted skills. */
  readonly untrusted: readonly string[];
  /** When the conversation began. */
  readonly beforeMs: number;
  /** Of all that is read for one call. Default: 4 MiB. */
  readonly maxBytes?: number;
}

/** What `read_file` reads at most. */
const maxFileBytes = 2 * 1024 * 1024;

/** Those that do not count, or cannot be read, are left out. */
export async function readOutsideFiles(
  paths: readonly string[],
  outside: OutsideFiles,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let room = outside.maxBytes ?? 4 * 1024 * 1024;
  for (const path of paths) {
    const bytes = await readOne(path, outside, Math.min(room, maxFileBytes));
    if (bytes === null) continue;
    room -= bytes.length;
    texts.push(bytes.toString('utf8'));
  }
  return texts;
}

async function readOne(
  path: string,
  { workspace, untrusted, beforeMs }: OutsideFiles,
  most: number,
): Promise<Buffer | null> {
  if (
    path === workspace ||
    !isInside(path, workspace) ||
    untrusted.some((each) => isInside(path.toLowerCase(), each.toLowerCase()))
  )
    return null;
  try {
    if (!(await lstat(path)).isFile()) return null;
    const file = await open(path);
    try {
      const { size, ctimeMs } = await file.stat();
      if (size > most || ctimeMs >= beforeMs) return null;
      for (let folder = dirname(path); folder !== workspace; folder = dirname(folder))
        if ((await lstat(folder)).ctimeMs >= beforeMs) return null;
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return null; // It is gone, or not to be read.
  }
}
