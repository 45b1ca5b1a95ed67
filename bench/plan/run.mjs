// What a plan costs beside its steps: node bench/plan/run.mjs [ROUNDS]
//
// R1. Everything that is compared runs in the same process, in the same rounds, on the same disk.
// R2. The folder is .bench/ of the project, on a real disk: on a file system in memory a sync costs nothing.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchFolder } from '../corpus.mjs';
import { sayMachine } from '../measure.mjs';
import { bundleParts } from './bundle.mjs';

const rounds = Number(process.argv[2] ?? 60);
const bars = { floorRatio: 1.5, looseUs: 25, memoryUs: 10, fanMs: 3 };
mkdirSync(`${benchFolder}/plan`, { recursive: true });
const parts = await bundleParts();
const folder = mkdtempSync(`${benchFolder}/plan/`);
const done = spawnSync(process.execPath, [fileURLToPath(new URL('overhead.mjs', import.meta.url)), parts, folder, String(rounds)], { encoding: 'utf8', maxBuffer: 1 << 28 });
rmSync(folder, { recursive: true, force: true });
if (done.status !== 0) throw new Error(`overhead.mjs exited ${done.status}: ${done.stderr}`);
const { steps, medians } = JSON.parse(done.stdout.trim().split('\n').pop());
const { floor, durable, durableOne, fan, fanOne, loose, looseOne, memory, memoryOne } = medians;

/** @type {(what: string, text: string, value?: number | null, bar?: number | null) => void} */
const row = (what, text, value = null, bar = null) => console.log(`  ${what.padEnd(40)} ${text.padStart(46)}${bar === null || value === null ? '' : `  (bar ${bar}: ${value <= bar ? 'met' : 'MISSED'})`}`);
const told = (number, unit, digits) => (number === null ? 'never' : `${number.toFixed(digits)} ${unit}`);
/** Median of all rounds, of the quiet ones (overhead.mjs, O3), and the least. The bar is for the quiet ones, if there were any. */
const figures = (what, of, unit, digits, bar = null) => row(what, `${told(of('median'), unit, digits)}, quiet ${told(of('quiet'), unit, digits)}, least ${told(of('least'), unit, digits)}`, of('quiet') ?? of('median'), bar);
const of = (one) => (which) => one[which];
const both = (a, b, join) => (which) => (a[which] === null || b[which] === null ? null : join(a[which], b[which]));
const perStep = (all, one) => both(all, one, (a, b) => ((a - b) / (steps - 1)) * 1000);

sayMachine();
console.log(`\n${steps} steps, medians of ${rounds} rounds, ${Math.min(...Object.values(medians).map(({ quietRounds }) => quietRounds))} of them quiet`);
figures(`floor: ${steps} x (append + fdatasync)`, of(floor), 'ms', 2);
figures('durable, a chain', of(durable), 'ms', 2);
figures('  a plan of one step', of(durableOne), 'ms', 2);
figures('  to the floor', both(durable, floor, (a, b) => a / b), 'x', 2, bars.floorRatio);
figures('durable, all at once', of(fan), 'ms', 2);
figures('  a plan of one step', of(fanOne), 'ms', 2);
figures('  the steps', both(fan, fanOne, (a, b) => a - b), 'ms', 2, bars.fanMs);
figures('without sync, a chain', of(loose), 'ms', 2);
figures('  a plan of one step', of(looseOne), 'ms', 2);
figures('  per step', perStep(loose, looseOne), 'us', 1, bars.looseUs);
figures('in memory, a chain', of(memory), 'ms', 2);
figures('  a plan of one step', of(memoryOne), 'ms', 2);
figures('  per step', perStep(memory, memoryOne), 'us', 1, bars.memoryUs);
