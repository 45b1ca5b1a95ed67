// Paths -> what is in those files of the workspace that were there before the conversation began (chat/trace/trace-skills.ts, B6).
//
// A file counts when it lies in no folder of a skill that nobody vouches for, and when neither it nor a folder on the way to it
// was changed since: what a program has put there meanwhile may be a copy. The disk itself keeps that time (ctime); a program
// cannot set it. Of all files together no more than `maxBytes` is read; one that does not fit is left out.
import { lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';

interface OutsideFiles {
  /** Absolute, links resolved, as every path here. */
  readonly workspace: string;
  /** Of skills that nobody vouches for. */
  readonly strangers: readonly string[];
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
  { workspace, strangers, beforeMs }: OutsideFiles,
  most: number,
): Promise<Buffer | null> {
  if (
    path === workspace ||
    !isInside(path, workspace) ||
    strangers.some((each) => isInside(path.toLowerCase(), each.toLowerCase()))
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
