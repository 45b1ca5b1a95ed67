// Paths as people read them: relative inside the current folder, `~/…` inside the home folder; and back. Also where the
// user's runs are.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Where paths are shown from. */
interface Folders {
  readonly cwd: string;
  readonly homeFolder: string;
}

/** The folder of the journals. */
export function runsFolder(homeFolder: string): string {
  return join(homeFolder, '.techne', 'runs');
}

export function displayPath(path: string, io: Folders): string {
  if (path === io.cwd) return '.';
  return inside(path, io.cwd) ?? homePath(path, io);
}

/** Never relative to the current folder. */
export function homePath(path: string, { homeFolder }: Pick<Folders, 'homeFolder'>): string {
  return path === homeFolder ? '~' : (withTilde(inside(path, homeFolder)) ?? path);
}

/** A path as `displayPath` shows it, or as a person typed it. */
export function fullPath(shown: string, { cwd, homeFolder }: Folders): string {
  return shown === '~' || shown.startsWith(`~${sep}`)
    ? join(homeFolder, shown.slice(1))
    : resolve(cwd, shown);
}

function inside(path: string, folder: string): string | undefined {
  const from = relative(folder, path);
  return from === '' || from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
}

function withTilde(path: string | undefined): string | undefined {
  return path === undefined ? undefined : `~${sep}${path}`;
}
