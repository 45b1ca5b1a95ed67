// The tables, by version: an older database is brought forward at the start, a newer one is refused.
//
// Migrations only go forward, each in one transaction, under an advisory lock of the schema: of several processes that start
// at once, one migrates and the others find the work done. A migration keeps what the version before can still write, so
// that processes of both versions work side by side while a team upgrades.
import { TechneError } from '../base/error.ts';
import type { StoreAddress } from './address.ts';
import type { PoolClient } from './driver.ts';
import { faultCode, rightsFault } from './faults.ts';

const oldestServer = 14;

/**
 * Gives queued runs to one worker. Without limits, workers take side by side and skip what another one takes. With limits they
 * take one after the other, and each statement below sees what the worker before it took: that is why this is a function,
 * for a single statement would count by what was true before it waited. A row with `limited` says that runs are left that only
 * a limit holds back. An epoch that is still the one of the kick says that no one has claimed the run since it was due: its
 * owner, if there is one, is dead.
 */
const takeRuns = `create function S.take_runs(given text[], most int, taker text)
returns table (run text, epoch int, kick int, deaths int, limited boolean) language plpgsql as $$
#variable_conflict use_column
declare
  kinds text[]; names text[]; places int[]; starts int[]; one record; is_held boolean; had int := 0; i int;
begin
  if not exists (select 1 from S.run_limit) then
    return query with next as (
        select v.run from S.served v join S.run r on r.run = v.run
        where not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks
          and v.kicked = r.epoch and v.queue = any(given)
        order by v.priority, v.run limit most for update of v skip locked)
      update S.served v set begun = v.kicks, driver = taker, begun_at = clock_timestamp(), fresh = false,
        started_at = coalesce(v.started_at, clock_timestamp())
      from next where v.run = next.run returning v.run, v.kicked, v.kicks, v.deaths, false;
    return;
  end if;
  perform 1 from S.mark m where m.name = 'limits' for update;
  select array_agg(u.kind), array_agg(u.name), array_agg(u.places), array_agg(u.starts) into kinds, names, places, starts from (
    select l.kind, l.name, l.concurrency - (select count(*)::int from S.served v where v.driver is not null
        and (l.kind = 'all' or (l.kind = 'queue' and v.queue = l.name) or (l.kind = 'skill' and v.skill = l.name))) as places,
      l.runs - case l.kind
        when 'all' then (select count(*)::int from (select 1 from S.served v
          where v.started_at > clock_timestamp() - l.seconds * interval '1 s' limit l.runs) c)
        when 'queue' then (select count(*)::int from (select 1 from S.served v
          where v.queue = l.name and v.started_at > clock_timestamp() - l.seconds * interval '1 s' limit l.runs) c)
        else (select count(*)::int from (select 1 from S.served v
          where v.skill = l.name and v.started_at > clock_timestamp() - l.seconds * interval '1 s' limit l.runs) c) end as starts
    from S.run_limit l) u;
  for one in
    with recursive kind_of_run as (
      (select v.queue, v.skill, v.fresh from S.served v
        where not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks
        order by v.queue, v.skill, v.fresh limit 1)
      union all select n.queue, n.skill, n.fresh from kind_of_run g cross join lateral (
        select v.queue, v.skill, v.fresh from S.served v
        where not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks
          and (v.queue, v.skill, v.fresh) > (g.queue, g.skill, g.fresh)
        order by v.queue, v.skill, v.fresh limit 1) n)
    select c.run, c.queue, c.skill, c.fresh from kind_of_run g cross join lateral (
      select v.run, v.queue, v.skill, v.fresh, v.priority from S.served v join S.run r on r.run = v.run
      where not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks
        and v.kicked = r.epoch and v.queue = g.queue and v.skill = g.skill and v.fresh = g.fresh
      order by v.priority, v.run limit most) c
    where g.queue = any(given) and not exists (
      select 1 from unnest(kinds, names, places, starts) as l(kind, name, places, starts)
      where (l.kind = 'all' or (l.kind = 'queue' and g.queue = l.name) or (l.kind = 'skill' and g.skill = l.name))
        and (l.places <= 0 or (g.fresh and l.starts <= 0)))
    order by c.priority, c.run
  loop
    exit when had >= most;
    is_held := false;
    for i in 1 .. cardinality(kinds) loop
      if (kinds[i] = 'all' or (kinds[i] = 'queue' and one.queue = names[i]) or (kinds[i] = 'skill' and one.skill = names[i]))
        and (places[i] <= 0 or (one.fresh and starts[i] <= 0)) then is_held := true; end if;
    end loop;
    continue when is_held;
    return query update S.served v set begun = v.kicks, driver = taker, begun_at = clock_timestamp(), fresh = false,
        started_at = coalesce(v.started_at, clock_timestamp())
      where v.run = one.run and not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks
      returning v.run, v.kicked, v.kicks, v.deaths, false;
    continue when not found;
    had := had + 1;
    for i in 1 .. cardinality(kinds) loop
      if kinds[i] = 'all' or (kinds[i] = 'queue' and one.queue = names[i]) or (kinds[i] = 'skill' and one.skill = names[i]) then
        places[i] := places[i] - 1;
        if one.fresh then starts[i] := starts[i] - 1; end if;
      end if;
    end loop;
  end loop;
  if had < most and exists (select 1 from S.served v
      where not v.done and v.held is null and v.kicked is not null and v.begun is distinct from v.kicks and v.queue = any(given)) then
    return query select null::text, null::int, null::int, null::int, true;
  end if;
end $$`;

