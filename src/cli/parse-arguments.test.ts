import { describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import { everyCommand, globalOptions } from './spec/commands.ts';
import { numberOption, parseArguments } from './parse-arguments.ts';

function fault(argv: readonly string[]): readonly [string, string | null] {
  try {
    parseArguments(argv);
  } catch (error) {
    if (error instanceof TechneError && error.code === 'USAGE') return [error.message, error.hint];
    throw error;
  }
  return ['', null];
}

describe('parseArguments', () => {
  it('takes options before, between and after', () => {
    const args = parseArguments(['--root', 'a', 'check', '--root=b', 'x', '-q', 'y', '--format', 'json']);
    expect([
      args.command?.name,
      args.positionals,
      args.values('root'),
      args.flag('quiet'),
      args.value('format'),
    ]).toEqual(['check', ['x', 'y'], ['a', 'b'], true, 'json']);
  });

  it('takes everything after -- as it stands', () => {
    expect(parseArguments(['search', '--', '--json', '-x']).positionals).toEqual(['--json', '-x']);
  });

  it('lets the last value of an option count', () => {
    expect(parseArguments(['check', '--format', 'json', '--format', 'text']).value('format')).toBe('text');
  });

  it('takes a value that starts with a dash after =', () => {
    expect(parseArguments(['new', 'x', '--description=-y']).value('description')).toBe('-y');
  });

  it('takes a negative number as a value, and never as an option', () => {
    expect([
      parseArguments(['index', '--budget', '-5']).value('budget'),
      parseArguments(['answer', 'x', '--json', '-0.5']).value('json'),
      parseArguments(['answer', 'x', '--text', '-.5']).value('text'),
    ]).toEqual(['-5', '-0.5', '-.5']);
    expect(() => numberOption(parseArguments(['index', '--budget', '-5']), 'budget', 0, 50)).toThrow(
      '--budget must be a whole number from 0 to 50, not "-5"',
    );
  });

  it('knows the commands of a group, and which one is meant without a name', () => {
    expect([
      parseArguments(['runs', 'show', 'x']).command?.name,
      parseArguments(['--json', 'runs', '-q', 'diff', 'a', 'b']).command?.name,
    ]).toEqual(['runs show', 'runs diff']);
    expect([
      parseArguments(['runs']).command?.name,
      parseArguments(['runs', '--limit', '3']).value('limit'),
      parseArguments(['runs', '--help']).command?.name,
    ]).toEqual(['runs list', '3', 'runs']);
    expect(parseArguments(['runs', 'show', '--help']).command?.name).toBe('runs show');
  });

  it('lets an option of a command count over one of every command, with or without its value', () => {
    expect([
      parseArguments(['answer', 'x', '--json', '{"a": 1}']).value('json'),
      parseArguments(['answer', 'x', '--json']).flag('json'),
      parseArguments(['answer', 'x', '--json', '--text', 'y']).value('text'),
    ]).toEqual(['{"a": 1}', true, 'y']);
    expect(parseArguments(['list', '--json']).flag('json')).toBe(true);
  });

  const faults: readonly (readonly [readonly string[], string, string | null])[] = [
    [['lits'], '"lits" is not a command', 'did you mean "techne list"?'],
    [['package'], '"package" is not a command', 'did you mean "techne mcp package"?'],
    [['frobnicate'], '"frobnicate" is not a command', 'see "techne --help"'],
    [['check', '--fromat', 'json'], '--fromat is not an option', 'did you mean --format?'],
    [['list', '-x'], '-x is not an option', 'see "techne list --help"'],
    [['--body', 'show', 'x'], '--body is not an option', 'it goes after the command: techne show --body'],
    [['check', '--format'], '--format needs a value: --format FORMAT', 'see "techne check --help"'],
    [['check', '--format', '--json'], '--format needs a value: --format FORMAT', 'see "techne check --help"'],
    [
      ['answer', 'x', '--text', '-y'],
      '--text needs a value: --text TEXT',
      'if "-y" is the value, write --text=-y',
    ],
    [
      ['answer', 'x', '--text', "- it's so"],
      '--text needs a value: --text TEXT',
      `if "- it's so" is the value, write --text='- it'\\''s so'`,
    ],
    [['answer', 'x', '--text', '-q'], '--text needs a value: --text TEXT', 'see "techne answer --help"'],
    [
      ['check', '--format', 'sarfi'],
      '--format must be one of text, json, sarif, not "sarfi"',
      'did you mean "sarif"?',
    ],
    [['list', '--json=yes'], '--json takes no value', 'see "techne list --help"'],
    [['show'], 'NAME is missing', 'see "techne show --help"'],
    [['show', 'a', 'b'], '"b" is one argument too many', 'see "techne show --help"'],
    [['completion', 'bsh'], 'SHELL must be one of bash, zsh, fish, not "bsh"', 'did you mean "bash"?'],
    [['list', '--root='], '--root needs a value: --root DIR', 'see "techne list --help"'],
    [['runs', 'shwo', 'x'], '"shwo" is not a command of techne runs', 'did you mean "techne runs show"?'],
    [['runs', 'frobnicate'], '"frobnicate" is not a command of techne runs', 'see "techne runs --help"'],
    [['runs', 'show'], 'RUN is missing', 'see "techne runs show --help"'],
    [['runs', '--limit', '3', 'show', 'x'], '--limit is not an option', 'see "techne runs show --help"'],
    [['runs', 'list', '--staus', 'paused'], '--staus is not an option', 'did you mean --status?'],
    [['resume', 'x'], '"resume" is not a command', 'did you mean "techne runs resume"?'],
  ];
  for (const [argv, message, hint] of faults) {
    it(`explains techne ${argv.join(' ')}`, () => {
      expect(fault(argv)).toEqual([message, hint]);
    });
  }

  it('reads numbers and refuses what is not one', () => {
    expect(numberOption(parseArguments(['search', '--limit', '7']), 'limit', 1, 50)).toBe(7);
    for (const wrong of ['0', '51', '7x', '1e1', ' 7']) {
      expect(() => numberOption(parseArguments(['search', `--limit=${wrong}`]), 'limit', 1, 50)).toThrow(
        `--limit must be a whole number from 1 to 50, not "${wrong}"`,
      );
    }
  });
});

describe('commands', () => {
  it('gives every command a summary, an example and options that clash with no other', () => {
    for (const command of everyCommand) {
      // An option with a value that may be left out is the usual one without it.
      const names = [...globalOptions, ...command.options.filter(({ optional }) => optional !== true)].map(
        ({ name }) => name,
      );
      expect([
        command.name,
        new Set(names).size,
        command.summary.endsWith('.'),
        command.examples.length > 0,
      ]).toEqual([command.name, names.length, false, true]);
    }
  });
});
