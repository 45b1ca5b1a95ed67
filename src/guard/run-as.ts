// Files that a skill says to run, whatever they are called.
//
//   texts -> path -> the languages that it is run with
//
// `bash assets/a.txt` makes a script of a text. A file is known by its last name: the folder that a command runs in is not.
import type { GuardFile, Language } from './detector.ts';

const runs =
  /(?<![\w.-])(?:(bash|sh|zsh|dash|ksh|source|\.)|(python[\d.]{0,4}|uv run|pypy3?)|(node|bun|deno run|tsx)|(perl|awk -f|gawk -f)|(ruby)|(php)|(pwsh|powershell))(?:[ \t]{1,4}-[\w-]{1,20}){0,3}[ \t]{1,4}["'`]?([^\s"'`;|&<>()]{1,200})/g;
const languages: readonly Language[] = ['shell', 'python', 'javascript', 'perl', 'ruby', 'php', 'powershell'];

export function runAs(
  texts: readonly { readonly raw: string }[],
  files: readonly GuardFile[],
): ReadonlyMap<string, ReadonlySet<Language>> {
  const byName = new Map<string, string[]>();
  for (const { path } of files) {
    const name = nameOf(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const found = new Map<string, Set<Language>>();
  for (const { raw } of texts)
    for (const match of raw.matchAll(runs)) {
      const at = match.slice(1, 8).findIndex((word) => word !== undefined);
      const name = nameOf((match[8] as string).replace(/[.,:]$/, ''));
      for (const path of byName.get(name) ?? [])
        found.set(path, (found.get(path) ?? new Set()).add(languages[at] as Language));
    }
  return found;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