/** The statements of each version, in order; the first is version 1. `S` stands for the schema. */
const migrations: readonly (readonly string[])[] = [
  [
    // Half of every page is kept free: an append changes the row of its run, and a change within the page touches no index.
    `create table S.run (
      run text collate "C" primary key, epoch int not null, seq int not null, owner text collate "C",
      status text not null, skill text not null, started_at bigint not null, ended_at bigint,
      parent text collate "C", workspace text
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)`,
    `create index run_owner on S.run (owner) where owner is not null`,
    // What people write of an id: its end is the part that differs.
    `create index run_reversed on S.run (reverse(run))`,
    `create index run_workspace on S.run (workspace, run) where parent is null`,
    `create index run_parent on S.run (parent) where parent is not null`,
    `create table S.entry (run text collate "C" not null, seq int not null, entry text not null, primary key (run, seq))`,
    `create table S.inbox (
      id bigint generated always as identity primary key, run text collate "C" not null, message text not null,
      token text collate "C" not null unique)`,
    `create index inbox_run on S.inbox (run, id)`,
    `create table S.blob (
      digest text collate "C" primary key, bytes bytea not null, put_at timestamptz not null default clock_timestamp())`,
    // Out of the row, and as they are: what is large has often been compressed before.
    `alter table S.blob alter column bytes set storage external`,
    `create index blob_put_at on S.blob (put_at)`,
    `create table S.reference (
      run text collate "C" not null, digest text collate "C" not null, primary key (run, digest))`,
    `create index reference_digest on S.reference (digest)`,
    `create table S.worker (
      id text collate "C" primary key, record text not null, beat bigint not null,
      beat_at timestamptz not null default clock_timestamp()) with (fillfactor = 50)`,
    `create table S.mark (name text primary key, at timestamptz not null default clock_timestamp())`,
  ],
  [
    `create table S.served (
      run text collate "C" primary key, queue text not null, priority int not null, tenant text, key text, digest text,
      by text, submitted_at timestamptz not null default clock_timestamp(), kicks int not null default 0, kicked int,
      kicked_at timestamptz, not_before timestamptz, seen bigint, deaths int not null default 0, effects bigint not null default 0, held text,
      done boolean not null default false)`,
    `create unique index served_key on S.served (coalesce(tenant, ''), key) where key is not null`,
    `create index served_open on S.served (priority, run) where not done`,
    `create table S.once (name text primary key, at timestamptz not null default clock_timestamp())`,
  ],
  [
    // What a manifest names is kept with it.
    `create table S.part (
      manifest text collate "C" not null, digest text collate "C" not null, primary key (manifest, digest))`,
    `create index part_digest on S.part (digest)`,
    `create table S.workspace (
      name text collate "C" not null, digest text collate "C" not null, files int not null, bytes bigint not null,
      source text not null, by text not null, at timestamptz not null default clock_timestamp(),
      primary key (name, digest))`,
    `create index workspace_digest on S.workspace (digest)`,
    `create table S.given (
      id bigint generated always as identity primary key, verdict text not null, skill text not null,
      digest text collate "C" not null, argv text, cwd text, stdin text, sandboxed boolean, by text not null,
      at timestamptz not null default clock_timestamp(), revoked_by text, revoked_at timestamptz)`,
    `create unique index given_trust on S.given (digest, skill) where verdict = 'trusted' and revoked_at is null`,
    `create index given_skill on S.given (skill) where revoked_at is null`,
  ],
  [
    `create table S.schedule (
      id text collate "C" primary key, name text not null unique, skill text not null, input text, cron text not null,
      timezone text not null, missed text not null, queue text not null, priority int not null, paused boolean not null default false,
      made_at bigint not null, next_at bigint, taken_until bigint, last_at bigint, last_run text, fault text, fault_at bigint)`,
    `create index schedule_next on S.schedule (next_at) where not paused`,
  ],
  [
    `create table S.setting (name text primary key, value text not null)`,
    // Every user of a database may listen to any channel that it can name: no one else can name this one.
    `insert into S.setting (name, value) values ('channel', replace(gen_random_uuid()::text, '-', ''))`,
  ],
  [
    // The kick that a worker has begun. Runs that are queued, ready, parked and held have an index each: a look for one kind
    // must not read thousands of another.
    `alter table S.served add column begun int`,
    `create index served_queued on S.served (priority, run)
      where not done and held is null and kicked is not null and begun is distinct from kicks`,
    `create index served_ready on S.served (priority, run) where not done and held is null and seen is null`,
    `create index served_parked on S.served (run) where not done and held is null and seen is not null`,
    `create index served_held on S.served (run) where not done and held is not null`,
    `drop index S.served_open`,
    // For lists of one skill, status or workspace, newest first.
    `create index run_skill on S.run (skill, run)`,
    `create index run_status on S.run (status, run)`,
    `create index run_of_workspace on S.run (workspace, run)`,
  ],
  [
    `alter table S.served add column deadline_at timestamptz, add column late_at timestamptz`,
    `create index served_deadline on S.served (deadline_at) where not done and deadline_at is not null`,
  ],
  [
    // What is decided about how many runs go at a time: read by every process, written by the owner of the tables.
    `create table S.run_limit (
      kind text not null check (kind in ('all', 'queue', 'skill')), name text not null, concurrency int check (concurrency >= 0),
      runs int check (runs > 0), seconds int check (seconds > 0), by text, at timestamptz not null default clock_timestamp(),
      primary key (kind, name), check ((runs is null) = (seconds is null)), check (concurrency is not null or runs is not null))`,
    // Who drives a run now, and when its first worker took it. A run is fresh before that.
    `alter table S.served add column driver text collate "C", add column begun_at timestamptz, add column started_at timestamptz,
      add column fresh boolean not null default true, add column skill text not null default ''`,
    `update S.served v set skill = r.skill, fresh = v.begun is null from S.run r where r.run = v.run and not v.done`,
    `create index served_driven on S.served (driver) where driver is not null`,
    `create index served_started on S.served (started_at) where started_at is not null`,
    `create index served_started_queue on S.served (queue, started_at) where started_at is not null`,
    `create index served_started_skill on S.served (skill, started_at) where started_at is not null`,
    // The queued runs of each queue and skill together: those at their limit are stepped over, not read.
    `create index served_groups on S.served (queue, skill, fresh, priority, run)
      where not done and held is null and kicked is not null and begun is distinct from kicks`,
    `alter table S.worker add column queues text[]`,
    `insert into S.mark (name) values ('limits') on conflict do nothing`,
    takeRuns,
  ],
  [
    // The files of the workspace of a run, for the worker that continues it.
    `create table S.kept_files (
      run text collate "C" primary key, digest text collate "C", fault text, at timestamptz not null default clock_timestamp())`,
  ],
  [
    `create table S.webhook (
      id text collate "C" primary key, name text not null unique, url text not null, events text[] not null, statuses text[] not null,
      audiences text[] not null, skills text[] not null, include text[] not null, server text, secret text not null, secret_before text,
      rotates_until bigint, state text not null default 'active', by text not null, made_at bigint not null)`,
    `create table S.event (
      id bigint generated always as identity primary key, run text collate "C" not null, kind text not null, at bigint not null,
      taken_until bigint)`,
    `create table S.delivery (
      id text collate "C" primary key, webhook text collate "C" not null, type text not null, run text collate "C", question text,
      body text not null, state text not null default 'pending', made_at bigint not null, attempts int not null default 0,
      at bigint not null, taken_until bigint, status int, fault text)`,
    `create index delivery_due on S.delivery (webhook, at) where state = 'pending'`,
    `create index delivery_dead on S.delivery (webhook) where state = 'dead'`,
    `create index delivery_webhook on S.delivery (webhook, made_at)`,
    `create index delivery_over on S.delivery (state, at) where state <> 'pending'`,
    `create table S.callback (
      id text collate "C" primary key, digest text not null, run text collate "C" not null, question text not null, nonce text not null,
      name text not null, by text not null, made_at bigint not null, expires_at bigint not null, failures int not null default 0,
      used_at bigint, revoked_at bigint)`,
    `create index callback_question on S.callback (run, question)`,
    `create index callback_expires on S.callback (expires_at)`,
    // In the statement that changes the run, whichever process and version sends it: no change without its event, and no event
    // without its change. Without webhooks it costs a look at an empty table.
    `create function S.note_event() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from S.webhook) then
          insert into S.event (run, kind, at)
          values (new.run, tg_argv[0], floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
        end if;
        return null;
      end $$`,
    `create trigger note_status after update of status on S.run for each row
      when (new.parent is null and new.status is distinct from old.status and new.status <> 'running')
      execute function S.note_event('status')`,
    `create trigger note_held after update of held on S.served for each row
      when (old.held is null and new.held is not null) execute function S.note_event('held')`,
  ],
  [`create index given_digest on S.given (digest) where verdict = 'trusted'`],
];

