// The runs that workers drive, as a table beside the runs: who queued them, how often a worker died of them.
//
// Nothing here can change a journal. A wrong word costs a kick too many, never an effect: who may write to a run is decided
// by the fence of its row (appends.ts). Death is judged by owners.ts.
import { TechneError } from '../base/error.ts';
import { runUnknown } from '../journal/run-state.ts';
import type { DueRun, Order, ServedRun, ServedRuns, WorkerState } from '../ports/served-runs.ts';
import type { Database } from './database.ts';
import type { Client } from './driver.ts';
import type { Workers } from './owners.ts';
import type { Statement } from './queries.ts';

/** A worker that dies of a run this often is not given it again. */
const maxDeaths = 3;
const reconnectMs = 500;

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
}

export function createServedRuns(database: Database, workers: Workers): ServedRuns {
  const queries = createServedQueries(database.address.schema);
  const channel = `${database.address.schema}_kicks`;
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
    due: (limit) => due(queries.due, limit),
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
    unkick: async (runs) => void (await database.ask(queries.unkick, [[...runs]], true)),
    postpone: async (run, seconds) => void (await database.ask(queries.postpone, [run, seconds], true)),
    park: async (run) => void (await database.ask(queries.park, [run], true)),
    done: async (run) => void (await database.ask(queries.done, [run], true)),
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
      await database.once(queries.notify, [channel, `${queue} ${run}`]).catch(() => {
        // It is found by the next look for what is due.
        return [];
      });
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
          await client.query(`listen "${channel}"`);
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

function servedOf({ run, queue, priority, tenant, key, digest, by, deaths, held }: OrderRow): ServedRun {
  return { run, queue, priority, tenant, key, digest, by, deaths, held };
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
  const length = `(${family('v.run')} select sum(f.seq) from f)`;
  const mail = `exists (${family('v.run')} select 1 from f join ${s}.inbox i on i.run = f.run)`;
  // The type is what an entry begins with: further on, values of others can say the same.
  /** Effects that have ended, in the run and all inside of it. */
  const effects = `(${family('$1')}
    select count(*) from f join ${s}.entry e on e.run = f.run where e.entry like '{"type":"effect.ended",%')`;
  // A kick that was lost is sent again after a minute; one that is still queued is not queued twice.
  const dueRuns = `select v.run, v.queue, v.priority, r.epoch, r.owner
    from ${s}.served v join ${s}.run r on r.run = v.run
    where not v.done and v.held is null and (v.not_before is null or v.not_before < clock_timestamp())
      and (r.ended_at is not null or r.owner is null or r.owner = any($1::text[])
        or not exists (select 1 from ${s}.worker w where w.id = r.owner))
      and (v.kicked is distinct from r.epoch or v.kicked_at < clock_timestamp() - interval '60 s')
      and (v.seen is null or v.seen <> ${length} or ${mail})`;
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
    find: statement(
      'find',
      `select run, queue, priority, tenant, key, digest, by, deaths, held from ${s}.served where run = $1`,
    ),
    held: statement(
      'held',
      `select run, queue, priority, tenant, key, digest, by, deaths, held from ${s}.served
      where held is not null and not done order by run`,
    ),
    due: statement('due', `${dueRuns} order by v.priority, v.run limit $2`),
    dueOf: statement('due_of', `${dueRuns} and v.run = $2`),
    kicked: statement(
      'kicked',
      `with progress as (select case when $3::text is null then null else ${effects} end as effects)
      update ${s}.served v set kicked = $2, kicked_at = clock_timestamp(), kicks = v.kicks + 1, seen = null,
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
      `update ${s}.served set kicked = null where run = any($1::text[]) and not done`,
    ),
    postpone: statement(
      'postpone',
      `update ${s}.served set kicked = null, not_before = clock_timestamp() + $2 * interval '1 s' where run = $1`,
    ),
    // What came after the last pause, of itself or of a run inside of it, is news.
    park: statement(
      'park',
      `update ${s}.served v set kicked = null, deaths = 0, seen = (${family('v.run')}
        select sum(case when f.ended_at is not null then f.seq else coalesce(
          (select max(e.seq) + 1 from ${s}.entry e where e.run = f.run and e.entry like '{"type":"run.paused",%'), f.seq) end)
        from f)
      where v.run = $1`,
    ),
    done: statement('done', `update ${s}.served set done = true where run = $1`),
    hold: statement('hold', `update ${s}.served set held = $2 where run = $1`),
    release: statement(
      'release',
      `update ${s}.served set held = null, deaths = 0, kicked = null, seen = null where run = $1 and not done returning run`,
    ),
    owned: statement(
      'owned',
      `select owner, count(*) as runs from ${s}.run where owner is not null group by owner`,
    ),
    notify: statement('notify', `select pg_notify($1, $2)`),
  } as const satisfies { readonly [name: string]: Statement };
}
