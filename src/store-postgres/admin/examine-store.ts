// A store in Postgres -> what is wrong with it, each with what to do.
//
//   an address -> connections of its user -> findings
//
// It only reads, and each look is bounded: it may be made while a team works. What needs tables is left out where there are none.
import { counted } from '../../base/render-table.ts';
import type { StoreAddress } from '../address.ts';
import { faultCode } from '../faults.ts';
import type { Session } from '../migrations.ts';
import { schemaVersion } from '../migrations.ts';
import { rowsOf, withSession } from './session.ts';
import { queueSchemaOf, readOnlyTables } from './tenants.ts';

export interface StoreFinding {
  readonly name: string;
  /** `null`: it works, and could be better. */
  readonly ok: boolean | null;
  readonly detail: string;
  readonly hint: string | null;
}

/** Versions of the server that the store is tested with. */
const [oldest, newest] = [14, 18];
/** Connections of one process: its pool, two that listen, those of the queue. */
const perProcess = 11;
const [skewMs, wideSkewMs] = [2_000, 10_000];
/** References and parts of one look for missing blobs, the newest. */
const looked = 10_000;
/** A schedule that is due for so long has no worker. */
const overdueMs = 300_000;

const processesText = (count: number): string => (count === 1 ? '1 process' : `${count} processes`);
const fine = (name: string, detail: string): StoreFinding => ({ name, ok: true, detail, hint: null });
const hinted = (name: string, detail: string, hint: string): StoreFinding => ({
  name,
  ok: null,
  detail,
  hint,
});
const wrong = (name: string, detail: string, hint: string): StoreFinding => ({
  name,
  ok: false,
  detail,
  hint,
});

/** Throws ENVIRONMENT where the server cannot be reached. */
export function examineStore(at: StoreAddress): Promise<readonly StoreFinding[]> {
  return withSession(at, async (session) => {
    const found: StoreFinding[] = [
      ...(await examineServer(session, at)),
      ...(await examineConnection(session, at)),
    ];
    const tables = await examineTables(session, at);
    found.push(...tables);
    // Older or newer tables, or missing rights: what is in them cannot be read as it is meant.
    if (tables.every(({ ok }) => ok !== false)) found.push(...(await examineContent(session, at)));
    return found;
  });
}

