// The first run of each program in a fresh process against CPython: node bench/starlark/first-run.mjs [ROUNDS]
//
// Both engines alternate; the smallest of the rounds counts. Compiling is outside. Wall clock is what a person waits;
// CPU also counts the threads on which V8 compiles and collects.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { sayMachine } from '../measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
await build({ types: false });
sayMachine();
const logs = { wall: 0, cpu: 0 };
const files = readdirSync(here('programs')).filter((file) => file.endsWith('.star'));
for (const file of files) {
  const best = { wall: Infinity, cpu: Infinity, python: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    const ours = measure(process.execPath, [here('cold.mjs'), here(`programs/${file}`)]);
    const theirs = measure(process.env.PYTHON ?? 'python3', [here('once.py'), here(`programs/${file}`), '1']);
    best.wall = Math.min(best.wall, ours.firstRunMs);
    best.cpu = Math.min(best.cpu, ours.firstRunCpuMs);
    best.python = Math.min(best.python, theirs.ms);
  }
  for (const key of ['wall', 'cpu']) logs[key] += Math.log(best[key] / best.python);
  console.log(
    `  ${file.padEnd(22)} ${best.python.toFixed(1).padStart(7)} ms CPython  wall ${(best.wall / best.python).toFixed(2)} x  CPU ${(best.cpu / best.python).toFixed(2)} x`,
  );
}
const mean = (key) => Math.exp(logs[key] / files.length).toFixed(2);
console.log(`\n  geometric mean: wall ${mean('wall')} x, CPU ${mean('cpu')} x  (bar 1.8)`);

function measure(program, args) {
  const done = spawnSync(program, args, { encoding: 'utf8' });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')} exited ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}
