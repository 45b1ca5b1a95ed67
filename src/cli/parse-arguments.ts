// Parses a command line by the table of commands.
//
//   argv -> Arguments      or a USAGE error with a suggestion
//
// Options can be before or after the command and between positionals; `--` ends them. `--name value` and `--name=value` are
// the same; a flag has no value. If an option that is not repeatable is given twice, the last one counts. A word that starts with
// a dash is not the value of the option before it, except a negative number; such values are written with `=`. A command with
// subcommands defaults to its first one, or to itself where it takes arguments.
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { CommandSpec, OptionSpec } from './spec/command-spec.ts';
import { withoutSubcommand } from './spec/command-spec.ts';
import { everyCommand, globalOptions, topLevelOptions, visibleCommands } from './spec/commands.ts';
import { completeCommand } from './spec/setup-commands.ts';
import { resolve } from 'node:path';

export interface Arguments {
  /** `null` when no command was given. */
  readonly command: CommandSpec | null;
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  value(name: string): string | null;
  values(name: string): readonly string[];
}

export function parseArguments(argv: readonly string[]): Arguments {
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  let command: CommandSpec | null = null;
  let ended = false;
  const pending: { name: string; value: string | null }[] = [];

  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (ended || word === '-' || !word.startsWith('-')) {
      if (command === null && !ended) command = findCommand(word);
      else if (command?.subcommands !== undefined && !ended) {
        const member = findSubcommand(command, command.subcommands, word);
        if (member === null) positionals.push(word);
        command = member ?? withoutSubcommand(command);
      } else positionals.push(word);
      continue;
    }
    if (word === '--') {
      ended = true;
      continue;
    }
    for (const { name, value } of splitWord(word)) {
      const option = findOption(name, command);
      if (option.value === undefined) {
        if (value !== null) throw usage(`${name} takes no value`, command);
        pending.push({ name: option.name, value: null });
      } else if (value !== null) {
        pending.push({ name: option.name, value: checked(option, value, command) });
      } else {
        const next = argv[at + 1];
        if (next === undefined || (next.startsWith('-') && next !== '-' && !negativeNumber.test(next))) {
          if (option.optional !== true)
            throw usage(
              `${name} needs a value: ${name} ${option.value}`,
              command,
              next === undefined || isKnown(next, command)
                ? undefined
                : `if "${printableLine(next)}" is the value, write --${option.name}=${quoted(next)}`,
            );
          pending.push({ name: option.name, value: null });
          continue;
        }
        at += 1;
        pending.push({ name: option.name, value: checked(option, next, command) });
      }
    }
  }

  if (command?.subcommands !== undefined && !pending.some(({ name }) => name === 'help'))
    command = withoutSubcommand(command);
  for (const { name, value } of pending) {
    // Options between a group and its command were looked up before the command was known.
    if (command !== null && topLevelOptions.every((option) => option.name !== name))
      findOption(`--${name}`, command);
    const list = given.get(name) ?? [];
    list.push(value ?? '');
    given.set(name, list);
  }
  const parsed: Arguments = {
    command,
    positionals,
    flag: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1) ?? null,
    values: (name) => given.get(name) ?? [],
  };
  if (command !== null && !parsed.flag('help')) checkPositionals(command, positionals);
  return parsed;
}