async function examineServer(session: Session, at: StoreAddress): Promise<readonly StoreFinding[]> {
  const sentMs = Date.now();
  const [server] = await rowsOf<{
    version: number;
    commit: string;
    fsync: string;
    pages: string;
    vacuum: string;
    now: string;
    reserved: number;
    most: number;
    used: number;
  }>(
    session,
    `select current_setting('server_version_num')::int as version, current_setting('synchronous_commit') as commit,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('autovacuum') as vacuum,
      floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now,
      current_setting('superuser_reserved_connections')::int as reserved, current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const midMs = (sentMs + Date.now()) / 2;
  if (server === undefined) return [];
  const { version, commit, fsync, pages, vacuum, most, reserved, used } = server;
  const major = Math.floor(version / 10_000);
  return [
    major < oldest
      ? wrong('version', `Postgres ${major}`, `techne needs ${oldest} or newer: upgrade the server`)
      : major > newest
        ? hinted('version', `Postgres ${major}`, `techne is tested with ${oldest} to ${newest}`)
        : fine('version', `Postgres ${major}`),
    judgeDurability({ commit, fsync, pages }, at),
    vacuum === 'on'
      ? fine('autovacuum', 'on')
      : wrong('autovacuum', 'off', 'dead rows stay for ever: alter system set autovacuum = on'),
    judgeConnections({ most: most - reserved, used, processes: await processesOf(session, at) }),
    judgeClock(Number(server.now) - midMs),
  ];
}

export function judgeDurability(
  { commit, fsync, pages }: { readonly commit: string; readonly fsync: string; readonly pages: string },
  at: Pick<StoreAddress, 'user'>,
): StoreFinding {
  const name = 'durability';
  if (fsync !== 'on' || pages !== 'on')
    return wrong(
      name,
      `fsync = ${fsync}, full_page_writes = ${pages}`,
      'a crash of the server can destroy the database: set both to on',
    );
  if (commit === 'off')
    return wrong(
      name,
      'synchronous_commit = off',
      `a crash of the server loses calls that were made, and they are made again: alter role "${at.user}" set synchronous_commit = on`,
    );
  return fine(name, `synchronous_commit = ${commit}`);
}

export function judgeConnections({
  most,
  used,
  processes,
}: {
  readonly most: number;
  readonly used: number;
  readonly processes: number;
}): StoreFinding {
  const detail = `${used} of ${most} in use, ${processesText(processes)} of techne`;
  const needed = processes * perProcess;
  if (needed > most)
    return wrong(
      'connections',
      `${detail}, which may need ${needed}`,
      `raise max_connections to ${needed + 20}, run fewer processes, or put a pooler in session mode in front`,
    );
  return used > most * 0.8
    ? hinted('connections', detail, 'raise max_connections, or run fewer processes')
    : fine('connections', detail);
}

/** `aheadMs`: how far the clock of the server is before that of this machine. */
export function judgeClock(aheadMs: number): StoreFinding {
  const detail = `${Math.abs(aheadMs) < 1_000 ? 'less than a second' : `${Math.round(Math.abs(aheadMs) / 1_000)} s`} between the server and this machine`;
  const hint =
    'runs of this machine are listed in the wrong order, and schedules start early or late: synchronise the clocks (NTP)';
  if (Math.abs(aheadMs) >= wideSkewMs) return wrong('clock', detail, hint);
  return Math.abs(aheadMs) >= skewMs ? hinted('clock', detail, hint) : fine('clock', detail);
}

async function processesOf(session: Session, { schema }: StoreAddress): Promise<number> {
  const [made] = await rowsOf<{ made: boolean }>(
    session,
    `select to_regclass($1) is not null and has_table_privilege(to_regclass($1), 'select') as made`,
    [`"${schema}".worker`],
  ).catch(() => []);
  if (made?.made !== true) return 0;
  const [row] = await rowsOf<{ processes: number }>(
    session,
    `select count(*)::int as processes from "${schema}".worker where beat_at > clock_timestamp() - interval '1 minute'`,
  );
  return row?.processes ?? 0;
}

async function examineConnection(session: Session, at: StoreAddress): Promise<readonly StoreFinding[]> {
  const [here] = await rowsOf<{ pid: number; tls: boolean | null; server: string | null }>(
    session,
    `select pg_backend_pid() as pid, (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls,
      host(inet_server_addr()) as server`,
  );
  // A pooler in transaction mode gives the idle connection of one client to another; a server never does.
  const other = await withSession(at, async (second) => {
    const [row] = await rowsOf<{ pid: number }>(second, 'select pg_backend_pid() as pid');
    return row?.pid ?? 0;
  });
  return [
    judgeTls({ host: at.host, server: here?.server ?? null, tls: here?.tls === true, url: at.url }),
    judgePooler(here?.pid ?? 0, other),
  ];
}

export function judgeTls({
  host,
  server,
  tls,
  url,
}: {
  readonly host: string;
  /** The address that the server was reached at; null for a socket of this machine. */
  readonly server: string | null;
  readonly tls: boolean;
  readonly url: string;
}): StoreFinding {
  const name = 'encryption';
  const isLocal =
    server === null || /^(?:127\.|::1$)/.test(server) || /^(?:localhost|127\.|\[?::1)/.test(host);
  const mode = new URL(url).searchParams.get('sslmode');
  if (!tls)
    return isLocal
      ? fine(name, 'none, and none is needed: the server is on this machine')
      : wrong(
          name,
          `none to ${host}`,
          'passwords and runs can be read and changed on the way: add ?sslmode=verify-full to the address',
        );
  return mode === 'no-verify'
    ? wrong(
        name,
        'TLS, to whoever answers (sslmode=no-verify)',
        'another server can take its place: sslmode=verify-full',
      )
    : fine(name, `TLS${mode === null ? '' : ` (sslmode=${mode})`}`);
}

/** Of two connections that are open at the same time. */
export function judgePooler(first: number, second: number): StoreFinding {
  return first === second
    ? wrong(
        'pooler',
        'two connections share one of the server: a pooler in transaction or statement mode is between',
        'LISTEN and prepared statements do not work through it: use pool_mode = session, or the server itself',
      )
    : fine('pooler', 'none that shares connections between statements');
}

async function examineTables(session: Session, at: StoreAddress): Promise<readonly StoreFinding[]> {
  const s = `"${at.schema}"`;
  const queue = queueSchemaOf(at.schema);
  const [made] = await rowsOf<{ tables: boolean; queue: boolean }>(
    session,
    `select exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'migration') as tables,
      exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $2 and c.relname = 'dbos_migrations') as queue`,
    [at.schema, queue],
  );
  const migrate = `techne store migrate --store ${at.shown}`;
  if (made?.tables !== true) return [wrong('tables', `there are none in the schema "${at.schema}"`, migrate)];
  const rights = await missingRights(session, [at.schema, queue]);
  const found: StoreFinding[] = [];
  try {
    const [row] = await rowsOf<{ version: number }>(
      session,
      `select max(version) as version from ${s}.migration`,
    );
    const version = row?.version ?? 0;
    if (version < schemaVersion)
      found.push(
        wrong(
          'tables',
          `version ${version}, this techne needs ${schemaVersion}`,
          `as their owner: ${migrate}`,
        ),
      );
    else if (version > schemaVersion)
      found.push(
        wrong(
          'tables',
          `version ${version}, this techne knows ${schemaVersion}`,
          'a newer techne wrote them: update this one',
        ),
      );
    else found.push(fine('tables', `version ${version}`));
  } catch (error) {
    if (faultCode(error) !== '42501') throw error;
    found.push(wrong('tables', 'their version cannot be read', 'see rights'));
  }
  found.push(
    made.queue
      ? fine('queue', `tables in the schema "${queue}"`)
      : hinted(
          'queue',
          'there are no tables of the queue: workers cannot start',
          'the first worker makes them where its user may; else as their owner, with the engine installed: techne store migrate',
        ),
  );
  const [first] = rights;
  found.push(
    first === undefined
      ? fine('rights', `those that "${at.user}" needs`)
      : wrong(
          'rights',
          `the user "${at.user}" lacks ${first}${rights.length === 1 ? '' : `, and ${rights.length - 1} more`}`,
          `as the owner of the tables: grant usage on schema ${at.schema}, ${queue} to ${at.user}; grant select, insert, update, delete on all tables in schema ${at.schema}, ${queue} to ${at.user}; for a tenant: techne store migrate`,
        ),
  );
  return found;
}

/** What this user lacks, such as "update on techne.run". */
async function missingRights(session: Session, schemas: readonly string[]): Promise<readonly string[]> {
  const rows = await rowsOf<{ lacking: string }>(
    session,
    `with used as (select n.oid, n.nspname from pg_namespace n where n.nspname = any($1))
    select 'usage on schema ' || nspname as lacking from used where not has_schema_privilege(oid, 'usage')
    union all select p.name || ' on ' || u.nspname || '.' || c.relname from used u
      join pg_class c on c.relnamespace = u.oid and c.relkind in ('r', 'p')
      cross join unnest(array['select', 'insert', 'update', 'delete']) as p(name)
      where not has_table_privilege(c.oid, p.name) and (p.name = 'select' or c.relname <> all($2))
    union all select 'usage on ' || u.nspname || '.' || c.relname from used u
      join pg_class c on c.relnamespace = u.oid and c.relkind = 'S' where case when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage') end
    union all select 'execute on ' || u.nspname || '.' || f.proname from used u
      join pg_proc f on f.pronamespace = u.oid where not has_function_privilege(f.oid, 'execute')
    limit 1000`,
    [schemas, readOnlyTables],
  );
  return rows.map(({ lacking }) => lacking);
}

async function examineContent(session: Session, at: StoreAddress): Promise<readonly StoreFinding[]> {
  return [
    await examineWorkers(session, at),
    await examineQueues(session, at),
    await examineHeld(session, at),
    await examineSchedules(session, at),
    await examineBlobs(session, at),
    await examineBloat(session, at),
  ];
}

async function examineWorkers(session: Session, { schema, leaseMs }: StoreAddress): Promise<StoreFinding> {
  const [row] = await rowsOf<{ living: number; dead: number; runs: number; open: number }>(
    session,
    `with w as (select id, queues, beat_at < clock_timestamp() - $1 * interval '2 ms' as late from "${schema}".worker)
    select count(*) filter (where not late and queues is not null)::int as living,
      count(*) filter (where late)::int as dead,
      (select count(*)::int from "${schema}".run r join w d on d.id = r.owner and d.late where r.ended_at is null) as runs,
      (select count(*)::int from (select 1 from "${schema}".served where not done and held is null and seen is null limit 1000) o) as open
    from w`,
    [leaseMs],
  );
  const { living = 0, dead = 0, runs = 0, open = 0 } = row ?? {};
  const detail = `${living} alive${dead === 0 ? '' : `, ${processesText(dead)} dead with ${counted(runs, 'run')}`}`;
  if (living === 0 && (open > 0 || runs > 0))
    return wrong(
      'workers',
      `${detail}, and ${counted(Math.max(open, runs), 'run')} need one`,
      'start one: techne worker --store …',
    );
  return runs > 0
    ? hinted(
        'workers',
        detail,
        'a worker continues runs that were queued; others: techne runs resume RUN (techne worker list)',
      )
    : fine('workers', detail);
}

async function examineQueues(session: Session, { schema, leaseMs }: StoreAddress): Promise<StoreFinding> {
  const rows = await rowsOf<{ queue: string; runs: number; served: boolean; stopped: boolean }>(
    session,
    `select v.queue, count(*)::int as runs, exists (select 1 from "${schema}".worker w
        where v.queue = any(w.queues) and w.beat_at > clock_timestamp() - $1 * interval '2 ms') as served,
      exists (select 1 from "${schema}".run_limit l where l.concurrency = 0 and (l.kind = 'all' or (l.kind = 'queue' and l.name = v.queue))) as stopped
    from (select queue from "${schema}".served where not done and held is null and seen is null limit 100000) v
    group by v.queue order by v.queue limit 100`,
    [leaseMs],
  );
  const without = rows.filter(({ served }) => !served).map(({ queue }) => queue);
  const all = rows.reduce((sum, { runs }) => sum + runs, 0);
  const detail = `${counted(all, 'run')} to drive`;
  if (without.length > 0)
    return wrong(
      'queues',
      `no worker that lives takes runs of ${without.join(', ')}`,
      `techne worker ${without
        .slice(0, 3)
        .map((queue) => `--queue ${queue}`)
        .join(' ')}`,
    );
  return rows.some(({ stopped }) => stopped)
    ? hinted('queues', `${detail}, some stopped by a limit of 0`, 'techne store limit list')
    : fine('queues', detail);
}

async function examineHeld(session: Session, { schema }: StoreAddress): Promise<StoreFinding> {
  const [row] = await rowsOf<{ held: number }>(
    session,
    `select count(*)::int as held from "${schema}".served where not done and held is not null`,
  );
  const held = row?.held ?? 0;
  return held === 0
    ? fine('held runs', 'none')
    : wrong(
        'held runs',
        `${held}, which no worker tries again`,
        'techne worker held shows why; then: techne worker release RUN',
      );
}

async function examineSchedules(session: Session, { schema }: StoreAddress): Promise<StoreFinding> {
  const rows = await rowsOf<{ name: string; fault: string | null; overdue: boolean }>(
    session,
    `select name, fault, not paused and next_at < floor(extract(epoch from clock_timestamp()) * 1000) - $1 as overdue
    from "${schema}".schedule order by name limit 10000`,
    [overdueMs],
  );
  const failing = rows.filter(({ fault }) => fault !== null).map(({ name }) => name);
  const overdue = rows.filter((one) => one.overdue).map(({ name }) => name);
  if (overdue.length > 0)
    return wrong(
      'schedules',
      `due for minutes, and not started: ${overdue.slice(0, 5).join(', ')}`,
      'workers start them: techne worker list',
    );
  if (failing.length > 0)
    return wrong(
      'schedules',
      `the last time gave no run: ${failing.slice(0, 5).join(', ')}`,
      'techne schedule list shows why',
    );
  return fine('schedules', `${rows.length}`);
}

async function examineBlobs(session: Session, { schema }: StoreAddress): Promise<StoreFinding> {
  const s = `"${schema}"`;
  const rows = await rowsOf<{ what: string; missing: number; one: string | null }>(
    session,
    `select 'runs' as what, count(*)::int as missing, min(f.run) as one
      from (select run, digest from ${s}.reference order by run desc, digest limit $1) f
      where not exists (select 1 from ${s}.blob b where b.digest = f.digest)
      -- The first entry also names the digest of the skill, which is that of its files and no blob.
      and not exists (select 1 from ${s}.entry e where e.run = f.run and e.seq = 0
        and e.entry::json -> 'skill' ->> 'digest' = f.digest)
    union all select 'manifests', count(*)::int, min(p.manifest)
      from (select manifest, digest from ${s}.part limit $1) p where not exists (select 1 from ${s}.blob b where b.digest = p.digest)
    union all select 'workspaces', count(*)::int, min(w.name)
      from (select name, digest from ${s}.workspace limit $1) w where not exists (select 1 from ${s}.blob b where b.digest = w.digest)`,
    [looked],
  );
  const missing = rows.filter((row) => row.missing > 0);
  return missing.length === 0
    ? fine('blobs', `none of the newest ${looked} references is to a missing one`)
    : wrong(
        'blobs',
        `missing: ${missing.map(({ what, missing: count, one }) => `${count} of ${what} (such as ${one})`).join(', ')}`,
        'restore them from a backup; runs that need them cannot be resumed or replayed',
      );
}

async function examineBloat(session: Session, { schema }: StoreAddress): Promise<StoreFinding> {
  const [age] = await rowsOf<{ age: number }>(
    session,
    `select age(datfrozenxid) as age from pg_database where datname = current_database()`,
  );
  if ((age?.age ?? 0) > 1_000_000_000)
    return wrong(
      'vacuum',
      `the oldest transaction id is ${age?.age} behind`,
      'the server stops at two billion: vacuum (freeze, verbose), and look for transactions that are never ended',
    );
  const rows = await rowsOf<{ relname: string; dead: string }>(
    session,
    `select relname, n_dead_tup as dead from pg_stat_user_tables
    where schemaname = any($1) and n_dead_tup > 10000 and n_dead_tup > n_live_tup * 0.5 order by n_dead_tup desc limit 5`,
    [[schema, queueSchemaOf(schema)]],
  );
  const [long] = await rowsOf<{ minutes: number }>(
    session,
    `select floor(extract(epoch from max(clock_timestamp() - xact_start)) / 60)::int as minutes from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  if ((long?.minutes ?? 0) >= 60)
    return hinted(
      'vacuum',
      `a transaction is open for ${long?.minutes} minutes`,
      'dead rows stay until it ends: select pid, query from pg_stat_activity order by xact_start',
    );
  return rows.length === 0
    ? fine('vacuum', 'few dead rows')
    : hinted(
        'vacuum',
        `many dead rows: ${rows.map(({ relname, dead }) => `${relname} ${dead}`).join(', ')}`,
        'vacuum analyze, and a smaller autovacuum_vacuum_scale_factor for these tables',
      );
}
