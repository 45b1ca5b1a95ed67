// What a run costs beside its effects: node bench/run/run.mjs [ROUNDS]
//
// R1. Everything that is compared runs in the same process, in the same rounds, on the same disk.
// R2. The folder is .bench/ of the project, on a real disk: on a file system in memory a sync costs nothing.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleParts } from '../bundle.mjs';
import { benchFolder } from '../corpus.mjs';
import { both, figures, one, quietRounds, row, sayPeer, toPeer } from '../figures.mjs';
import { sayMachine } from '../measure.mjs';
import { hasXstate } from '../peer-xstate.mjs';

const rounds = Number(process.argv[2] ?? 100);
const bars = {
  floorRatio: 1.5,
  loopMs: 10,
  perEffectUs: 20,
  atOnceMs: 3,
  resumeMs: 5,
  journalKb: 40,
  firstRunMs: 40,
  pausedMb: 200,
  pausedResumeMs: 50,
};
mkdirSync(`${benchFolder}/run`, { recursive: true });
const parts = await bundleParts('run', ['yaml']);
const scratch = () => mkdtempSync(`${benchFolder}/run/`);
const measure = (script, args, folder = scratch()) => {
  const done = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(script, import.meta.url)), parts, folder, ...args.map(String)],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  rmSync(folder, { recursive: true, force: true });
  if (done.status !== 0) throw new Error(`${script} exited ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout.trim().split('\n').pop());
};
sayMachine();
const { effects, journalBytes, payloadBytes, medians } = measure('overhead.mjs', [rounds]);
const { floor, durable, durableNone, atOnce, atOnceNone, loose, looseNone, resume, peer } = medians;
const perEffect = both(loose, looseNone, (a, b) => ((a - b) / effects) * 1000);
console.log(`\n${effects} effects, medians of ${rounds} rounds, ${quietRounds(medians)} of them quiet`);
sayPeer(peer, effects);
figures(`floor: ${effects} x (append + fdatasync)`, one(floor), 'ms', 2);
figures('durable, one after the other', one(durable), 'ms', 2);
figures('  a run of none', one(durableNone), 'ms', 2);
figures(
  '  to the floor',
  both(durable, floor, (a, b) => a / b),
  'x',
  2,
  bars.floorRatio,
);
figures('durable, all at once', one(atOnce), 'ms', 2);
figures('  a run of none', one(atOnceNone), 'ms', 2);
const together = both(atOnce, atOnceNone, (a, b) => a - b);
figures('  the effects', together, 'ms', 2, bars.atOnceMs);
// The bar was set where the floor was 12 to 16 ms.
figures(
  '    to the floor',
  (which) => both({ at: together(which) }, { at: floor[which] }, (a, b) => a / b)('at'),
  'x',
  2,
  Number((bars.atOnceMs / 14).toFixed(2)),
);
figures('without sync, one after the other', one(loose), 'ms', 2);
figures('  a run of none', one(looseNone), 'ms', 2);
figures('  per effect', perEffect, 'us', 1, bars.perEffectUs);
toPeer(
  both(loose, looseNone, (a, b) => a - b),
  peer,
  bars.perEffectUs / 10,
);
figures('resume', one(resume), 'ms', 2, bars.resumeMs);
toPeer(one(resume), peer, bars.resumeMs);
row('journal', `${(journalBytes / 1024).toFixed(1)} KB, ${(payloadBytes / 1024).toFixed(1)} of it payload`);
row(
  '  overhead',
  `${((journalBytes - payloadBytes) / 1024).toFixed(1)} KB`,
  (journalBytes - payloadBytes) / 1024,
  bars.journalKb,
);

console.log('\nlongest hold of the event loop');
for (const [name, held] of Object.entries(measure('event-loop.mjs', [])))
  row(name, `${held.toFixed(1)} ms`, held, name === 'nothing' || name.includes('1,000') ? null : bars.loopMs);

console.log('\nfirst run of a fresh process');
const first = Array.from({ length: 9 }, () => measure('first-run.mjs', [])).sort(
  (a, b) => a.importMs + a.runMs - b.importMs - b.runMs,
);
const { importMs, runMs } = first[first.length >> 1];
row(
  'import, and a run of 3 effects',
  `${importMs.toFixed(1)} + ${runMs.toFixed(1)} ms`,
  importMs + runMs,
  bars.firstRunMs,
);
if (hasXstate) {
  const peerMs = Array.from({ length: 9 }, () => measure('../once/peer-xstate-first.mjs', []).ms).sort(
    (a, b) => a - b,
  )[4];
  row(
    '  to xstate, imported, and its first chain of 3',
    `${peerMs.toFixed(1)} ms, ${((importMs + runMs) / peerMs).toFixed(2)} x`,
  );
}

const count = 1000;
console.log(`\n${count} runs that wait, in one process`);
const waiting = measure('paused.mjs', [count]);
row('memory', `${waiting.rssMb.toFixed(0)} MB`, waiting.rssMb, bars.pausedMb);
row('all started and waiting after', `${waiting.startMs.toFixed(0)} ms`);
row('resume of one, median', `${waiting.resumeMs.median.toFixed(1)} ms`);
row(
  'resume of one, the longest of 100',
  `${waiting.resumeMs.most.toFixed(1)} ms`,
  waiting.resumeMs.most,
  bars.pausedResumeMs,
);
