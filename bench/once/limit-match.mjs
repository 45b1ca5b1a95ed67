// The limit for `match`: a bare script that asks for two stats a skill, and reads and checks the columns of the index.
import { openSync, readSync, readdirSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const [, , root, file] = process.argv;
for (const name of readdirSync(root)) {
  statSync(`${root}/${name}`, { bigint: true });
  statSync(`${root}/${name}/SKILL.md`, { bigint: true });
}
const fd = openSync(file);
const prefix = Buffer.alloc(20);
readSync(fd, prefix, 0, 20, 0);
const directory = Buffer.alloc(prefix.readUInt32LE(16));
readSync(fd, directory, 0, directory.length, 20);
const { region } = JSON.parse(directory);
const columns = Buffer.allocUnsafeSlow(region);
readSync(fd, columns, 0, region, (20 + directory.length + 7) & ~7);
process.stdout.write(String(crc32(columns)));
