// Long fuzzing of the Starlark interpreter: node scripts/fuzz-starlark.mjs [COUNT] [SEED] [PROCESSES]
//
// Bundles test/fuzz/starlark/ and checks COUNT programs (default 1,000,000), in as many processes as there are cores.
// A process that stays with fifty programs for two minutes is ended, and the first seed of the fifty is said: a hang.
// node scripts/fuzz-starlark.mjs --show SEED prints the one program of a seed.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

const hangMs = 120_000;
const batch = 500;
const starFolders = [
  '../test/starlark/',
  '../bench/starlark/programs/',
  '../../shared/conformance/starlark/',
].map((path) => new URL(path, import.meta.url));

if (process.send === undefined) await lead();
else await work();

async function lead() {
  const bundled = await bundle();
  if (process.argv[2] === '--show') {
    const { programOf, readPrograms, seedPrograms } = await import(pathToFileURL(bundled).href);
    console.log(programOf(Number(process.argv[3]), [...seedPrograms, ...readPrograms(starFolders)]));
    return;
  }
  const count = Number(process.argv[2] ?? 1_000_000);
  const seed = Number(process.argv[3] ?? 1);
  const processes = Number(process.argv[4] ?? availableParallelism());
  const tally = { began: Date.now(), next: 0, done: 0, failed: 0, outcomes: new Map() };
  /** The next batch, or null when all are given out. */
  const take = () => {
    const size = Math.min(batch, count - tally.next);
    if (size <= 0) return null;
    const given = { seed: seed * 7919 + tally.next / batch, count: size };
    tally.next += size;
    return given;
  };
  const say = () =>
    console.log(
      `${tally.done} programs, ${Math.round(tally.done / ((Date.now() - tally.began) / 1000))} a second, ${tally.failed} failed`,
    );
  const progress = setInterval(say, 60_000);
  await Promise.all(
    Array.from({ length: processes }, async () => {
      for (let first = take(); first !== null; first = take()) await follow(bundled, first, take, tally);
    }),
  );
  clearInterval(progress);
  say();
  for (const [code, times] of [...tally.outcomes].sort((a, b) => b[1] - a[1]))
    console.log(`  ${code.padEnd(26)} ${times}`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

/** Gives batches to one child until there are no more, or until it dies or hangs. */
function follow(bundled, first, take, tally) {
  const child = fork(fileURLToPath(import.meta.url), [bundled]);
  let current = null;
  let heardAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heardAt < hangMs) return;
    tally.failed += 1;
    console.log(`HANGS: one of the 50 programs from seed ${current} on`);
    child.kill('SIGKILL');
  }, 1000);
  child.on('message', (message) => {
    heardAt = Date.now();
    if (message.began !== undefined) current = message.began;
    if (message.outcomes === undefined) return;
    for (const [code, times] of message.outcomes)
      tally.outcomes.set(code, (tally.outcomes.get(code) ?? 0) + times);
    tally.done += message.count;
    for (const { seed, why, smallest } of message.failures) {
      tally.failed += 1;
      console.log(`FAILED seed ${seed}: ${why}\n----\n${smallest}\n----`);
    }
    const given = take();
    if (given === null) child.disconnect();
    else child.send(given);
  });
  child.send(first);
  return new Promise((ended) => {
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      if (code !== 0 && signal !== 'SIGKILL') {
        tally.failed += 1;
        console.log(`DIED (${code ?? signal}): one of the 50 programs from seed ${current} on`);
      }
      ended();
    });
  });
}

async function work() {
  const { fuzzPrograms, readPrograms, seedPrograms } = await import(pathToFileURL(process.argv[2]).href);
  const corpus = [...seedPrograms, ...readPrograms(starFolders)];
  const prototypeNames = Object.getOwnPropertyNames(Object.prototype).join();
  process.on('message', (given) => {
    let programs = 0;
    const { outcomes, failures } = fuzzPrograms({
      ...given,
      corpus,
      nowMs: () => performance.now(),
      // Told rarely: a message costs more than a program.
      began: (seed) => {
        if (programs % 50 === 0) process.send({ began: seed });
        programs += 1;
      },
    });
    if (Object.getOwnPropertyNames(Object.prototype).join() !== prototypeNames)
      throw new Error('Object.prototype has changed');
    process.send({ outcomes: [...outcomes], failures, count: given.count });
  });
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const folder = new URL('../node_modules/.cache/techne-fuzz/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL('starlark-fuzz.mjs', folder));
  const made = await rolldown({
    input: fileURLToPath(new URL('../test/fuzz/starlark/entry.ts', import.meta.url)),
    platform: 'node',
  });
  await made.write({ file, format: 'esm' });
  await made.close();
  return file;
}
