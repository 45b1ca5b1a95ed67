// Long crash test of whole runs: node scripts/crash-runs.mjs [--simulated] [--every-byte] [POINTS] [SEED]
//
// Bundles test/crash/runs/ and checks at least POINTS points (default 100,000), a quarter of them each way:
//   stopped   a run on a disk that drops, reorders and tears what was not synced, stopped at every call, again and again
//   cut       a journal cut at every byte of its last 64 KB, and resumed
//   changed   a journal with one byte changed, ended or in the middle of the run, and resumed
//   killed    real processes, killed with SIGKILL before, in and after every call that changes the disk, and resumed
// POINTS below what is there to cut or change takes them evenly; --every-byte takes them all (about 100,000, for a quarter
// of an hour). `killed` is always whole, and last; --simulated leaves it out.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const [points = 100_000, seed = 1] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'))
  .map(Number);
const withProcesses = !process.argv.includes('--simulated');
const quarter = Math.ceil(points / 4);
const perJournal = process.argv.includes('--every-byte') ? Infinity : Math.ceil(quarter / 2);
const failures = [];
const counts = { stopped: 0, cut: 0, changed: 0, killed: 0 };
const startedMs = performance.now();

const runs = await import(pathToFileURL(await bundle('runs.mjs', '../test/crash/runs/entry.ts')).href);
const fail = (text) => {
  failures.push(text);
  if (failures.length <= 20) console.log(`FAILED ${text}`);
};
const say = (text) => console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${text}`);
/** At most `count` of `from` to `to`, evenly. */
const evenly = (from, to, count) => {
  const step = Math.max(1, (to - from + 1) / count);
  return Array.from({ length: Math.min(count, to - from + 1) }, (_, n) => from + Math.floor(n * step));
};

const onDisk = await runs.cleanRun(0, true);
for (let round = 0; counts.stopped < quarter; round += 1) {
  for (let stopAt = 1; stopAt <= onDisk.calls && counts.stopped < quarter; stopAt += 1) {
    const own = (seed * 1_000_003 + round) * 1009 + stopAt;
    counts.stopped += await runs
      .crashSimulated({ seed: own, stopAt }, onDisk)
      .catch((error) => (fail(`seed ${own}, stopped at ${stopAt}: ${error.message}`), 1));
  }
}
say(`${counts.stopped} stops`);

const small = await runs.cleanRun(0, false);
const large = await runs.cleanRun(2_200, false);
// The small journal is shorter than 64 KB: every byte of it. The large one is longer.
for (const clean of [small, large]) {
  const { length } = clean.bytes;
  for (const at of evenly(Math.max(0, length - 65_536), length, perJournal)) {
    const failure = await runs.cutSimulated(at, clean);
    counts.cut += 1;
    if (failure !== null) fail(failure);
  }
  say(`${counts.cut} cuts, up to a journal of ${length} bytes`);
}

const random = runs.seededRandom(seed);
let detected = 0;
for (const length of [small.bytes.length, Math.floor(small.bytes.length * 0.6)]) {
  await runs.runInTurns(16, evenly(0, length - 1, perJournal), async (at) => {
    const byte = small.bytes[at];
    const other = [0, 0x0a, 0x20, 0x30, byte ^ (1 << (at % 8)), Math.floor(random() * 256)][
      Math.floor(random() * 6)
    ];
    const changed = other === byte ? byte ^ 1 : other;
    const found = await runs.flipSimulated(length, at, changed, small);
    counts.changed += 1;
    if (found.detected) detected += 1;
    if (found.failure !== null) fail(found.failure);
  });
  say(`${counts.changed} changed bytes, ${detected} of them detected, the others harmless`);
}

if (withProcesses) await killProcesses();

const folder = runs.usedFolder();
if (folder !== null) rmSync(folder, { recursive: true, force: true });
say(`${Object.values(counts).reduce((sum, count) => sum + count, 0)} points, ${failures.length} failed`);
// Runs that were stopped in memory still wait for their disk.
process.exit(failures.length === 0 ? 0 : 1);

async function killProcesses() {
  const child = await bundle('drive-run.mjs', '../test/fixtures/children/drive-run.ts');
  const program = {
    start: (...args) => spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
  };
  const clean = await runs.cleanRealRun(program);
  const kills = Array.from({ length: clean.calls }, (_, n) =>
    ['before', 'torn', 'after'].map((how) => ({ at: n + 1, how })),
  ).flat();
  await runs.runInTurns(2, kills, async ({ at, how }) => {
    if (await runs.crashReal(program, at, how, clean.text).catch((error) => (fail(error.message), true)))
      counts.killed += 1;
  });
  say(`${counts.killed} processes killed, at ${clean.calls} calls`);
}

async function bundle(name, source) {
  const cache = new URL('../node_modules/.cache/techne-crash/', import.meta.url);
  mkdirSync(cache, { recursive: true });
  const file = fileURLToPath(new URL(name, cache));
  await build({
    input: fileURLToPath(new URL(source, import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}
