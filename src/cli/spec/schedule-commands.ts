// techne schedule: start skills at times, on the workers of a team.
import type { MissedRule } from '../../ports/schedules.ts';
import type { CommandSpec, PositionalSpec } from './command-spec.ts';
import { answerOption, inputOption, storeOption } from './run-options.ts';

/** The table of commands loads nothing else. */
const missedRules = ['catch-up', 'latest', 'skip'] as const satisfies readonly MissedRule[];

const scheduleName: PositionalSpec = {
  name: 'NAME',
  description: 'A schedule: its name or its id',
  required: true,
  repeatable: false,
  complete: 'none',
};

const add: CommandSpec = {
  name: 'schedule add',
  summary: 'Start a skill on a schedule',
  details: [
    'Workers (techne worker) start the skill at the times that the cron expression names in the time zone: minute, hour, day, month, day of the week; lists, ranges, steps, names (MON, JAN); or @hourly, @daily, @weekly, @monthly, @yearly. Every time is one run, however many workers there are. Where clocks are put forward, a time that does not exist is the first moment after the gap; where they are put back, a fixed time comes once.',
    '--missed says what happens to times at which no worker was running: latest runs the last of them (default), catch-up all of them, at most the newest 100, skip none. A time counts as missed after a minute, or four leases if that is longer.',
    'It needs a store in Postgres. The skill and its inputs are checked now, and again each time. --json prints the schedule.',
  ],
  positionals: [
    {
      name: 'SKILL',
      description: 'The skill to start',
      required: true,
      repeatable: false,
      complete: 'executable',
    },
  ],
  options: [
    { name: 'cron', value: 'EXPR', description: 'When, such as "0 3 * * *" or @daily' },
    {
      name: 'timezone',
      value: 'TZ',
      suggest: ['UTC', 'Europe/Berlin', 'America/New_York'],
      description: 'The time zone of the expression, by its IANA name (default UTC)',
    },
    inputOption,
    {
      name: 'missed',
      value: 'RULE',
      choices: missedRules,
      description: 'What happens to missed times (default latest)',
    },
    { name: 'queue', value: 'NAME', description: 'The queue of the runs (default: default)' },
    { name: 'priority', value: 'N', description: 'Smaller is earlier (default 0)' },
    { name: 'name', value: 'NAME', description: 'The name of the schedule (default: the name of the skill)' },
    storeOption,
  ],
  examples: [
    {
      line: 'techne schedule add report --cron "0 6 * * MON-FRI" --timezone Europe/Berlin --input team=ops',
      what: 'At six on working days, also when daylight saving begins or ends',
    },
    {
      line: 'techne schedule add sync --cron "*/15 * * * *" --missed skip',
      what: 'Every quarter of an hour; what was missed is not made up for',
    },
  ],
  load: async () => (await import('../commands/schedule.ts')).runScheduleAdd,
};

const list: CommandSpec = {
  name: 'schedule list',
  summary: 'Show schedules, when they are due, and the result of the last time',
  details: [
    '--json prints {schedules: [{id, name, skill, cron, timezone, missed, isPaused, nextAt, lastAt, lastRun, fault, faultAt, …}]}; times are milliseconds since 1970.',
  ],
  positionals: [],
  options: [storeOption],
  examples: [
    { line: 'techne schedule list', what: 'Which schedules there are, and which of them failed last' },
  ],
  load: async () => (await import('../commands/schedule.ts')).runScheduleList,
};

const show: CommandSpec = {
  name: 'schedule show',
  summary: 'Show a schedule and its next times',
  details: ['--json prints the schedule with {following}, the next five times.'],
  positionals: [scheduleName],
  options: [storeOption],
  examples: [{ line: 'techne schedule show report', what: 'What it starts, and the next five times' }],
  load: async () => (await import('../commands/schedule.ts')).runScheduleShow,
};

const pause: CommandSpec = {
  name: 'schedule pause',
  summary: 'Stop a schedule until it is resumed',
  details: [
    'Runs that it started are not touched. Times that pass meanwhile are not missed: they are not run later. --json prints the schedule.',
  ],
  positionals: [scheduleName],
  options: [storeOption],
  examples: [{ line: 'techne schedule pause report', what: 'It starts nothing until it is resumed' }],
  load: async () => (await import('../commands/schedule.ts')).runSchedulePause,
};

const resume: CommandSpec = {
  name: 'schedule resume',
  summary: 'Let a paused schedule start its skill again',
  details: [
    'It starts again at its next time; what it missed is not made up for. --json prints the schedule.',
  ],
  positionals: [scheduleName],
  options: [storeOption],
  examples: [{ line: 'techne schedule resume report', what: 'Start it at its next time' }],
  load: async () => (await import('../commands/schedule.ts')).runScheduleResume,
};

const remove: CommandSpec = {
  name: 'schedule remove',
  summary: 'Remove a schedule',
  details: ['Runs that it started stay. --json prints {id, name}.'],
  positionals: [scheduleName],
  options: [storeOption],
  examples: [{ line: 'techne schedule remove report', what: 'Forget it' }],
  load: async () => (await import('../commands/schedule.ts')).runScheduleRemove,
};

const runNow: CommandSpec = {
  name: 'schedule run-now',
  summary: 'Queue a run of a schedule now, in addition to its times',
  details: ['Also of a schedule that is paused. Prints the id of the run. --json prints {run, schedule}.'],
  positionals: [scheduleName],
  options: [storeOption, answerOption],
  examples: [{ line: 'techne schedule run-now report', what: 'Try it before its time comes' }],
  load: async () => (await import('../commands/schedule.ts')).runScheduleNowCommand,
};

export const scheduleCommand: CommandSpec = {
  name: 'schedule',
  summary: 'Start skills on a schedule, on the workers of a team',
  details: ['techne schedule without a command is techne schedule list.'],
  positionals: [],
  options: [],
  examples: [...add.examples.slice(0, 1), ...pause.examples],
  subcommands: [list, add, show, pause, resume, remove, runNow],
  load: list.load,
};
