// The interpreter against CPython 3 on the same machine, by CPU time: node bench/starlark/run.mjs [NAME …]
//
// R1. Every program is one text that both run; their results must be equal, or the figures would mean nothing.
// R2. All limits are on, at their defaults. A program that needs more steps than the default says so in its row.
// R3. Two rounds of both engines, alternating, each in a fresh process that repeats the program; the minimum counts.
import { existsSync, readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { sayMachine } from '../measure.mjs';

const bars = { mean: 1.5, worst: 3.5, hostCallsMs: 20 };
const defaultSteps = 100_000_000;
const repeats = 9;
const rounds = 2;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
await build({ types: false });
if (!existsSync(here('../../dist/starlark.js'))) {
  console.error('dist/starlark.js is missing: run "npm run build"');
  process.exit(3);
}
const python = process.env.PYTHON ?? 'python3';
const wanted = process.argv.slice(2);
const all = readdirSync(here('programs'))
  .filter((file) => file.endsWith('.star'))
  .map((file) => file.slice(0, -5))
  .sort();
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no such program: ${unknown.join(', ')}\nthere are: ${all.join(' ')}`);
  process.exit(2);
}
const names = wanted.length > 0 ? wanted : all;

sayMachine();
console.log(
  `${spawnSync(python, ['--version'], { encoding: 'utf8' }).stdout.trim()}; CPU ms, smallest of ${rounds} x ${repeats}\n`,
);
console.log(
  `  ${'program'.padEnd(16)} ${'techne'.padStart(9)} ${'cpython'.padStart(9)} ${'ratio'.padStart(7)}  ${'steps'.padStart(12)} ${'ns/step'.padStart(8)}`,
);
const ratios = [];
for (const name of names) {
  const ours = { ms: Infinity };
  const theirs = { ms: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    keepBest(
      ours,
      measure(process.execPath, [
        here('once.mjs'),
        here(`programs/${name}.star`),
        String(repeats),
        String(10 * defaultSteps),
      ]),
    );
    keepBest(theirs, measure(python, [here('once.py'), here(`programs/${name}.star`), String(repeats)]));
  }
  if (!isDeepStrictEqual(ours.result, theirs.result)) {
    console.log(
      `  ${name.padEnd(16)} DIFFERENT RESULTS\n    techne  ${JSON.stringify(ours.result)}\n    cpython ${JSON.stringify(theirs.result)}`,
    );
    process.exitCode = 1;
    continue;
  }
  const ratio = ours.ms / theirs.ms;
  ratios.push({ name, ratio });
  const notes = [
    ratio > bars.worst ? `over ${bars.worst} x` : '',
    ours.steps > defaultSteps ? 'over the default step limit' : '',
  ]
    .filter((note) => note !== '')
    .join(', ');
  console.log(
    `  ${name.padEnd(16)} ${ours.ms.toFixed(1).padStart(9)} ${theirs.ms.toFixed(1).padStart(9)} ${ratio.toFixed(2).padStart(7)}  ${String(ours.steps).padStart(12)} ${((ours.ms * 1e6) / ours.steps).toFixed(1).padStart(8)}  ${notes}`,
  );
}
if (ratios.length > 0) {
  const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  console.log(
    `\n  geometric mean ${mean.toFixed(2)} x CPython  (bar ${bars.mean}: ${mean <= bars.mean ? 'met' : 'MISSED'})`,
  );
  console.log(
    `  worst          ${worst.ratio.toFixed(2)} x, ${worst.name}  (bar ${bars.worst}: ${worst.ratio <= bars.worst ? 'met' : 'MISSED'})`,
  );
}
if (wanted.length === 0) {
  const calls = 10_000;
  const ms = Math.min(
    ...Array.from({ length: rounds }, () =>
      measure(process.execPath, [here('host-calls.mjs'), String(calls), '15']),
    ),
  );
  console.log(
    `  ${calls} host calls, suspended and resumed: ${ms.toFixed(1)} ms  (bar ${bars.hostCallsMs}: ${ms <= bars.hostCallsMs ? 'met' : 'MISSED'})`,
  );
  const cold = Array.from({ length: 5 }, () =>
    measure(process.execPath, [here('cold.mjs'), here('programs/skill_mix.star')]),
  );
  const least = (key) => Math.min(...cold.map((each) => each[key])).toFixed(1);
  console.log(
    `  in a fresh process, wall clock: load ${least('loadMs')} ms, compile skill_mix ${least('compileMs')} ms, its first run ${least('firstRunMs')} ms`,
  );
}

function keepBest(best, measured) {
  Object.assign(best, measured, { ms: Math.min(best.ms, measured.ms) });
}

function measure(program, args) {
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')} exited ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}
