// What an effect costs a team: processor time of the workers, and the statements that Postgres is sent, by name.
//
//   npm run build && node bench/postgres/cost.mjs [runs] [effects of a run] [effect: model | command] [workers …]
//
// Counts and processor time say the same on a busy machine, where the clock does not. With one and with two workers, so that what the
// second one adds is seen. Statements are counted by pg_stat_statements (contrib of Postgres, in Debian's package).
import { readFileSync } from 'node:fs';
import { bundleParts } from '../bundle.mjs';
import { load, nowMs, openTeam, pause } from './team.mjs';

const [runs = 32, effects = 10] = process.argv.slice(2, 4).map(Number);
const by = process.argv[4] ?? 'model';
const counts = process.argv.length > 5 ? process.argv.slice(5).map(Number) : [1, 2];
const { loadDriver, openSubmitter } = await import(
  await bundleParts('postgres', ['pg', '@dbos-inc/dbos-sdk'])
);
const team = await openTeam({
  answerer: 'model:openai',
  settings: { shared_preload_libraries: 'pg_stat_statements' },
});
const pg = await loadDriver();
const admin = new pg.Client({ connectionString: team.server.url() });
await admin.connect();
await admin.query('create extension pg_stat_statements');

/** Of the process alone, and with the children that it waited for. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  const [user, system, childUser, childSystem] = fields.slice(11, 15);
  return { own: (user + system) * 10, children: (childUser + childSystem) * 10 };
}

async function measure(workers) {
  const members = await Promise.all(Array.from({ length: workers }, () => team.worker('--concurrency', '4')));
  const warm = `warm${workers}`;
  await submitAll([warm]);
  await allDone([warm]);
  await pause(2_000);
  const before = members.map(({ child }) => processorMs(child.pid));
  await admin.query('select pg_stat_statements_reset()');
  const ids = Array.from({ length: runs }, (_, at) => `of${workers}n${at}`);
  const beganMs = nowMs();
  await submitAll(ids);
  await allDone(ids);
  const tookMs = nowMs() - beganMs;
  const after = members.map(({ child }) => processorMs(child.pid));
  const { rows } = await admin.query(
    `select calls::int, total_exec_time as ms, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as query
     from pg_stat_statements where query not like '%pg_stat_statements%' order by calls desc`,
  );
  for (const { child } of members) child.kill('SIGTERM');
  await Promise.all(members.map(({ ended }) => ended));
  const all = runs * effects;
  const sum = (which) => after.reduce((total, one, at) => total + one[which] - before[at][which], 0) / all;
  const statements = rows.reduce((total, { calls }) => total + calls, 0) / all;
  const execMs = rows.reduce((total, { ms }) => total + ms, 0) / all;
  console.log(
    `${workers} worker${workers === 1 ? '' : 's'}, ${by}: ${sum('own').toFixed(2)} ms of processor for an effect, commands ${sum('children').toFixed(2)} ms; ` +
      `${statements.toFixed(2)} statements, ${execMs.toFixed(3)} ms in them; ${(all / (tookMs / 1000)).toFixed(0)} effects/s, load ${load()}`,
  );
  for (const { calls, ms, query } of rows.slice(0, 16))
    console.log(`  ${(calls / all).toFixed(3)} × ${(ms / calls).toFixed(3)} ms  ${query}`);
}

async function submitAll(ids) {
  await Promise.all(
    ids.map((id) => submitter.submit({ id, steps: String(effects), seconds: '0.05', asks: '0', by })),
  );
}

async function allDone(ids) {
  const last = String(effects - 1);
  for (const untilMs = nowMs() + 120_000; ; await pause(50)) {
    const seen = team.effects();
    if (ids.every((id) => seen.has(`${id} ${last}`))) break;
    if (nowMs() > untilMs) throw new Error('not all effects after two minutes');
  }
  await pause(300);
}

const submitter = await openSubmitter(team);
try {
  for (const workers of counts) await measure(workers);
} finally {
  await submitter.close();
  await admin.end();
  await team.close();
}
