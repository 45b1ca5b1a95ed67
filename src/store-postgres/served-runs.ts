// The runs that workers drive, as a table beside the runs: who queued them, how often a worker died of them.
//
// Nothing here can change a journal. A wrong word costs a kick too many, never an effect: who may write to a run is decided
// by the fence of its row (appends.ts). Death is judged by owners.ts.
import { TechneError } from '../base/error.ts';
import { runUnknown } from '../journal/run-state.ts';
import type {
  DueRun,
  LateRun,
  LimitKind,
  LimitState,
  Order,
  ServedRun,
  ServedRuns,
  TakenRun,
  WorkerState,
} from '../ports/served-runs.ts';
import type { Database } from './database.ts';
import type { Client } from './driver.ts';
import type { Session } from './migrations.ts';
import type { Workers } from './owners.ts';
import type { Statement } from './queries.ts';

/** A worker that dies of a run this often is not given it again. */
const maxDeaths = 3;
const reconnectMs = 500;
/** Parked runs that one look compares with their journals. */
const auditedAtOnce = 500;

interface OrderRow {
  readonly [name: string]: unknown;
  readonly run: string;
  readonly queue: string;
  readonly priority: number;
  readonly tenant: string | null;
  readonly key: string | null;
  readonly digest: string | null;
  readonly by: string | null;
  readonly deaths: number;
  readonly held: string | null;
  readonly done: boolean;
}

type TakenRow = TakenRun & { readonly limited: boolean; readonly [name: string]: unknown };

interface LimitRow {
  readonly [name: string]: unknown;
  readonly kind: LimitKind;
  readonly name: string;
  readonly concurrency: number | null;
  readonly runs: number | null;
  readonly seconds: number | null;
  readonly driven: number;
  readonly begun: number;
  readonly queued: number;
}

