// The tables of a store -> its versions, sizes and counts.
import type { StoreAddress } from '../address.ts';
import type { Session } from '../migrations.ts';
import { schemaVersion } from '../migrations.ts';
import { rowsOf } from './session.ts';
import { queueSchemaOf } from './tenants.ts';

export interface StoreDescription {
  readonly address: string;
  /** Such as 16.4. */
  readonly server: string;
  readonly schema: string;
  /** Of the tables; null where there are none. */
  readonly version: number | null;
  /** What this techne needs. */
  readonly newest: number;
  /** Of the tables of the queue; null where there are none. */
  readonly queueVersion: number | null;
  /** Whose schema it is; null for one that is of no tenant. */
  readonly tenant: string | null;
  /** Largest first. Rows are as the server estimates them. */
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
  readonly runs: { readonly [status: string]: number };
  /** Runs of workers that have not ended, and those that are held. */
  readonly served: number;
  readonly held: number;
}

export async function describeStore(session: Session, at: StoreAddress): Promise<StoreDescription> {
  const s = `"${at.schema}"`;
  const queue = queueSchemaOf(at.schema);
  const [made] = await rowsOf<{ server: string; tables: boolean; queue: boolean; setting: boolean }>(
    session,
    `select current_setting('server_version') as server, to_regclass($1) is not null as tables,
      to_regclass($2) is not null as queue, to_regclass($3) is not null as setting`,
    [`${s}.migration`, `"${queue}".dbos_migrations`, `${s}.setting`],
  );
  const base = {
    address: at.shown,
    server: made?.server.split(' ')[0] ?? '',
    schema: at.schema,
    newest: schemaVersion,
  };
  if (made?.tables !== true)
    return {
      ...base,
      version: null,
      queueVersion: null,
      tenant: null,
      tables: [],
      runs: {},
      served: 0,
      held: 0,
    };
  const [migrated] = await rowsOf<{ version: number }>(
    session,
    `select max(version) as version from ${s}.migration`,
  );
  const [queued] = made.queue
    ? await rowsOf<{ version: string }>(
        session,
        `select max(version) as version from "${queue}".dbos_migrations`,
      )
    : [];
  const [owner] = made.setting
    ? await rowsOf<{ value: string }>(session, `select value from ${s}.setting where name = 'tenant'`)
    : [];
  const tables = await rowsOf<{ table: string; rows: string; bytes: string }>(
    session,
    `select n.nspname || '.' || c.relname as table, greatest(c.reltuples, 0)::bigint as rows,
      pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind = 'r' order by bytes desc, 1`,
    [[at.schema, queue]],
  );
  const statuses = await rowsOf<{ status: string; runs: string }>(
    session,
    `select case when ended_at is null and owner is null and status = 'running' then 'waiting' else status end as status,
      count(*) as runs from ${s}.run group by 1 order by 1`,
  );
  const [served] = await rowsOf<{ open: string; held: string }>(
    session,
    `select count(*) as open, count(*) filter (where held is not null) as held from ${s}.served where not done`,
  );
  return {
    ...base,
    version: migrated?.version ?? 0,
    queueVersion: queued === undefined ? null : Number(queued.version),
    tenant: owner?.value ?? null,
    tables: tables.map(({ table, rows, bytes }) => ({ table, rows: Number(rows), bytes: Number(bytes) })),
    runs: Object.fromEntries(statuses.map(({ status, runs }) => [status, Number(runs)])),
    served: Number(served?.open ?? 0),
    held: Number(served?.held ?? 0),
  };
}
