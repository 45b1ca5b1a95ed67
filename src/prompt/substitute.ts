// The placeholders of a body, when a person calls the skill with arguments.
//
//   $ARGUMENTS           everything, as typed        $ARGUMENTS[0]  $0   one word; unchanged when there is none
//   $topic               by the name that `arguments` gives it; nothing when there is none
//   {baseDir}  ${CLAUDE_SKILL_DIR}                   the folder of the skill
//   !`command`           its output, where that is allowed; at the start of a line or after a blank
//   \$1                  the text `$1`
//
// One pass over the body: inserted text is never read again, so an argument cannot add a placeholder or a command.
// Nothing is inserted into a command. Arguments without a placeholder are written below the body, so that none is lost.
// Commands are off unless the host offers to run them, and never run for a skill from a remote source; those that are
// off stay as written.
import type { SkillOrigin } from '../skill/types.ts';

/** The arguments of a slash command. */
export interface SlashArguments {
  /** As typed. */
  readonly text: string;
  /** Words, quotes taken away; those with a name are not among them. */
  readonly words: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

export const noArguments: SlashArguments = { text: '', words: [], named: new Map() };

/** `names`: those of `arguments` in the frontmatter. Words are given to them in order, or as `name=value`. */
export function parseSlashArguments(text: string, names: readonly string[]): SlashArguments {
  const words: string[] = [];
  const named = new Map<string, string>();
  for (const word of splitWords(text)) {
    const [, name, value] = /^([\w-]+)=([^]*)$/.exec(word) ?? [];
    if (name !== undefined && value !== undefined && names.includes(name) && !named.has(name))
      named.set(name, value);
    else words.push(word);
  }
  let at = 0;
  for (const name of names) {
    const word = words[at];
    if (named.has(name) || word === undefined) continue;
    named.set(name, word);
    at += 1;
  }
  return { text: text.trim(), words, named };
}

/** Arguments that came by name, as a prompt of MCP has them. */
export function namedArguments(
  values: { readonly [name: string]: string },
  names: readonly string[],
): SlashArguments {
  const given = Object.entries(values);
  const inOrder = [
    ...names.filter((name) => Object.hasOwn(values, name)),
    ...given.map(([name]) => name).filter((name) => !names.includes(name)),
  ];
  const words = inOrder.map((name) => values[name] as string);
  return { text: words.join(' '), words, named: new Map(given) };
}

/** Blanks part words; single and double quotes hold one together, and a backslash keeps the next character. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '\\' && quote !== "'" && at + 1 < text.length)
      word = (word ?? '') + (text[(at += 1)] as string);
    else if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || (character === "'" && word === null)) {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (word !== null) words.push(word);
  return words;
}

export interface Substitution {
  readonly arguments: SlashArguments;
  readonly argumentNames: readonly string[];
  /** The folder of the skill; `null` where there is none that could be read. */
  readonly baseFolder: string | null;
  readonly origin: SkillOrigin;
  /** Runs a command of the body, and gives what it wrote; throws when it fails. Default: commands are off. */
  readonly runCommand?: (command: string) => Promise<string>;
}

function mayRunCommands({ kind }: SkillOrigin): boolean {
  return kind === 'builtin' || kind === 'local';
}

export async function substitute(
  body: string,
  { arguments: given, argumentNames, baseFolder, origin, runCommand }: Substitution,
): Promise<string> {
  const names = argumentNames.filter((name) => /^[\w-]+$/.test(name)).sort((a, b) => b.length - a.length);
  const words = ['ARGUMENTS(?:\\[\\d{1,3}\\])?', '\\d{1,3}', ...names].join('|');
  const pattern = new RegExp(
    `\\\\?\\$(?:${words})(?![\\w-])|\\{baseDir\\}|\\$\\{CLAUDE_SKILL_DIR\\}|(?<=^|\\s)!\`[^\`\\n]+\``,
    'gm',
  );
  const pieces: string[] = [];
  let used = false;
  let at = 0;
  for (const { 0: found, index } of body.matchAll(pattern)) {
    pieces.push(body.slice(at, index));
    at = index + found.length;
    if (found === '{baseDir}' || found === '${CLAUDE_SKILL_DIR}') pieces.push(baseFolder ?? found);
    else if (found.startsWith('!`'))
      pieces.push(
        runCommand !== undefined && mayRunCommands(origin) ? await runCommand(found.slice(2, -1)) : found,
      );
    else if (found.startsWith('\\')) pieces.push(found.slice(1));
    else {
      const value = valueOf(found.slice(1), given, names);
      used ||= value !== null;
      pieces.push(value ?? found);
    }
  }
  pieces.push(body.slice(at));
  const text = pieces.join('');
  return used || given.text === '' ? text : `${text.trimEnd()}\n\nARGUMENTS: ${given.text}\n`;
}

/** `null`: it stays as written. */
function valueOf(
  word: string,
  { text, words, named }: SlashArguments,
  names: readonly string[],
): string | null {
  if (word === 'ARGUMENTS') return text;
  const [, position] = /^(?:ARGUMENTS\[)?(\d+)\]?$/.exec(word) ?? [];
  if (position !== undefined) return words[Number(position)] ?? null;
  return names.includes(word) ? (named.get(word) ?? '') : null;
}

/** The body as it is shown everywhere: only the folder is inserted. */
export function withBaseFolder(body: string, baseFolder: string | null): string {
  return baseFolder === null
    ? body
    : body.replaceAll('{baseDir}', () => baseFolder).replaceAll('${CLAUDE_SKILL_DIR}', () => baseFolder);
}