/** What this version of techne reads and writes. */
export const schemaVersion = migrations.length;

/** What migrations need of a connection. */
export type Session = Pick<PoolClient, 'query'>;

/** Throws ENVIRONMENT for a server or a schema that does not fit. */
export async function migrate(client: Session, at: StoreAddress): Promise<void> {
  const { rows } = await client.query<{ server: number; made: boolean }>(
    `select current_setting('server_version_num')::int as server, to_regclass($1) is not null as made`,
    [`"${at.schema}".migration`],
  );
  const [{ server, made } = { server: 0, made: false }] = rows;
  if (server < oldestServer * 10_000)
    throw new TechneError(
      'ENVIRONMENT',
      `Postgres at ${at.host} is version ${Math.floor(server / 10_000)}, and techne needs ${oldestServer} or newer`,
      { hint: 'upgrade the server, or keep runs in files (without --store)' },
    );
  let version = 0;
  try {
    if (made) version = await versionOf(client, at);
    if (version < schemaVersion) await bringForward(client, at);
  } catch (error) {
    if (faultCode(error) !== '42501') throw error;
    throw version === 0 ? rightsFault(error, at) : tooOld(error, at, version);
  }
}

function tooOld(error: unknown, at: StoreAddress, version: number): TechneError {
  return new TechneError(
    'ENVIRONMENT',
    `the runs in ${at.shown} have version ${version} of the tables, this techne needs ${schemaVersion}, and the user "${at.user}" may not change tables`,
    {
      hint: `as the user that owns the tables: techne store migrate --store ${withUser(at.shown, 'OWNER')}`,
      cause: error,
    },
  );
}

