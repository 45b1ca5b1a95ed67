// A peer for loading: gray-matter over every SKILL.md.  node peer-gray-matter.mjs ROOT PEERS
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const [root, peers] = process.argv.slice(2);
const matter = createRequire(`${peers}/x.js`)('gray-matter');
const start = performance.now();
let usable = 0;
for (const name of readdirSync(root)) {
  try {
    const { data } = matter(readFileSync(`${root}/${name}/SKILL.md`, 'utf8'));
    if (data.name && data.description) usable += 1;
  } catch {
    usable += 0; // gray-matter throws on broken YAML; the file is lost to it
  }
}
console.log(performance.now() - start);
