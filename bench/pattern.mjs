// What a pattern of a skill costs.  node bench/pattern.mjs
//
// Pumped texts of 10² to 10⁵ characters: time and the slope of its logarithm (1 is linear); then harmless patterns on
// ordinary texts, beside RegExp.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { sayMachine } from './measure.mjs';

const pumped = [
  ['^((a+))+$', 'a', '!'],
  ['^a*a*a*b$', 'a', ''],
  ['(a|aa)*b', 'a', ''],
  ['^(?:a?){20}a{20}$', 'a', '!'],
  ['(.*)*x', 'ab', ''],
  ['(?=(a+)+$)', 'a', '!'],
  ['^([\\w.+-]+)+@([\\w-]+\\.)+\\w{2,}$', 'a.', ''],
];
const harmless = [
  ['^[a-z][a-z0-9-]{0,62}$', 'a-name-of-a-skill'],
  ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'somebody.else@example.org'],
  ['^(?!.*--)[a-z0-9-]+$', 'a-name-of-a-skill'],
  ['^\\d{4}-(?:0[1-9]|1[0-2])-[0-3]\\d$', '2026-11-18'],
];

const folder = mkdtempSync(join(tmpdir(), 'techne-bench-pattern-'));
try {
  const file = join(folder, 'pattern.mjs');
  await build({
    input: fileURLToPath(new URL('../src/base/pattern/pattern.ts', import.meta.url)),
    logLevel: 'silent',
    output: { file, format: 'esm' },
  });
  const { compilePattern } = await import(pathToFileURL(file).href);
  sayMachine();
  console.log('\nms for 10², 10³, 10⁴ and 10⁵ characters');
  for (const [source, pump, end] of pumped) {
    const pattern = compilePattern(source);
    const times = [1e2, 1e3, 1e4, 1e5].map((length) => {
      const text = pump.repeat(length / pump.length) + end;
      return best(5, () => pattern.test(text, { steps: Infinity }));
    });
    const slope = (Math.log10(times[3]) - Math.log10(times[1])) / 2;
    console.log(
      `${source.padEnd(36)} ${times.map((ms) => ms.toFixed(2).padStart(8)).join('')}   slope ${slope.toFixed(2)}`,
    );
  }
  console.log('\nµs for a compile and a test, and a test alone: techne, RegExp');
  for (const [source, text] of harmless) {
    const pattern = compilePattern(source);
    const expression = new RegExp(source, 'u');
    const figures = [
      () => compilePattern(source).test(text, { steps: Infinity }),
      () => new RegExp(source, 'u').test(text),
      () => pattern.test(text, { steps: Infinity }),
      () => expression.test(text),
    ].map((work) => best(5, () => repeat(1_000, work)).toFixed(2));
    console.log(`${source.padEnd(36)} ${figures[0]} ${figures[1]}   ${figures[2]} ${figures[3]}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function repeat(times, work) {
  for (let n = 0; n < times; n += 1) work();
}

function best(rounds, work) {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
