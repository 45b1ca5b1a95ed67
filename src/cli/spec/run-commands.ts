// The commands that run skills, answer their questions and test them.
import type { CommandSpec } from './command-spec.ts';
import {
  answerOption,
  inputOption,
  limitOptions,
  runExitCodes,
  runName,
  storeOption,
  submitOptions,
  watchOptions,
} from './run-options.ts';

export const runCommand: CommandSpec = {
  name: 'run',
  summary: 'Run a skill',
  details: [
    'Runs an executable skill with an input, within limits, and records everything it does in a journal in ~/.techne/runs, or in the Postgres that --store names. The run can be paused, resumed, replayed and forked. At a terminal, techne asks for required inputs that are missing. Prints the answer, then status, fields and trace; with --quiet only the answer.',
    'At a terminal, techne asks you questions and approvals directly. Elsewhere the run pauses, prints the command that answers it, and exits with 5. Ctrl-C, SIGTERM and SIGHUP interrupt the run: what was answered is kept, and the run can be resumed. The exit code is 130, 143 or 129, and --json prints {run, status, undecided}. A second Ctrl-C cancels the run.',
    'Limits cannot exceed 50 asks, 100 commands and 3600 seconds; larger values are reduced, and the result reports it. --json prints {status, run, skill, text, envelope, error, questions, undecided, usage}.',
  ],
  positionals: [
    {
      name: 'NAME',
      description: 'The name of an executable skill; without it, at a terminal, techne asks which',
      required: false,
      repeatable: false,
      complete: 'executable',
    },
    {
      name: 'INPUT',
      description: 'KEY=TEXT or KEY:=JSON, as for --input; or only a text, if the skill asks for one text',
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
      description: 'Exit with 1 if the program returns another status, such as accepted,ok; for CI',
    },
    {
      name: 'trust',
      description: 'If the skill is untrusted: show it, ask whether to trust it, then run it',
    },
    ...watchOptions,
    storeOption,
    ...submitOptions,
  ],
  examples: [
    { line: 'techne run', what: 'Pick a skill from a list' },
    { line: 'techne run checklist "Deploy the new version"', what: 'With the one text that it requires' },
    { line: 'techne run require-heading task="Plan the release" heading=Risks', what: 'With two texts' },
    {
      line: 'techne run checklist --input \'{"task": "Deploy it", "required": ["rollback"]}\'',
      what: 'With JSON',
    },
    {
      line: 'techne run test-fix test_command:=\'["npm", "test"]\' --answer model --max-asks 3',
      what: 'With a list, a model and a lower limit',
    },
    {
      line: 'techne run diff-review --answer script:answers.yaml --json',
      what: 'Offline, with answers from a file, and JSON output',
    },
    {
      line: 'techne run checklist "Deploy it" --submit --store postgres://techne@db/techne',
      what: 'Leave the run to the workers of a team (techne worker)',
    },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/run.ts')).runRun,
};

export const answerCommand: CommandSpec = {
  name: 'answer',
  summary: 'Answer a question that a run waits for',
  details: [
    'Answers the question and resumes the run. If another process drives the run, that process continues it. Without --question, the run must have exactly one open question. At a terminal, techne answer RUN shows the question and asks for the answer.',
    'A question is for the caller, a person or the operator. The operator can answer all of them; a person can also answer those for the caller. At a terminal you are the operator; elsewhere you are the caller, or a person with --as person. Only the operator, at a terminal, can approve a command.',
  ],
  positionals: [{ ...runName, complete: 'waiting' }],
  options: [
    {
      name: 'question',
      value: 'ID',
      description: 'The question: the step that asks, its id, or the beginning or end of the id',
    },
    {
      name: 'set',
      value: 'FIELD=VALUE',
      repeatable: true,
      description: 'A field of a form (repeatable)',
    },
    {
      name: 'text',
      value: 'TEXT',
      description:
        'The answer; - reads standard input. For a form: "field: value" lines, or free text if the form accepts it',
    },
    {
      name: 'value',
      value: 'JSON',
      description: 'A structured answer; @FILE reads a file, @- standard input',
    },
    {
      name: 'json',
      value: 'JSON',
      optional: true,
      description: 'With a value: --value and JSON output; alone: JSON output',
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
      description: 'Answer as the caller, a person or the operator',
    },
    { name: 'no-resume', description: 'Record the answer without resuming the run' },
    {
      ...answerOption,
      name: 'answerer',
      description: 'Change the answerer for the rest of the run',
    },
    storeOption,
  ],
  examples: [
    {
      line: 'techne answer last --text "Use the second draft"',
      what: 'The only open question of the newest run',
    },
    { line: 'techne answer 4QXF --approve once', what: 'Let the command run this time' },
  ],
  exitCodes: runExitCodes,
  load: async () => (await import('../commands/answer.ts')).runAnswer,
};

export const testCommand: CommandSpec = {
  name: 'test',
  summary: 'Run the tests of skills, offline',
  details: [
    'Tests are YAML files in the folder tests of a skill: an input, scripted answers and command results, and the expected outcome. They run on the engine that runs skills, but no model is asked and no command starts, so untrusted skills can be tested too. A test fails if an answer is not used, or if a call has no scripted answer.',
    'Without an argument, techne tests every skill of the workspace. The exit code is 1 if a test fails or a test file has an error; skills without tests are only counted. --json prints {ok, passed, failed, skills: [{skill, path, tests: [{name, file, line, ok, faults}]}], without, diagnostics}.',
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
    { name: 'filter', value: 'TEXT', description: 'Only tests with this text in their name or file name' },
  ],
  examples: [
    { line: 'techne test', what: 'Every skill of this workspace' },
    { line: 'techne test require-heading --filter "gives up"', what: 'One test of one skill' },
    { line: 'techne test skills --json', what: 'A folder of skills, with JSON output' },
  ],
  load: async () => (await import('../commands/test.ts')).runTest,
};
