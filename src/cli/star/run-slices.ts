// Runs a program a slice at a time, so that the process hears of everything else in between.
import { setImmediate } from 'node:timers/promises';
import type { RunState } from '../../starlark/options.ts';

/** Some milliseconds. */
const sliceSteps = 200_000;

/** Gives the last state; `paused` when `stopped` asked for the end. The program has no host functions. */
export async function runSlices(run: { run(maxSteps?: number): RunState }, stopped: () => boolean): Promise<RunState> {
  for (;;) {
    const state = run.run(sliceSteps);
    if (state.kind !== 'paused') return state;
    await setImmediate();
    if (stopped()) return state;
  }
}
