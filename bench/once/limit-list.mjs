// The limit for `list --json`: a bare script that reads the heads and prints what it found.
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';

const root = process.argv[2];
const buffer = Buffer.alloc(4096);
const rows = [];
for (const name of readdirSync(root)) {
  const file = openSync(`${root}/${name}/SKILL.md`);
  const length = readSync(file, buffer, 0, 4096, 0);
  closeSync(file);
  const text = buffer.toString('utf8', 0, length);
  const at = text.indexOf('\ndescription:');
  rows.push({ name, description: text.slice(at + 13, text.indexOf('\n', at + 13)).trim() });
}
process.stdout.write(JSON.stringify(rows));
