// techne runs: list, inspect, continue and remove runs.
import type { CommandSpec } from './command-spec.ts';
import {
  answerOption,
  inputOption,
  limitOptions,
  otherAnswerOption,
  runExitCodes,
  runName,
  storeOption,
  watchOptions,
} from './run-options.ts';

const runsList: CommandSpec = {
  name: 'runs list',
  summary: 'List runs, newest first',
  details: [
    'Prints one line for each run: id, status, skill, age and usage. "interrupted" means that the process that drove the run is gone; techne runs resume continues it; "queued", that workers will. With --workspace DIR, only runs of that workspace; . is the current one.',
    '--json prints {runs: [{run, skill, status, startedAt, endedAt, workspace, usage, answered}], cursor}; the cursor is null on the last page. answered is true for a paused run whose answer is recorded; techne runs resume continues it.',
  ],
  positionals: [],
  options: [
    {
      name: 'status',
      value: 'STATUS',
      repeatable: true,
      choices: [
        'running',
        'paused',
        'needs_decision',
        'completed',
        'failed',
        'cancelled',
        'partial',
        'interrupted',
        'queued',
        'corrupt',
      ],
      description: 'Only runs with this status (repeatable)',
    },
    { name: 'skill', value: 'NAME', complete: 'skill', description: 'Only runs of this skill' },
    {
      name: 'since',
      value: 'AGE',
      description: 'Only runs that started within this time, such as 2d or 12h',
    },
    { name: 'limit', value: 'N', description: 'The maximum number of runs, 1 to 1000 (default 20)' },
    { name: 'cursor', value: 'RUN', description: 'Start after this run' },
  ],
  examples: [
    { line: 'techne runs', what: 'The newest twenty' },
    { line: 'techne runs list --status paused --status needs_decision', what: 'Runs that wait for someone' },
    { line: 'techne runs list --workspace . --since 7d', what: 'Runs of this workspace in the last week' },
  ],
  load: async () => (await import('../commands/runs-list.ts')).runRunsList,
};

const runsShow: CommandSpec = {
  name: 'runs show',
  summary: 'Show everything that happened in a run',
  details: [
    'Shows the input, the calls in order with durations and usage, the trace, the questions, and the result or error. --effects shows requests and outcomes in full, including model turns and tool calls inside an ask.',
    '--json always includes requests and outcomes.',
  ],
  positionals: [runName],
  options: [{ name: 'effects', description: 'Show requests and outcomes in full' }],
  examples: [
    { line: 'techne runs show last', what: 'The newest run' },
    { line: 'techne runs show 4QXF --effects', what: 'A run whose id ends in 4QXF, in full' },
  ],
  load: async () => (await import('../commands/runs-show.ts')).runRunsShow,
};

const runsTail: CommandSpec = {
  name: 'runs tail',
  summary: 'Follow a run until it ends or pauses',
  details: [
    'Prints past and new events of a run that any process drives. Ctrl-C stops following; the run continues. --json prints one journal entry per line. The exit code is that of the run, or 5 if the process that drove it is gone.',
  ],
  positionals: [runName],
  options: [],
  examples: [{ line: 'techne runs tail last', what: 'Follow the newest run' }],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/runs-tail.ts')).runRunsTail,
};

const runsResume: CommandSpec = {
  name: 'runs resume',
  summary: 'Resume a run that is paused or was interrupted',
  details: [
    'Finished calls are not repeated. The run executes the files it was started with, even if the skill has changed since, and keeps its limits and usage. For a run that has ended, techne prints its result again.',
  ],
  positionals: [runName],
  options: [otherAnswerOption, ...watchOptions],
  examples: [{ line: 'techne runs resume last', what: 'Resume the newest run' }],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/runs-resume.ts')).runRunsResume,
};

