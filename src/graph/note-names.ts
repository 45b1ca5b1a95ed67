// The names of the files of a vault, and which file a link means.
//
//   target of a link + the note it is in -> one file | missing | ambiguous | outside the vault
//
// The rules, in this order. '' is the note itself. `./x` and `../x` are relative to the folder of the note. A path from the root of the
// vault counts first, as written, then in any case and normal form. A name, or the end of a path, counts where one file has
// it. Several files that fit are `ambiguous`: the first is never guessed. `.md` may be left out; every other ending must be
// written. An alias is no target: `[[Alias]]` is missing, with the note that has the alias as a candidate.
import { nameKey } from './note.ts';

export type Resolution =
  | { readonly kind: 'note' | 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly candidates: readonly string[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'outside' };

/** Paths are relative to the vault, with `/`. Notes end in `.md`. */
export class NoteNames {
  /** Key of the whole path -> paths; several only where they differ in case or normal form. */
  readonly #byPath = new Map<string, string[]>();
  /** Key of the last segment -> paths. */
  readonly #byName = new Map<string, string[]>();
  readonly #byAlias = new Map<string, string[]>();

  has(path: string): boolean {
    return this.#byPath.get(pathKey(path))?.includes(path) ?? false;
  }

  add(path: string): void {
    insert(this.#byPath, pathKey(path), path);
    insert(this.#byName, lastKey(path), path);
  }

  remove(path: string): void {
    take(this.#byPath, pathKey(path), path);
    take(this.#byName, lastKey(path), path);
  }

  addAlias(alias: string, path: string): void {
    insert(this.#byAlias, nameKey(alias), path);
  }

  removeAlias(alias: string, path: string): void {
    take(this.#byAlias, nameKey(alias), path);
  }

  /** Notes with this alias. */
  withAlias(alias: string): readonly string[] {
    return this.#byAlias.get(nameKey(alias)) ?? [];
  }

  resolve(target: string, from: string, isRelative: boolean): Resolution {
    if (target === '') return { kind: 'note', path: from };
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '';
    if (/^\.\.?(?:\/|$)/.test(target)) {
      const path = joined(folder, target);
      return path === null ? { kind: 'outside' } : (this.#atPath(path) ?? missing([]));
    }
    // Markdown links are relative to the folder of the note first.
    if (isRelative && folder !== '') {
      const path = joined(folder, target);
      const found = path === null ? null : this.#atPath(path);
      if (found !== null) return found;
    }
    const path = joined('', target.replace(/^\/+/, ''));
    if (path === null) return { kind: 'outside' };
    return this.#atPath(path) ?? this.#byEnd(path) ?? missing(this.withAlias(target));
  }

  /** The file at a path from the root; `null`: there is none. */
  #atPath(path: string): Resolution | null {
    const withEnding = this.#byPath.get(pathKey(path)) ?? [];
    const found = withEnding.length > 0 ? withEnding : (this.#byPath.get(pathKey(`${path}.md`)) ?? []);
    return oneOf(found.includes(path) ? [path] : found.includes(`${path}.md`) ? [`${path}.md`] : found);
  }

  /** The one file whose path ends like this. */
  #byEnd(path: string): Resolution | null {
    const fits = (written: string): readonly string[] => {
      const end = `/${pathKey(written)}`;
      return (this.#byName.get(lastKey(written)) ?? []).filter((one) => `/${pathKey(one)}`.endsWith(end));
    };
    const asWritten = fits(path);
    return oneOf(asWritten.length > 0 ? asWritten : fits(`${path}.md`));
  }
}

/** What links are filed under: a file that comes or goes changes only links with its key. */
export function targetKey(target: string): string {
  return lastKey(target).replace(/\.md$/, '');
}

export function isNotePath(path: string): boolean {
  return /\.md$/i.test(path);
}

/** The name of a note: its last segment without `.md`. */
export function noteName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

function oneOf(paths: readonly string[]): Resolution | null {
  const [path] = paths;
  if (path === undefined) return null;
  if (paths.length > 1) return { kind: 'ambiguous', candidates: paths.toSorted() };
  return { kind: isNotePath(path) ? 'note' : 'file', path };
}

function missing(candidates: readonly string[]): Resolution {
  return { kind: 'missing', candidates: candidates.toSorted() };
}

function pathKey(path: string): string {
  return nameKey(path);
}

function lastKey(path: string): string {
  return nameKey(path.slice(path.lastIndexOf('/') + 1));
}

/** `null` when it leads out of the vault. */
function joined(folder: string, target: string): string | null {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

function insert(into: Map<string, string[]>, key: string, path: string): void {
  const paths = into.get(key);
  if (paths === undefined) into.set(key, [path]);
  else if (!paths.includes(path)) paths.push(path);
}

function take(from: Map<string, string[]>, key: string, path: string): void {
  const paths = (from.get(key) ?? []).filter((one) => one !== path);
  if (paths.length === 0) from.delete(key);
  else from.set(key, paths);
}