export function createServedRuns(database: Database, workers: Workers): ServedRuns {
  const queries = createServedQueries(database.address.schema);
  const find = async (run: string): Promise<ServedRun | null> => {
    const [row] = await database.ask<OrderRow>(queries.find, [run]);
    return row === undefined ? null : servedOf(row);
  };
  const due = async (statement: Statement, given: number | string): Promise<readonly DueRun[]> => {
    const { dead } = await workers.judge();
    const rows = await database.ask<{
      run: string;
      queue: string;
      priority: number;
      epoch: number;
      owner: string | null;
    }>(statement, [dead, given]);
    return rows.map(({ owner, ...row }): DueRun => ({ ...row, deadOwner: owner }));
  };
  const limits = async (): Promise<readonly LimitState[]> =>
    (await database.ask<LimitRow>(queries.limits, [])).map(limitOf);
  let audited = '';
  const audit = async (): Promise<void> => {
    const [row] = await database.ask<{ last: string | null }>(queries.audit, [audited, auditedAtOnce], true);
    // Behind the last one, it begins anew.
    audited = row?.last ?? '';
  };
  return {
    find,
    async add(run, order) {
      const { queue, priority, tenant, key, digest, by } = order;
      const values = [run, queue, priority, tenant, key, digest, by];
      let found: { readonly run: string; readonly digest: string | null } | undefined;
      // Empty while another process is entering the same key: the next look sees it.
      while (found === undefined)
        [found] = await database.ask<{ run: string; digest: string | null }>(queries.add, values, true);
      if (found.run !== run && found.digest !== digest) throw keyTaken(order, found.run);
      return { run: found.run, isNew: found.run === run };
    },
    withdraw: async (run) => void (await database.ask(queries.withdraw, [run], true)),
    async due(limit) {
      await audit();
      return due(queries.due, limit);
    },
    dueOf: async (run) => (await due(queries.dueOf, run))[0] ?? null,
    async kicked({ run, epoch, deadOwner }) {
      const values = [run, epoch, deadOwner, maxDeaths];
      const [row] = await database.ask<{ kicks: number; deaths: number; held: string | null }>(
        queries.kicked,
        values,
        true,
      );
      return row === undefined || row.held !== null ? null : { kick: row.kicks, deaths: row.deaths };
    },
    async take(queues, most) {
      const rows = await database.ask<TakenRow>(queries.take, [[...queues], most, workers.id], true);
      const taken = rows.filter(({ limited }) => !limited);
      return {
        taken: taken.map(({ run, epoch, kick, deaths }): TakenRun => ({ run, epoch, kick, deaths })),
        isLimited: taken.length < rows.length,
      };
    },
    leave: async (run) => void (await database.ask(queries.leave, [run, workers.id], true)),
    async freePlaces(active) {
      const { dead } = await workers.judge();
      await database.ask(queries.freePlaces, [dead, workers.id, [...active]], true);
    },
    limits,
    async forWorkers(runs) {
      if (runs.length === 0) return new Set();
      const rows = await database.ask<{ run: string }>(queries.forWorkers, [[...runs]]);
      return new Set(rows.map(({ run }) => run));
    },
    async waitOf(run) {
      const [row] = await database.ask<{ queue: string; skill: string; fresh: boolean; ahead: string }>(
        queries.queued,
        [run],
      );
      if (row === undefined) return null;
      const { queue, skill, fresh } = row;
      const isFor = ({ kind, name }: LimitState): boolean =>
        kind === 'all' || (kind === 'queue' ? name === queue : name === skill);
      const limit = (await limits()).find((one) => isFor(one) && isFull(one, fresh));
      if (limit !== undefined) return { reason: 'limit', limit };
      const { all } = await workers.judge();
      if (!all.some(({ isAlive, queues }) => isAlive && queues?.includes(queue) === true))
        return { reason: 'worker', queue };
      return { reason: 'place', queue, ahead: Number(row.ahead) };
    },
    unkick: async (runs) => void (await database.ask(queries.unkick, [[...runs]], true)),
    postpone: async (run, seconds) => void (await database.ask(queries.postpone, [run, seconds], true)),
    park: async (run) => void (await database.ask(queries.park, [run], true)),
    done: async (run) => void (await database.ask(queries.done, [run], true)),
    deadline: async (run, seconds) => void (await database.ask(queries.deadline, [run, seconds], true)),
    async late(limit) {
      const rows = await database.ask<{ run: string; deadline_at: string }>(queries.late, [limit], true);
      return rows.map(({ run, deadline_at }): LateRun => ({ run, deadlineAt: Number(deadline_at) }));
    },
    hold: async (run, reason) => void (await database.ask(queries.hold, [run, reason], true)),
    async release(run) {
      if ((await database.ask(queries.release, [run], true)).length === 0) throw runUnknown(run);
    },
    held: async () => (await database.ask<OrderRow>(queries.held, [])).map(servedOf),
    async workers() {
      const { all } = await workers.judge();
      const counted = await database.ask<{ owner: string; runs: string }>(queries.owned, []);
      const runsOf = new Map(counted.map(({ owner, runs }) => [owner, Number(runs)]));
      return all.map((worker): WorkerState => ({ ...worker, runs: runsOf.get(worker.id) ?? 0 }));
    },
    async tell(queue, run) {
      try {
        await database.once(queries.notify, [await database.channel('kicks'), `${queue} ${run}`]);
      } catch {
        // It is found by the next look for what is due.
        return;
      }
    },
    async listen(onRun) {
      let listener: Client | null = null;
      let isClosed = false;
      const open = async (): Promise<void> => {
        try {
          const client = await database.connect();
          listener = client;
          const again = (): void => {
            if (listener !== client) return;
            listener = null;
            if (!isClosed) setTimeout(() => void open(), reconnectMs).unref();
          };
          client.on('error', again);
          client.on('end', again);
          client.on('notification', ({ payload = '' }) => {
            const [queue, run] = payload.split(' ');
            if (queue !== undefined && run !== undefined) onRun(queue, run);
          });
          await client.query(`listen "${await database.channel('kicks')}"`);
        } catch {
          // What is told meanwhile is found by the next look for what is due.
          listener = null;
          if (!isClosed) setTimeout(() => void open(), reconnectMs).unref();
        }
      };
      await open();
      return {
        async close() {
          isClosed = true;
          const client = listener;
          listener = null;
          await client?.end().catch(() => undefined);
        },
      };
    },
  };
}

/** Over a connection of an administrator. */
export async function readLimits(session: Session, schema: string): Promise<readonly LimitState[]> {
  const { rows } = await session.query<LimitRow>(createServedQueries(schema).limits.text);
  return rows.map(limitOf);
}

function limitOf({ kind, name, concurrency, runs, seconds, driven, begun, queued }: LimitRow): LimitState {
  const rate = runs === null || seconds === null ? null : { runs, seconds };
  return { kind, name, concurrency, rate, driven, begun, queued };
}

/** Whether it holds back a run, of those that it is for. `fresh`: the run has not begun before. */
function isFull({ concurrency, rate, driven, begun }: LimitState, fresh: boolean): boolean {
  return (concurrency !== null && driven >= concurrency) || (fresh && rate !== null && begun >= rate.runs);
}

function servedOf({ done, ...row }: OrderRow): ServedRun {
  return { ...row, isDone: done };
}

