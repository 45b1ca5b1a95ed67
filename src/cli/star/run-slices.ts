// Runs a program a slice at a time, so that the process hears of everything else in between.
import { setImmediate } from 'node:timers/promises';
import type { RunState } from '../../starlark/options.ts';
import type { Run } from '../../starlark/vm/start.ts';

/** Some milliseconds. */
const sliceSteps = 200_000;

/** Gives the last state, never `host-call`; `paused` when `stopped` asked for the end. */
export async function runSlices(run: Pick<Run, 'run' | 'refuse'>, stopped: () => boolean): Promise<RunState> {
  for (;;) {
    const state = run.run(sliceSteps);
    if (state.kind === 'host-call') {
      run.refuse('host functions are not available in "techne star"');
      continue;
    }
    if (state.kind !== 'paused') return state;
    await setImmediate();
    if (stopped()) return state;
  }
}
