// A peer for runs and plans: a chain of steps in XState, in memory, with nothing written down.
//
// X1. Times do not travel between machines, ratios do (measure.mjs, M1). The bars were set where a chain of 100 steps took
//     XState 2.1 ms; so they are also given as multiples of what it takes in the same run.
// X2. It is measured when it is installed: npm install --prefix .bench/peers xstate@5.33.3
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { benchFolder } from './corpus.mjs';

/** What XState took where the bars were set. */
export const chainMs = 2.1;

const folder = process.env.PEERS ?? `${benchFolder}/peers`;
export const hasXstate = existsSync(`${folder}/node_modules/xstate`);

/** () => runs a chain of `steps`; null when XState is not installed. */
export function openXstate(steps) {
  if (!hasXstate) return null;
  const { createActor, createMachine, fromPromise, toPromise } = createRequire(`${folder}/x.js`)('xstate');
  const work = fromPromise(async () => 1);
  const states = { end: { type: 'final' } };
  for (let at = 0; at < steps; at += 1)
    states[`s${at}`] = { invoke: { src: work, onDone: at + 1 === steps ? 'end' : `s${at + 1}` } };
  const machine = createMachine({ initial: 's0', states });
  return async () => {
    const actor = createActor(machine);
    const done = toPromise(actor);
    actor.start();
    await done;
  };
}
