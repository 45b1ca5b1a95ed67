// A call and what came of it -> the skills whose files it may have brought before the model.
//
// B1. By path: what the call names lies in the folder of a skill, links resolved; of a program also a folder of the workspace
//     around one, since it may print everything below.
// B2. By text: what the call says, or what came of it, holds the path of something in the folder: absolute, from where the
//     call works, or from a folder that it names.
// B3. What names no path is not seen: a copy elsewhere, or a program that finds the files by itself and prints only text.
// B4. Letters of either case are the same: on some disks they are. It may find one too many, never one too few.
import type { Json } from '../base/json.ts';
import { isInside } from '../registry/is-inside.ts';

export interface SkillPlace {
  readonly skill: string;
  /** Absolute: as found, and with links resolved. */
  readonly folders: readonly string[];
}

export interface TracedCall {
  readonly words: readonly string[];
  /** Where it works. `null`: in the workspace. */
  readonly from: string | null;
  readonly text: string;
  /** Whether it may give what is below a folder that it names without naming it (B1). */
  readonly isProgram: boolean;
}

export interface TraceOptions {
  readonly places: readonly SkillPlace[];
  /** Absolute, with links resolved; a path that leads nowhere counts where it would be. `null`: nowhere. */
  readonly resolve: (path: string, from: string | null) => string | null;
}

/** A longer word is a text, and no path. */
const maxPathUnits = 4096;

export function traceSkills({ words, from, text, isProgram }: TracedCall, { places, resolve }: TraceOptions): readonly string[] {
  if (places.length === 0) return [];
  const pathOf = (path: string, start: string | null): readonly string[] => {
    const real = resolve(path, start);
    return real === null ? [] : [fold(real)];
  };
  const [root = '/'] = pathOf('.', null);
  const start = from === null ? [root] : pathOf(from, null);
  const named = [...(from === null ? [] : start), ...words.filter((word) => word.length <= maxPathUnits).flatMap((word) => pathsIn(word).flatMap((path) => pathOf(path, from)))];
  const bases = [...new Set([root, ...start, ...named])];
  const said = fold(words.join('\n'));
  const given = fold(text);
  // For a shell, say: which paths it stands for, nobody knows here.
  const patterns = fold(words.filter((word) => /[\s*?[{$`]/.test(word)).join('\n'));
  const isTraced = (folder: string): boolean =>
    named.some((path) => isInside(path, folder) || (isProgram && path !== root && isInside(path, root) && isInside(folder, path))) ||
    bases.flatMap((base) => below(folder, base)).concat(folder).some((path) => holdsPath(said, path) || holdsPath(given, path)) ||
    (isProgram && around(folder, root).some((path) => holdsPath(patterns, path)));
  return places.filter(({ folders }) => folders.some((folder) => isTraced(fold(folder)))).map(({ skill }) => skill);
}

/** Every text in a value, however deep. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((each: Json) => textsIn(each));
}

/** `--file=PATH` and `HEAD:PATH` hold one, too. */
function pathsIn(word: string): readonly string[] {
  return [word, ...['=', ':'].filter((mark) => word.includes(mark)).map((mark) => word.slice(word.indexOf(mark) + 1))].filter((path) => path !== '');
}

/** B4. */
function fold(text: string): string {
  return text.replaceAll('\\', '/').toLowerCase();
}

function below(folder: string, base: string): readonly string[] {
  return folder !== base && isInside(folder, base) ? [folder.slice(base.length).replace(/^\/+/, '')] : [];
}

/** `.techne/skills` and `.techne`, of `.techne/skills/tides`. */
function around(folder: string, root: string): readonly string[] {
  const names = below(folder, root).flatMap((path) => path.split('/'));
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}

/** Whether something in `folder` is named: not where it is the end of a longer name. */
function holdsPath(text: string, folder: string): boolean {
  const sought = `${folder}/`;
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}_.-]/u.test(text[at - 1] as string)) return true;
  }
  return false;
}
