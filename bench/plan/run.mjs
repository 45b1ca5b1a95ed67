// What a plan costs beside its steps: node bench/plan/run.mjs [ROUNDS]
//
// R1. Everything that is compared runs in the same process, in the same rounds, on the same disk.
// R2. The folder is .bench/ of the project, on a real disk: on a file system in memory a sync costs nothing.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleParts } from '../bundle.mjs';
import { benchFolder } from '../corpus.mjs';
import { both, figures, one, quietRounds, sayPeer, toPeer } from '../figures.mjs';
import { sayMachine } from '../measure.mjs';

const rounds = Number(process.argv[2] ?? 60);
const bars = { floorRatio: 1.5, looseUs: 25, memoryUs: 10, fanMs: 3 };
mkdirSync(`${benchFolder}/plan`, { recursive: true });
const parts = await bundleParts('plan', ['yaml']);
const folder = mkdtempSync(`${benchFolder}/plan/`);
const done = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('overhead.mjs', import.meta.url)), parts, folder, String(rounds)],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
rmSync(folder, { recursive: true, force: true });
if (done.status !== 0) throw new Error(`overhead.mjs exited ${done.status}: ${done.stderr}`);
const { steps, medians } = JSON.parse(done.stdout.trim().split('\n').pop());
const { floor, durable, durableOne, fan, fanOne, loose, looseOne, memory, memoryOne, peer } = medians;

const perStep = (all, first) => both(all, first, (a, b) => ((a - b) / (steps - 1)) * 1000);

sayMachine();
console.log(`\n${steps} steps, medians of ${rounds} rounds, ${quietRounds(medians)} of them quiet`);
sayPeer(peer, steps);
figures(`floor: ${steps} x (append + fdatasync)`, one(floor), 'ms', 2);
figures('durable, a chain', one(durable), 'ms', 2);
figures('  a plan of one step', one(durableOne), 'ms', 2);
figures(
  '  to the floor',
  both(durable, floor, (a, b) => a / b),
  'x',
  2,
  bars.floorRatio,
);
figures('durable, all at once', one(fan), 'ms', 2);
figures('  a plan of one step', one(fanOne), 'ms', 2);
figures(
  '  the steps',
  both(fan, fanOne, (a, b) => a - b),
  'ms',
  2,
  bars.fanMs,
);
figures('without sync, a chain', one(loose), 'ms', 2);
figures('  a plan of one step', one(looseOne), 'ms', 2);
figures('  per step', perStep(loose, looseOne), 'us', 1, bars.looseUs);
toPeer(
  both(loose, looseOne, (a, b) => a - b),
  peer,
  bars.looseUs / 10,
);
figures('in memory, a chain', one(memory), 'ms', 2);
figures('  a plan of one step', one(memoryOne), 'ms', 2);
figures('  per step', perStep(memory, memoryOne), 'us', 1, bars.memoryUs);
toPeer(
  both(memory, memoryOne, (a, b) => a - b),
  peer,
  bars.memoryUs / 10,
);
