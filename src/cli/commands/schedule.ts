// techne schedule add, list, show, pause, resume, remove, run-now
//
// JSON: the schedule; list: {schedules}; show: the schedule with {following}; remove: {id, name}; run-now: {run, schedule}.
import { inStore } from '../in-store.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { MissedRule, Schedule } from '../../ports/schedules.ts';
import { localTime } from '../../techne/local-time.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import {
  addSchedule,
  findSchedule,
  followingTimes,
  resumeSchedule,
  runScheduleNow,
} from '../../techne/schedules.ts';
import { mustServe, mustTravel, openDispatcherOf } from '../../techne/serving.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';
import { withTechne } from '../run/drive-run.ts';
import { neededFor } from '../../techne/run-input.ts';
import { readRunInput } from '../run/read-input.ts';
import { withServing } from '../with-serving.ts';

const what = 'schedules';

export async function runScheduleAdd(context: CommandContext): Promise<number> {
  const { args, io, json, out } = context;
  const [skill = ''] = args.positionals;
  const cron = args.value('cron');
  if (cron === null)
    throw new TechneError('USAGE', '--cron is missing: when is the skill started?', {
      hint: 'such as --cron "0 3 * * *" (at 3:00) or --cron @daily',
    });
  const input = await readRunInput(args.values('input'), io);
  const priority = numberOption(args, 'priority', 0, 1_000_000) ?? 0;
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  const snapshot = await library.load();
  resolveSkill(snapshot, skill);
  const needed = await neededFor(snapshot, skill, input);
  if (needed.length > 0)
    throw new TechneError(
      'USAGE',
      `the skill "${skill}" needs ${needed.map(({ key }) => `"${printableLine(key)}"`).join(', ')}`,
      { hint: `--input ${printableLine(needed[0]?.key ?? 'KEY')}=VALUE` },
    );
  return withServing(context, what, async (serving) => {
    const schedule = await addSchedule(serving, {
      name: args.value('name') ?? skill,
      skill,
      input,
      cron,
      timezone: args.value('timezone') ?? 'UTC',
      missed: (args.value('missed') ?? 'latest') as MissedRule,
      queue: args.value('queue') ?? 'default',
      priority,
    });
    if (json) out.json(schedule);
    else out.line(`Workers start ${skill} ${nextText(schedule)}.`);
    return exitCodes.fine;
  });
}

export function runScheduleList(context: CommandContext): Promise<number> {
  const { json, out, err, columns } = context;
  return withServing(context, what, async ({ schedules }) => {
    const found = await schedules.list();
    if (json) out.json({ schedules: found });
    else if (found.length === 0)
      err.line(
        inStore(
          'There is no schedule yet. "techne schedule add SKILL --cron EXPR" makes one.',
          context.args.value('store'),
        ),
      );
    else
      out.write(
        renderTable(
          [
            ['NAME', 'SKILL', 'WHEN', 'NEXT', 'LAST'],
            ...found.map((one) => [
              printableLine(one.name),
              printableLine(one.skill),
              `${printableLine(one.cron)} ${one.timezone}`,
              one.isPaused ? 'paused' : one.nextAt === null ? 'never' : timeText(one.nextAt),
              lastText(one),
            ]),
          ],
          columns,
        ),
      );
    return exitCodes.fine;
  });
}

export function runScheduleShow(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, what, async (serving) => {
    const schedule = await findSchedule(serving, args.positionals[0] as string);
    const following = await followingTimes(serving, schedule, 5);
    if (json) {
      out.json({ ...schedule, following });
      return exitCodes.fine;
    }
    const rows: readonly (readonly [string, string])[] = [
      ['schedule', `${printableLine(schedule.name)}  ${schedule.id}`],
      ['skill', printableLine(schedule.skill)],
      ['input', printableLine(JSON.stringify(schedule.input ?? {}))],
      ['when', `${printableLine(schedule.cron)} in ${schedule.timezone}, missed times: ${schedule.missed}`],
      ['queue', `${schedule.queue}, priority ${schedule.priority}`],
      ['state', schedule.isPaused ? 'paused' : 'active'],
      ['last', lastText(schedule)],
      ['next', schedule.isPaused ? 'when it is resumed' : following.map(timeText).join(', ')],
    ];
    out.write(rows.map(([key, value]) => `${key.padEnd(8)}  ${value}\n`).join(''));
    return exitCodes.fine;
  });
}

export function runSchedulePause(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, what, async (serving) => {
    const { id, name } = await findSchedule(serving, args.positionals[0] as string);
    await serving.schedules.pause(id);
    if (json) out.json(await findSchedule(serving, id));
    else out.line(`The schedule "${printableLine(name)}" starts nothing until it is resumed.`);
    return exitCodes.fine;
  });
}

export function runScheduleResume(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, what, async (serving) => {
    const schedule = await findSchedule(serving, args.positionals[0] as string);
    if (schedule.isPaused) await resumeSchedule(serving, schedule);
    const resumed = await findSchedule(serving, schedule.id);
    if (json) out.json(resumed);
    else out.line(`Workers start ${printableLine(resumed.skill)} ${nextText(resumed)}.`);
    return exitCodes.fine;
  });
}

export function runScheduleRemove(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, what, async (serving) => {
    const { id, name } = await findSchedule(serving, args.positionals[0] as string);
    await serving.schedules.remove(id);
    if (json) out.json({ id, name });
    else out.line(`The schedule "${printableLine(name)}" is removed; its runs stay.`);
    return exitCodes.fine;
  });
}

export async function runScheduleNowCommand(context: CommandContext): Promise<number> {
  const { args, json, out, err, quiet } = context;
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  return withTechne(context, { library, answerer: args.value('answer') }, (techne) =>
    techne.withRuns(async (runs) => {
      const { runner, store } = runs;
      const serving = mustServe(runs.serving, what);
      const travelling = mustTravel(runs);
      const schedule = await findSchedule(serving, args.positionals[0] as string);
      const dispatcher = await openDispatcherOf(serving, (message) => {
        if (!quiet) err.line(`techne: ${printableLine(message)}`);
      });
      try {
        const submitted = await runScheduleNow({ runner, travelling, store, serving, dispatcher }, schedule);
        if (!submitted.ok) {
          const { result } = submitted;
          if (json) out.json(result);
          else err.line(printableLine(result.text));
          return exitCodeOfStatus[result.status];
        }
        if (json) out.json({ run: submitted.run, schedule: schedule.name });
        else out.line(submitted.run);
        return exitCodes.fine;
      } finally {
        await dispatcher.close();
      }
    }),
  );
}

function nextText({ nextAt, timezone, cron }: Schedule): string {
  const when = nextAt === null ? 'never again' : `next at ${timeText(nextAt)}`;
  return `at "${printableLine(cron)}" in ${timezone}, ${when}`;
}

function lastText({ lastAt, lastRun, fault, faultAt }: Schedule): string {
  if (fault !== null) return `failed ${faultAt === null ? '' : timeText(faultAt)}: ${printableLine(fault)}`;
  return lastAt === null ? 'not yet' : `${timeText(lastAt)} ${lastRun ?? ''}`.trim();
}

function timeText(ms: number): string {
  return localTime(new Date(ms).toISOString());
}
