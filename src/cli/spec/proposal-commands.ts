// The commands about proposed changes of skills.
import type { CommandSpec, PositionalSpec } from './command-spec.ts';

const id: PositionalSpec = {
  name: 'ID',
  description: 'The id of a proposal, or the beginning of it',
  required: true,
  repeatable: false,
  complete: 'none',
};
const exitCodes =
  'Exit codes: 0 done, 1 a check failed or you did not agree, 2 wrong usage, 3 environment or the skill changed meanwhile, 4 refused, 70 a bug in techne.';
const run = async (
  name:
    | 'list'
    | 'show'
    | 'diff'
    | 'check'
    | 'accept'
    | 'reject'
    | 'edit'
    | 'rollback'
    | 'history'
    | 'auto'
    | 'freeze'
    | 'unfreeze',
) => (await import('../commands/proposals.ts')).proposalCommands[name];

const reason = { name: 'reason', value: 'TEXT', description: 'Why, for the audit' } as const;

const events = {
  name: 'events',
  value: 'FILE',
  complete: 'path',
  description: 'Append skill.created, skill.changed and skill.removed to this file as JSON lines',
} as const;

export const proposalsCommand: CommandSpec = {
  name: 'proposals',
  summary: 'Review changes of skills that agents propose',
  details: [
    'An agent cannot change a skill. It proposes one, which waits in ~/.techne/proposals, is loaded, scanned, matched and tested like any skill, and takes effect when you accept it. Every decision is recorded, and an accepted proposal can be rolled back.',
  ],
  positionals: [],
  options: [],
  examples: [
    { line: 'techne proposals', what: 'The proposals that wait for you' },
    { line: 'techne proposals show 3f2a', what: 'One proposal: who, why, its checks' },
    { line: 'techne proposals accept 3f2a', what: 'Review the change and accept it' },
  ],
  exitCodes,
  load: () => run('list'),
  subcommands: [
    {
      name: 'proposals list',
      summary: 'List proposals that wait for you; with --all every one',
      details: [],
      positionals: [],
      options: [],
      examples: [{ line: 'techne proposals list --all', what: 'Every proposal' }],
      load: () => run('list'),
    },
    {
      name: 'proposals show',
      summary: 'Show a proposal: who made it and why, its checks and its history',
      details: ['Checks it first if it was not checked yet.'],
      positionals: [id],
      options: [],
      examples: [{ line: 'techne proposals show 3f2a', what: 'One proposal' }],
      load: () => run('show'),
    },
    {
      name: 'proposals diff',
      summary: 'Show what a proposal would change, with the findings of the scan beside the lines',
      details: [],
      positionals: [id],
      options: [],
      examples: [{ line: 'techne proposals diff 3f2a', what: 'The change, line by line' }],
      load: () => run('diff'),
    },
    {
      name: 'proposals check',
      summary: 'Check proposals again',
      details: [
        'Also judges, and records, whether the change may take effect without you (proposals.autoEnable). The exit code is 1 if a check failed.',
      ],
      positionals: [{ ...id, required: false, description: 'One proposal (default: all that wait)' }],
      options: [],
      examples: [{ line: 'techne proposals check', what: 'All that wait' }],
      exitCodes,
      load: () => run('check'),
    },
    {
      name: 'proposals accept',
      summary: 'Review a proposal, and accept it',
      details: [
        'Shows the change and the checks, and asks. Needs a person at a terminal: there is no option that answers for you. What is installed is exactly what was shown. A failed check must be named with --despite; the checks fresh, parse, names and guard cannot be overridden.',
      ],
      positionals: [id],
      options: [
        {
          name: 'despite',
          value: 'CHECK',
          repeatable: true,
          description: 'Accept although this check failed (repeatable)',
        },
        reason,
        events,
      ],
      examples: [
        { line: 'techne proposals accept 3f2a', what: 'Show the change and ask' },
        { line: 'techne proposals accept 3f2a --despite tests', what: 'Although its tests fail' },
      ],
      exitCodes,
      load: () => run('accept'),
    },
    {
      name: 'proposals reject',
      summary: 'Reject a proposal; the same change cannot be proposed again',
      details: [],
      positionals: [id],
      options: [reason],
      examples: [
        { line: 'techne proposals reject 3f2a --reason "not needed"', what: 'Reject one, and say why' },
      ],
      load: () => run('reject'),
    },
    {
      name: 'proposals edit',
      summary: 'Propose your own version of a proposal, from a folder',
      details: [
        'Takes the files of the folder as the candidate. The proposal that it replaces is rejected; yours has an id of its own and is checked like any other.',
      ],
      positionals: [
        id,
        {
          name: 'FOLDER',
          description: 'The skill as you want it',
          required: true,
          repeatable: false,
          complete: 'folder',
        },
      ],
      options: [reason],
      examples: [{ line: 'techne proposals edit 3f2a ./my-version', what: 'Your version instead' }],
      load: () => run('edit'),
    },
    {
      name: 'proposals rollback',
      summary: 'Undo an accepted proposal, if the skill has not changed since',
      details: [],
      positionals: [id],
      options: [reason, events],
      examples: [{ line: 'techne proposals rollback 3f2a', what: 'Restore the skill as it was before' }],
      exitCodes,
      load: () => run('rollback'),
    },
    {
      name: 'proposals history',
      summary: 'Show the audit: every proposal, check, decision and skip, with its reason',
      details: [],
      positionals: [{ ...id, required: false, description: 'One proposal (default: all)' }],
      options: [],
      examples: [{ line: 'techne proposals history', what: 'Everything that happened' }],
      load: () => run('history'),
    },
    {
      name: 'proposals auto',
      summary: 'Apply proposals.autoEnable now: accept what it allows, roll back what fails',
      details: [
        'Off by default. Every condition is recorded with its value, also when the change is skipped.',
      ],
      positionals: [],
      options: [events],
      examples: [{ line: 'techne proposals auto', what: 'Judge all that wait' }],
      load: () => run('auto'),
    },
    {
      name: 'proposals freeze',
      summary: 'Stop automatic acceptance until unfreeze',
      details: [],
      positionals: [],
      options: [reason],
      examples: [{ line: 'techne proposals freeze', what: 'Nothing takes effect without you' }],
      load: () => run('freeze'),
    },
    {
      name: 'proposals unfreeze',
      summary: 'Allow automatic acceptance again',
      details: ['Needs a person at a terminal.'],
      positionals: [],
      options: [reason],
      examples: [{ line: 'techne proposals unfreeze', what: 'proposals.autoEnable applies again' }],
      load: () => run('unfreeze'),
    },
  ],
};
