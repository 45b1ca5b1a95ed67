// `techne match` and `techne search` from a warm index, whole process: node bench/match/cold.mjs [COUNT]
//
//   bar: 300 ms at 10,000 skills on a machine with nothing else to do
//
// C1. Beside them in the same rounds: bare Node, and a script that does no more than must be done: two stats for each skill, and
//     the columns of the index file, read and checked.
// C2. The first run of each builds and keeps the index; it is shown, and not compared.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { benchFolder, corpus } from '../corpus.mjs';
import { interleave, report, sayMachine, wall } from '../measure.mjs';

await build({ types: false });
const count = Number(process.argv[2] ?? 10_000);
const root = corpus(count);
const home = `${benchFolder}/home-match-${count}`;
const words = `${home}/.techne/cache/words`;
mkdirSync(home, { recursive: true });
rmSync(words, { recursive: true, force: true });
const node = process.execPath;
const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const limit = fileURLToPath(new URL('../once/limit-match.mjs', import.meta.url));
// Certificates that Node is told to read cost every process 15 to 30 ms.
const { NODE_EXTRA_CA_CERTS: _, ...variables } = process.env;
const env = { ...variables, HOME: home };
const run =
  (...args) =>
  () =>
    wall(node, [cli, ...args, '--root', root], { env });
const match = run('match', 'calibrate my cameras');
const search = run('search', 'calibrate my cameras quickly');

sayMachine();
wall(node, [cli, 'list', '--root', root], { env });
console.log(`first match ${match().toFixed(0)} ms, first search ${search().toFixed(0)} ms`);
const file = `${words}/${readdirSync(words)[0]}`;
const best = interleave(
  {
    'bare node': () => wall(node, ['-e', '0'], { env }),
    'stats, and the index file': () => wall(node, [limit, root, file], { env }),
    'techne match': match,
    'techne search': search,
  },
  7,
);
report(`match and search among ${count}, whole process`, best, 'stats, and the index file');
for (const name of ['techne match', 'techne search'])
  console.log(`  ${name}: bar 300 ms ${best[name] <= 300 ? 'met' : 'MISSED'}`);
