// techne worker: drive the runs of a team, and look after them.
import type { CommandSpec } from './command-spec.ts';
import { answerOption, runName, storeOption } from './run-options.ts';

const start: CommandSpec = {
  name: 'worker start',
  summary: 'Drive queued runs',
  details: [
    'Takes runs from the queue (techne run --submit, techne serve) and drives them, until it is stopped. Start as many workers as you like, on any machine: the skills and the files of a run come with it, and what may be executed is in the store (techne store trust). A run that pauses waits for its answer without a worker. When a worker dies, another one continues its runs after the lease, 15 seconds unless the address of the store says otherwise (?lease=SECONDS).',
    'A run whose workers died three times, with no finished effect between, is held: techne worker held shows it. After the first death a run is driven alone. SIGTERM and Ctrl-C drain: no more runs are taken, commands and asks under way get --grace seconds to end, and other workers continue the runs. A second signal ends the process.',
    'Workers need the packages "pg" and "@dbos-inc/dbos-sdk", which techne comes without. --json prints one event per line: {kind, run, …}.',
  ],
  positionals: [],
  options: [
    storeOption,
    {
      name: 'queue',
      value: 'NAME',
      repeatable: true,
      description: 'A queue to take runs from (default: default; repeatable)',
    },
    { name: 'concurrency', value: 'N', description: 'Runs at a time of this worker (default 4)' },
    {
      name: 'grace',
      value: 'SECONDS',
      description:
        'How long commands and asks under way may take to end when the worker is stopped (default 20)',
    },
    {
      name: 'cache',
      value: 'DIR',
      complete: 'path',
      description: 'Where the skills and workspaces of runs are put (default ~/.cache/techne)',
    },
    answerOption,
  ],
  examples: [
    { line: 'techne worker --store postgres://techne@db/techne', what: 'Drive runs, four at a time' },
    {
      line: 'techne worker --queue default --queue reports',
      what: 'Two queues; "techne store limit" says how many runs of each at a time',
    },
  ],
  load: async () => (await import('../commands/worker-start.ts')).runWorkerStart,
};

const list: CommandSpec = {
  name: 'worker list',
  summary: 'Show the processes that use a store',
  details: [
    'Also the limits that hold queued runs back. --json prints {workers: [{id, described, isAlive, runs, queues}], limits: [{kind, name, concurrency, rate, driven, begun, queued}]}.',
  ],
  positionals: [],
  options: [storeOption],
  examples: [{ line: 'techne worker list', what: 'Which processes live, and how many runs each drives' }],
  load: async () => (await import('../commands/worker-state.ts')).runWorkerList,
};

const held: CommandSpec = {
  name: 'worker held',
  summary: 'Show runs that workers do not try again',
  details: [
    'A run is held when its workers died three times without a finished effect between, or when it cannot continue: its skill is not trusted, was changed or refused, or its journal is damaged. Correct the cause, then: techne worker release RUN. --json prints {held: [{run, queue, deaths, held}]}.',
  ],
  positionals: [],
  options: [storeOption],
  examples: [{ line: 'techne worker held', what: 'Which runs are held, and why' }],
  load: async () => (await import('../commands/worker-state.ts')).runWorkerHeld,
};

const release: CommandSpec = {
  name: 'worker release',
  summary: 'Let workers try a held run again',
  details: ['--json prints {run}.'],
  positionals: [runName],
  options: [storeOption],
  examples: [{ line: 'techne worker release 01J9', what: 'Queue it again' }],
  load: async () => (await import('../commands/worker-state.ts')).runWorkerRelease,
};

export const workerCommand: CommandSpec = {
  name: 'worker',
  summary: 'Drive the runs of a team, on any number of machines',
  details: ['techne worker without a command is techne worker start.'],
  positionals: [],
  options: [],
  examples: start.examples,
  subcommands: [start, list, held, release],
  load: start.load,
};