/** A whole number from `min`, or a USAGE error. */
export function numberOption(args: Arguments, name: string, min: number, max: number): number | null {
  const text = args.value(name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
  throw usage(
    `--${name} must be a whole number from ${min} to ${max}, not "${printableLine(text)}"`,
    args.command,
  );
}

const negativeNumber = /^-\.?\d/;

/** Whether a word is an option, or the `--` that ends them. */
function isKnown(word: string, command: CommandSpec | null): boolean {
  return word === '--' || splitWord(word).every(({ name }) => optionNamed(name, command) !== undefined);
}

/** Quoted for a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${printableLine(word).replaceAll("'", "'\\''")}'`;
}

function splitWord(word: string): readonly { name: string; value: string | null }[] {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    return equals === -1
      ? [{ name: word, value: null }]
      : [{ name: word.slice(0, equals), value: word.slice(equals + 1) }];
  }
  return Array.from(word.slice(1), (letter) => ({ name: `-${letter}`, value: null }));
}

/** Finds a command by its whole name, such as `runs list`. */
export function commandNamed(name: string): CommandSpec | undefined {
  return [...everyCommand, completeCommand].find((command) => command.name === name);
}

function findCommand(word: string): CommandSpec {
  const found = commandNamed(word);
  if (found !== undefined) return found;
  const meant = meantCommand(word);
  throw new TechneError('USAGE', `"${printableLine(word)}" is not a command`, {
    hint: meant === null ? 'see "techne --help"' : `did you mean "techne ${meant}"?`,
  });
}

/** `null`: the word is an argument of the first one, for a group that has arguments. */
function findSubcommand(
  group: CommandSpec,
  subcommands: readonly CommandSpec[],
  word: string,
): CommandSpec | null {
  const found = subcommands.find(({ name }) => name === `${group.name} ${word}`);
  if (found !== undefined) return found;
  if (group.positionals.length > 0) return null;
  const meant = nearest(
    word,
    subcommands.map(({ name }) => name.slice(group.name.length + 1)),
  );
  throw usage(
    `"${printableLine(word)}" is not a command of techne ${group.name}`,
    group,
    meant === null ? undefined : `did you mean "techne ${group.name} ${meant}"?`,
  );
}

/** Names that other tools have for our commands. */
const otherNames: { readonly [word: string]: string } = {
  version: '--version',
  ls: 'list',
  dir: 'list',
  init: 'new',
  create: 'new',
  add: 'new',
  validate: 'check',
  lint: 'check',
  verify: 'check',
  info: 'show',
  view: 'show',
  cat: 'show',
  find: 'search',
  grep: 'search',
  diagnose: 'doctor',
  status: 'doctor',
  settings: 'config',
  exec: 'run',
  execute: 'run',
  start: 'run',
  invoke: 'run',
  reply: 'answer',
  approve: 'answer',
  logs: 'runs show',
  history: 'runs list',
  ps: 'runs list',
  resume: 'runs resume',
  replay: 'runs replay',
  cancel: 'runs cancel',
  fork: 'runs fork',
  tests: 'test',
};

/** The command that a wrong word most likely means. */
export function meantCommand(word: string): string | null {
  const other = Object.hasOwn(otherNames, word.toLowerCase()) ? otherNames[word.toLowerCase()] : undefined;
  return (
    other ??
    nearest(
      word,
      visibleCommands.map((command) => command.name),
    ) ??
    subcommandCalled(word)
  );
}

/** The one command of a group that has this name; `null` where several groups have one. */
function subcommandCalled(word: string): string | null {
  const found = everyCommand.filter(({ name }) => name.endsWith(` ${word}`));
  return found.length === 1 ? (found[0] as CommandSpec).name : null;
}

function findOption(name: string, command: CommandSpec | null): OptionSpec {
  const found = optionNamed(name, command);
  if (found !== undefined) return found;
  const known = knownOptions(command);
  const meant = name.startsWith('--')
    ? nearest(
        name.slice(2),
        known.map((option) => option.name),
      )
    : null;
  const owner = command === null ? optionOwner(name) : undefined;
  throw usage(
    `${printableLine(name)} is not an option`,
    command,
    meant !== null
      ? `did you mean --${meant}?`
      : owner === undefined
        ? undefined
        : `it goes after the command: techne ${owner.name} ${name}`,
  );
}

function optionNamed(name: string, command: CommandSpec | null): OptionSpec | undefined {
  return knownOptions(command).find((option) =>
    name.startsWith('--')
      ? `--${option.name}` === name
      : option.short !== undefined && `-${option.short}` === name,
  );
}

function knownOptions(command: CommandSpec | null): readonly OptionSpec[] {
  return [...(command === null ? topLevelOptions : withoutSubcommand(command).options), ...globalOptions];
}

function optionOwner(name: string): CommandSpec | undefined {
  return everyCommand.find((command) => command.options.some((option) => `--${option.name}` === name));
}

function checked(option: OptionSpec, value: string, command: CommandSpec | null): string {
  if (value === '' && option.name !== 'description')
    throw usage(`--${option.name} needs a value: --${option.name} ${option.value}`, command);
  if (option.choices === undefined || option.choices.includes(value)) return value;
  const meant = nearest(value, option.choices);
  throw usage(
    `--${option.name} must be one of ${option.choices.join(', ')}, not "${printableLine(value)}"`,
    command,
    meant === null ? undefined : `did you mean "${meant}"?`,
  );
}

function checkPositionals(command: CommandSpec, positionals: readonly string[]): void {
  const last = command.positionals.at(-1);
  const needed = command.positionals.filter((positional) => positional.required).length;
  if (positionals.length < needed)
    throw usage(`${command.positionals[positionals.length]?.name} is missing`, command);
  if (positionals.length > command.positionals.length && last?.repeatable !== true) {
    throw usage(
      `"${printableLine(positionals[command.positionals.length] as string)}" is one argument too many`,
      command,
    );
  }
  for (const [at, positional] of command.positionals.entries()) {
    const value = positionals[at];
    if (value === undefined || positional.choices === undefined || positional.choices.includes(value))
      continue;
    const meant = nearest(value, positional.choices);
    throw usage(
      `${positional.name} must be one of ${positional.choices.join(', ')}, not "${printableLine(value)}"`,
      command,
      meant === null ? undefined : `did you mean "${meant}"?`,
    );
  }
}

export function usage(message: string, command: CommandSpec | null, hint?: string): TechneError {
  return new TechneError('USAGE', message, {
    hint: hint ?? (command === null ? 'see "techne --help"' : `see "techne ${command.name} --help"`),
  });
}

// The value of --answer -> the answerer, as the host expects it.

/** Files are relative to the current folder. */
export function answererSpec(given: string | null, cwd: string): string | null {
  const fromFile = given === null ? null : /^(script|replay):([^]*)$/.exec(given);
  if (fromFile === null) return given;
  if (fromFile[2] === '')
    throw new TechneError('USAGE', `--answer ${given} names no file`, {
      hint: `write ${fromFile[1]}:answers.yaml`,
    });
  return `${fromFile[1]}:${resolve(cwd, fromFile[2] as string)}`;
}
