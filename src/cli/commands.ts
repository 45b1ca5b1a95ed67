// Every command, once.
//
//   this table -> parse-arguments.ts, render-help.ts, render-completion.ts, main.ts
//
// A command's code is behind `load`: `--version` and `--help` import none of it.
import type { CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';
import { matchCommands } from './match-commands.ts';
import { mcpCommands } from './mcp-commands.ts';
import { chatCommands } from './chat-commands.ts';
import { promptCommands } from './prompt-commands.ts';
import { runCommands } from './run-commands.ts';

const formNames = ['instructions', 'program', 'composition', 'workflow', 'chain'];

export const globalOptions: readonly OptionSpec[] = [
  { name: 'json', description: 'Print one JSON value instead of text; for errors and help too' },
  {
    name: 'root',
    value: 'DIR',
    repeatable: true,
    complete: 'folder',
    description: 'Look for skills in this folder only; may be repeated',
  },
  {
    name: 'workspace',
    value: 'DIR',
    complete: 'folder',
    description: 'The workspace, instead of the one around the current folder',
  },
  { name: 'all', description: 'Show also what was skipped, shadowed or is not ready' },
  { name: 'no-cache', description: 'Read every skill anew' },
  { name: 'color', description: 'Use colours even when the output is not a terminal' },
  { name: 'no-color', description: 'Use no colours' },
  { name: 'quiet', short: 'q', description: 'Print no hints and no progress' },
  { name: 'help', short: 'h', description: 'Show this help' },
];

/** Only before or without a command. */
export const topLevelOptions: readonly OptionSpec[] = [
  { name: 'version', short: 'V', description: 'Print the version' },
];

const skillName: PositionalSpec = {
  name: 'NAME',
  description: 'The name of a skill',
  required: true,
  repeatable: false,
  complete: 'skill',
};

export const commands: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'Show the skills that were found',
    details: [
      'A line for each skill: name, source, form, facts and description. Facts that are plain are left out: "not ready" means that something it requires is missing, "user only" and "model only" say who can invoke it.',
      '--json prints an array. With --all every skill in it has "reasons", what is in its way; after them come shadowed skills with "shadowedBy" and "reason", and what was skipped as {"skipped": true, "code", "message", "path"}.',
    ],
    positionals: [],
    options: [
      {
        name: 'source',
        value: 'SOURCE',
        choices: ['builtin', 'plugin', 'user', 'workspace'],
        description: 'Show only skills of this source: builtin, plugin, user or workspace',
      },
      { name: 'strict', description: 'Exit with 1 if a skill file has an error' },
    ],
    examples: [
      { line: 'techne list', what: 'The skills of this workspace, of the user and of techne itself' },
      { line: 'techne list --all', what: 'Also shadowed skills and skipped folders, with the reasons' },
      { line: 'techne list --root ./skills --json', what: 'The skills in one folder, for a program' },
    ],
    load: async () => (await import('./commands/list.ts')).runList,
  },
  {
    name: 'show',
    summary: 'Show everything known about a skill',
    details: [
      'Where it is, its form, its facts with their reasons, inputs, triggers, requirements, sections, files, version and digest.',
      '--body shows control and invisible characters as escapes, so that nothing in a skill can command the terminal; --body --json gives it exactly.',
    ],
    positionals: [skillName],
    options: [{ name: 'body', description: 'Print the body of its SKILL.md only' }],
    examples: [
      { line: 'techne show diff-review', what: 'One skill in full' },
      { line: 'techne show diff-review --body', what: 'What an agent would be given' },
    ],
    load: async () => (await import('./commands/show.ts')).runShow,
  },
  {
    name: 'search',
    summary: 'Find skills by words in their name or description',
    details: [
      'Every word must be in the name or the description of a skill: in the name it counts two, in the description one. After them come skills that fit the query as a message (techne match). Without words all skills are listed.',
    ],
    positionals: [
      {
        name: 'QUERY',
        description: 'Words to look for',
        required: false,
        repeatable: true,
        complete: 'none',
      },
    ],
    options: [
      { name: 'limit', value: 'N', description: 'The most results, 1 to 50 (default 10; without words all)' },
    ],
    examples: [
      { line: 'techne search meeting notes', what: 'Skills about meeting notes' },
      { line: 'techne search pdf --limit 3 --json', what: 'The three best, for a program' },
    ],
    load: async () => (await import('./commands/search.ts')).runSearch,
  },
  ...matchCommands,
  ...promptCommands,
  ...chatCommands,
  {
    name: 'check',
    summary: 'Check skills and say what is wrong with them',
    details: [
      'PATH is a skill folder, a folder of skills, a SKILL.md, or the name of a skill. Without one, every configured folder is checked. Each finding has its place, a code, and what to do; docs/errors.md explains every code. The folder of a workspace stands for all its skills, also those in .techne/skills and the like; else folders whose name starts with a dot are not entered.',
      'The exit code is 1 if there is an error, or if a PATH holds no skill. A check of the whole workspace counts errors in its configuration too.',
    ],
    positionals: [
      { name: 'PATH', description: 'What to check', required: false, repeatable: true, complete: 'path' },
    ],
    options: [
      { name: 'strict', description: 'Hold skills to the rules of the open standard' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'sarif'],
        description: 'How to print: text (default), json or sarif',
      },
      { name: 'max-warnings', value: 'N', description: 'Exit with 1 if there are more warnings than this' },
      {
        name: 'fix',
        description:
          'Put right what can be put right without a decision: filters that a template lacks, quotes around one',
      },
      {
        name: 'dry-run',
        description: 'With --fix: change nothing, and print what would be changed as a diff',
      },
    ],
    examples: [
      { line: 'techne check skills/diff-review', what: 'One skill' },
      { line: 'techne check diff-review', what: 'The same, by its name' },
      {
        line: 'techne check --strict skills',
        what: 'All skills in a folder, by the rules of the open standard',
      },
      { line: 'techne check --format sarif > techne.sarif', what: 'For a code scanning service' },
      { line: 'techne check --fix --dry-run skills', what: 'Show what could be put right' },
    ],
    load: async () => (await import('./commands/check.ts')).runCheck,
  },
  {
    name: 'plan',
    summary: 'Show what a composition, workflow or chain will do',
    details: [
      'SKILL is the name of a skill, its folder or its SKILL.md. Shows the steps by when they can start, what runs in parallel, conditions and substitutes, the risk of the steps against the declared one, and what must be there: skills, tools, models. Nothing is run.',
      'The exit code is 1 if the skill has an error that keeps it from running; --format json then has "plan": null and the errors.',
    ],
    positionals: [
      {
        name: 'SKILL',
        description: 'The name of a skill, its folder or its SKILL.md',
        required: true,
        repeatable: false,
        complete: 'skill-or-folder',
      },
    ],
    options: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'mermaid', 'svg', 'json'],
        description: 'How to print: text (default), mermaid, svg or json',
      },
    ],
    examples: [
      { line: 'techne plan pr-review', what: 'The steps, by when they can start' },
      { line: 'techne plan pr-review --format svg > plan.svg', what: 'A picture of the graph' },
      { line: 'techne plan pr-review --format mermaid', what: 'For a Markdown page' },
    ],
    load: async () => (await import('./commands/plan.ts')).runPlan,
  },
  {
    name: 'doctor',
    summary: 'Explain the environment and why a skill can or cannot be used',
    details: [
      'Looks at programs, model keys (their names only), configuration, folders and cache, then at the facts of each skill that something is in the way of.',
      'The exit code is 1 if a skill file or the configuration has an error, 3 if something is wrong with the environment (marked "!!").',
    ],
    positionals: [{ ...skillName, required: false }],
    options: [
      { name: 'servers', description: 'Start every MCP server that is configured, and say what it has' },
      { name: 'strict', description: 'Exit with 1 also if a skill is not ready' },
    ],
    examples: [
      { line: 'techne doctor', what: 'The environment and every skill with a problem' },
      {
        line: 'techne doctor diff-review',
        what: 'One skill in full: whether it may be executed, and whether all its steps need is there',
      },
      { line: 'techne doctor --servers', what: 'Whether MCP servers start, and their tools' },
    ],
    load: async () => (await import('./commands/doctor.ts')).runDoctor,
  },
  {
    name: 'config',
    summary: 'Show the configuration and where each value comes from',
    details: [
      'Layers from lowest to highest: defaults, ~/.techne/config.json, and techne.json (or .techne/config.json) of the workspace. A workspace that is not trusted can only narrow what is security-relevant.',
    ],
    positionals: [
      {
        name: 'KEY',
        description: 'One key, such as sandbox.mode, or a group of them',
        required: false,
        repeatable: false,
        complete: 'key',
      },
    ],
    options: [{ name: 'schema', description: 'Print the JSON Schema of the configuration file' }],
    examples: [
      { line: 'techne config', what: 'Every value with its origin' },
      { line: 'techne config sandbox.mode --json', what: 'One value, for a program' },
      { line: 'techne config --schema', what: 'The schema, for an editor' },
    ],
    load: async () => (await import('./commands/config.ts')).runConfig,
  },
  {
    name: 'new',
    summary: 'Start a skill from a good example of its form',
    details: ['Makes a folder with a SKILL.md and what its form needs. Never overwrites anything.'],
    positionals: [
      {
        name: 'NAME',
        description: 'Lower-case letters, digits and single hyphens',
        required: true,
        repeatable: false,
        complete: 'none',
      },
    ],
    options: [
      {
        name: 'form',
        value: 'FORM',
        choices: formNames,
        description: `${formNames.join(', ')} (default instructions)`,
      },
      {
        name: 'dir',
        value: 'DIR',
        complete: 'folder',
        description: 'Where the folder is made (default .techne/skills in the workspace)',
      },
      { name: 'description', value: 'TEXT', description: 'What the skill does and when to use it' },
    ],
    examples: [
      { line: 'techne new release-notes', what: 'A skill of instructions in this workspace' },
      {
        line: 'techne new triage --form program --dir ./skills',
        what: 'A Starlark program in ./skills/triage',
      },
    ],
    load: async () => (await import('./commands/new.ts')).runNew,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of the frontmatter of a SKILL.md',
    details: ['For editors that complete and check YAML.'],
    positionals: [],
    options: [],
    examples: [{ line: 'techne schema > skill.schema.json', what: 'Save it for an editor' }],
    load: async () => (await import('./commands/schema.ts')).runSchema,
  },
  {
    name: 'star',
    summary: 'Run a Starlark program, or type one at a prompt',
    details: [
      'Runs FILE ("-" is standard input; pipes are read too) or the text of --code: what it prints goes to standard output, errors with their place and the calls that led there to standard error. Without either a terminal gives a prompt: it shows the value of what is typed, goes on to the next line while a bracket or a block is open (an empty line ends a block), completes names with Tab, and keeps its history in ~/.techne/star_history; Ctrl-C stops what runs, Ctrl-D or exit ends.',
      'A program can read and change nothing on this machine. It is stopped after 100,000,000 steps, when it holds 64 MiB, or when it has printed 1,000,000 characters, unless --steps, --memory and --output say otherwise. load() is refused, unless --allow-load opens the folder that FILE is in: names are relative to the file that loads, and links are not followed.',
      'A file named SKILL.star is compiled with the functions that a skill is given (ask, command, trace, ask_all), any file with the names of --predeclare; calling one of them fails, since only a run of the skill has a host that answers.',
      '--json prints {ok, value, output, diagnostics, backtrace, usage} after the end; with --check {ok, files, errors, warnings, diagnostics}. Ints are printed with all their digits. The exit code is 1 if the program has an error or fails, 130 if Ctrl-C stopped it. --check goes on after a file that cannot be read, and gives the worst exit code.',
    ],
    positionals: [
      {
        name: 'FILE',
        description: 'The program; several with --check',
        required: false,
        repeatable: true,
        complete: 'path',
      },
    ],
    options: [
      { name: 'code', short: 'c', value: 'CODE', description: 'Run this text instead of a FILE' },
      {
        name: 'check',
        description:
          'Run nothing: show every error that can be seen without running; with --allow-load in loaded files, too',
      },
      {
        name: 'entry',
        value: 'NAME',
        description: 'Call this function after the file has run, and print what it returns as JSON',
      },
      {
        name: 'input',
        value: 'JSON',
        description:
          'The argument for the function of --entry; @FILE reads it from a file, - from standard input',
      },
      {
        name: 'predeclare',
        value: 'NAME',
        repeatable: true,
        description: 'A name that the host would give the program; may be repeated',
      },
      {
        name: 'steps',
        value: 'N',
        description: 'Stop after this many steps, such as 500k or 20m (default 100m)',
      },
      {
        name: 'memory',
        value: 'SIZE',
        description:
          'Stop when more memory than this is held, such as 512k or 64m, or plain bytes (default 64m)',
      },
      {
        name: 'output',
        value: 'SIZE',
        description: 'Stop when more characters than this were printed, such as 16m (default 1000000)',
      },
      { name: 'allow-load', description: 'Let load() read .star files in the folder of FILE and below it' },
    ],
    examples: [
      { line: 'techne star hello.star', what: 'Run a program of yours' },
      { line: "techne star -c 'print(7 // 2)'", what: 'Run a line' },
      { line: 'techne star', what: 'Type at a prompt' },
      {
        line: 'techne star triage.star --entry run --input \'{"limit": 3}\'',
        what: 'Call run with a dict, as a skill would',
      },
      {
        line: 'techne star triage.star --entry run --input @input.json',
        what: 'The same, with the dict from a file',
      },
      { line: 'techne star --check skills/*/SKILL.star', what: 'Look for errors in several programs' },
      { line: "echo 'print(1 << 100)' | techne star --json", what: 'From standard input, for a program' },
    ],
    load: async () => (await import('./commands/star.ts')).runStar,
  },
  ...runCommands,
  ...mcpCommands,
  {
    name: 'trust',
    summary: 'Allow a folder or a skill to be executed',
    details: [
      'PATH is a folder whose content is your own work (default: the workspace); it is trusted as one workspace, with all skills that it has and will have. Workspaces and folders of skills further down are not reached, unless its roots.workspace names them. NAME is a skill; it is trusted as it is now, and any change revokes that. Instructions can be trusted, too: then their text counts as your own in a conversation, and "always: true" preloads them.',
      'Trust is given by a person at a terminal; the exit code is 1 when nothing was trusted. For machines without one, list folders under trust.folders in ~/.techne/config.json.',
    ],
    positionals: [
      {
        name: 'PATH|NAME',
        description: 'A folder, or the name of a skill',
        required: false,
        repeatable: false,
        complete: 'skill-or-folder',
      },
    ],
    options: [{ name: 'list', description: 'Show what is trusted' }],
    examples: [
      { line: 'techne trust', what: 'Trust this workspace' },
      { line: 'techne trust release-notes', what: 'Trust one skill as it is now' },
      { line: 'techne trust --list', what: 'Show what is trusted' },
    ],
    load: async () => (await import('./commands/trust.ts')).runTrust,
  },
  {
    name: 'untrust',
    summary: 'Take trust back',
    details: [
      'PATH is a trusted folder (default: the workspace), NAME a skill. The exit code is 1 when there was nothing to take back, and when a skill stays trusted because a trusted folder around it reaches it.',
    ],
    positionals: [
      {
        name: 'PATH|NAME',
        description: 'A folder, or the name of a skill',
        required: false,
        repeatable: false,
        complete: 'skill-or-folder',
      },
    ],
    options: [],
    examples: [{ line: 'techne untrust release-notes', what: 'No longer execute this skill' }],
    load: async () => (await import('./commands/untrust.ts')).runUntrust,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    details: ['Completes commands, options, and the names of your skills.'],
    positionals: [
      {
        name: 'SHELL',
        description: 'bash, zsh or fish',
        required: true,
        repeatable: false,
        choices: ['bash', 'zsh', 'fish'],
        complete: 'none',
      },
    ],
    options: [],
    examples: [
      { line: 'source <(techne completion bash)', what: 'In ~/.bashrc' },
      { line: 'source <(techne completion zsh)', what: 'In ~/.zshrc, after compinit' },
      {
        line: 'mkdir -p ~/.config/fish/completions && techne completion fish > ~/.config/fish/completions/techne.fish',
        what: 'Once, for fish',
      },
    ],
    load: async () => (await import('./commands/completion.ts')).runCompletion,
  },
  {
    name: 'help',
    summary: 'Show the help of a command',
    details: [],
    positionals: [
      {
        name: 'COMMAND',
        description: 'The command, such as check or runs list',
        required: false,
        repeatable: true,
        complete: 'command',
      },
    ],
    options: [],
    examples: [{ line: 'techne help check', what: 'The same as techne check --help' }],
    load: async () => (await import('./commands/help.ts')).runHelp,
  },
  {
    name: '__complete',
    summary: 'Names for shell completion',
    details: [],
    positionals: [
      {
        name: 'WHAT',
        description: 'What names are wanted',
        required: true,
        repeatable: false,
        choices: ['skill', 'executable', 'input', 'run', 'waiting', 'key'],
        complete: 'none',
      },
      {
        name: 'OF',
        description: 'The skill whose inputs are wanted',
        required: false,
        repeatable: false,
        complete: 'none',
      },
    ],
    options: [],
    examples: [],
    hidden: true,
    load: async () => (await import('./commands/complete.ts')).runComplete,
  },
];

export const visibleCommands: readonly CommandSpec[] = commands.filter((command) => command.hidden !== true);

/** With those of groups after their group. */
export const everyCommand: readonly CommandSpec[] = visibleCommands.flatMap((command) => [
  command,
  ...(command.subcommands ?? []),
]);

/** Also by a whole name, such as `runs list`. */
export function commandNamed(name: string): CommandSpec | undefined {
  return (
    commands.find((command) => command.name === name) ?? everyCommand.find((command) => command.name === name)
  );
}
