// Every statement uses an index where there are 100,000 runs: the plans that the server makes for any values are looked at.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';
import { createQueries } from './queries.ts';
import type { RunFilter } from '../ports/run-store.ts';
import { createCallbackQueries } from './callbacks.ts';
import { createServedQueries } from './served-runs.ts';
import { createSharedQueries } from './shared-files.ts';
import { createWebhookQueries } from './webhooks.ts';
import { pruneRuns } from '../journal/prune-runs.ts';
import { sweepBlobs } from '../journal/sweep-blobs.ts';

/** Tables that grow with the runs. The others have a row for each process, or a few. */
const large = new Set([
  'run',
  'entry',
  'inbox',
  'blob',
  'reference',
  'kept_files',
  'served',
  'event',
  'delivery',
  'callback',
]);

/** Statements that read all of a table because that is what is asked of them. */
const ofEverything = new Set(['listBlobs']);

const runs = 100_000;
const dayMs = 86_400_000;

/** A tenth is nested, a tenth unended, one in a hundred is owned; five entries and a message each. */
async function fill(database: TestDatabase): Promise<void> {
  const name = `'01HF7YAT' || lpad(upper(to_hex(i)), 18, '0')`;
  await database.query(`
    insert into techne.run (run, epoch, seq, owner, status, skill, started_at, ended_at, parent, workspace)
    select ${name}, 1, 5, case when i % 100 = 0 then 'worker ' || i % 7 end,
      case when i % 10 = 0 then 'paused' else 'completed' end, 'skill-' || i % 50, i * 1000::bigint,
      case when i % 10 = 0 then null else i * 1000::bigint + 500 end,
      case when i % 10 = 1 then '01HF7YAT' || lpad(upper(to_hex(i - 1)), 18, '0') end, '/work/' || i % 20
    from generate_series(1, ${runs}) i`);
  await database.query(`
    insert into techne.entry (run, seq, entry)
    select ${name}, s, '{"type":"trace.added","at":1,"kind":"k","data":{"value":"' || repeat('x', 80) || '"}}'
    from generate_series(1, ${runs}) i, generate_series(0, 4) s`);
  await database.query(`
    insert into techne.inbox (run, message, token) select ${name}, '{}', 'token ' || i from generate_series(1, ${runs}) i`);
  await database.query(`
    insert into techne.blob (digest, bytes, put_at)
    select 'sha256:' || encode(sha256(i::text::bytea), 'hex'), repeat('x', 200)::bytea, clock_timestamp() - i * interval '1 minute'
    from generate_series(1, ${runs / 4}) i`);
  await database.query(`
    insert into techne.reference (run, digest)
    select ${name}, 'sha256:' || encode(sha256((1 + i % ${runs / 5})::text::bytea), 'hex') from generate_series(1, ${runs}) i`);
  // Of the outermost runs: one in ten waits for a person, one in a thousand is queued, a few are held; the rest has ended.
  await database.query(`
    insert into techne.served (run, queue, priority, tenant, key, kicks, kicked, seen, held, done)
    select ${name}, 'default', 0, 'tenant ' || i % 9, 'key ' || i, 1, case when i % 1000 = 5 then 1 end,
      case when i % 10 = 0 then 5 end, case when i % 5000 = 7 then 'it kills' end,
      i % 10 <> 0 and i % 1000 <> 5 and i % 5000 <> 7
    from generate_series(1, ${runs}) i where i % 10 <> 1`);
  await database.query(
    `insert into techne.kept_files (run, digest) select ${name}, 'x' from generate_series(1, ${runs / 10}) i`,
  );
  await database.query(
    `insert into techne.worker (id, record, beat) select 'worker ' || i, '{}', 1 from generate_series(0, 6) i`,
  );
  // Of fifty webhooks: one in a hundred deliveries is pending, one in a hundred is dead. A backlog of events, and old tokens.
  await database.query(`
    insert into techne.webhook (id, name, url, events, statuses, audiences, skills, include, secret, by, made_at)
    select 'W' || i, 'hook ' || i, 'https://a.example/', '{}', '{}', '{}', '{}', '{}', 'whsec_', 'me', 1 from generate_series(0, 49) i`);
  await database.query(`
    insert into techne.delivery (id, webhook, type, run, body, state, made_at, at)
    select 'msg_' || i, 'W' || i % 50, 'run.ended', ${name}, '{}',
      case i % 101 when 0 then 'pending' when 1 then 'dead' else 'delivered' end, i * 1000::bigint, i * 1000::bigint
    from generate_series(1, ${runs}) i`);
  await database.query(`
    insert into techne.event (run, kind, at) select ${name}, 'status', 1 from generate_series(1, ${runs / 10}) i`);
  await database.query(`
    insert into techne.callback (id, digest, run, question, nonce, name, by, made_at, expires_at)
    select 'token ' || i, 'x', ${name}, 'q', 'n', 'me', 'me', 1, i from generate_series(1, ${runs / 10}) i`);
  await database.query('analyze');
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}

