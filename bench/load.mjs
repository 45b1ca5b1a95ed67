// How long finding and reading skills takes.  node bench/load.mjs [COUNT …]
//
// First pass in a fresh process, after import: what a command-line start feels.
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.mjs';
import { benchFolder, corpus } from './corpus.mjs';
import { inside, interleave, report, sayMachine } from './measure.mjs';

await build({ types: false });
const once = (name) => fileURLToPath(new URL(`once/${name}.mjs`, import.meta.url));
const counts = process.argv.slice(2).map(Number);
const peers = `${benchFolder}/peers/node_modules`;

sayMachine();
for (const count of counts.length > 0 ? counts : [1000, 10_000]) {
  const root = corpus(count);
  const index = `${benchFolder}/limit-index-${count}.json`;
  const cache = `${benchFolder}/cache-${count}`;
  rmSync(cache, { recursive: true, force: true });
  inside(once('limit-index'), [root, index]);
  inside(once('techne-load'), [root, cache]);

  const contenders = {
    'walk + read 4 KB of each': () => inside(once('limit-heads'), [root]),
    'techne, no cache': () => inside(once('techne-load'), [root]),
  };
  if (existsSync(`${peers}/gray-matter`))
    contenders['gray-matter'] = () => inside(once('peer-gray-matter'), [root, peers]);
  report(`${count} skills, uncached`, interleave(contenders, 11), 'walk + read 4 KB of each', {
    'techne, no cache': 2.5,
  });
  report(
    `${count} skills, restart with the index cache`,
    interleave(
      {
        'read index + stat each': () => inside(once('limit-index'), [root, index]),
        'the same + stat each folder': () => inside(once('limit-index'), [root, index, 'both']),
        'techne, index cache': () => inside(once('techne-load'), [root, cache]),
      },
      11,
    ),
    'read index + stat each',
    { 'techne, index cache': 1.5 },
  );
}
