// Preloaded into a child process: counts how often folders are listed, and writes the counts when the process ends.
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const counts = {};
const { readdirSync } = fs;
fs.readdirSync = (path, options) => {
  counts[path] = (counts[path] ?? 0) + 1;
  return readdirSync(path, options);
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.COUNT_READS_TO, JSON.stringify(counts)));
