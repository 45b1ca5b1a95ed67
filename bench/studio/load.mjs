// Many clients that follow many live runs: is an event lost, and does the memory of the server grow?
//
//   node bench/studio/load.mjs [--seconds 300] [--clients 200] [--runs 50] [--pause 2000] [--asks 40] [--json]
//
// A server of its own (techne serve, from dist/) with a skill that traces and asks; the driver answers each question after --pause
// milliseconds, and starts a run again when one has ended. Every client keeps what it is told of its run: three of four read the events of
// the run, the fourth the stream of a browser (/v1/changes). When a run has ended, what each client has is compared with the journal, entry
// by entry. Exits with 1 where one differs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    clients: { type: 'string', default: '200' },
    runs: { type: 'string', default: '50' },
    pause: { type: 'string', default: '2000' },
    asks: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const [seconds, clients, runs, pause, asks] = ['seconds', 'clients', 'runs', 'pause', 'asks'].map((name) =>
  Number(values[name]),
);
const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const world = mkdtempSync(join(tmpdir(), 'techne-load-'));
const [home, workspace] = [join(world, 'home'), join(world, 'work')];
const skill = join(workspace, '.techne/skills/ticks');
mkdirSync(skill, { recursive: true });
mkdirSync(join(home, '.techne'), { recursive: true });
const config = { roots: { builtin: false }, trust: { folders: [workspace] } };
writeFileSync(join(home, '.techne/config.json'), JSON.stringify(config));
writeFileSync(
  join(skill, 'SKILL.md'),
  '---\nname: ticks\ndescription: Asks again and again. Use when ticks are needed.\nmetaskill: SKILL.star\n---\n\nRun it.\n',
);
writeFileSync(
  join(skill, 'SKILL.star'),
  `def run(input):\n  for n in range(${asks}):\n    trace("tick", {"n": n, "text": "x" * 200})\n    ask("number %d" % n)\n  return {"answer": "done"}\n`,
);
const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
const made = spawnSync(
  process.execPath,
  [cli, 'serve', 'token', 'create', 'load', '--role', 'operator', '--json'],
  { cwd: workspace, env, encoding: 'utf8' },
);
const token = /"token":\s*"([^"]+)"/.exec(made.stdout)?.[1];
if (token === undefined) throw new Error(`no token: ${made.stdout}${made.stderr}`);
const server = spawn(
  process.execPath,
  [
    cli,
    'serve',
    '--port',
    '0',
    '--json',
    '--answer',
    'caller',
    '--rate',
    '100000',
    '--concurrency',
    '256',
    '--quiet',
  ],
  { cwd: workspace, env, stdio: ['ignore', 'pipe', 'inherit'] },
);
const died = new Promise((resolve) => server.once('exit', resolve));
const { url } = JSON.parse(
  await Promise.race([
    new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data)))),
    died.then(() => Promise.reject(new Error('the server ended'))),
  ]),
);
const agent = new Agent({ keepAlive: true });
const headers = { authorization: `Bearer ${token}` };

function call(path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const asked = request(
      `${url}${path}`,
      {
        agent,
        method: text === null ? 'GET' : 'POST',
        headers: { ...headers, ...(text === null ? {} : { 'content-type': 'application/json' }) },
      },
      (response) => {
        let all = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => (all += piece));
        response.on('end', () =>
          response.statusCode < 300
            ? resolve(JSON.parse(all))
            : reject(new Error(`${path}: ${response.statusCode} ${all}`)),
        );
      },
    );
    asked.on('error', (error) => {
      // The server closed a kept connection just as it was used again.
      if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(call(path, body));
      else reject(error);
    });
    asked.end(text ?? undefined);
  });
}

