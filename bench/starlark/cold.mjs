// What the first run in a fresh process costs: node cold.mjs FILE -> {"loadMs", "compileMs", "firstRunMs"}, wall clock
import { readFileSync } from 'node:fs';

const file = process.argv[2];
const source = readFileSync(file, 'utf8');
const began = performance.now();
const { compile, start } = await import('../../dist/starlark.js');
const loaded = performance.now();
const compiled = compile(source, { path: file });
const built = performance.now();
const state = start(compiled.program, { entry: 'run' }).run();
const ended = performance.now();
if (state.kind !== 'done') throw new Error(JSON.stringify(state));
console.log(JSON.stringify({ loadMs: loaded - began, compileMs: built - loaded, firstRunMs: ended - built }));
