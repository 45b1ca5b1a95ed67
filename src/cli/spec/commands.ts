// Every command, once: parsing, help and completion read this table.
//
// The code of a command is behind `load`: `--version` and `--help` import none of it.
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { evalCommand } from './eval-commands.ts';
import { graphCommand } from './graph-commands.ts';
import {
  addCommand,
  adoptCommand,
  hubCommand,
  outdatedCommand,
  pinCommand,
  removeCommand,
  restoreCommand,
  unpinCommand,
  updateCommand,
} from './hub-commands.ts';
import { learnCommand } from './learn-commands.ts';
import { mcpCommand } from './mcp-commands.ts';
import { serveCommand, studioCommand } from './serve-commands.ts';
import { acpCommand, chatCommand, indexCommand, matchCommand } from './model-commands.ts';
import { proposalsCommand } from './proposal-commands.ts';
import { publishCommand } from './publish-commands.ts';
import { answerCommand, runCommand, testCommand } from './run-commands.ts';
import { runsCommand } from './runs-commands.ts';
import { ciCommand, scanCommand } from './scan-commands.ts';
import { scheduleCommand } from './schedule-commands.ts';
import { callbackCommand, webhookCommand } from './webhook-commands.ts';
import { skillsCommand } from './skills-commands.ts';
import {
  completionCommand,
  configCommand,
  doctorCommand,
  helpCommand,
  trustCommand,
  untrustCommand,
} from './setup-commands.ts';
import { storeCommand } from './store-commands.ts';
import { workerCommand } from './worker-commands.ts';
import {
  checkCommand,
  listCommand,
  lspCommand,
  newCommand,
  planCommand,
  schemaCommand,
  searchCommand,
  showCommand,
  starCommand,
} from './skill-commands.ts';

/** Options that every command takes. */
export const globalOptions: readonly OptionSpec[] = [
  { name: 'json', description: 'Print one JSON value instead of text, also for errors and help' },
  {
    name: 'root',
    value: 'DIR',
    repeatable: true,
    complete: 'folder',
    description: 'Look for skills only in this folder (repeatable)',
  },
  {
    name: 'workspace',
    value: 'DIR',
    complete: 'folder',
    description: 'Use this workspace (default: the one around the current folder)',
  },
  {
    name: 'all',
    description: 'Also show skills that cannot be used, with the reasons: skipped, shadowed or not ready',
  },
  { name: 'no-cache', description: 'Read every skill again instead of using the index cache' },
  { name: 'color', description: 'Use colours even if the output is not a terminal' },
  { name: 'no-color', description: 'Use no colours' },
  { name: 'quiet', short: 'q', description: 'Print no hints and no progress' },
  { name: 'help', short: 'h', description: 'Show the help of the command' },
];

/** Only before or without a command. */
export const topLevelOptions: readonly OptionSpec[] = [
  { name: 'version', short: 'V', description: 'Print the version' },
];

/** The commands by what a person wants to do, in the order of the help. */
export const commandGroups: readonly { readonly title: string; readonly commands: readonly CommandSpec[] }[] =
  [
    {
      title: 'Write skills',
      commands: [
        newCommand,
        checkCommand,
        testCommand,
        planCommand,
        evalCommand,
        ciCommand,
        learnCommand,
        proposalsCommand,
        publishCommand,
        schemaCommand,
        starCommand,
        lspCommand,
      ],
    },
    {
      title: 'Find skills',
      commands: [
        listCommand,
        showCommand,
        searchCommand,
        matchCommand,
        indexCommand,
        scanCommand,
        skillsCommand,
        doctorCommand,
      ],
    },
    {
      title: 'Run skills',
      commands: [runCommand, answerCommand, runsCommand, chatCommand, acpCommand, studioCommand],
    },
    {
      title: 'Run skills as a team',
      commands: [serveCommand, workerCommand, scheduleCommand, webhookCommand, callbackCommand, storeCommand],
    },
    { title: 'Work with notes', commands: [graphCommand] },
    {
      title: 'Install skills',
      commands: [
        addCommand,
        outdatedCommand,
        updateCommand,
        restoreCommand,
        adoptCommand,
        pinCommand,
        unpinCommand,
        removeCommand,
        hubCommand,
      ],
    },
    {
      title: 'Set up',
      commands: [mcpCommand, trustCommand, untrustCommand, configCommand, completionCommand, helpCommand],
    },
  ];

export const visibleCommands: readonly CommandSpec[] = commandGroups.flatMap(({ commands }) => commands);

/** Subcommands follow their command. */
export const everyCommand: readonly CommandSpec[] = visibleCommands.flatMap((command) => [
  command,
  ...(command.subcommands ?? []),
]);
