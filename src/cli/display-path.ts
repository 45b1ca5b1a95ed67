// A path as people read it: relative inside the current folder, `~/…` inside the home folder; and back.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Io } from './io.ts';

export function displayPath(path: string, io: Pick<Io, 'cwd' | 'homeFolder'>): string {
  if (path === io.cwd) return '.';
  return inside(path, io.cwd) ?? homePath(path, io);
}

/** Never relative to the current folder. */
export function homePath(path: string, { homeFolder }: Pick<Io, 'homeFolder'>): string {
  return path === homeFolder ? '~' : (withTilde(inside(path, homeFolder)) ?? path);
}

/** What `displayPath` has shown, or what somebody typed. */
export function fullPath(shown: string, { cwd, homeFolder }: Pick<Io, 'cwd' | 'homeFolder'>): string {
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
