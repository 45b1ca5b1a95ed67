// Long fuzzing of the taint check: node scripts/fuzz-taint.mjs [COUNT] [SEED]
//
// Makes templates by chance, renders them with text from outside that can be recognised, and shows those that let some of it
// through without being told of.
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const [count = 100_000, seed = 1] = process.argv.slice(2).map(Number);
const folder = new URL('../node_modules/.cache/techne-fuzz/', import.meta.url);
mkdirSync(folder, { recursive: true });
const file = new URL('taint-fuzz.mjs', folder);
const bundle = await rolldown({
  input: new URL('../test/fuzz/taint/taint-fuzz.ts', import.meta.url).pathname,
  platform: 'node',
});
await bundle.write({ file: file.pathname, format: 'esm' });
const { fuzzTaint } = await import(pathToFileURL(file.pathname).href);

const step = 1000;
let [rendered, leaking, overtold, failed] = [0, 0, 0, 0];
const begun = performance.now();
for (let done = 0; done < count; done += step) {
  const result = fuzzTaint({ seed: seed * 1_000_003 + done, count: Math.min(step, count - done) });
  [rendered, leaking, overtold, failed] = [
    rendered + result.rendered,
    leaking + result.leaking,
    overtold + result.overtold,
    failed + result.failures.length,
  ];
  for (const failure of result.failures)
    console.log(`seed ${failure.seed}: ${failure.why}\n${failure.template}\n`);
}
console.log(
  `${count} templates in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${rendered} rendered, ${leaking} unsafe in a prompt, ${overtold} told of although nothing came out, ${failed} missed`,
);
process.exitCode = failed === 0 ? 0 : 1;
