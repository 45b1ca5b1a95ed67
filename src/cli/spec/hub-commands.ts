// The commands about skills of others: install, update, restore, remove, list.
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { hubKeys, hubSearch, hubServe } from './publish-commands.ts';

const scopes = ['user', 'workspace'] as const;

const onlyIn: OptionSpec = {
  name: 'to',
  value: 'SCOPE',
  choices: scopes,
  description: 'Only what is installed for the user, or for the workspace (default: both)',
};

const yes: OptionSpec = {
  name: 'yes',
  short: 'y',
  description: 'Agree without being asked; without a terminal the source must be pinned',
};

const allowIncomplete: OptionSpec = {
  name: 'allow-incomplete',
  description: 'Also agree to skills of which not everything could be scanned',
};

const installedName = {
  name: 'NAME',
  description: 'An installed skill',
  required: true,
  repeatable: false,
  complete: 'skill',
} as const;

const exitCodes =
  'Exit codes: 0 done, 1 something differs from the lock or you did not agree, 2 wrong usage, 3 environment, 4 refused (dangerous, or consent is missing), 70 a bug in techne.';

export const addCommand: CommandSpec = {
  name: 'add',
  summary: 'Install skills from a folder, a repository, an archive, a package or a web site',
  details: [
    'techne fetches the source into a private folder, scans it, and shows what would be installed: the files, what they declare and use, the verdict with its findings, and which skills they would hide. Nothing is installed before you agree, and nothing of a skill is executed.',
    'Without a terminal the source must name a commit or a digest (or give --expect), and you must say --yes. Dangerous skills are refused. Without SOURCE it restores what techne-lock.json names.',
  ],
  positionals: [
    {
      name: 'SOURCE',
      description:
        './folder, owner/repo[/folder][#ref], https://…, npm:package, mcp:server; see the guide "installing"',
      required: false,
      repeatable: false,
      complete: 'path',
    },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      repeatable: true,
      description: "Only this skill of the source (repeatable; '*' for all)",
    },
    {
      name: 'to',
      value: 'SCOPE',
      choices: scopes,
      description: 'Install for the user or for the workspace (default: the workspace, where there is one)',
    },
    yes,
    allowIncomplete,
    {
      name: 'expect',
      value: 'DIGEST',
      repeatable: true,
      description: 'Install only a skill with this digest, which pins any source (repeatable)',
    },
  ],
  examples: [
    { line: 'techne add ./team-skills --skill meeting-note', what: 'One skill of a folder' },
    { line: 'techne add acme/skills#v2.1.0', what: 'The skills of a repository of GitHub, at a tag' },
    { line: 'techne add --yes', what: 'What techne-lock.json names, in a fresh checkout' },
  ],
  exitCodes,
  load: async () => (await import('../commands/add.ts')).runAdd,
};

export const updateCommand: CommandSpec = {
  name: 'update',
  summary: 'Update installed skills from their sources',
  details: [
    'Shows what would change: text, scripts, tools and capabilities, the verdict; then asks. Pinned skills stay as they are, and skills that were changed by hand are refused until you restore or adopt them.',
  ],
  positionals: [{ ...installedName, required: false, repeatable: true }],
  options: [{ name: 'dry-run', description: 'Only show what would change' }, yes, allowIncomplete, onlyIn],
  examples: [
    { line: 'techne update --dry-run', what: 'What would change' },
    { line: 'techne update meeting-note', what: 'One skill' },
  ],
  exitCodes,
  load: async () => (await import('../commands/update.ts')).runUpdate,
};

export const outdatedCommand: CommandSpec = {
  name: 'outdated',
  summary: 'List installed skills whose source has something newer',
  details: ['Asks every source, and changes nothing. The exit code is 1 if a source could not be asked.'],
  positionals: [{ ...installedName, required: false, repeatable: true }],
  options: [onlyIn],
  examples: [{ line: 'techne outdated', what: 'All of them' }],
  load: async () => (await import('../commands/outdated.ts')).runOutdated,
};

export const removeCommand: CommandSpec = {
  name: 'remove',
  summary: 'Remove installed skills, their entries in the lock and their trust',
  details: ['A skill that was changed by hand is kept unless --force is given.'],
  positionals: [{ ...installedName, repeatable: true }],
  options: [{ name: 'force', description: 'Also remove skills that were changed by hand' }, onlyIn],
  examples: [{ line: 'techne remove meeting-note', what: 'One skill' }],
  load: async () => (await import('../commands/remove.ts')).runRemove,
};

