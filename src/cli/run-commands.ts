// The commands about runs: starting, answering, looking at and testing them.
import type { CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';

const runExitCodes =
  'Exit codes: 0 completed, 1 failed, 2 wrong usage, 3 environment, 4 refused, 5 paused (it waits for an answer), 6 needs a decision, 130 cancelled, 70 a bug in techne.';

const runName: PositionalSpec = {
  name: 'RUN',
  description: 'A run: its id, the beginning or end of it, or "last" for the newest of all your workspaces',
  required: true,
  repeatable: false,
  complete: 'run',
};

const answerOption: OptionSpec = {
  name: 'answer',
  value: 'SPEC',
  suggest: ['model', 'caller', 'person', 'agent-cli', 'script:', 'replay:'],
  description:
    'Who answers: model, model:NAME, caller, person, agent-cli, script:FILE or replay:FILE (default: the first that is there, see techne doctor)',
};

const limitOptions: readonly OptionSpec[] = [
  {
    name: 'max-asks',
    value: 'N',
    description: 'The most nested asks (default 5; a plan: as many as its steps ask)',
  },
  {
    name: 'max-commands',
    value: 'N',
    description: 'The most commands (default 10; a plan: as many as its steps make)',
  },
  {
    name: 'max-tokens',
    value: 'N',
    description: 'The most tokens of models, with everything nested (default 2000000)',
  },
  {
    name: 'max-cost',
    value: 'DOLLARS',
    description: 'The most that models may cost, with everything nested: 0.50 (default 10)',
  },
  { name: 'max-runs', value: 'N', description: 'The most runs begun inside it (default 1000)' },
  {
    name: 'timeout',
    value: 'SECONDS',
    description: 'The most time, pauses not counted (default 300; a plan: 1800)',
  },
];

const inputOption: OptionSpec = {
  name: 'input',
  short: 'i',
  value: 'INPUT',
  repeatable: true,
  description:
    'A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY:=JSON; may be repeated',
};

const watchOptions: readonly OptionSpec[] = [
  {
    name: 'record',
    value: 'FILE',
    complete: 'path',
    description: 'Keep what is answered in FILE, for --answer replay:FILE',
  },
  {
    name: 'events',
    value: 'FILE',
    complete: 'path',
    description: 'Write every event to FILE as it happens, one JSON object a line',
  },
  { name: 'raw', description: 'Print exactly the text that a calling model would get' },
];

const runsList: CommandSpec = {
  name: 'runs list',
  summary: 'Show the runs there are, newest first',
  details: [
    'A line for each run: id, status, skill, age, and what it has used. "interrupted" means that the process which drove it is gone: techne runs resume takes it up again.',
    '--json prints {runs: [{run, skill, status, startedAt, endedAt, usage, answered}], cursor}; the cursor is null on the last page. `answered` is true for a paused run whose answer was written down: techne runs resume goes on with it.',
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
        'corrupt',
      ],
      description: 'Only runs of this status; may be repeated',
    },
    { name: 'skill', value: 'NAME', complete: 'skill', description: 'Only runs of this skill' },
    { name: 'limit', value: 'N', description: 'The most runs, 1 to 1000 (default 20)' },
    { name: 'cursor', value: 'RUN', description: 'Go on after this run' },
  ],
  examples: [
    { line: 'techne runs', what: 'The newest twenty' },
    { line: 'techne runs list --status paused --status needs_decision', what: 'Those that wait for someone' },
  ],
  load: async () => (await import('./commands/runs-list.ts')).runRunsList,
};

const runsShow: CommandSpec = {
  name: 'runs show',
  summary: 'Show everything that happened in a run',
  details: [
    'What it was given, its calls in order with durations and what was used, what it traced, its questions, its result or error. --effects shows requests and outcomes in full, also of model turns and tools inside an ask.',
    '--json prints the whole view of the run, always with requests and outcomes.',
  ],
  positionals: [runName],
  options: [{ name: 'effects', description: 'Show requests and outcomes in full' }],
  examples: [
    { line: 'techne runs show last', what: 'The newest run' },
    { line: 'techne runs show 4QXF --effects', what: 'A run whose id ends in 4QXF, in full' },
  ],
  load: async () => (await import('./commands/runs-show.ts')).runRunsShow,
};

