// The table of commands as help text.
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { globalOptions, topLevelOptions, visibleCommands } from './commands.ts';

const width = 80;

export function renderOverview(): string {
  return [
    'techne finds skills (folders with a SKILL.md), explains them, says what is wrong with them, and runs them.',
    '',
    'Usage: techne COMMAND [options]',
    '',
    'Commands:',
    ...rows(visibleCommands.map((command) => [command.name, command.summary])),
    '',
    'Options for every command:',
    ...rows([...globalOptions, ...topLevelOptions].map(optionRow)),
    '',
    'Start here:',
    ...examples([
      { line: 'techne list', what: 'What is there' },
      { line: 'techne doctor', what: 'What is in the way' },
      { line: 'techne new my-skill', what: 'Make a skill' },
      { line: 'techne check .techne/skills/my-skill', what: 'See whether it is right' },
      { line: 'techne run require-heading task="Plan the release" heading=Risks', what: 'Run one' },
    ]),
    '',
    exitCodeLine,
    '',
  ].join('\n');
}

export function renderCommandHelp(command: CommandSpec): string {
  const lines = [command.summary + '.', '', `Usage: ${usageLine(command)}`, ''];
  for (const paragraph of command.details) lines.push(...wrap(paragraph, width), '');
  if (command.subcommands !== undefined)
    lines.push(
      'Commands:',
      ...rows(command.subcommands.map(({ name, summary }) => [name.slice(command.name.length + 1), summary])),
      '',
    );
  if (command.positionals.length > 0) {
    lines.push(
      'Arguments:',
      ...rows(command.positionals.map((positional) => [positional.name, positional.description])),
      '',
    );
  }
  if (command.options.length > 0) lines.push('Options:', ...rows(command.options.map(optionRow)), '');
  const own = new Set(command.options.map(({ name }) => name));
  lines.push(
    'Options for every command:',
    ...rows(globalOptions.filter(({ name }) => !own.has(name)).map(optionRow)),
    '',
  );
  if (command.examples.length > 0) lines.push('Examples:', ...examples(command.examples), '');
  lines.push(...(command.exitCodes === undefined ? [exitCodeLine] : wrap(command.exitCodes, width)), '');
  return lines.join('\n');
}

export function usageLine(command: CommandSpec): string {
  const positionals = command.positionals.map(({ name, required, repeatable }) => {
    const shown = repeatable ? `${name}…` : name;
    return required ? ` ${shown}` : ` [${shown}]`;
  });
  return `techne ${command.name}${command.subcommands === undefined ? '' : ' [COMMAND]'}${positionals.join('')} [options]`;
}

const exitCodeLine =
  'Exit codes: 0 fine, 1 problems in your files, 2 wrong usage, 3 environment, 70 a bug in techne.';

function optionRow(option: OptionSpec): readonly [string, string] {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value =
    option.value === undefined ? '' : option.optional === true ? ` [${option.value}]` : ` ${option.value}`;
  return [`${short}--${option.name}${value}`, option.description];
}

function rows(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const left = Math.max(...pairs.map(([term]) => term.length));
  return pairs.flatMap(([term, text]) => {
    const [first = '', ...more] = wrap(text, width - left - 4);
    return [`  ${term.padEnd(left)}  ${first}`, ...more.map((line) => ' '.repeat(left + 4) + line)];
  });
}

function examples(list: readonly { readonly line: string; readonly what: string }[]): readonly string[] {
  return list.flatMap(({ line, what }) => [`  ${line}`, `      ${what}`]);
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
