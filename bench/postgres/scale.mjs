// What list, show, find, claim and prune cost as the number of runs in Postgres grows.
//
//   node bench/postgres/scale.mjs [1000 10000 100000 …]
//
// Runs of 20 calls (42 entries of about 270 bytes) are made by the server itself; a tenth is nested, a tenth has not ended. Medians
// of 21, after 3 that do not count; `prune` is one call that removes the oldest hundredth of the runs.
import { startPostgres } from '../../scripts/postgres.mjs';
import { bundleParts } from '../bundle.mjs';
import { timed } from '../rounds.mjs';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1000, 10_000, 100_000);
const parts = await import(await bundleParts('postgres', ['pg']));
const { loadDriver, openPostgresStore, parseStoreAddress, pruneRuns, sweepBlobs } = parts;
const pg = await loadDriver();
const server = await startPostgres({ settings: { synchronous_commit: 'on', max_wal_size: '4GB' } });
const named = (at) => `01HF7YAT${at.toString(16).toUpperCase().padStart(18, '0')}`;
const dayMs = 86_400_000;

async function fill(admin, schema, runs) {
  const name = `'01HF7YAT' || lpad(upper(to_hex(i)), 18, '0')`;
  await admin.query(`insert into ${schema}.run (run, epoch, seq, status, skill, started_at, ended_at, parent, workspace)
    select ${name}, 1, 42, case when i % 10 = 0 then 'paused' else 'completed' end, 'skill-' || i % 50, i * 1000::bigint,
      case when i % 10 = 0 then null else i * 1000::bigint + 500 end,
      case when i % 10 = 1 and i > 1 then '01HF7YAT' || lpad(upper(to_hex(i - 1)), 18, '0') end, '/work/' || i % 20
    from generate_series(1, ${runs}) i`);
  await admin.query(`insert into ${schema}.entry (run, seq, entry)
    select ${name}, s, '{"type":"trace.added","at":1,"kind":"k","data":{"value":"' || repeat('x', 210) || '"}}'
    from generate_series(1, ${runs}) i, generate_series(0, 41) s`);
  await admin.query(`insert into ${schema}.reference (run, digest)
    select ${name}, 'sha256:' || encode(sha256((i % 100)::text::bytea), 'hex') from generate_series(1, ${runs}) i`);
  await admin.query('vacuum analyze');
}

const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
async function measured(work) {
  const all = [];
  for (let at = -3; at < 21; at += 1) {
    const ms = await timed(() => work(at + 3));
    if (at >= 0) all.push(ms);
  }
  return median(all);
}

const rows = [];
for (const runs of sizes) {
  const schema = `runs_${runs}`;
  const { store, index, blobs } = openPostgresStore({
    address: parseStoreAddress(`${server.url()}?schema=${schema}`),
  });
  await index.names(1);
  const admin = new pg.Client({ connectionString: server.url() });
  await admin.connect();
  const filledMs = await timed(() => fill(admin, schema, runs));
  const {
    rows: [{ bytes }],
  } = await admin.query(
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c where c.relkind = 'r' and c.relnamespace = '${schema}'::regnamespace`,
  );
  const at = (n) => 1 + ((n * 7919) % (runs - 1));
  const unended = (n) => named(at(n) - (at(n) % 10) || 10);
  const figures = {
    list: await measured(() => store.list({ limit: 20 })),
    'list, middle': await measured((n) => store.list({ limit: 20, cursor: named(at(n)) })),
    'list of a skill, middle': await measured((n) =>
      store.list({ limit: 20, cursor: named(at(n)), only: { skill: 'skill-7' } }),
    ),
    'list of what waits, middle': await measured((n) =>
      store.list({ limit: 20, cursor: named(at(n)), only: { statuses: ['paused', 'needs_decision'] } }),
    ),
    show: await measured((n) => store.read(named(at(n)))),
    find: await measured((n) => index.matching(named(at(n)).slice(-6), 10)),
    last: await measured((n) => index.last(`/work/${n % 20}`)),
    'claim, release': await measured(async (n) => store.release(await store.claim(unended(n)))),
  };
  let removed = 0;
  figures.prune = await timed(async () => {
    const result = await pruneRuns(
      store,
      { olderThanMs: dayMs + runs * 990 },
      runs * 1000 + dayMs,
      index.bulk,
    );
    removed = result.removed.length;
    await sweepBlobs(store, blobs, Date.now(), index.bulk);
  });
  rows.push({ runs, figures });
  await store.close();
  await admin.end();
  console.log(
    `${runs} runs: made in ${(filledMs / 1000).toFixed(1)} s, ${(bytes / runs / 1000).toFixed(1)} kB each with indexes, ${removed} pruned`,
  );
}
const names = Object.keys(rows[0].figures);
console.log(`| ms | ${rows.map(({ runs }) => runs.toLocaleString('en')).join(' | ')} |`);
console.log(`| --- | ${rows.map(() => '---').join(' | ')} |`);
for (const name of names)
  console.log(
    `| ${name} | ${rows.map(({ figures }) => figures[name].toFixed(figures[name] < 10 ? 2 : 0)).join(' | ')} |`,
  );
await server.stop();
