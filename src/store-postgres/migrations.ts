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
];

/** What this version of techne reads and writes. */
export const schemaVersion = migrations.length;

/** Throws ENVIRONMENT for a server or a schema that does not fit. */
export async function migrate(client: PoolClient, at: StoreAddress): Promise<void> {
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
  try {
    if (made && (await versionOf(client, at)) === schemaVersion) return;
    await bringForward(client, at);
  } catch (error) {
    throw faultCode(error) === '42501' ? rightsFault(error, at) : error;
  }
}

async function bringForward(client: PoolClient, at: StoreAddress): Promise<void> {
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
async function versionOf(client: PoolClient, at: StoreAddress): Promise<number> {
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