const runsTail: CommandSpec = {
  name: 'runs tail',
  summary: 'Follow a run until it ends or waits',
  details: [
    'Prints what has happened and then what happens, whichever process drives the run. Ctrl-C stops following; the run goes on. --json prints one journal entry a line. The exit code is that of the run; 5 when the process that drove it is gone.',
  ],
  positionals: [runName],
  options: [],
  examples: [{ line: 'techne runs tail last', what: 'Follow the newest run' }],
  exitCodes: runExitCodes,
  load: async () => (await import('./commands/runs-tail.ts')).runRunsTail,
};

const runsResume: CommandSpec = {
  name: 'runs resume',
  summary: 'Go on with a run that was paused or interrupted',
  details: [
    'What has ended is not done again. The run executes the bytes it was started with, whatever has been edited since, and keeps its limits and what it has used. Of a run that has ended, the result is shown again.',
  ],
  positionals: [runName],
  options: [
    { ...answerOption, description: 'Someone else than before: model, caller, person, script:FILE …' },
    ...watchOptions,
  ],
  examples: [{ line: 'techne runs resume last', what: 'Go on with the newest run' }],
  exitCodes: runExitCodes,
  load: async () => (await import('./commands/runs-resume.ts')).runRunsResume,
};

const runsReplay: CommandSpec = {
  name: 'runs replay',
  summary: 'Go through a run again without doing anything, and compare',
  details: [
    'Every outcome is taken from the journal. Says whether the result is byte-identical, or where the program and the journal part. The exit code is 1 when they do.',
    'With --from a new run is made that performs the call KEY and everything after it anew; that is techne runs fork, which takes edits too.',
  ],
  positionals: [runName],
  options: [
    { name: 'from', value: 'KEY', description: 'Perform this call and what follows anew, in a new run' },
  ],
  examples: [
    { line: 'techne runs replay last', what: 'Is the newest run what its journal says?' },
    { line: 'techne runs replay last --from 3', what: 'The same as techne runs fork last --from 3' },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('./commands/runs-replay.ts')).runRunsReplay,
};

const runsFork: CommandSpec = {
  name: 'runs fork',
  summary: 'Start a new run from what another one has done',
  details: [
    'The new run takes over what the old one did before the call KEY, and performs the rest anew. With --from, steps of a plan that failed before KEY stay failed; what was stopped is done anew. Without --from it begins where the old one failed, or at the first call that an edit changes. The old run is not touched.',
    '--edit KEY=VALUE lets a call have given something else: of an ask the answer, of a command its output, of a tool its text, of a form a reply to it, of a skill its answer. KEY:=JSON is all that the call gave, as techne runs show --effects has it; of a form its fields. What such a call cannot give is refused, with the shape that it needs.',
  ],
  positionals: [runName],
  options: [
    {
      name: 'from',
      value: 'KEY',
      description: 'The first call that is performed anew; techne runs show has the keys',
    },
    { ...inputOption, description: 'Keys of the input that are to be other than before; as of techne run' },
    {
      name: 'edit',
      value: 'KEY=VALUE',
      repeatable: true,
      description: 'What a call is taken to have given; may be repeated',
    },
    {
      name: 'program',
      value: 'FILE',
      complete: 'path',
      description: 'The edited program, in the place of the one that ran',
    },
    { ...answerOption, description: 'Someone else than before: model, caller, person, script:FILE …' },
    ...limitOptions.map((option) => ({
      ...option,
      description: option.description.replace(/ \(default.*/, ''),
    })),
    ...watchOptions,
  ],
  examples: [
    { line: 'techne runs fork last --max-asks 10', what: 'Go on where the asks were used up' },
    {
      line: 'techne runs fork last --from 2 --input heading=Risks',
      what: 'Everything from the second call on, with another input',
    },
    {
      line: 'techne runs fork last --edit 1="a better draft"',
      what: 'What would have come of another answer?',
    },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('./commands/runs-fork.ts')).runRunsFork,
};

const runsCancel: CommandSpec = {
  name: 'runs cancel',
  summary: 'Cancel a run, also one that another process drives',
  details: [
    'A run that a living process drives is told, and stopped by it; any other one has ended when the command returns. Cancelling a run that has ended changes nothing; the exit code is then 1.',
  ],
  positionals: [runName],
  options: [{ name: 'reason', value: 'TEXT', description: 'Why, for the journal' }],
  examples: [{ line: 'techne runs cancel last --reason "wrong branch"', what: 'Cancel the newest run' }],
  load: async () => (await import('./commands/runs-cancel.ts')).runRunsCancel,
};

const runsDiff: CommandSpec = {
  name: 'runs diff',
  summary: 'Show where two runs differ',
  details: [
    'Compares skill, program, input, limits, every call and its outcome, trace, status and result; times and ids do not count. --json prints [{what, left, right}]. The exit code is 1 when they differ.',
  ],
  positionals: [
    { ...runName, name: 'A' },
    { ...runName, name: 'B', description: 'The other run' },
  ],
  options: [],
  examples: [{ line: 'techne runs diff 4QXF last', what: 'What is different in the newest run?' }],
  load: async () => (await import('./commands/runs-diff.ts')).runRunsDiff,
};

const runsPrune: CommandSpec = {
  name: 'runs prune',
  summary: 'Remove old runs',
  details: [
    'Removes runs that ended longer ago than --older-than, but never one that a process drives, nor one inside a run that has not ended. Runs that have not ended are removed only when their status is named. Stored content that no run needs any more goes with them, once it is an hour old. Says what went.',
    '--json prints {removed: [run], inUse: [run], dryRun, freed: {blobs, bytes}, damaged: [run]}.',
  ],
  positionals: [],
  options: [
    { name: 'older-than', value: 'AGE', description: 'Such as 30d, 12h or 45m (default 30d)' },
    { name: 'keep', value: 'N', description: 'Keep the newest N of those, however old' },
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
      description: 'Only runs of this status; may be repeated (default: those that have ended)',
    },
    { name: 'dry-run', description: 'Only say what would go' },
  ],
  examples: [
    { line: 'techne runs prune --dry-run', what: 'What is older than thirty days?' },
    {
      line: 'techne runs prune --older-than 7d --keep 100',
      what: 'All but the newest hundred and those of this week',
    },
  ],
  load: async () => (await import('./commands/runs-prune.ts')).runRunsPrune,
};

