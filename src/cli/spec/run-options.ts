// The arguments, options and exit codes that several commands about runs share.
import type { OptionSpec, PositionalSpec } from './command-spec.ts';

export const runExitCodes =
  'Exit codes: 0 completed, 1 failed, 2 wrong usage, 3 environment, 4 refused, 5 paused (waits for an answer), 6 needs a decision, 130 cancelled, or interrupted by Ctrl-C (the run is then paused), 70 a bug in techne.';

export const runName: PositionalSpec = {
  name: 'RUN',
  description:
    'A run: its id, the beginning or end of the id, or "last" for the newest run of this workspace',
  required: true,
  repeatable: false,
  complete: 'run',
};

export const answerOption: OptionSpec = {
  name: 'answer',
  value: 'SPEC',
  suggest: ['model', 'caller', 'person', 'agent-cli', 'script:', 'replay:'],
  description:
    'The answerer: model, model:NAME, caller, person, agent-cli, script:FILE or replay:FILE (default: the first available, see techne doctor)',
};

export const otherAnswerOption: OptionSpec = {
  ...answerOption,
  description: 'Change the answerer: model, caller, person, script:FILE …',
};

export const storeOption: OptionSpec = {
  name: 'store',
  value: 'STORE',
  suggest: ['files', 'postgres://'],
  description:
    'Where runs are kept: files, or postgres://USER@HOST:PORT/DATABASE (default: runs.store of the configuration, else files)',
};

/** For runs that workers drive. */
export const submitOptions: readonly OptionSpec[] = [
  {
    name: 'submit',
    description: 'Queue the run for the workers of --store, print its id, and do not wait for it',
  },
  { name: 'queue', value: 'NAME', description: 'With --submit: the queue (default: default)' },
  { name: 'priority', value: 'N', description: 'With --submit: smaller is earlier (default 0)' },
  { name: 'key', value: 'KEY', description: 'With --submit: the same key and input give the same run' },
  {
    name: 'files',
    value: 'SOURCE',
    complete: 'path',
    description:
      'With --submit: what the workspace begins with: a folder, an archive, a repository such as https://host/repo.git#COMMIT, or @NAME of techne store files (default: nothing)',
  },
  {
    name: 'deadline',
    value: 'AGE',
    description:
      'With --submit: cancel the run if it has not ended by then, also while it waits, such as 30m, 2h (default: never)',
  },
];

export const limitOptions: readonly OptionSpec[] = [
  {
    name: 'max-asks',
    value: 'N',
    description: 'The maximum number of asks (default 5; for a plan as many as its steps need)',
  },
  {
    name: 'max-commands',
    value: 'N',
    description: 'The maximum number of commands (default 10; for a plan as many as its steps need)',
  },
  {
    name: 'max-tokens',
    value: 'N',
    description: 'The maximum number of model tokens, nested runs included (default 2000000)',
  },
  {
    name: 'max-cost',
    value: 'DOLLARS',
    description: 'The maximum cost of models, nested runs included, such as 0.50 (default 10)',
  },
  {
    name: 'max-steps',
    value: 'N',
    description: 'The maximum number of steps of a program, up to 1000000000 (default 100000000)',
  },
  { name: 'max-runs', value: 'N', description: 'The maximum number of nested runs (default 1000)' },
  {
    name: 'timeout',
    value: 'SECONDS',
    description: 'The maximum time without pauses (default 300; for a plan 1800)',
  },
];

export const inputOption: OptionSpec = {
  name: 'input',
  short: 'i',
  value: 'INPUT',
  repeatable: true,
  description:
    'A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY:=JSON (repeatable)',
};

export const watchOptions: readonly OptionSpec[] = [
  {
    name: 'record',
    value: 'FILE',
    complete: 'path',
    description: 'Record the answers in FILE, for --answer replay:FILE',
  },
  {
    name: 'events',
    value: 'FILE',
    complete: 'path',
    description: 'Write every event to FILE, one JSON object per line',
  },
  { name: 'raw', description: 'Print exactly the text that a calling model would get' },
];
