// Runs a program in slices, so that the process can handle other events in between, such as Ctrl-C.
import { setImmediate } from 'node:timers/promises';
import type { Failure, RunOptions, RunState } from '../../starlark/options.ts';
import type { Run } from '../../starlark/vm/start.ts';
import type { Program } from '../../starlark/compile/program.ts';
import { restore } from '../../starlark/vm/start.ts';

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

/** Beyond this size, copying the state of the run takes too long. */
const maxMemoryBytes = 256 * 1024 ** 2;

/** The failure of a run that Ctrl-C stopped, with the place it was at. `run` is paused. */
export function whereStopped(
  program: Program,
  run: Pick<Run, 'usage' | 'snapshot'>,
  options: RunOptions,
): Failure {
  const { steps, memoryBytes } = run.usage;
  const words = {
    code: 'INTERRUPTED',
    severity: 'error',
    message: `stopped by Ctrl-C after ${steps} steps`,
    hint: null,
  } as const;
  if (memoryBytes <= maxMemoryBytes) {
    // A copy of the run that has no steps left fails where the run is.
    const copy = restore(program, run.snapshot(), { ...options, maxSteps: Math.max(1, steps - 1) });
    let state = copy.run();
    // The restored copy may first report that it is paused.
    if (state.kind === 'paused') state = copy.run();
    if (state.kind === 'failed')
      return { ...state.failure, diagnostic: { ...state.failure.diagnostic, ...words } };
  }
  return { diagnostic: { ...words, path: program.path, span: null }, backtrace: [] };
}
