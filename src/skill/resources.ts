// Files beside SKILL.md.
//
// A relative path is safe when joining it to the skill folder cannot leave it: `/` as separator, no `..`, `.` or empty
// segment, no NUL, no backslash, no drive or scheme.

/** What a file of a skill is for, by the first folder of its path. */
export type ResourceKind = 'scripts' | 'references' | 'assets' | 'templates' | 'other';

const folders: ReadonlySet<string> = new Set(['scripts', 'references', 'assets', 'templates']);

/** The kind by the first folder of `relativePath`. */
export function resourceKind(relativePath: string): ResourceKind {
  const slash = relativePath.indexOf('/');
  const first = slash === -1 ? '' : relativePath.slice(0, slash);
  return folders.has(first) ? (first as ResourceKind) : 'other';
}

export function isSafeRelativePath(path: string): boolean {
  if (path === '' || /[\0\\]/.test(path) || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
