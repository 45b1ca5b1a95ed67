// The order in which the files of a skill are read and scanned, while limits last.
//
//   files -> SKILL.md, what can be executed or is read as instructions, everything else
//
// Who writes a skill chooses the names of its files, so the order of names must not decide what is left out.
import { languageOf } from './classify/language.ts';
import type { Language } from './detector.ts';

const dataLanguages: ReadonlySet<Language> = new Set(['text', 'json', 'yaml', 'toml', 'html']);

/** `first`: a file that is about to be handed out. */
export function inScanOrder<
  File extends { readonly path: string; readonly executable: boolean; readonly size: number },
>(files: readonly File[], first: string | null = null): readonly File[] {
  const rank = ({ path, executable, size }: File): number => {
    if (path.toLowerCase() === 'skill.md') return 0;
    if (path === first) return 1;
    if (size === 0) return 5;
    if (/(?:^|\/)\.git\//.test(path)) return 4;
    if (executable || path.startsWith('scripts/') || !dataLanguages.has(languageOf(path, ''))) return 2;
    return 3;
  };
  return files
    .map((file) => ({ file, rank: rank(file) }))
    .toSorted(
      (a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0),
    )
    .map(({ file }) => file);
}
