// The limit for loading: walk, and read the first 4 KB of each SKILL.md. Parses nothing.
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';

const root = process.argv[2];
const buffer = Buffer.alloc(4096);
const start = performance.now();
let files = 0;
walk(root);
console.log(performance.now() - start);
if (files === 0) process.exit(1);

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) walk(`${folder}/${entry.name}`);
    else if (entry.name === 'SKILL.md') {
      const file = openSync(`${folder}/${entry.name}`);
      readSync(file, buffer, 0, 4096, 0);
      closeSync(file);
      files += 1;
    }
  }
}
