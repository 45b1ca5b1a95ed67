// What the guard adds to reading bodies when the verdicts are kept.  node bench/guard-read.mjs [COUNT]
//
// In fresh processes, by turns: guard.onRead off, and as it is by default, with every verdict in the cache.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.mjs';
import { benchFolder, corpus } from './corpus.mjs';
import { inside, interleave, report, sayMachine } from './measure.mjs';

await build({ types: false });
const once = fileURLToPath(new URL('once/techne-bodies.mjs', import.meta.url));
const count = Number(process.argv[2] ?? 1000);
const root = corpus(count);
const homeOf = (name, guard) => {
  const home = `${benchFolder}/guard-home-${name}`;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(`${home}/.techne`, { recursive: true });
  writeFileSync(`${home}/.techne/config.json`, JSON.stringify({ guard }));
  return home;
};
const off = homeOf('off', { onRead: 'off' });
const on = homeOf('on', {});
sayMachine();
const first = inside(once, [root, on]);
console.log(`\n${count} bodies, every skill scanned for the first time: ${first.toFixed(0)} ms`);
inside(once, [root, off]);
report(
  `${count} bodies, verdicts kept`,
  interleave(
    { 'guard off': () => inside(once, [root, off]), 'guard on': () => inside(once, [root, on]) },
    15,
  ),
  'guard off',
  {},
);
