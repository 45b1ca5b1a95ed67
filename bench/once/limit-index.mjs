// The limit for a restart: read an index of names and descriptions, and stat each file it names.
//   node limit-index.mjs ROOT INDEX [both]     (INDEX is made when it is not there; `both`: the folder as well)
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [root, index, both] = process.argv.slice(2);
if (!existsSync(index)) {
  const rows = readdirSync(root).map((name) => {
    const path = `${root}/${name}/SKILL.md`;
    const { mtimeMs, size } = statSync(path);
    const text = readFileSync(path, 'utf8');
    const description = /^description:(.*)$/m.exec(text)?.[1]?.trim() ?? '';
    return { path, folder: dirname(path), mtimeMs, size, name, description };
  });
  writeFileSync(index, JSON.stringify(rows));
}
const start = performance.now();
const rows = JSON.parse(readFileSync(index, 'utf8'));
let fresh = 0;
for (const row of rows) {
  const stat = statSync(row.path);
  if (both) statSync(row.folder);
  if (stat.mtimeMs === row.mtimeMs && stat.size === row.size) fresh += 1;
}
console.log(performance.now() - start);
if (fresh !== rows.length) process.exit(1);
