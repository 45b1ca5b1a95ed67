// What the first run in a fresh process costs: node cold.mjs FILE -> {"loadMs", "compileMs", "firstRunMs", "firstRunCpuMs"}; the first three are wall clock
import { readFileSync } from 'node:fs';

const file = process.argv[2];
const source = readFileSync(file, 'utf8');
const began = performance.now();
const { compile, start } = await import('../../dist/starlark.js');
const loaded = performance.now();
const compiled = compile(source, { path: file });
const built = performance.now();
const before = process.cpuUsage();
const state = start(compiled.program, { entry: 'run', maxSteps: 1_000_000_000 }).run();
const ended = performance.now();
const { user, system } = process.cpuUsage(before);
if (state.kind !== 'done') throw new Error(JSON.stringify(state));
console.log(
  JSON.stringify({
    loadMs: loaded - began,
    compileMs: built - loaded,
    firstRunMs: ended - built,
    firstRunCpuMs: (user + system) / 1000,
  }),
);
