// Effects per second in Postgres beside raw `begin; insert; commit` in the same run, and the time to resume.
//
//   node bench/postgres/run.mjs [rounds]
//
// The raw side commits one row of the size of an append for each effect, on as many connections as there are runs: as three
// statements one after the other, and as one message. The sides take turns within each round, on one durable server (fsync on)
// that this script starts.
import { startPostgres } from '../../scripts/postgres.mjs';
import { bundleParts } from '../bundle.mjs';
import { timed } from '../rounds.mjs';

const rounds = Number(process.argv[2] ?? 7);
const effects = 400;
const { loadDriver, openBench, openPostgresStore, parseStoreAddress } = await import(
  await bundleParts('postgres', ['pg'])
);

const pg = await loadDriver();
const server = await startPostgres();
const address = parseStoreAddress(server.url());
const { store, blobs } = openPostgresStore({ address });
const { runner } = openBench({ store, blobs });
const admin = new pg.Client({ connectionString: server.url() });
await admin.connect();
await admin.query(
  'create table raw (id bigint generated always as identity primary key, entry text not null)',
);

const clients = await Promise.all(
  Array.from({ length: 16 }, async () => {
    const client = new pg.Client({ connectionString: server.url() });
    await client.connect();
    return client;
  }),
);

async function mustComplete(result) {
  const { status, text } = await result;
  if (status !== 'completed') throw new Error(`the measured run ${status}: ${text}`);
}

const startRun = (n) => mustComplete(runner.start({ skill: 'commands', input: { n } }));

/** What one effect appends: its end and the start of the next. */
await startRun(10);
const {
  rows: [{ bytes }],
} = await admin.query(
  'select round(avg(octet_length(entry)) * 2)::int as bytes from techne.entry where seq > 2',
);
const line = 'x'.repeat(bytes);

const raw = (runs) =>
  timed(() =>
    Promise.all(
      clients.slice(0, runs).map(async (client) => {
        for (let at = 0; at < effects; at += 1) {
          await client.query('begin');
          await client.query({ name: 'raw', text: 'insert into raw (entry) values ($1)', values: [line] });
          await client.query('commit');
        }
      }),
    ),
  );
/** The same three statements in one message: one way to the server instead of three. */
const rawInOne = (runs) =>
  timed(() =>
    Promise.all(
      clients.slice(0, runs).map(async (client) => {
        for (let at = 0; at < effects; at += 1)
          await client.query(`begin; insert into raw (entry) values ('${line}'); commit`);
      }),
    ),
  );
const ours = (runs) => timed(() => Promise.all(Array.from({ length: runs }, () => startRun(effects))));

const seen = new Map();
const note = (name, ms) => seen.set(name, [...(seen.get(name) ?? []), ms]);
for (let round = -2; round < rounds; round += 1)
  for (const runs of [1, 16])
    for (const [name, measure] of Object.entries({ raw, rawInOne, ours })) {
      const ms = await measure(runs);
      if (round >= 0) note(`${name} ${runs}`, ms);
    }

const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const perSecond = (name, runs) => (effects * runs * 1000) / median(seen.get(`${name} ${runs}`));
console.log(`an effect appends ${bytes} bytes; ${rounds} rounds of ${effects} effects, medians`);
for (const [runs, bar] of [
  [1, 0.6],
  [16, 0.55],
]) {
  const ratiosTo = (name) => seen.get(`${name} ${runs}`).map((ms, at) => ms / seen.get(`ours ${runs}`)[at]);
  const ratios = ratiosTo('raw');
  console.log(
    `${String(runs).padStart(2)} runs  raw ${perSecond('raw', runs).toFixed(0)}/s  techne ${perSecond('ours', runs).toFixed(0)}/s  ratio ${median(ratios).toFixed(2)} (bar ${bar}; ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}); in one message ${perSecond('rawInOne', runs).toFixed(0)}/s, ratio ${median(ratiosTo('rawInOne')).toFixed(2)}`,
  );
}

// A run of 1,000 effects that was interrupted: claimed, read, replayed, its last effect performed. By a process that is at
// work, and by one that has just checked the store: its other connections are still to be opened.
const resumed = async (other, n) => {
  const { run } = await runner.start({ skill: 'pause', input: { n }, answerer: 'bench' });
  const entries = (await store.read(run)).slice(0, -2).map(({ entry }) => entry);
  // The same journal up to its last ask, of a process that is gone.
  const copy = `${run.slice(0, -1)}${run.endsWith('Z') ? 'Y' : 'Z'}`;
  const [first, ...rest] = entries;
  const claim = await store.create(copy, [{ ...first, run: copy }]);
  await store.append(claim, 1, rest);
  await store.release(claim);
  await other.check();
  const { runner: resumer } = openBench({ store: other.store, blobs: other.blobs });
  return timed(() => mustComplete(resumer.resume(copy)));
};
const resumes = [];
const firstResumes = [];
const warm = openPostgresStore({ address });
for (let at = -5; at < rounds; at += 1) {
  const fresh = openPostgresStore({ address });
  const first = await resumed(fresh, 1000);
  await fresh.store.close();
  const again = await resumed(warm, 1000);
  if (at < 0) continue;
  firstResumes.push(first);
  resumes.push(again);
}
await warm.store.close();
console.log(
  `resume after 1,000 effects  ${median(resumes).toFixed(1)} ms (bar 30; ${Math.min(...resumes).toFixed(1)} to ${Math.max(...resumes).toFixed(1)}); as the first of a process ${median(firstResumes).toFixed(1)} ms`,
);

await store.close();
await Promise.all([...clients, admin].map((client) => client.end()));
await server.stop();
