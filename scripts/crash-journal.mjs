// Long crash test of the run store: node scripts/crash-journal.mjs [POINTS] [SEED]
//
// Bundles test/crash/journal/ and checks at least POINTS points (default 20,000): a run on a faulty disk that stops at
// every call or is taken over while its owner goes on, and a journal that is cut at every byte of its last 64 KB, changed in every byte, and torn by sectors.
import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const points = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const failures = [];
const counts = { stopped: 0, takenOver: 0, cut: 0, changed: 0, torn: 0 };

const { countCalls, crashRun, checkCut, checkFlip, checkTear, makeJournal, seededRandom, takeOver } =
  await load();
const fail = (text) => {
  failures.push(text);
  if (failures.length <= 20) console.log(`FAILED ${text}`);
};
const check = (kind, failure) => {
  counts[kind] += 1;
  if (failure !== null) fail(failure);
};

for (let round = 0; counts.stopped < points; round += 1) {
  const roundSeed = seed * 1_000_003 + round;
  const calls = await countCalls(roundSeed);
  for (let stopAt = 1; stopAt <= calls; stopAt += 1) {
    counts.stopped += 1;
    await crashRun({ seed: roundSeed * 1009 + stopAt, stopAt }).catch((error) =>
      fail(`seed ${roundSeed * 1009 + stopAt}, stopped at ${stopAt}: ${error.message}`),
    );
  }
}
console.log(`${counts.stopped} stops`);

for (; counts.takenOver < points / 4;) {
  const seeds = Array.from({ length: 40 }, (_, n) => seed * 1_000_003 + counts.takenOver + n);
  await Promise.all(
    seeds.map((own) => takeOver(own).catch((error) => fail(`seed ${own}, taken over: ${error.message}`))),
  );
  counts.takenOver += seeds.length;
}
console.log(`${counts.takenOver} taken over`);

const random = seededRandom(seed);
for (const withClaim of [false, true]) {
  const journal = makeJournal(70_000, random, withClaim);
  const last = journal.segments.length - 1;
  const { bytes } = journal.segments[last];
  for (let length = Math.max(0, bytes.length - 65_536); length <= bytes.length; length += 1)
    check('cut', checkCut(journal, length));
  console.log(`${counts.cut} cuts`);
  for (let at = 0; at < bytes.length; at += 1) {
    const other = [0, 0x0a, bytes[at] ^ (1 << (at % 8))][Math.floor(random() * 3)];
    if (other !== bytes[at]) check('changed', checkFlip(journal, last, at, other));
  }
  console.log(`${counts.changed} changed bytes`);
  for (let n = 0; n < points; n += 1)
    check('torn', checkTear(journal, 1 + Math.floor(random() * (journal.batches.length - 1)), random));
  console.log(`${counts.torn} tears`);
}
console.log(
  `${Object.values(counts).reduce((sum, count) => sum + count, 0)} points, ${failures.length} failed`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function load() {
  const folder = new URL('../node_modules/.cache/techne-crash/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL('journal.mjs', folder));
  const input = fileURLToPath(new URL('../test/crash/journal/entry.ts', import.meta.url));
  await build({
    input,
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  });
  return import(pathToFileURL(file).href);
}
