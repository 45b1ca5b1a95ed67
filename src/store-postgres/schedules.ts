// Schedules as a table. A schedule that is due is taken by one worker at a time; whoever takes it, the time that it is due at is
// the fence: an advance from another one changes nothing.
import { TechneError } from '../base/error.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { MissedRule, Schedule, Schedules } from '../ports/schedules.ts';
import type { Database } from './database.ts';
import type { Statement } from './queries.ts';

interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly name: string;
  readonly skill: string;
  readonly input: string | null;
  readonly cron: string;
  readonly timezone: string;
  readonly missed: MissedRule;
  readonly queue: string;
  readonly priority: number;
  readonly paused: boolean;
  readonly made_at: string;
  readonly next_at: string | null;
  readonly last_at: string | null;
  readonly last_run: string | null;
  readonly fault: string | null;
  readonly fault_at: string | null;
}

/** `nowMs`: instead of the clock of the server. */
export function createSchedules(database: Database, nowMs: (() => number) | null): Schedules {
  const queries = createScheduleQueries(database.address.schema);
  return {
    async add(id, schedule) {
      const { name, skill, input, cron, timezone, missed, queue, priority, nextAt } = schedule;
      const values = [
        id,
        name,
        skill,
        input === null ? null : JSON.stringify(input),
        cron,
        timezone,
        missed,
        queue,
        priority,
        nextAt,
      ];
      const [row] = await database.ask<Row>(queries.add, values, true);
      if (row === undefined || row.id !== id)
        throw new TechneError('USAGE', `there is a schedule "${name}" already`, {
          hint: `--name gives it another name; techne schedule show ${name}`,
        });
      return scheduleOf(row);
    },
    list: async () => (await database.ask<Row>(queries.list, [])).map(scheduleOf),
    async find(name) {
      const [row] = await database.ask<Row>(queries.find, [name]);
      return row === undefined ? null : scheduleOf(row);
    },
    pause: async (id) => void (await database.ask(queries.pause, [id], true)),
    resume: async (id, nextAt) => void (await database.ask(queries.resume, [id, nextAt], true)),
    remove: async (id) => void (await database.ask(queries.remove, [id], true)),
    async clock() {
      const [row] = await database.ask<{ now: string; next_at: string | null }>(queries.clock, []);
      const next = row?.next_at ?? null;
      return { nowMs: nowMs?.() ?? Number(row?.now), nextAt: next === null ? null : Number(next) };
    },
    take: async (now, until, limit) =>
      (await database.ask<Row>(queries.take, [now, until, limit], true))
        .map(scheduleOf)
        .toSorted((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0)),
    async advance(id, from, { nextAt, tried, isLast }) {
      const { at = null, run = null, fault = null } = tried ?? {};
      const values = [id, from, nextAt, at, run, fault === null ? null : cut(fault), isLast];
      return (await database.ask(queries.advance, values, true)).length > 0;
    },
    postpone: async (id, fault) => void (await database.ask(queries.postpone, [id, cut(fault)], true)),
  };
}

/** The server takes no NUL, and no one reads more. */
function cut(fault: string): string {
  return fault.replaceAll('\0', '').slice(0, 2_000);
}

function scheduleOf(row: Row): Schedule {
  const { id, name, skill, cron, timezone, missed, queue, priority, paused, last_run, fault } = row;
  const input = row.input === null ? null : parseJson(row.input);
  return {
    id,
    name,
    skill,
    input: input !== null && isJsonObject(input) ? input : null,
    cron,
    timezone,
    missed,
    queue,
    priority,
    isPaused: paused,
    madeAt: Number(row.made_at),
    nextAt: timeOf(row.next_at),
    lastAt: timeOf(row.last_at),
    lastRun: last_run,
    fault,
    faultAt: timeOf(row.fault_at),
  };
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function createScheduleQueries(schema: string) {
  const s = `"${schema}"`;
  const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const columns = `id, name, skill, input, cron, timezone, missed, queue, priority, paused, made_at, next_at, last_at, last_run,
    fault, fault_at`;
  const statement = (name: string, text: string): Statement => ({
    name: `schedule_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  return {
    /** Sent twice, it gives the same row; another id means that the name is taken. */
    add: statement(
      'add',
      `with made as (
        insert into ${s}.schedule (id, name, skill, input, cron, timezone, missed, queue, priority, next_at, made_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${now}) on conflict do nothing returning ${columns})
      select ${columns} from made
      union all select ${columns} from ${s}.schedule where not exists (select 1 from made) and (id = $1 or name = $2) limit 1`,
    ),
    list: statement('list', `select ${columns} from ${s}.schedule order by name`),
    find: statement(
      'find',
      `select ${columns} from ${s}.schedule where name = $1 or id = $1 order by name = $1 desc limit 1`,
    ),
    pause: statement('pause', `update ${s}.schedule set paused = true, taken_until = null where id = $1`),
    resume: statement(
      'resume',
      `update ${s}.schedule set paused = false, next_at = $2, taken_until = null where id = $1 and paused`,
    ),
    remove: statement('remove', `delete from ${s}.schedule where id = $1`),
    clock: statement(
      'clock',
      `select ${now} as now, (select min(next_at) from ${s}.schedule where not paused) as next_at`,
    ),
    take: statement(
      'take',
      `update ${s}.schedule set taken_until = $2 where id in (
        select id from ${s}.schedule
        where not paused and next_at <= $1 and (taken_until is null or taken_until <= $1)
        order by next_at limit $3 for update skip locked)
      returning ${columns}`,
    ),
    advance: statement(
      'advance',
      `update ${s}.schedule set next_at = $3, last_at = coalesce($4::bigint, last_at),
        last_run = case when $4::bigint is null then last_run else $5::text end,
        fault = case when $4::bigint is null then fault else $6::text end,
        fault_at = case when $4::bigint is null then fault_at when $6::text is null then null else ${now} end,
        taken_until = case when $7::boolean then null else taken_until end
      where id = $1 and next_at = $2 and not paused returning id`,
    ),
    postpone: statement('postpone', `update ${s}.schedule set fault = $2, fault_at = ${now} where id = $1`),
  } as const satisfies { readonly [name: string]: Statement };
}
