// The table of commands -> help text.
import { wrapWords } from './wrap-text.ts';
import type { CommandSpec, Example, OptionSpec } from './spec/command-spec.ts';
import { withoutSubcommand } from './spec/command-spec.ts';
import { commandGroups, globalOptions, topLevelOptions, visibleCommands } from './spec/commands.ts';

const width = 80;

export function renderOverview(): string {
  const left = Math.max(...visibleCommands.map(({ name }) => name.length));
  return [
    'techne finds skills (folders with a SKILL.md), checks them, and runs them.',
    '',
    'Usage: techne COMMAND [options]',
    '',
    ...commandGroups.flatMap(({ title, commands }) => [
      `${title}:`,
      ...rows(
        commands.map(({ name, summary }) => [name, summary]),
        left,
      ),
      '',
    ]),
    'Options of every command:',
    ...rows([...globalOptions, ...topLevelOptions].map(optionRow)),
    '',
    'Start here:',
    ...examples([
      { line: 'techne list', what: 'Which skills are there?' },
      { line: 'techne doctor', what: 'What does not work, and why?' },
      { line: 'techne new my-skill', what: 'Create a skill' },
      {
        line: 'techne run require-heading task="Plan the release" heading=Risks',
        what: 'Run a skill',
      },
    ]),
    '',
    exitCodeLine,
    '',
  ].join('\n');
}

/** The help of one command. The options of every command are explained once, in the overview. */
export function renderCommandHelp(command: CommandSpec): string {
  const lines = [command.summary + '.', '', `Usage: ${usageLine(command)}`, ''];
  for (const paragraph of command.details) lines.push(...wrapWords(paragraph, width), '');
  if (command.subcommands !== undefined)
    lines.push(
      'Commands:',
      ...rows(command.subcommands.map(({ name, summary }) => [name.slice(command.name.length + 1), summary])),
      '',
    );
  const itself = withoutSubcommand(command);
  if (command.positionals.length > 0) {
    lines.push(
      'Arguments:',
      ...rows(command.positionals.map((positional) => [positional.name, positional.description])),
      '',
    );
  }
  if (itself.options.length > 0) {
    const isOwn = itself.name === command.name;
    lines.push(
      isOwn ? 'Options:' : `Options of techne ${itself.name}, the default command:`,
      ...rows(itself.options.map(optionRow)),
      '',
    );
  }
  if (command.examples.length > 0) lines.push('Examples:', ...examples(command.examples), '');
  if (command.exitCodes !== undefined) lines.push(...wrapWords(command.exitCodes, width), '');
  lines.push(...wrapWords(sharedLine(command), width), '');
  return lines.join('\n');
}

function sharedLine(command: CommandSpec): string {
  const own = new Set(command.options.map(({ name }) => name));
  const shared = globalOptions.filter(({ name }) => !own.has(name)).map(({ name }) => `--${name}`);
  return `Also: ${shared.join(', ')}; see techne --help.`;
}

function usageLine(command: CommandSpec): string {
  const positionals = command.positionals.map(({ name, required, repeatable }) => {
    const shown = repeatable ? `${name}…` : name;
    return required ? ` ${shown}` : ` [${shown}]`;
  });
  return `techne ${command.name}${command.subcommands === undefined ? '' : ' [COMMAND]'}${positionals.join('')} [options]`;
}

const exitCodeLine =
  'Exit codes: 0 success, 1 errors in your files, 2 wrong usage, 3 environment, 70 a bug in techne; commands that run skills have more (techne help run).';

function optionRow(option: OptionSpec): readonly [string, string] {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value =
    option.value === undefined ? '' : option.optional === true ? ` [${option.value}]` : ` ${option.value}`;
  return [`${short}--${option.name}${value}`, option.description];
}

function rows(
  pairs: readonly (readonly [string, string])[],
  left = Math.max(...pairs.map(([term]) => term.length)),
): readonly string[] {
  return pairs.flatMap(([term, text]) => {
    const [first = '', ...more] = wrapWords(text, width - left - 4);
    return [`  ${term.padEnd(left)}  ${first}`, ...more.map((line) => ' '.repeat(left + 4) + line)];
  });
}

/** Side by side if that fits the width, else one below the other. */
function examples(list: readonly Example[]): readonly string[] {
  const left = Math.max(...list.map(({ line }) => line.length));
  const right = Math.max(...list.map(({ what }) => what.length));
  if (left + right + 4 <= width) return rows(list.map(({ line, what }) => [line, what]));
  return list.flatMap(({ line, what }) => [`  ${line}`, `      ${what}`]);
}
