// What lies in the folder of a skill and is no part of it, because its digest does not cover it.
//
//   skill folder -> what a sandbox hides from its commands, or why they cannot run
//
// Trust in a digest says nothing about files that the digest leaves out (skill/resources.ts), and some of them are
// code: a compiled module in __pycache__ runs in the place of the source that a person has looked at. So a sandboxed
// command finds them empty. A link cannot be hidden: only a dangling one, as editors leave behind, is let be. Without a
// sandbox nothing can be hidden; there a command does not start while there is anything that programs load unasked.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { isExcluded, isLoadedUnasked } from '../../skill/resources.ts';
import { looked } from '../files/file-fault.ts';
import { lstat, realPath } from '../sandbox/view.ts';

type Uncovered =
  | { readonly ok: true; readonly hide: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const maxEntries = 20_000;
/** Each is a mount of its own. */
const maxHidden = 256;
const maxNamed = 3;

/** `skill`: its name, for messages. `hide` is empty without a sandbox. */
export function uncoveredFiles(skill: string, skillFolder: string | null, isSandboxed: boolean): Uncovered {
  const folder = skillFolder === null ? null : realPath(skillFolder);
  if (folder === null) return { ok: true, hide: [] };
  const found = excludedIn(folder);
  const no = (why: string): Uncovered => ({ ok: false, reason: why });
  if (found === null)
    return no(
      `"${folder}" has more than ${maxEntries} files, too many to look for those that are no part of the skill "${skill}"; move generated files out of it`,
    );
  const refuse = (paths: readonly string[], why: string): Uncovered => {
    const named = paths.slice(0, maxNamed).map((path) => `"${join(folder, path)}"`);
    const more = paths.length - named.length;
    return no(
      `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}: no part of the skill "${skill}", since its digest does not cover such files, and ${why}; remove ${paths.length === 1 ? 'it' : 'them'}`,
    );
  };
  if (!isSandboxed) {
    const loaded = found.map(({ path }) => path).filter(isLoadedUnasked);
    return loaded.length === 0
      ? { ok: true, hide: [] }
      : refuse(loaded, 'without a sandbox a command could load them');
  }
  const links = found.filter(({ path, isLink }) => isLink && realPath(join(folder, path)) !== null);
  if (links.length > 0)
    return refuse(
      links.map(({ path }) => path),
      'a link cannot be hidden from a command',
    );
  const hidden = found.filter(({ isLink }) => !isLink).map(({ path }) => path);
  const unnamed = hidden.filter((path) => lstat(join(folder, path)) === null);
  if (unnamed.length > 0) return refuse(unnamed, 'a name that is not valid UTF-8 cannot be hidden');
  return hidden.length > maxHidden
    ? refuse(hidden, `no more than ${maxHidden} can be hidden from a command`)
    : { ok: true, hide: hidden.map((path) => join(folder, path)) };
}

interface Excluded {
  /** Relative to the folder. */
  readonly path: string;
  readonly isLink: boolean;
}

/** `null`: there is too much to look at. What cannot be read is not seen by commands either. */
function excludedIn(folder: string): readonly Excluded[] | null {
  const found: Excluded[] = [];
  const ahead = [''];
  let seen = 0;
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const inside = join(folder, at);
    for (const entry of looked(() => fs.readdirSync(inside, { withFileTypes: true })) ?? []) {
      seen += 1;
      if (seen > maxEntries) return null;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (isExcluded(path)) found.push({ path, isLink: entry.isSymbolicLink() });
      else if (entry.isDirectory()) ahead.push(path);
    }
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
