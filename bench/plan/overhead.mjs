// What a plan adds to steps that cost nothing, beside the floors of the same disk: node overhead.mjs PARTS FOLDER ROUNDS
//
// O1. Every round runs each measurement, one after the other; what takes only some milliseconds is run five times in a
//     row and its middle counts, since the disk has cooled the caches before.
// O2. The floor of a durable step is one append and one fdatasync through the same calls, of as many bytes.
// O3. A neighbour on the same core halves the speed of everything. So a fixed piece of work is timed before and after
//     each measurement; `quiet` counts only those where it took at most 1.15 of its best time.
// O4. `per step` is what a plan of 100 takes over a plan of one, for which there is a row of its own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [partsFile, folder, roundsText] = process.argv.slice(2);
const { createNodeJournalFiles, openBench } = await import(pathToFileURL(partsFile).href);
const steps = 100;
const files = createNodeJournalFiles();
const durable = openBench({ folder: join(folder, 'durable'), durable: true });
const loose = openBench({ folder: join(folder, 'loose') });
const memory = { ...openBench(), runs: [] };

async function run({ runner }, skill) {
  const result = await runner.start({ skill, input: {}, limits: { parallel: 100 } });
  if (result.status !== 'completed') throw new Error(result.text);
  return result;
}

/** Runs that are over do not fill the memory of those that are measured. */
async function clear({ store, runs }) {
  for (const id of runs.splice(0)) await store.remove(id, { force: true });
}

/** Bytes in the folder of a run. */
function bytesOf({ run: id }) {
  const at = join(folder, 'durable', id);
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).reduce((sum, file) => sum + (statSync(join(at, file)).isFile() ? statSync(join(at, file)).size : 0), 0);
}

const journalBytes = bytesOf(await run(durable, `chain-${steps}`));
const oneBytes = bytesOf(await run(durable, 'chain-1'));

let floors = 0;
async function floor(times) {
  floors += 1;
  const bytes = new Uint8Array(Math.round((journalBytes - oneBytes) / (steps - 1))).fill(0x61);
  const file = await files.create(join(folder, `floor-${floors}`));
  const began = performance.now();
  for (let at = 0; at < times; at += 1) {
    await file.write(bytes, at * bytes.length);
    await file.sync();
  }
  const ms = performance.now() - began;
  await file.close();
  return ms;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function middle(measure) {
  const all = [];
  for (let at = 0; at < 5; at += 1) all.push(await measure());
  return all.sort((a, b) => a - b)[2];
}

async function inMemory(skill) {
  const ms = await middle(() => timed(async () => memory.runs.push((await run(memory, skill)).run)));
  await clear(memory);
  return ms;
}

const measurements = {
  floor: () => floor(steps),
  durable: () => timed(() => run(durable, `chain-${steps}`)),
  durableOne: () => timed(() => run(durable, 'chain-1')),
  fan: () => middle(() => timed(() => run(durable, `fan-${steps}`))),
  fanOne: () => middle(() => timed(() => run(durable, 'fan-1'))),
  loose: () => middle(() => timed(() => run(loose, `chain-${steps}`))),
  looseOne: () => middle(() => timed(() => run(loose, 'chain-1'))),
  memory: () => inMemory(`chain-${steps}`),
  memoryOne: () => inMemory('chain-1'),
};
const seen = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));

const fixed = { type: 'effect.ended', at: 1722222222222, key: 's55', ok: true, result: { value: { text: 'ok', value: null, truncated: false } }, ms: 0 };
let units = 0;
function fixedWork() {
  const began = performance.now();
  for (let at = 0; at < 400; at += 1) units += JSON.stringify(fixed).length;
  return performance.now() - began;
}

const rounds = Number(roundsText);
// What is hot is compiled in the first runs; a process that runs skills has that behind it.
for (let round = -10; round < rounds; round += 1) {
  for (const [name, measure] of Object.entries(measurements)) {
    const before = fixedWork();
    const ms = await measure();
    if (round >= 0) seen[name].push({ ms, fixed: Math.max(before, fixedWork()) });
  }
}
const median = (all) => (all.length === 0 ? null : all.map(({ ms }) => ms).sort((a, b) => a - b)[all.length >> 1]);
const best = Math.min(...Object.values(seen).flatMap((all) => all.map((one) => one.fixed)));
const quiet = (all) => all.filter((one) => one.fixed <= best * 1.15);
const medians = Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, { median: median(all), least: Math.min(...all.map(({ ms }) => ms)), quiet: median(quiet(all)), quietRounds: quiet(all).length }]));
await Promise.all([durable, loose].map(({ store }) => store.close()));
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ steps, medians }));