function withUser(shown: string, user: string): string {
  return shown.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, `$1${user}@`);
}

async function bringForward(client: Session, at: StoreAddress): Promise<void> {
  const s = `"${at.schema}"`;
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('techne migration'), hashtext($1))`, [
      at.schema,
    ]);
    const { rows } = await client.query<{ made: boolean }>(`select to_regnamespace($1) is not null as made`, [
      s,
    ]);
    if (rows[0]?.made !== true) await client.query(`create schema ${s}`);
    await client.query(
      `create table if not exists ${s}.migration (version int primary key, at timestamptz not null default clock_timestamp())`,
    );
    for (let version = (await versionOf(client, at)) + 1; version <= schemaVersion; version += 1) {
      for (const statement of migrations[version - 1] ?? [])
        await client.query(statement.replaceAll(/\bS\./g, `${s}.`));
      await client.query(`insert into ${s}.migration (version) values ($1)`, [version]);
    }
    await client.query('commit');
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** 0 before the first migration. Throws ENVIRONMENT for one that is newer than this techne. */
export async function versionOf(client: Session, at: StoreAddress): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>(
    `select max(version) as version from "${at.schema}".migration`,
  );
  const version = rows[0]?.version ?? 0;
  if (version > schemaVersion)
    throw new TechneError(
      'ENVIRONMENT',
      `the runs in ${at.shown} have version ${version} of the tables, and this techne knows ${schemaVersion}`,
      { hint: 'a newer techne wrote them: update this one' },
    );
  return version;
}