function keyTaken({ key }: Order, run: string): TechneError {
  return new TechneError('KEY_REUSED', `the key "${key}" was used with another request, for run ${run}`, {
    hint: 'use a new key for a new request; repeat a request with exactly the same content',
  });
}

export function createServedQueries(schema: string) {
  const s = `"${schema}"`;
  const statement = (name: string, text: string): Statement => ({
    name: `served_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  /** The run and all inside of it. */
  const family = (of: string): string =>
    `with recursive f as (
      select r.run, r.seq, r.ended_at from ${s}.run r where r.run = ${of}
      union all select c.run, c.seq, c.ended_at from ${s}.run c join f on c.parent = f.run)`;
  // What came after the last pause, of itself or of a run inside of it, is news; so is a message.
  const news = (run: string, seen: string): string =>
    `(${seen} <> (${family(run)} select sum(f.seq) from f)
      or exists (${family(run)} select 1 from f join ${s}.inbox i on i.run = f.run))`;
  const lastPause = (run: string): string => `(${family(run)}
    select sum(case when f.ended_at is not null then f.seq else coalesce(
      (select e.seq + 1 from ${s}.entry e where e.run = f.run and e.entry like '{"type":"run.paused",%' order by e.seq desc limit 1),
      f.seq) end) from f)`;
  // The type is what an entry begins with: further on, values of others can say the same.
  /** Effects that have ended, in the run and all inside of it. */
  const effects = `(${family('$1')}
    select count(*) from f join ${s}.entry e on e.run = f.run where e.entry like '{"type":"effect.ended",%')`;
  const orders = `select run, queue, priority, tenant, key, digest, by, deaths, held, done from ${s}.served`;
  // A run that was taken and left again without a word is queued again after a minute; one that is still queued is not queued twice.
  const dueRuns = `select v.run, v.queue, v.priority, r.epoch, r.owner
    from ${s}.served v join ${s}.run r on r.run = v.run
    where not v.done and v.held is null and (v.not_before is null or v.not_before < clock_timestamp())
      and (r.ended_at is not null or r.owner is null or r.owner = any($1::text[])
        or not exists (select 1 from ${s}.worker w where w.id = r.owner))
      and (v.kicked is distinct from r.epoch or (v.kicked_at < clock_timestamp() - interval '60 s'
        and v.driver is null and v.begun is not distinct from v.kicks))`;
  const isQueued = `not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks`;
  const isFor = (limit: string, run: string): string =>
    `(${limit}.kind = 'all' or (${limit}.kind = 'queue' and ${run}.queue = ${limit}.name)
      or (${limit}.kind = 'skill' and ${run}.skill = ${limit}.name))`;
  const begun = (which: string): string =>
    `(select count(*)::int from ${s}.served v where ${which} v.started_at > clock_timestamp() - l.seconds * interval '1 s')`;
  return {
    add: statement(
      'add',
      `with made as (
        insert into ${s}.served (run, queue, priority, tenant, key, digest, by) values ($1, $2, $3, $4, $5, $6, $7)
        on conflict do nothing returning run, digest)
      select run, digest from made
      union all select run, digest from ${s}.served
        where not exists (select 1 from made) and (run = $1 or (key = $5 and coalesce(tenant, '') = coalesce($4, '')))
      limit 1`,
    ),
    withdraw: statement(
      'withdraw',
      `delete from ${s}.served v where run = $1 and not exists (select 1 from ${s}.run r where r.run = v.run)`,
    ),
    find: statement('find', `${orders} where run = $1`),
    forWorkers: statement(
      'for_workers',
      `select run from ${s}.served where run = any($1::text[]) and not done and held is null`,
    ),
    held: statement('held', `${orders} where held is not null and not done order by run`),
    // A claim and a message make `seen` null (queries.ts), so parked runs need not be looked at one by one.
    due: statement('due', `${dueRuns} and v.seen is null order by v.priority, v.run limit $2`),
    dueOf: statement(
      'due_of',
      `${dueRuns} and v.run = $2 and (v.seen is null or ${news('v.run', 'v.seen')})`,
    ),
    // For what a claim or a message did not tell, since it came in the same moment as the pause.
    audit: statement(
      'audit',
      `with part as (
        select v.run, v.seen from ${s}.served v where not v.done and v.held is null and v.seen is not null and v.run > $1
        order by v.run limit $2),
      woken as (update ${s}.served v set seen = null from part where v.run = part.run and ${news('part.run', 'part.seen')})
      select case when count(*) = $2 then max(run) end as last from part`,
    ),
    // All of it is in the function (migrations.ts), since a limit is counted by statements that see what others have just taken.
    take: statement('take', `select run, epoch, kick, deaths, limited from ${s}.take_runs($1, $2, $3)`),
    leave: statement('leave', `update ${s}.served set driver = null where run = $1 and driver = $2`),
    // What this process took and does not know: the answer to its statement was lost.
    freePlaces: statement(
      'free_places',
      `update ${s}.served v set driver = null, kicked = null
      where v.driver is not null and (v.driver = any($1::text[])
        or not exists (select 1 from ${s}.worker w where w.id = v.driver)
        or (v.driver = $2 and v.run <> all($3::text[]) and v.begun_at < clock_timestamp() - interval '10 s'))`,
    ),
    limits: statement(
      'limits',
      `select l.kind, l.name, l.concurrency, l.runs, l.seconds,
        (select count(*)::int from ${s}.served v where v.driver is not null and ${isFor('l', 'v')}) as driven,
        case when l.runs is null then 0 when l.kind = 'all' then ${begun('')}
          when l.kind = 'queue' then ${begun('v.queue = l.name and')} else ${begun('v.skill = l.name and')} end as begun,
        (select count(*)::int from ${s}.served v where ${isQueued} and ${isFor('l', 'v')}) as queued
      from ${s}.run_limit l order by l.kind, l.name`,
    ),
    queued: statement(
      'queued',
      `select v.queue, v.skill, v.fresh, (select count(*) from ${s}.served o where ${isQueued.replaceAll('v.', 'o.')}
        and o.queue = v.queue and (o.priority, o.run) < (v.priority, v.run)) as ahead
      from ${s}.served v where v.run = $1 and ${isQueued}`,
    ),
    kicked: statement(
      'kicked',
      `with progress as (select case when $3::text is null then null else ${effects} end as effects)
      update ${s}.served v set kicked = $2, kicked_at = clock_timestamp(), kicks = v.kicks + 1, seen = null,
        driver = null, skill = r.skill,
        effects = coalesce(p.effects, v.effects),
        deaths = case when p.effects is null then v.deaths when p.effects > v.effects then 1 else v.deaths + 1 end,
        held = case when p.effects <= v.effects and v.deaths + 1 >= $4
          then 'workers died ' || (v.deaths + 1) || ' times while they drove it, and no effect ended between' end
      from progress p, ${s}.run r
      where v.run = $1 and r.run = v.run and r.epoch = $2 and not v.done and v.held is null
        and (v.kicked is distinct from $2 or v.kicked_at < clock_timestamp() - interval '60 s')
      returning v.kicks, v.deaths, v.held`,
    ),
    unkick: statement(
      'unkick',
      `update ${s}.served set kicked = null, driver = null where run = any($1::text[]) and not done`,
    ),
    postpone: statement(
      'postpone',
      `update ${s}.served set kicked = null, driver = null, not_before = clock_timestamp() + $2 * interval '1 s' where run = $1`,
    ),
    park: statement(
      'park',
      `with pause as (select ${lastPause('$1')} as seen)
      update ${s}.served v set kicked = null, driver = null, deaths = 0,
        seen = case when ${news('$1', 'pause.seen')} then null else pause.seen end
      from pause where v.run = $1`,
    ),
    done: statement('done', `update ${s}.served set done = true, driver = null where run = $1`),
    deadline: statement(
      'deadline',
      `insert into ${s}.served as v (run, queue, priority, deadline_at)
      values ($1, 'default', 0, clock_timestamp() + $2 * interval '1 s')
      on conflict (run) do update set deadline_at = coalesce(v.deadline_at, excluded.deadline_at)`,
    ),
    late: statement(
      'late',
      `update ${s}.served set late_at = clock_timestamp() where run in (
        select v.run from ${s}.served v where not v.done and v.deadline_at < clock_timestamp()
          and exists (select 1 from ${s}.run r where r.run = v.run) and (late_at is null or late_at < clock_timestamp() - interval '60 s')
        order by deadline_at limit $1 for update skip locked)
      returning run, floor(extract(epoch from deadline_at) * 1000)::bigint as deadline_at`,
    ),
    hold: statement('hold', `update ${s}.served set held = $2, driver = null where run = $1`),
    release: statement(
      'release',
      `update ${s}.served set held = null, deaths = 0, kicked = null, driver = null, seen = null where run = $1 and not done returning run`,
    ),
    owned: statement(
      'owned',
      `select owner, count(*) as runs from ${s}.run where owner is not null group by owner`,
    ),
    notify: statement('notify', `select pg_notify($1, $2)`),
  } as const satisfies { readonly [name: string]: Statement };
}
