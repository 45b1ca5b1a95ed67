// Files beside SKILL.md: what they are for, which paths lead to one, and one digest over all of them.
//
// A relative path is safe when joining it to the skill folder cannot leave it: `/` as separator, no `..`, `.` or empty
// segment, no NUL, no backslash, no drive or scheme.
import type { Sha256 } from '../ports/environment.ts';

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

// The files of a skill folder -> one digest that changes when any of them does.
//
//   digest = "sha256:" + SHA-256 of the UTF-8 text
//            "techne-manifest 1\n" then, for each file in order of its path (UTF-16 code units):
//            sha256 SP size SP ("x" | "-") SP path NUL
//   sha256: 64 lower-case hex digits of the content · size: bytes, decimal · x: executable by its owner
//
// Equal trees have equal digests on every platform: paths are relative with `/`; no times, no owners. Files that tools
// write unnoticed are excluded: .git, node_modules and __pycache__ folders, *.pyc, .DS_Store, editors' swap and backup
// files. An excluded file is not part of the skill: this digest does not allow its execution, so commands of the
// skill do not see it, or do not start (node/commands/uncovered-files.ts).

/** One file of a skill, with its hash. */
export interface ManifestFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly sha256: string;
}

/** Every file of a folder with its hash, and one digest over all. */
export interface FileManifest {
  readonly files: readonly ManifestFile[];
  readonly digest: string;
}

/** The digest does not depend on the order of `files`. */
export function manifestOf(files: readonly ManifestFile[], sha256: Sha256): FileManifest {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  let text = 'techne-manifest 1\n';
  for (const file of sorted)
    text += `${file.sha256} ${file.size} ${file.executable ? 'x' : '-'} ${file.path}\0`;
  return { files: sorted, digest: `sha256:${sha256(text)}` };
}

const excludedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__']);
const excludedFile = /^(?:\.DS_Store|.*\.pyc|.*\.sw[a-p]|.*~|\.#.*|#.*#)$/;

/** Whether a file or folder of this relative path is left out. */
export function isExcluded(relativePath: string): boolean {
  const segments = relativePath.split('/');
  return (
    segments.some((segment) => excludedFolders.has(segment)) || excludedFile.test(segments.at(-1) as string)
  );
}
