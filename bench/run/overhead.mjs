// What the engine adds to effects that cost nothing, beside the floors of the same disk: node overhead.mjs PARTS FOLDER ROUNDS
//
// O1. Every round runs each measurement, one after the other; medians are printed, with the smallest. What takes only
//     some milliseconds is run five times in a row and its middle counts: the disk has cooled the caches before.
// O2. The floor of a durable effect is one append and one fdatasync through the same calls, of as many bytes.
// O3. A neighbour on the same core halves the speed of everything, whatever the priority. So a fixed piece of work is
//     timed before and after each measurement; `quiet` counts only those where it took at most 1.15 of its best time.
// O4. `per effect` is what a run of 100 takes over a run of none, for which there is a row of its own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [partsFile, folder, roundsText] = process.argv.slice(2);
const { AnswerLater, answerer, createNodeJournalFiles, openBench } = await import(pathToFileURL(partsFile).href);
const effects = 100;
const files = createNodeJournalFiles();
const open = (name, durable, more = {}) => openBench({ folder: join(folder, name), durable, ...more });
const durable = open('durable', true);
const loose = open('loose', false);
const later = open('later', true, { answers: { ...answerer, answer: async () => Promise.reject(new AnswerLater('caller')) } });

async function run({ runner }, skill, n, status = 'completed') {
  const result = await runner.start({ skill, input: { n }, limits: { parallel: 100 } });
  if (result.status !== status) throw new Error(result.text);
  return result;
}

/** Bytes in the folder of a run. */
function bytesOf(name, { run: id }) {
  const at = join(folder, name, id);
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).reduce((sum, file) => sum + (statSync(join(at, file)).isFile() ? statSync(join(at, file)).size : 0), 0);
}

const sample = await run(durable, 'commands', effects);
const journalBytes = bytesOf('durable', sample);
const emptyBytes = bytesOf('durable', await run(durable, 'commands', 0));
const payloadBytes = await payloadOf(durable, sample);

/** What the journal must hold: requests and results as JSON. */
async function payloadOf({ runner }, { run: id, text }) {
  const view = await runner.inspect(id);
  return view.effects.reduce((sum, { request, result }) => sum + JSON.stringify(request).length + JSON.stringify(result).length, text.length + JSON.stringify(view.input).length);
}

let floors = 0;
async function floor(times) {
  floors += 1;
  const bytes = new Uint8Array(Math.round((journalBytes - emptyBytes) / effects)).fill(0x61);
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

async function resumed() {
  const paused = await run(later, 'pause', effects, 'paused');
  const [{ id, nonce }] = paused.questions;
  await later.runner.answer(paused.run, { question: id, nonce, value: 'go on', from: 'caller' });
  return timed(async () => {
    const result = await later.runner.resume(paused.run);
    if (result.status !== 'completed') throw new Error(result.text);
  });
}

const measurements = {
  floor: () => floor(effects),
  durable: () => timed(() => run(durable, 'commands', effects)),
  durableNone: () => timed(() => run(durable, 'commands', 0)),
  atOnce: () => middle(() => timed(() => run(durable, 'asks', effects))),
  atOnceNone: () => middle(() => timed(() => run(durable, 'asks', 0))),
  loose: () => middle(() => timed(() => run(loose, 'commands', effects))),
  looseNone: () => middle(() => timed(() => run(loose, 'commands', 0))),
  resume: () => middle(resumed),
};
const seen = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));

const fixed = { type: 'effect.ended', at: 1722222222222, key: '55', ok: true, result: { value: { ok: true, exit_code: 0, result: 'ok\n', truncated: false, stdout: 'ok\n', stderr: '', denied: false } }, ms: 0 };
let units = 0;
function fixedWork() {
  const began = performance.now();
  for (let at = 0; at < 300; at += 1) units += JSON.stringify(fixed).length;
  return performance.now() - began;
}

const rounds = Number(roundsText);
// The engine compiles what is hot in the first runs; a process that runs skills has that behind it.
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
await Promise.all([durable, loose, later].map(({ store }) => store.close()));
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ effects, journalBytes, payloadBytes, medians }));
