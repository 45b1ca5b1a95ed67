// Paths as people read them: relative inside the current folder, `~/…` inside the home folder; and back. Also where the
// user's runs are, and what the guard keeps.
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

/** What a person accepted. */
export function acceptedFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'accepted.json');
}

/** The verdicts of earlier scans; may be removed at any time. */
export function verdictsFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'verdicts.log');
}

/** What scans of heads found; may be removed at any time. */
export function headsFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'heads.log');
}

/** What pipelines found out about skills; may be removed at any time. */
export function ciCacheFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'ci.txt');
}

/** Of which sets of skills no head was to be refused. */
export function passedHeadsFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'passed-heads.log');
}

/** The folders whose last verdict was not clean: a short list that every load can afford to look at. */
export function flaggedFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'flagged.log');
}

export function displayPath(path: string, io: Folders): string {
  if (path === io.cwd) return '.';
  return inside(path, io.cwd) ?? homePath(path, io);
}

/** Where a journal is: a path, or the address of a database as it is. */
export function displayPlace(place: string, io: Folders): string {
  return isAbsolute(place) ? displayPath(place, io) : place;
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
