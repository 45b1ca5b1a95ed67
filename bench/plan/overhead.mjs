// What a plan adds to steps that cost nothing, beside the floors of the same disk: node overhead.mjs PARTS FOLDER ROUNDS
//
// O1. The floor of a durable step is one append and one fdatasync through the same calls, of as many bytes.
// O2. `per step` is what a plan of 100 takes over a plan of one, for which there is a row of its own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openXstate } from '../peer-xstate.mjs';
import { appendAndSync, measureRounds, middle, timed } from '../rounds.mjs';

const [partsFile, folder, rounds] = process.argv.slice(2);
const { createNodeJournalFiles, openBench } = await import(pathToFileURL(partsFile).href);
const steps = 100;
const files = createNodeJournalFiles();
const durable = openBench({ folder: join(folder, 'durable'), durable: true });
const loose = openBench({ folder: join(folder, 'loose') });
const memory = openBench();

async function run({ runner }, skill) {
  const result = await runner.start({ skill, input: {}, limits: { parallel: 100 } });
  if (result.status !== 'completed') throw new Error(result.text);
  return result;
}

/** Bytes in the folder of a run. */
function bytesOf({ run: id }) {
  const at = join(folder, 'durable', id);
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, file) => sum + (statSync(join(at, file)).isFile() ? statSync(join(at, file)).size : 0),
    0,
  );
}

const stepBytes = Math.round(
  (bytesOf(await run(durable, `chain-${steps}`)) - bytesOf(await run(durable, 'chain-1'))) / (steps - 1),
);

let floors = 0;
async function floor() {
  floors += 1;
  return appendAndSync(await files.create(join(folder, `floor-${floors}`)), stepBytes, steps);
}

/** Runs that are over do not fill the memory of those that are measured. */
async function inMemory(skill) {
  const runs = [];
  const ms = await middle(() => timed(async () => runs.push((await run(memory, skill)).run)));
  for (const id of runs) await memory.store.remove(id, { force: true });
  return ms;
}

const peer = openXstate(steps);

const medians = await measureRounds(
  {
    floor,
    durable: () => timed(() => run(durable, `chain-${steps}`)),
    durableOne: () => timed(() => run(durable, 'chain-1')),
    fan: () => middle(() => timed(() => run(durable, `fan-${steps}`))),
    fanOne: () => middle(() => timed(() => run(durable, 'fan-1'))),
    loose: () => middle(() => timed(() => run(loose, `chain-${steps}`))),
    looseOne: () => middle(() => timed(() => run(loose, 'chain-1'))),
    memory: () => inMemory(`chain-${steps}`),
    memoryOne: () => inMemory('chain-1'),
    ...(peer === null ? {} : { peer: () => middle(() => timed(peer)) }),
  },
  Number(rounds),
);
await Promise.all([durable, loose].map(({ store }) => store.close()));
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ steps, medians }));
