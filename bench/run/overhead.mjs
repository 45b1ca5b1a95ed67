// What the engine adds to effects that cost nothing, beside the floors of the same disk: node overhead.mjs PARTS FOLDER ROUNDS
//
// O1. The floor of a durable effect is one append and one fdatasync through the same calls, of as many bytes.
// O2. `per effect` is what a run of 100 takes over a run of none, for which there is a row of its own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openXstate } from '../peer-xstate.mjs';
import { appendAndSync, measureRounds, middle, timed } from '../rounds.mjs';

const [partsFile, folder, rounds] = process.argv.slice(2);
const { AnswerLater, answerer, createNodeJournalFiles, openBench } = await import(
  pathToFileURL(partsFile).href
);
const effects = 100;
const files = createNodeJournalFiles();
const open = (name, durable, more = {}) => openBench({ folder: join(folder, name), durable, ...more });
const durable = open('durable', true);
const loose = open('loose', false);
const later = open('later', true, {
  answers: { ...answerer, answer: async () => Promise.reject(new AnswerLater('caller')) },
});

async function run({ runner }, skill, n, status = 'completed') {
  const result = await runner.start({ skill, input: { n }, limits: { parallel: 100 } });
  if (result.status !== status) throw new Error(result.text);
  return result;
}

/** Bytes in the folder of a run. */
function bytesOf(name, { run: id }) {
  const at = join(folder, name, id);
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, file) => sum + (statSync(join(at, file)).isFile() ? statSync(join(at, file)).size : 0),
    0,
  );
}

const sample = await run(durable, 'commands', effects);
const journalBytes = bytesOf('durable', sample);
const emptyBytes = bytesOf('durable', await run(durable, 'commands', 0));
const payloadBytes = await payloadOf(durable, sample);

/** What the journal must hold: requests and results as JSON. */
async function payloadOf({ runner }, { run: id, text }) {
  const view = await runner.inspect(id);
  return view.effects.reduce(
    (sum, { request, result }) => sum + JSON.stringify(request).length + JSON.stringify(result).length,
    text.length + JSON.stringify(view.input).length,
  );
}

let floors = 0;
async function floor() {
  floors += 1;
  return appendAndSync(
    await files.create(join(folder, `floor-${floors}`)),
    Math.round((journalBytes - emptyBytes) / effects),
    effects,
  );
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

const peer = openXstate(effects);

const medians = await measureRounds(
  {
    floor,
    durable: () => timed(() => run(durable, 'commands', effects)),
    durableNone: () => timed(() => run(durable, 'commands', 0)),
    atOnce: () => middle(() => timed(() => run(durable, 'asks', effects))),
    atOnceNone: () => middle(() => timed(() => run(durable, 'asks', 0))),
    loose: () => middle(() => timed(() => run(loose, 'commands', effects))),
    looseNone: () => middle(() => timed(() => run(loose, 'commands', 0))),
    resume: () => middle(resumed),
    ...(peer === null ? {} : { peer: () => middle(() => timed(peer)) }),
  },
  Number(rounds),
);
await Promise.all([durable, loose, later].map(({ store }) => store.close()));
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ effects, journalBytes, payloadBytes, medians }));
