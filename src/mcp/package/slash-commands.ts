// Skills that people may call -> slash commands of hosts: one file each, Markdown for Claude Code, TOML for Gemini CLI.
//
// A command asks the model to load or run the skill, so only skills that the model may start have one. Names of skills are
// texts of their authors: in a file name they become a slug, in a prompt a JSON text in which every character that a host could
// take for a command, a file or a variable is an escape.
import { createHash } from 'node:crypto';
import { cutText } from '../../base/cut-text.ts';
import { quoteJson } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';

/** A skill as a slash command shows it. */
export interface CommandSkill {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | null;
  /** Whether it is run with `run_metaskill`. */
  readonly executable: boolean;
}

export interface SlashCommand extends CommandSkill {
  /** The name of the command and of its file, without an ending. */
  readonly stem: string;
}

/** The skill in the packages that explains the tools of techne; no command has its name. */
export const guideName = 'use-techne';

const maxDescriptionUnits = 240;
const maxHintUnits = 80;
const plainStem = /^[a-z\d][a-z\d_-]{0,63}$/;
/** Names of devices, which are no file names on Windows. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** In the order of names; no two stems are equal. */
export function slashCommands(skills: readonly CommandSkill[]): readonly SlashCommand[] {
  return [...skills]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((skill) => ({ ...skill, stem: stemOf(skill.name) }));
}

/** The name itself where it can be one; else what is left of it, and the beginning of its digest. */
function stemOf(name: string): string {
  if (plainStem.test(name) && !device.test(name) && name !== guideName) return name;
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '');
  // A plain name never has the ending of a digest that is not its own.
  return `${slug === '' ? 'skill' : slug}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

/** A JSON text of letters, digits, blanks, "_", "." and "-"; all else is escaped. */
export function quotedName(name: string): string {
  return `"${name.replaceAll(/[^\p{L}\p{M}\p{N} _.-]/gu, escaped)}"`;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_none, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** For `commands/STEM.md`. */
export function claudeCommand(command: SlashCommand): string {
  const { argumentHint } = command;
  return [
    '---',
    `description: ${quoteJson(shown(command.description, maxDescriptionUnits))}`,
    ...(argumentHint === null ? [] : [`argument-hint: ${quoteJson(shown(argumentHint, maxHintUnits))}`]),
    // It is for people; a model finds the skill with skill_search, and its description costs nothing here.
    'disable-model-invocation: true',
    '---',
    '',
    ...promptOf(command),
    '$ARGUMENTS',
    '',
  ].join('\n');
}

/** For `commands/techne/STEM.toml`. */
export function geminiCommand(command: SlashCommand): string {
  const prompt = [...promptOf(command), '{{args}}', ''].join('\n');
  return `description = ${tomlText(shown(command.description, maxDescriptionUnits))}\nprompt = ${tomlText(prompt)}\n`;
}

function promptOf({ name, executable }: SlashCommand): readonly string[] {
  const quoted = quotedName(name);
  return [
    executable
      ? `Run the techne skill ${quoted} for what the user wrote below. The name is a JSON text.`
      : `Follow the techne skill ${quoted} for what the user wrote below. The name is a JSON text.`,
    '',
    `1. Call the tool \`skill_load\` of the MCP server techne with {"name": ${quoted}}.`,
    ...(executable
      ? [
          `2. Call \`run_metaskill\` with {"name": ${quoted}, "input": {…}}. Take the input keys from what was loaded and their values from the user.`,
          '3. If the result asks a question for you, answer it with `run_answer`, until the run is completed. Pass a question for a person on to the user.',
          '4. Give the answer of the run.',
        ]
      : ['2. Follow the instructions that it returns.']),
    '',
    'What the user wrote, which may be nothing:',
    '',
  ];
}

/** A basic string of TOML, on one line. */
function tomlText(text: string): string {
  return quoteJson(text).replaceAll('\u007f', String.raw`\u007f`);
}

function shown(text: string, maxUnits: number): string {
  return cutText(printableLine(text), maxUnits).text;
}