export const restoreCommand: CommandSpec = {
  name: 'restore',
  summary: 'Restore installed skills to what the lock says',
  details: [
    'Fetches what is missing or was changed, as it was locked: the same commit, the same digests, or an error. Changes that were made by hand are dropped. Content that you agreed to on this machine before needs no question.',
    'With --frozen nothing is fetched or changed: the exit code is 1 if anything differs from the lock, or there is no lock. With --from it installs what a lock of "npx skills" names, and compares the hashes.',
  ],
  positionals: [{ ...installedName, required: false, repeatable: true }],
  options: [
    { name: 'frozen', description: 'Change nothing; fail on any difference' },
    {
      name: 'from',
      value: 'FILE',
      complete: 'path',
      description: 'Take a skills-lock.json or .skill-lock.json instead of our own lock',
    },
    yes,
    allowIncomplete,
    onlyIn,
  ],
  examples: [
    { line: 'techne restore', what: 'Everything that the locks name' },
    { line: 'techne restore --frozen', what: 'In continuous integration: fail on any difference' },
    { line: 'techne restore --from skills-lock.json', what: 'Move from npx skills' },
  ],
  exitCodes,
  load: async () => (await import('../commands/restore.ts')).runRestore,
};

export const adoptCommand: CommandSpec = {
  name: 'adopt',
  summary: 'Keep the changes of an installed skill, and record them in the lock',
  details: [
    'The skill is scanned again and shown. Afterwards it loads and runs as it is now; trust in its former content does not carry over. techne can then no longer restore it from its source.',
  ],
  positionals: [installedName],
  options: [yes, onlyIn],
  examples: [{ line: 'techne adopt meeting-note', what: 'Keep what was changed by hand' }],
  load: async () => (await import('../commands/adopt.ts')).runAdopt,
};

export const pinCommand: CommandSpec = {
  name: 'pin',
  summary: 'Keep "techne update" from changing a skill',
  details: [],
  positionals: [installedName],
  options: [onlyIn],
  examples: [{ line: 'techne pin meeting-note', what: 'It stays as it is' }],
  load: async () => (await import('../commands/pin.ts')).runPin,
};

export const unpinCommand: CommandSpec = {
  name: 'unpin',
  summary: 'Let "techne update" change a skill again',
  details: [],
  positionals: [installedName],
  options: [onlyIn],
  examples: [{ line: 'techne unpin meeting-note', what: 'It follows its source again' }],
  load: async () => (await import('../commands/pin.ts')).runUnpin,
};

const hubListCommand: CommandSpec = {
  name: 'hub list',
  summary: 'List installed skills: version, verdict, source, and what differs from the lock',
  details: ['The exit code is 1 if a skill is not as the lock says.'],
  positionals: [],
  options: [onlyIn],
  examples: [{ line: 'techne hub list', what: 'Everything that is installed' }],
  load: async () => (await import('../commands/hub-list.ts')).runHubList,
};

const hubExportCommand: CommandSpec = {
  name: 'hub export',
  summary: 'Write what is installed as a lock of "npx skills"',
  details: [
    'With --out the entries of other skills in that file stay. These formats cannot express skills from archives and MCP servers; techne names those that it leaves out. The exit code is 1 if a skill was left out.',
  ],
  positionals: [],
  options: [
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['skills-lock', 'skill-lock'],
      description: 'skills-lock.json, version 1 (default), or .skill-lock.json, version 3',
    },
    {
      name: 'out',
      value: 'FILE',
      complete: 'path',
      description: 'Write to this file (default: standard output)',
    },
    {
      name: 'to',
      value: 'SCOPE',
      choices: scopes,
      description: 'What is installed for the user or for the workspace',
    },
  ],
  examples: [{ line: 'techne hub export --out skills-lock.json', what: 'For a team that uses npx skills' }],
  load: async () => (await import('../commands/hub-export.ts')).runHubExport,
};

export const hubCommand: CommandSpec = {
  name: 'hub',
  summary: 'List installed skills, search and serve hubs, manage signing keys',
  details: [
    'A hub is a web site, or a folder, with a well-known index of skills, such as techne publish makes. techne hub without a command is techne hub list.',
  ],
  positionals: [],
  options: hubListCommand.options,
  examples: [
    ...hubListCommand.examples,
    ...hubSearch.examples.slice(0, 1),
    ...hubServe.examples.slice(0, 1),
    ...hubExportCommand.examples,
  ],
  subcommands: [hubListCommand, hubSearch, hubServe, hubKeys, hubExportCommand],
  load: hubListCommand.load,
};
