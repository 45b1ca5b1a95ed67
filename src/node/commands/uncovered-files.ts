// What lies in the folder of a skill and is no part of it, because its digest does not cover it.
//
//   skill folder -> what a sandbox hides from its commands, or why they cannot run
//
// Trust in a digest says nothing about files that the digest leaves out (skill/resources.ts), and every file can be
// executed: a compiled module in __pycache__ runs in the place of the source that a person has looked at, and a script
// can read on in .git or in a backup file. So a sandboxed command finds them empty, and where they cannot be hidden it
// does not start: without a sandbox, or where one of them is a link. A link to nothing, as editors leave behind, is let
// be.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { isExcluded } from '../../skill/resources.ts';
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
  const present = found.filter(({ path, isLink }) => !isLink || realPath(join(folder, path)) !== null);
  const pathsOf = (of: readonly Excluded[]): readonly string[] => of.map(({ path }) => path);
  if (!isSandboxed)
    return present.length === 0
      ? { ok: true, hide: [] }
      : refuse(
          pathsOf(present),
          `without a sandbox a command could execute ${present.length === 1 ? 'it' : 'them'}`,
        );
  const links = present.filter(({ isLink }) => isLink);
  if (links.length > 0) return refuse(pathsOf(links), 'a link cannot be hidden from a command');
  const hidden = pathsOf(present);
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
