// The commands about the environment: what is there, what is allowed, what is configured.
import type { CommandSpec } from './command-spec.ts';
import { skillName } from './skill-commands.ts';

const trustTarget = {
  name: 'PATH|NAME',
  description: 'A folder, or the name of a skill',
  required: false,
  repeatable: false,
  complete: 'skill-or-folder',
} as const;

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'Check the environment, and explain why a skill cannot be used',
  details: [
    'Reports programs, model keys (only their names), configuration, folders and the cache, then each skill that cannot be used, with the reasons.',
    'The exit code is 1 if a skill file or the configuration has an error, 3 if something is wrong with the environment (marked "!!").',
    '--store looks at the server (version, encryption, durability, connections, clock, poolers), the tables (version, rights, dead rows, missing blobs) and the work (workers, queues, held runs, schedules). It changes nothing. --json prints {address, findings: [{name, ok, detail, hint}]}.',
  ],
  positionals: [{ ...skillName, required: false }],
  options: [
    { name: 'servers', description: 'Start every configured MCP server and list its tools' },
    { name: 'strict', description: 'Exit with 1 also if a skill is not ready' },
    {
      name: 'store',
      value: 'STORE',
      optional: true,
      suggest: ['postgres://'],
      description:
        'Check a store in Postgres instead: postgres://USER@HOST:PORT/DATABASE (default: runs.store of the configuration)',
    },
  ],
  examples: [
    { line: 'techne doctor', what: 'The environment and every skill with a problem' },
    {
      line: 'techne doctor diff-review',
      what: 'One skill: whether it can be executed, and whether everything its steps need is there',
    },
    {
      line: 'techne doctor --store',
      what: 'Whether the Postgres of a team is as it should be, and what to do where it is not',
    },
    { line: 'techne doctor --servers', what: 'Whether MCP servers start, and their tools' },
  ],
  load: async () => (await import('../commands/doctor.ts')).runDoctor,
};

export const configCommand: CommandSpec = {
  name: 'config',
  summary: 'Show the configuration and where each value comes from',
  details: [
    'Later layers override earlier ones: the defaults, ~/.techne/config.json, then techne.json (or .techne/config.json) of the workspace. An untrusted workspace can only narrow security-relevant keys.',
  ],
  positionals: [
    {
      name: 'KEY',
      description: 'One key, such as sandbox.mode, or a group of keys',
      required: false,
      repeatable: false,
      complete: 'key',
    },
  ],
  options: [{ name: 'schema', description: 'Print the JSON Schema of the configuration file' }],
  examples: [
    { line: 'techne config', what: 'Every value with its origin' },
    { line: 'techne config sandbox.mode --json', what: 'One value, as JSON' },
    { line: 'techne config --schema', what: 'The schema, for an editor' },
  ],
  load: async () => (await import('../commands/config.ts')).runConfig,
};

export const trustCommand: CommandSpec = {
  name: 'trust',
  summary: 'Allow a skill, or all skills of a folder, to be executed',
  details: [
    'NAME is a skill. It is trusted as it is now; any change revokes the trust. PATH is a folder with your own work (default: the workspace). All skills of that workspace are trusted, present and future ones. Other workspaces and skill folders below it are not, unless roots.workspace in its configuration names them.',
    'Skills of instructions can be trusted too: a conversation then treats their text as yours, and "always: true" preloads them.',
    'Only a person at a terminal can grant trust; the exit code is 1 if nothing was trusted. For machines without a terminal, list folders under trust.folders in ~/.techne/config.json.',
  ],
  positionals: [trustTarget],
  options: [{ name: 'list', description: 'List trusted folders and skills' }],
  examples: [
    { line: 'techne trust', what: 'Trust this workspace' },
    { line: 'techne trust release-notes', what: 'Trust one skill as it is now' },
    { line: 'techne trust --list', what: 'List trusted folders and skills' },
  ],
  load: async () => (await import('../commands/trust.ts')).runTrust,
};

export const untrustCommand: CommandSpec = {
  name: 'untrust',
  summary: 'Revoke trust',
  details: [
    'PATH is a trusted folder (default: the workspace), NAME a skill. The exit code is 1 if there was nothing to revoke, or if a skill stays trusted because a folder around it is trusted.',
  ],
  positionals: [trustTarget],
  options: [],
  examples: [{ line: 'techne untrust release-notes', what: 'No longer execute this skill' }],
  load: async () => (await import('../commands/untrust.ts')).runUntrust,
};

export const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'Print a completion script for a shell',
  details: ['Completes commands, options and the names of your skills.'],
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
  load: async () => (await import('../commands/completion.ts')).runCompletion,
};

export const helpCommand: CommandSpec = {
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
  load: async () => (await import('../commands/help.ts')).runHelp,
};

/** Not in the help: the completion scripts call it. */
export const completeCommand: CommandSpec = {
  name: '__complete',
  summary: 'Names for shell completion',
  details: [],
  positionals: [
    {
      name: 'WHAT',
      description: 'The kind of names',
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
  load: async () => (await import('../commands/complete.ts')).runComplete,
};
