// What the first run of a fresh process costs, import included: node first-run.mjs PARTS FOLDER -> {"importMs", "runMs"}
import { pathToFileURL } from 'node:url';

const [partsFile, folder] = process.argv.slice(2);
const began = performance.now();
const { openBench } = await import(pathToFileURL(partsFile).href);
const imported = performance.now();
const { runner, store } = openBench({ folder, durable: true });
const result = await runner.start({ skill: 'commands', input: { n: 3 } });
const ended = performance.now();
if (result.status !== 'completed') throw new Error(result.text);
await store.close();
console.log(JSON.stringify({ importMs: imported - began, runMs: ended - imported }));