const scanned = (node: Node): readonly string[] => [
  ...(node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? '')
    ? [node['Relation Name'] ?? '']
    : []),
  ...(node.Plans ?? []).flatMap(scanned),
];

describe.skipIf(noPostgres)('with 100,000 runs', () => {
  let database: TestDatabase;
  let opened: PostgresStore;
  beforeAll(async () => {
    database = await createDatabase();
    opened = openPostgresStore({ address: parseStoreAddress(database.url) });
    await opened.check();
    await fill(database);
    await database.query('set plan_cache_mode = force_generic_plan');
  });
  afterAll(async () => {
    await opened.store.close();
    await database.drop();
  });

  it.each([
    ...Object.entries(createQueries('techne')),
    ...Object.entries(createServedQueries('techne')).map(([name, text]) => [`served_${name}`, text] as const),
    ...Object.entries(createSharedQueries('techne')).map(([name, text]) => [`shared_${name}`, text] as const),
    ...Object.entries(createWebhookQueries('techne')).map(
      ([name, text]) => [`webhook_${name}`, text] as const,
    ),
    ...Object.entries(createCallbackQueries('techne')).map(
      ([name, text]) => [`callback_${name}`, text] as const,
    ),
  ])('%s uses an index of every large table', async (name, { text }) => {
    await database.query(`prepare statement_${name} as ${text}`);
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = lower($1)`,
      [`statement_${name}`],
    );
    const nulls = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
    const [plan] = await database.query<{ 'QUERY PLAN': readonly { Plan: Node }[] }>(
      `explain (format json) execute statement_${name}${nulls}`,
    );
    const found = plan?.['QUERY PLAN'].flatMap(({ Plan }) => scanned(Plan));
    expect(found).toEqual(ofEverything.has(name) ? ['blob'] : []);
  });

  // In the order of all runs, one that is rare or does not exist would be looked for among all of them.
  it.each([
    ['listOfSkill', '(6, 2, null, null, null, null)', 'run_skill'],
    ['listOfWorkspace', '(6, 2, null, null, null)', 'run_of_workspace'],
    ['listOfStatus', '(6, 2, null, null, null, null)', 'run_status'],
  ] as const)('%s reads no other runs', async (name, values, index) => {
    await database.query(`prepare only_${name} as ${createQueries('techne')[name].text}`);
    const [plan] = await database.query<{ 'QUERY PLAN': readonly { Plan: Node }[] }>(
      `explain (format json) execute only_${name}${values}`,
    );
    const used = (node: Node): readonly (string | undefined)[] => [
      ...(node['Relation Name'] === 'run' ? [node['Index Name']] : []),
      ...(node.Plans ?? []).flatMap(used),
    ];
    expect(plan?.['QUERY PLAN'].flatMap(({ Plan }) => used(Plan))).toEqual([index]);
  });

  it('finds, lists and prunes runs', { timeout: 60_000 }, async () => {
    const { store, index, blobs } = opened;
    const named = (at: number): string => `01HF7YAT${at.toString(16).toUpperCase().padStart(18, '0')}`;
    const newest = named(runs);
    expect(await index.names(1)).toEqual([newest]);
    expect(await index.matching(newest.slice(-5).toLowerCase(), 10)).toEqual([newest]);
    expect(await index.last('/work/7')).toBe(named(99_987));
    expect(await index.nested(named(50))).toEqual([named(51)]);
    expect((await store.list({ limit: 3 })).runs.length).toBe(3);
    const fitting = async (only: RunFilter, cursor = named(60_000)): Promise<readonly string[]> =>
      (await store.list({ limit: 2, cursor, only })).runs.map(({ run }) => run);
    expect(await fitting({ statuses: ['paused'], skill: 'skill-0' })).toEqual([named(59_950), named(59_900)]);
    expect(await fitting({ skill: 'skill-7' })).toEqual([named(59_957), named(59_907)]);
    expect(await fitting({ workspace: '/work/3', statuses: ['completed'] })).toEqual([
      named(59_983),
      named(59_963),
    ]);
    expect(await fitting({ statuses: ['failed'] })).toEqual([]);
    const nowMs = runs * 1000 + dayMs;
    const { removed, inUse } = await pruneRuns(
      store,
      { olderThanMs: dayMs + 10_000_000, skill: 'skill-7' },
      nowMs,
      index.bulk,
    );
    // Of one skill in fifty, nine tenths of the time before the last 10,000 seconds; none of them is owned.
    expect([removed.length, inUse.length]).toEqual([1800, 0]);
    expect((await database.query<{ count: string }>('select count(*) from techne.entry'))[0]?.count).toBe(
      String((runs - 1800) * 5),
    );
    // A fifth of the runs' blobs are named.
    const freed = await sweepBlobs(store, blobs, Date.now(), index.bulk);
    expect(freed).toMatchObject({ damaged: [] });
    expect(freed.blobs).toBeGreaterThanOrEqual(runs / 4 - runs / 5);
  });
});
