// A call and its result -> the skills whose text it may have given to the model.
//
//   by path      the call names a path in the folder of a skill, links resolved; for a program also a folder of the
//                workspace around one, since it may print everything below
//   by text      the call or its result holds the path of something in the folder: absolute, from the working folder of
//                the call, or from a folder that it names; each word of a shell command may be a path
//   by content   the result holds a piece of the files (trace-texts.ts), however it was found; text that is changed
//                beyond recognition is not seen
//   by doubt     an untrusted skill that could not be read whole is in the result of any call that may read files
//                without naming them
//
// Paths are compared without case, since some disks do. It may find one skill too many, never one too few. Text that a
// file of the workspace outside these folders held before the conversation began is not a trace by content where the
// call, or the beginning of a line of its result, names that file: it is there without the skill.
import type { Json } from '../../base/json.ts';
import { isInside } from '../../base/is-inside.ts';
import type { TextTrace } from './trace-texts.ts';

export interface TracedSkill {
  readonly skill: string;
  /** Absolute: as found, and with links resolved. */
  readonly folders: readonly string[];
}

export interface TracedCall {
  readonly words: readonly string[];
  /** Where it works. `null`: in the workspace. */
  readonly from: string | null;
  /** The result, in which paths are looked for. */
  readonly text: string;
  /** The result and may be text of a skill. */
  readonly given: string;
  /** Whether it may give what is below a folder that it names without naming it. */
  readonly isProgram: boolean;
  /** Whether it may read files that it does not name. */
  readonly readsUnseen: boolean;
}

interface TraceOptions {
  readonly places: readonly TracedSkill[];
  /** Of untrusted skills. */
  readonly texts: Pick<TextTrace, 'find'>;
  /** Those of them that could not be read whole. */
  readonly unread: readonly string[];
  /** Absolute, with links resolved; a path that leads nowhere counts where it would be. `null`: nowhere. */
  readonly resolve: (path: string, from: string | null) => string | null;
  /** What those of these files held before the conversation began that lie in the workspace, outside the skill folders; the paths are as `resolve` gives them. */
  readonly readOutside: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** A longer word is a text, and no path. */
const maxPathUnits = 4096;

/** Of one call: a text of more words is not for a shell. */
const maxShellWords = 500;

/** Files outside the skill folders that one call names. */
const maxNamedFiles = 50;

/** Of one call, by name: the others are counted. */
const maxUnreadNamed = 5;

export async function traceSkills(call: TracedCall, options: TraceOptions): Promise<readonly string[]> {
  const { texts, unread } = options;
  return [
    ...new Set([
      ...tracePaths(call, options),
      ...(await traceContent(call, texts, options)),
      ...(call.readsUnseen ? nameUnread(unread) : []),
    ]),
  ];
}

async function traceContent(
  call: TracedCall,
  texts: TraceOptions['texts'],
  { resolve, readOutside }: TraceOptions,
): Promise<readonly string[]> {
  const found = texts.find(call.given);
  if (found.length === 0) return [];
  const outside = await readOutside(namedFiles(call, resolve));
  return outside.length === 0 ? found : texts.find(call.given, outside);
}

/** A thousand names are of no use; the last one is not the name of a skill, so it cannot become trusted. */
function nameUnread(unread: readonly string[]): readonly string[] {
  const more = unread.length - maxUnreadNamed;
  return more <= 0
    ? unread
    : [...unread.slice(0, maxUnreadNamed), `${more} more that could not be read whole`];
}

/** `LICENSE:7: text` names one, too: from where the call works, or from the folder that a tool was given. */
function namedFiles(
  { words, from, given, isProgram }: TracedCall,
  resolve: TraceOptions['resolve'],
): readonly string[] {
  const named = pathsOf(words, isProgram).map((path) => [path, from] as const);
  const before = new Set(Array.from(given.matchAll(/^([^:\n]{1,1000}):/gm), ([, path]) => path as string));
  const starts = isProgram || words.length === 0 ? [from] : words;
  const inLines = [...before].flatMap((path) => starts.map((start) => [path, start] as const));
  const files = new Set<string>();
  for (const [path, start] of [...named, ...inLines].slice(0, maxShellWords)) {
    const real = resolve(path, start);
    if (real !== null && files.size < maxNamedFiles) files.add(real);
  }
  return [...files];
}

function pathsOf(words: readonly string[], isProgram: boolean): readonly string[] {
  const short = words.filter((word) => word.length <= maxPathUnits);
  const ofShells = isProgram ? short.flatMap(shellWords).slice(0, maxShellWords) : [];
  return [...new Set([...short, ...ofShells].flatMap(pathsIn))];
}

function tracePaths(
  { words, from, text, isProgram }: TracedCall,
  { places, resolve }: TraceOptions,
): readonly string[] {
  if (places.length === 0) return [];
  const pathOf = (path: string, start: string | null): readonly string[] => {
    const real = resolve(path, start);
    return real === null ? [] : [fold(real)];
  };
  const [root = '/'] = pathOf('.', null);
  const start = from === null ? [root] : pathOf(from, null);
  const named = [
    ...(from === null ? [] : start),
    ...pathsOf(words, isProgram).flatMap((path) => pathOf(path, from)),
  ];
  const bases = [...new Set([root, ...start, ...named])];
  const said = fold(words.join('\n'));
  const given = fold(text);
  // For a shell, for example: which paths it stands for is not known here.
  const patterns = fold(words.filter((word) => /[\s*?[{$`]/.test(word)).join('\n'));
  const isTraced = (folder: string): boolean =>
    named.some(
      (path) =>
        isInside(path, folder) ||
        (isProgram && path !== root && isInside(path, root) && isInside(folder, path)),
    ) ||
    bases
      .flatMap((base) => below(folder, base))
      .concat(folder)
      .some((path) => holdsPath(said, path) || holdsPath(given, path)) ||
    (isProgram && around(folder, root).some((path) => holdsPath(patterns, path)));
  return places
    .filter(({ folders }) => folders.some((folder) => isTraced(fold(folder))))
    .map(({ skill }) => skill);
}

/** Every text in a value, however deep. */
export function textsOfCall(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((each: Json) => textsOfCall(each));
}

/** `--file=PATH` and `HEAD:PATH` hold one, too. */
function pathsIn(word: string): readonly string[] {
  return [
    word,
    ...['=', ':'].filter((mark) => word.includes(mark)).map((mark) => word.slice(word.indexOf(mark) + 1)),
  ].filter((path) => path !== '');
}

/** The words of a shell line or a program, between blanks and signs. */
function shellWords(word: string): readonly string[] {
  const parts = word.split(/[\s;&|()<>'"`,]+/);
  return parts.length < 2 ? [] : parts;
}

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
