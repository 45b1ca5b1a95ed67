// A run that was stopped by Ctrl-C -> a failure with the place it was at.
import type { Failure, RunOptions } from '../../starlark/options.ts';
import type { Program } from '../../starlark/compile/program.ts';
import { restore } from '../../starlark/vm/start.ts';
import type { Run } from '../../starlark/vm/start.ts';

/** Beyond this size, copying the state of the run takes too long. */
const maxMemoryBytes = 256 * 1024 ** 2;

/** `run` is paused. */
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