const runsResolve: CommandSpec = {
  name: 'runs resolve',
  summary: 'Say what became of a call whose outcome nobody knows',
  details: [
    'A crash can leave a command that was started and never seen to end. It is not repeated on its own: a person looks, and says at a terminal whether it was done, is to be tried again, or counts as failed. Then the run goes on, unless --no-resume is given.',
  ],
  positionals: [
    runName,
    {
      name: 'KEY',
      description: 'The call, as techne runs show names it; may be left out when there is only one',
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
      description: 'done: it happened; retry: do it again; fail: it did not and shall not',
    },
    {
      name: 'value',
      value: 'JSON',
      description:
        'With --as done: what it gave; for a command {"ok", "exit_code", "result", …} or its output as text',
    },
    { name: 'no-resume', description: 'Only write the decision down' },
    answerOption,
  ],
  examples: [
    { line: 'techne runs resolve last --as retry', what: 'Do it again' },
    {
      line: 'techne runs resolve 4QXF 3 --as done --value \'"deployed"\'',
      what: 'It was done, and printed this',
    },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('./commands/runs-resolve.ts')).runRunsResolve,
};

export const runCommands: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'Run a skill',
    details: [
      'Runs the program of a skill with an input, under budgets, and keeps a journal of everything it does in ~/.techne/runs: the run can be paused, resumed, replayed and forked. Prints the answer, then status, fields and trace; with --quiet the answer alone.',
      'At a terminal, questions to a person and approvals of commands are asked right there. Elsewhere the run pauses, says which command answers it, and the exit code is 5. Ctrl-C cancels the run; a second one ends the process at once. SIGTERM and SIGHUP stop what is under way and leave the run to be resumed; the exit code is then 143 or 129, and --json prints {run, status, undecided}.',
      'The budgets are ceilings that the engine keeps: more than 50 asks, 100 commands or 3600 seconds are cut to that, and the result says so. --json prints {status, run, skill, text, envelope, error, questions, undecided, usage}.',
    ],
    positionals: [
      {
        name: 'NAME',
        description: 'The name of a skill that can be executed',
        required: true,
        repeatable: false,
        complete: 'executable',
      },
      {
        name: 'INPUT',
        description: 'KEY=TEXT and KEY:=JSON, as of --input',
        required: false,
        repeatable: true,
        complete: 'input',
      },
    ],
    options: [
      inputOption,
      answerOption,
      ...limitOptions,
      {
        name: 'require-status',
        value: 'LIST',
        description:
          'Exit with 1 when the program returns another status than these, such as accepted,ok; for CI',
      },
      { name: 'trust', description: 'Show what would be trusted, ask a person, and run it then' },
      ...watchOptions,
    ],
    examples: [
      { line: 'techne run require-heading task="Plan the release" heading=Risks', what: 'With two texts' },
      {
        line: 'techne run checklist --input \'{"task": "Deploy it", "required": ["rollback"]}\'',
        what: 'With JSON',
      },
      {
        line: 'techne run test-fix test_command:=\'["npm", "test"]\' --answer model --max-asks 3',
        what: 'A list, a model, a smaller budget',
      },
      {
        line: 'techne run diff-review --answer script:answers.yaml --json',
        what: 'Offline, with the answers of a file of yours, for a program',
      },
    ],
    exitCodes: runExitCodes,
    load: async () => (await import('./commands/run.ts')).runRun,
  },
  {
    name: 'answer',
    summary: 'Answer a question that a run waits for',
    details: [
      'Answers the question and goes on with the run. Without --question the only open question is meant. When another process drives the run, it takes the answer and goes on itself. At a terminal, RUN alone shows the question and asks for the answer.',
      'A question is for the caller, a person or the operator, and nobody below may answer it. At a terminal you are the operator; elsewhere the caller, or a person with --as person. An approval of a command is for the operator: it is given at a terminal only.',
    ],
    positionals: [{ ...runName, complete: 'waiting' }],
    options: [
      {
        name: 'question',
        value: 'ID',
        description: 'The question: the step that asks, its id, or the beginning or end of that',
      },
      {
        name: 'set',
        value: 'FIELD=VALUE',
        repeatable: true,
        description: 'A field of a form; may be repeated',
      },
      {
        name: 'text',
        value: 'TEXT',
        description:
          'The answer; - is what standard input holds. For a form: "field: value" lines, or your own words where it takes them',
      },
      { name: 'value', value: 'JSON', description: 'A structured answer; @FILE and @- are read' },
      {
        name: 'json',
        value: 'JSON',
        optional: true,
        description: 'The same as --value, with the result as JSON; alone it is the usual --json',
      },
      {
        name: 'approve',
        value: 'HOW',
        choices: ['once', 'always', 'deny', 'never'],
        description: 'Whether a command may run: once, always, deny or never',
      },
      {
        name: 'as',
        value: 'WHO',
        choices: ['caller', 'person', 'operator'],
        description: 'On whose behalf: caller, person or operator',
      },
      { name: 'no-resume', description: 'Only write the answer down' },
      {
        ...answerOption,
        name: 'answerer',
        description: 'Who answers what comes next, when it is someone else than before',
      },
    ],
    examples: [
      {
        line: 'techne answer last --text "Use the second draft"',
        what: 'The only open question of the newest run',
      },
      { line: 'techne answer 4QXF --approve once', what: 'Let the command run this time' },
    ],
    exitCodes: runExitCodes,
    load: async () => (await import('./commands/answer.ts')).runAnswer,
  },
  {
    name: 'runs',
    summary: 'Look at runs, go on with them, and clear them away',
    details: [
      'Runs are kept in ~/.techne/runs, each with the bytes it executed. RUN is an id, the beginning or end of one, or "last".',
    ],
    positionals: [],
    options: [],
    examples: [
      { line: 'techne runs', what: 'The newest runs' },
      { line: 'techne runs show last', what: 'What happened in the newest one' },
    ],
    subcommands: [
      runsList,
      runsShow,
      runsTail,
      runsResume,
      runsReplay,
      runsFork,
      runsCancel,
      runsDiff,
      runsPrune,
      runsResolve,
    ],
    load: async () => runsList.load(),
  },
  {
    name: 'test',
    summary: 'Run the tests of skills, offline',
    details: [
      'Tests are YAML files in the folder tests of a skill: an input, scripted answers and command results, and what is expected. They run on the engine that runs skills, with nothing real behind it: no model is asked and no command started, so that skills nobody trusts can be tested too. An answer that is not used, or a call that nothing was scripted for, fails the test.',
      'Without an argument every skill of the workspace is tested. The exit code is 1 if a test fails or a test file has an error; skills without tests are counted, not failed. --json prints {ok, passed, failed, skills: [{skill, path, tests: [{name, file, line, ok, faults}]}], without, diagnostics}.',
    ],
    positionals: [
      {
        name: 'SKILL|FOLDER',
        description: 'The name of a skill, its folder, or a folder of skills',
        required: false,
        repeatable: true,
        complete: 'skill-or-folder',
      },
    ],
    options: [
      { name: 'filter', value: 'TEXT', description: 'Only tests with this in their name or file name' },
    ],
    examples: [
      { line: 'techne test', what: 'Every skill of this workspace' },
      { line: 'techne test require-heading --filter "gives up"', what: 'One test of one skill' },
      { line: 'techne test skills --json', what: 'A folder of skills, for a program' },
    ],
    load: async () => (await import('./commands/test.ts')).runTest,
  },
];
