// Runs contenders interleaved, each in a fresh process, and keeps the smallest time of each.
//
// M1. Only ratios travel between machines: the limit and the peers run in the same rounds as we do.
// M2. A busy machine is said, not averaged away.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';

/** `contenders`: name -> () => milliseconds. Returns name -> best milliseconds. */
export function interleave(contenders, rounds) {
  const best = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const ms = run();
      best[name] = Math.min(best[name] ?? Infinity, ms);
    }
  }
  return best;
}

/** Milliseconds from start to exit of a command. */
export function wall(program, args, options = {}) {
  const start = process.hrtime.bigint();
  const done = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
    ...options,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')} exited ${done.status}: ${done.stderr}`);
  return ms;
}

/** A script that prints the milliseconds it measured inside itself. */
export function inside(script, args, options = {}) {
  const done = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...options,
  });
  if (done.status !== 0) throw new Error(`${script} ${args.join(' ')} exited ${done.status}: ${done.stderr}`);
  return Number(done.stdout.trim().split('\n').pop());
}

export function report(title, best, base, bars = {}) {
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(best)) {
    const ratio = ms / best[base];
    const bar = bars[name];
    const verdict =
      bar === undefined ? '' : ratio <= bar ? `  (bar ${bar} x: met)` : `  (bar ${bar} x: MISSED)`;
    console.log(
      `  ${name.padEnd(34)} ${ms.toFixed(1).padStart(9)} ms  ${ratio.toFixed(2).padStart(6)} x${verdict}`,
    );
  }
}

export function sayMachine() {
  const [load] = loadavg();
  console.log(
    `node ${process.versions.node}, load ${load.toFixed(2)}${load > 1.5 ? ' — busy: read the ratios with care' : ''}`,
  );
}
