// Times run() of one program: node once.mjs FILE ROUNDS MAX_STEPS -> {"ms", "result", "steps", "memoryBytes"}
//
// A round is a fresh run: the module body, then run(). Compiling is outside. CPU time of the whole process, so that
// what V8 does on other threads (compiling, collecting) counts too.
import { readFileSync } from 'node:fs';
import { compile, start } from '../../dist/starlark.js';

const [file, rounds, maxSteps] = process.argv.slice(2);
const compiled = compile(readFileSync(file, 'utf8'), { path: file });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics, null, 2));

let ms = Infinity;
let state;
let usage;
for (let round = 0; round < Number(rounds); round += 1) {
  const before = process.cpuUsage();
  const run = start(compiled.program, { entry: 'run', maxSteps: Number(maxSteps) });
  state = run.run();
  const spent = process.cpuUsage(before);
  ms = Math.min(ms, (spent.user + spent.system) / 1000);
  usage = run.usage;
}
if (state.kind !== 'done') throw new Error(JSON.stringify(state, null, 2));
console.log(JSON.stringify({ ms, result: state.value, steps: usage.steps, memoryBytes: usage.memoryBytes }));
