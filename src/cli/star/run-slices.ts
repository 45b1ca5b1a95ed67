// Runs a program in slices, so that the process can handle other events in between.
import { setImmediate } from 'node:timers/promises';
import type { RunState } from '../../starlark/options.ts';
import type { Run } from '../../starlark/vm/start.ts';

/** A few milliseconds. */
const sliceSteps = 200_000;

/** Resolves to the last state, never `host-call`; `paused` if `stopped` ended it. */
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
