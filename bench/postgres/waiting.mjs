// What workers and the database pay for runs that wait for a person.
//
//   npm run build && node bench/postgres/waiting.mjs [runs] [seconds]
//
// One run is driven until it waits; the others are copies of its rows. A worker is looked at after it has done nothing for so long:
// beside one run that waits, and, started anew, beside all of them.
import { readFileSync } from 'node:fs';
import { bundleParts } from '../bundle.mjs';
import { load, openTeam, pause } from './team.mjs';

const [runs = 10_000, seconds = 30] = process.argv.slice(2).map(Number);
const { loadDriver, openSubmitter } = await import(
  await bundleParts('postgres', ['pg', '@dbos-inc/dbos-sdk'])
);

const team = await openTeam();
const pg = await loadDriver();
const admin = new pg.Client({ connectionString: team.server.url() });
await admin.connect();
const waiting = async () => {
  const { rows } = await admin.query(`select count(*)::int as runs from techne.run where status = 'paused'`);
  return rows[0].runs;
};
/** Of a worker that has done nothing for a while: its memory, and the processor time of a second. */
async function idleWorker() {
  const { child, ended } = await team.worker();
  await pause(5_000);
  const status = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticks = () => Number(status()[11]) + Number(status()[12]);
  const before = ticks();
  await pause(seconds * 1000);
  const cpuMs = ((ticks() - before) * 10) / seconds;
  const kB = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
  child.kill('SIGTERM');
  await ended;
  return `${(kB / 1024).toFixed(0)} MiB, ${cpuMs.toFixed(1)} ms of processor a second`;
}

try {
  const submitter = await openSubmitter(team);
  const first = await team.worker();
  const run = await submitter.submit({ id: 'one', steps: '2', seconds: '0', asks: '1', by: 'command' });
  while ((await waiting()) < 1) await pause(100);
  // It is parked a moment after it waits.
  await pause(1_000);
  first.child.kill('SIGTERM');
  await first.ended;
  await submitter.close();
  console.log(`beside 1 run that waits: ${await idleWorker()}, load ${load()}`);
  for (const [table, id] of [
    ['run', 'run'],
    ['entry', 'run'],
    ['served', 'run'],
  ]) {
    const { rows } = await admin.query(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
       where table_schema = 'techne' and table_name = $1 and column_name <> $2`,
      [table, id],
    );
    const { columns } = rows[0];
    await admin.query(
      `insert into techne.${table} (${id}, ${columns})
       select '01HF7YAT' || lpad(upper(to_hex(i)), 18, '0'), ${columns} from techne.${table}, generate_series(1, ${runs - 1}) i where ${id} = $1`,
      [run],
    );
  }
  await admin.query('vacuum analyze');
  console.log(`beside ${await waiting()} runs that wait: ${await idleWorker()}, load ${load()}`);
} finally {
  await admin.end();
  await team.close();
}