/** Resolves when the run has ended, with all entries that came. */
function follow(run, isBrowser, onEntry) {
  const path = isBrowser ? `/v1/changes?runs=${run}:0` : `/v1/runs/${run}/events`;
  return new Promise((resolve, reject) => {
    const seen = [];
    const asked = request(`${url}${path}`, { agent: false, headers }, (response) => {
      let left = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        left += piece;
        const events = left.split('\n\n');
        left = events.pop();
        for (const event of events) {
          const name = /^event: ?(.*)$/m.exec(event)?.[1];
          const data = /^data: ?(.*)$/m.exec(event)?.[1];
          if (name === undefined || data === undefined) continue;
          const { seq, entry } = JSON.parse(data);
          if (entry === undefined || (isBrowser && name !== 'entry')) continue;
          seen.push(JSON.stringify([seq, entry]));
          onEntry?.(entry);
          if (entry.type !== 'run.ended') continue;
          asked.destroy();
          resolve(seen);
        }
      });
      response.on('close', () =>
        reject(new Error(`the stream of ${run} was closed after ${seen.length} entries`)),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

const figures = { runs: 0, entries: 0, events: 0, answers: 0, differing: 0, streams: 0, latencies: [] };
const until = Date.now() + seconds * 1000;

async function slot(at) {
  const own = Math.floor(clients / runs) + (at < clients % runs ? 1 : 0);
  while (Date.now() < until) {
    const { run } = await call('/v1/runs', {
      skill: 'ticks',
      input: { text: `run ${figures.runs}` },
      limits: { asks, wallMs: 3_600_000 },
    });
    const answer = async ({ id, nonce }) => {
      // At the end runs are brought to theirs.
      await sleep(Date.now() < until ? pause * (0.5 + Math.random()) : 1);
      await call(`/v1/runs/${run}/questions/${id}/answer`, { nonce, value: 'yes' });
      figures.answers += 1;
    };
    let fail;
    const failed = new Promise((_, reject) => (fail = reject));
    failed.catch(() => undefined);
    const told = await Promise.race([
      failed,
      Promise.all(
        Array.from({ length: own }, (_, number) =>
          follow(run, number % 4 === 3, (entry) => {
            if (entry.type === 'trace.added') figures.latencies.push(Date.now() - entry.at);
            if (number === 0 && entry.type === 'question.asked')
              void answer(entry).catch((error) => fail(error));
          }),
        ),
      ),
    ]);
    const journal = [];
    for (let from = 0; from !== null;) {
      const page = await call(`/v1/runs/${run}/journal?limit=500&from=${from}`);
      journal.push(...page.entries.map(({ seq, entry }) => JSON.stringify([seq, entry])));
      from = page.next;
    }
    figures.runs += 1;
    figures.entries += journal.length;
    for (const seen of told) {
      figures.streams += 1;
      figures.events += seen.length;
      if (seen.join('\n') !== journal.join('\n')) figures.differing += 1;
    }
  }
}

const rss = [];
const sample = () => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  rss.push(Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024));
};
const started = Date.now();
sample();
const sampling = setInterval(sample, Math.max(500, (seconds * 1000) / 60));
let fault = null;
try {
  await Promise.all(Array.from({ length: runs }, (_, at) => slot(at)));
} catch (error) {
  fault = error;
}
sample();
clearInterval(sampling);
server.kill(fault === null ? 'SIGTERM' : 'SIGKILL');
await died;
agent.destroy();
rmSync(world, { recursive: true, force: true });
if (fault !== null) console.error(fault);

const { latencies, ...counts } = figures;
latencies.sort((a, b) => a - b);
const mean = (all) => Math.round(all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length));
const quarter = Math.max(1, Math.floor(rss.length / 4));
const report = {
  seconds: Math.round((Date.now() - started) / 1000),
  clients,
  liveRuns: runs,
  ...counts,
  traceToClientMs: {
    p50: latencies[latencies.length >> 1] ?? null,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? null,
  },
  rssMb: {
    first: rss[0],
    quarters: [0, 1, 2, 3].map((at) =>
      mean(rss.slice(at * quarter, at === 3 ? undefined : (at + 1) * quarter)),
    ),
    last: rss.at(-1),
    most: Math.max(...rss),
  },
  load: Number(loadavg()[0].toFixed(1)),
  fault: fault === null ? null : String(fault.message),
};
if (values.json) console.log(JSON.stringify(report));
else console.dir(report, { depth: null });
process.exitCode = fault !== null || report.differing > 0 || report.runs === 0 ? 1 : 0;
