// Whether one real path lies inside another, by whole segments.

/** `path` is `folder` itself or below it. Both absolute, real and without `..`. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder) return true;
  const posix = folder.startsWith('/');
  const ending = posix ? /\/+$/ : /[\\/]+$/;
  const base = folder.replace(ending, '');
  if (path === base) return true;
  if (!path.startsWith(base)) return false;
  const next = path[base.length];
  // On POSIX a backslash is a letter like any other.
  return next === '/' || (!posix && next === '\\');
}
