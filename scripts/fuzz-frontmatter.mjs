// Long fuzzing of everything that reads a SKILL.md: node scripts/fuzz-frontmatter.mjs [runs] [seed]
//
// Bundles test/fuzz/, damages the seed texts and, where they are at hand, the compat files, then reads
// pumped texts (a tenth as many) with every reader. Fails on a broken promise, on a changed Object.prototype,
// or on an input that takes a reader over 50 ms of CPU. An input over the limit is tried again three times,
// since the first one may have paid for compilation.
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const limitMs = 50;
const runs = Number(process.argv[2] ?? 200_000);
const seed = Number(process.argv[3] ?? 1);
const folder = new URL('../node_modules/.cache/techne-fuzz/', import.meta.url);

mkdirSync(folder, { recursive: true });
const file = new URL('frontmatter-fuzz.mjs', folder);
const bundle = await rolldown({
  input: new URL('../test/fuzz/fuzz-entry.ts', import.meta.url).pathname,
  platform: 'node',
  external: ['yaml'],
});
await bundle.write({ file: file.pathname, format: 'esm' });
const { fuzzFrontmatter, fuzzSkills, checkOne, readWhole, seedTexts, readCompatTexts } = await import(
  pathToFileURL(file.pathname).href
);

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).join();
const cpuMs = () => process.cpuUsage().user / 1000;
const corpus = [...seedTexts, ...readCompatTexts(new URL('../../shared/compat/', import.meta.url))];
fuzzFrontmatter({ seed: seed + 1, runs: 2000, corpus, maxLength: 65_536, cpuMs, compareEvery: 1 }); // warm up

let failed = 0;
let worst = 0;
const step = 1000;
for (let done = 0; done < runs; done += step) {
  const result = fuzzFrontmatter({
    seed: seed * 1_000_003 + done,
    runs: Math.min(step, runs - done),
    corpus,
    maxLength: 65_536,
    cpuMs,
    compareEvery: 1,
  });
  for (const { why, input } of result.failures) {
    failed += 1;
    console.log(`FAILED ${why}\n  ${JSON.stringify(input.slice(0, 2000))}`);
  }
  let slowest = result.worstMs;
  for (let again = 0; again < 3 && slowest > limitMs; again += 1) {
    const before = cpuMs();
    checkOne(result.worstInput);
    slowest = Math.min(slowest, cpuMs() - before);
  }
  if (slowest > limitMs) {
    failed += 1;
    console.log(`SLOW ${slowest.toFixed(1)} ms\n  ${JSON.stringify(result.worstInput.slice(0, 2000))}`);
  }
  worst = Math.max(worst, slowest);
}

for (let done = 0; done < runs / 10; done += step) {
  const result = fuzzSkills({
    seed: seed * 1_000_003 + done,
    runs: Math.min(step, Math.ceil(runs / 10) - done),
    maxLength: 65_536,
    cpuMs,
  });
  for (const { why, input } of result.failures) {
    failed += 1;
    console.log(`FAILED ${why}\n  ${JSON.stringify(input.slice(0, 2000))}`);
  }
  let slowest = result.worstMs;
  for (let again = 0; again < 3 && slowest > limitMs; again += 1) {
    let worstAgain = 0;
    readWhole(result.worstInput, cpuMs, (stage, ms) => {
      worstAgain = Math.max(worstAgain, ms);
    });
    slowest = Math.min(slowest, worstAgain);
  }
  if (slowest > limitMs) {
    failed += 1;
    console.log(
      `SLOW ${result.worstStage} ${slowest.toFixed(1)} ms\n  ${JSON.stringify(result.worstInput.slice(0, 2000))}`,
    );
  }
  worst = Math.max(worst, slowest);
}
if (Object.getOwnPropertyNames(Object.prototype).join() !== prototypeNames) {
  failed += 1;
  console.log('FAILED Object.prototype has changed');
}
console.log(
  `${runs} inputs from ${corpus.length} texts, seed ${seed}: ${failed} failed, slowest ${worst.toFixed(1)} ms of CPU`,
);
process.exitCode = failed === 0 ? 0 : 1;
