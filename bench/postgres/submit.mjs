// How soon a run that was submitted has its first effect, and what a team costs that has nothing to do.
//
//   npm run build && node bench/postgres/submit.mjs [runs] [idle seconds] [seconds before those]
//
// A server, two workers and Postgres are processes of their own. Runs are submitted by this process, one after the other, as soon as
// the last one has ended: over the store (as `techne run --submit` does, with everything open), and over HTTP, in turn. The
// first effect writes the time of the machine to a file. Idle cost: transactions of the whole database over a while.
import { bundleParts } from '../bundle.mjs';
import { load, nowMs, openTeam, pause, quantile } from './team.mjs';

const runs = Number(process.argv[2] ?? 100);
const idleSeconds = Number(process.argv[3] ?? 60);
const { loadDriver, openSubmitter } = await import(
  await bundleParts('postgres', ['pg', '@dbos-inc/dbos-sdk'])
);

const team = await openTeam();
const { url, token } = await team.serve();
await Promise.all([team.worker(), team.worker()]);

const pg = await loadDriver();
const admin = new pg.Client({ connectionString: team.server.url() });
await admin.connect();
const commits = async () => {
  // What connections counted is added up within a second; two looks of ours, which do not count.
  await pause(1500);
  const { rows } = await admin.query(
    `select xact_commit::int as commits from pg_stat_database where datname = current_database()`,
  );
  return rows[0].commits;
};
// The engine looks for schedules every second in its first minute.
await pause(Number(process.argv[4] ?? 62) * 1000);
const before = await commits();
const began = nowMs();
await pause(idleSeconds * 1000);
const idle = ((await commits()) - before - 1) / ((nowMs() - began) / 1000);
console.log(
  `idle: ${idle.toFixed(1)} commits/s over ${idleSeconds} s with a server and two workers (bar 15), load ${load()}`,
);

const submitter = await openSubmitter(team);
const input = (id) => ({ id, steps: '1', seconds: '0', asks: '0', by: 'command' });
const overStore = (id) => submitter.submit(input(id));
const overHttp = async (id) => {
  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ skill: 'steps', input: input(id) }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.text();
};

const warmUp = 5;
const seen = { store: [], http: [] };
for (let at = -warmUp; at < runs; at += 1)
  for (const [name, submit] of Object.entries({ store: overStore, http: overHttp })) {
    const id = `${name}-${at}`;
    const submitted = nowMs();
    await submit(id);
    const answered = nowMs();
    let first;
    while (first === undefined) {
      await pause(20);
      [first] = team.effects().get(`${id} 0`) ?? [];
      if (nowMs() - submitted > 60_000) throw new Error(`${id} has no effect after a minute`);
    }
    if (at >= 0) seen[name].push({ first: first - submitted, answered: answered - submitted });
    await pause(60 + Math.random() * 200);
  }
for (const [name, all] of Object.entries(seen)) {
  const of = (which, share) =>
    quantile(
      all.map((one) => one[which]),
      share,
    ).toFixed(1);
  console.log(
    `submit to first effect over ${name}: p50 ${of('first', 0.5)}, p95 ${of('first', 0.95)} ms (bar 60), max ${of('first', 1)}; the submit itself returns after p50 ${of('answered', 0.5)}, p95 ${of('answered', 0.95)} ms; ${all.length} runs, load ${load()}`,
  );
}
await submitter.close();
await admin.end();
await team.close();