const runsReplay: CommandSpec = {
  name: 'runs replay',
  summary: 'Execute a run again from its journal, and compare',
  details: [
    'Every outcome comes from the journal; nothing is performed. Reports whether the result is byte-identical, or where the program and the journal differ. The exit code is 1 if they differ.',
    'With --from, a new run performs the call KEY and everything after it; techne runs fork does the same and also takes edits.',
  ],
  positionals: [runName],
  options: [
    { name: 'from', value: 'KEY', description: 'In a new run, perform this call and everything after it' },
  ],
  examples: [
    { line: 'techne runs replay last', what: 'Does the journal of the newest run give the same result?' },
    { line: 'techne runs replay last --from 3', what: 'The same as techne runs fork last --from 3' },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/runs-replay.ts')).runRunsReplay,
};

const runsFork: CommandSpec = {
  name: 'runs fork',
  summary: 'Start a new run from the calls of another run',
  details: [
    'The new run reuses the outcomes of the old run before the call KEY and performs the rest. Without --from it starts where the old run failed, or at the first call that an edit changes. With --from, steps of a plan that failed before KEY stay failed; interrupted calls are performed again. The old run does not change.',
    '--edit KEY=VALUE replaces the outcome of a call: the answer of an ask or a nested run, the output of a command, the text of a tool, the reply to a form. --edit KEY:=JSON replaces the whole outcome, as techne runs show --effects prints it; for a form its fields. An outcome that does not fit the call is refused, with the shape it needs.',
  ],
  positionals: [runName],
  options: [
    {
      name: 'from',
      value: 'KEY',
      description: 'The first call to perform; techne runs show lists the keys',
    },
    { ...inputOption, description: 'Change keys of the input, as for techne run' },
    {
      name: 'edit',
      value: 'KEY=VALUE',
      repeatable: true,
      description: 'Replace the outcome of a call (repeatable)',
    },
    {
      name: 'program',
      value: 'FILE',
      complete: 'path',
      description: 'Run this edited program instead',
    },
    otherAnswerOption,
    ...limitOptions.map((option) => ({
      ...option,
      description: option.description.replace(/ \(default.*/, ''),
    })),
    ...watchOptions,
  ],
  examples: [
    { line: 'techne runs fork last --max-asks 10', what: 'Continue where the limit of asks was reached' },
    {
      line: 'techne runs fork last --from 2 --input heading=Risks',
      what: 'Perform everything from the second call, with another input',
    },
    {
      line: 'techne runs fork last --edit 1="a better draft"',
      what: 'Try another answer to the first ask',
    },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/runs-fork.ts')).runRunsFork,
};

const runsCancel: CommandSpec = {
  name: 'runs cancel',
  summary: 'Cancel a run, even one that another process drives',
  details: [
    'If a process drives the run, techne asks that process to stop it. Otherwise the run has ended when the command returns. The exit code is 1 if the run had already ended.',
  ],
  positionals: [runName],
  options: [{ name: 'reason', value: 'TEXT', description: 'The reason, for the journal' }],
  examples: [{ line: 'techne runs cancel last --reason "wrong branch"', what: 'Cancel the newest run' }],
  load: async () => (await import('../commands/runs-cancel.ts')).runRunsCancel,
};

const runsUndo: CommandSpec = {
  name: 'runs undo',
  summary: 'Take back the notes that a run wrote',
  details: [
    'A note that the run made is removed; one that it added to is as it was before, byte by byte. Notes of nested runs are taken back too. A note that was changed, moved or removed since is left as it is, with the reason, and the exit code is 1. It can be repeated. Only notes (x_techne_note) are taken back: nothing that commands or tools did.',
    '--json prints {run, notes: [{path, outcome, reason}]}; outcome is restored, removed, gone (taken back before) or refused.',
  ],
  positionals: [runName],
  options: [],
  examples: [{ line: 'techne runs undo last', what: 'Take back the note of the newest run' }],
  load: async () => (await import('../commands/runs-undo.ts')).runRunsUndo,
};

const runsDiff: CommandSpec = {
  name: 'runs diff',
  summary: 'Show where two runs differ',
  details: [
    'Compares skill, program, input, limits, every call and its outcome, trace, status and result; ignores times and ids. --json prints [{what, left, right}]. The exit code is 1 if the runs differ.',
  ],
  positionals: [
    { ...runName, name: 'A' },
    { ...runName, name: 'B', description: 'The other run' },
  ],
  options: [],
  examples: [{ line: 'techne runs diff 4QXF last', what: 'What is different in the newest run?' }],
  load: async () => (await import('../commands/runs-diff.ts')).runRunsDiff,
};

const runsToTest: CommandSpec = {
  name: 'runs to-test',
  summary: 'Turn a recorded run into a test of its skill',
  details: [
    'Prints a test file: the answers and the results of commands, tools, forms and nested runs are its script, the result of the run is its expectation. Put it into tests/ of the skill, and techne test repeats the run offline.',
    'techne runs the test before it prints it. What looks like a secret becomes [secret]. If a call cannot be scripted, techne prints the reason instead of a test.',
    '--json prints {run, skill, test, changed: [skill], faults: [message], notCompared: [field], secrets}.',
  ],
  positionals: [runName],
  options: [{ name: 'name', value: 'TEXT', description: 'The name of the test' }],
  examples: [
    { line: 'techne runs to-test last > tests/recorded.yaml', what: 'Save it as a test of the skill' },
  ],
  load: async () => (await import('../commands/runs-to-test.ts')).runRunsToTest,
};

const runsExport: CommandSpec = {
  name: 'runs export',
  summary: 'Write a run to a file, for another store or machine',
  details: [
    'The file has the journal of the run, those of the runs inside of it, and the content that they name; techne runs import adds it to another store, where it is replayed byte for byte. A run inside of another one is exported with the outermost. The file holds everything that the run asked and was answered: treat it as the run itself.',
    'Without --out the file goes to standard output. --json with --out prints {run, runs, blobs, bytes, file}.',
  ],
  positionals: [runName],
  options: [
    { name: 'out', value: 'FILE', complete: 'path', description: 'The file to write; it must not exist yet' },
  ],
  examples: [
    { line: 'techne runs export last --out failed.run', what: 'The newest run as a file' },
    {
      line: 'techne runs export 4QXF --store postgres://techne@db/techne --out failed.run',
      what: 'A run of the team, to look into it here',
    },
  ],
  load: async () => (await import('../commands/runs-export.ts')).runRunsExport,
};

const runsImport: CommandSpec = {
  name: 'runs import',
  summary: 'Add a run from a file that techne runs export made',
  details: [
    'The run keeps its id. It can be shown, replayed, compared and made into a test, but not resumed or forked: what it executes, and what it was allowed to do, is only what the file says. With --trust a person at a terminal trusts the file, and the run is as if it had been made here.',
    'A file that is torn, changed or not well formed is refused. --json prints {run, added, blobs}; added is empty if the run is there already.',
  ],
  positionals: [
    { name: 'FILE', description: 'The file', required: true, repeatable: false, complete: 'path' },
  ],
  options: [{ name: 'trust', description: 'Let the run be resumed and forked; asks a person' }],
  examples: [
    { line: 'techne runs import failed.run', what: 'Add it' },
    { line: 'techne runs replay last', what: 'And see whether it does the same here' },
  ],
  load: async () => (await import('../commands/runs-import.ts')).runRunsImport,
};

const runsPrune: CommandSpec = {
  name: 'runs prune',
  summary: 'Remove old runs',
  details: [
    'Removes runs that ended longer ago than --older-than, and reports them. Runs that have not ended are removed only if --status names their status. A run that a process drives is never removed, nor a run nested in one that has not ended. Stored content that no run needs is removed once it is an hour old. With --workspace DIR, only runs of that workspace are removed. The configuration key runs.expireDays removes old runs without this command.',
    '--json prints {removed: [run], inUse: [run], dryRun, freed: {blobs, bytes}, damaged: [run]}.',
  ],
  positionals: [],
  options: [
    { name: 'older-than', value: 'AGE', description: 'Such as 30d, 12h or 45m (default 30d)' },
    { name: 'keep', value: 'N', description: 'Keep the newest N, at any age' },
    { name: 'skill', value: 'NAME', complete: 'skill', description: 'Only runs of this skill' },
    {
      name: 'status',
      value: 'STATUS',
      repeatable: true,
      choices: [
        'completed',
        'failed',
        'cancelled',
        'partial',
        'paused',
        'needs_decision',
        'interrupted',
        'corrupt',
      ],
      description: 'Only runs with this status (repeatable; default: runs that have ended)',
    },
    { name: 'dry-run', description: 'Report what would be removed, and remove nothing' },
  ],
  examples: [
    { line: 'techne runs prune --dry-run', what: 'Which runs are older than thirty days?' },
    {
      line: 'techne runs prune --older-than 7d --keep 100',
      what: 'Remove runs older than a week, but keep the newest hundred',
    },
  ],
  load: async () => (await import('../commands/runs-prune.ts')).runRunsPrune,
};

const runsResolve: CommandSpec = {
  name: 'runs resolve',
  summary: 'Decide about a call with an unknown outcome',
  details: [
    'After a crash, it can be unknown whether a command has finished. techne does not repeat it: a person at a terminal decides whether it was done, is to be retried, or failed. Then the run resumes, unless --no-resume is given.',
  ],
  positionals: [
    runName,
    {
      name: 'KEY',
      description: 'The key of the call in techne runs show; optional if there is only one',
      required: false,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [
    {
      name: 'as',
      value: 'DECISION',
      choices: ['done', 'retry', 'fail'],
      description: 'done: it was done; retry: do it again; fail: it failed',
    },
    {
      name: 'value',
      value: 'JSON',
      description:
        'With --as done: the outcome; for a command {"ok", "exit_code", "result", …} or its output as text',
    },
    { name: 'no-resume', description: 'Record the decision without resuming the run' },
    answerOption,
  ],
  examples: [
    { line: 'techne runs resolve last --as retry', what: 'Do it again' },
    {
      line: 'techne runs resolve 4QXF 3 --as done --value \'"deployed"\'',
      what: 'It was done and printed "deployed"',
    },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/runs-resolve.ts')).runRunsResolve,
};

export const runsCommand: CommandSpec = {
  name: 'runs',
  summary: 'List, inspect, resume, replay, fork and remove runs',
  details: [
    'Runs are stored in ~/.techne/runs, or in the Postgres that --store or runs.store of the configuration names, each with the files it executed. RUN is an id, the beginning or end of one, or "last".',
  ],
  positionals: [],
  options: [],
  examples: [
    { line: 'techne runs', what: 'The newest runs' },
    { line: 'techne runs show last', what: 'What happened in the newest run' },
  ],
  subcommands: [
    runsList,
    runsShow,
    runsTail,
    runsResume,
    runsReplay,
    runsFork,
    runsCancel,
    runsUndo,
    runsDiff,
    runsToTest,
    runsExport,
    runsImport,
    runsPrune,
    runsResolve,
  ].map((command) => ({ ...command, options: [...command.options, storeOption] })),
  load: async () => runsList.load(),
};
