// A path of a configuration file -> the file at the end of its links. It may not exist yet.
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export async function realFileOf(file: string, links = 40): Promise<string> {
  const place = join(await realFolderOf(dirname(file)), basename(file));
  const found = await lstat(place).catch(nullIfMissing);
  if (found === null || !found.isSymbolicLink()) return place;
  if (links === 0) throw new Error('there are too many links');
  return realFileOf(resolve(dirname(place), await readlink(place)), links - 1);
}

/** Missing folders are not links. */
export async function realFolderOf(folder: string): Promise<string> {
  const real = await realpath(folder).catch(nullIfMissing);
  if (real !== null) return real;
  const above = dirname(folder);
  return above === folder ? folder : join(await realFolderOf(above), basename(folder));
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
