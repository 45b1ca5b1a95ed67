// A whole run with a host that may take its time.
import type { Program } from '../compile/program.ts';
import type { Data, Failure, RunOptions, Usage } from '../options.ts';
import { start } from './start.ts';

/** The part of an AbortSignal that is used. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

export interface ExecuteOptions extends RunOptions {
  /** What the predeclared names without a value do. One that throws or rejects ends the program with EVAL_HOST. */
  readonly host?: { readonly [name: string]: (args: readonly Data[], named: { readonly [name: string]: Data }) => Data | Promise<Data> };
  /** Steps between two chances for the rest of the process. Default 1,000,000: some milliseconds. */
  readonly sliceSteps?: number;
  /** Awaited between two slices. Default: a resolved promise, which lets nothing but other promises run; see `setImmediate`. */
  readonly yieldToHost?: () => Promise<void>;
  /** Looked at between two slices and at each host call. `execute` then rejects with its reason. */
  readonly signal?: Signal;
}

export type Execution =
  | { readonly ok: true; readonly value: Data; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure; readonly usage: Usage };

export async function execute(program: Program, options: ExecuteOptions = {}): Promise<Execution> {
  const { host = {}, sliceSteps = 1_000_000, yieldToHost = () => Promise.resolve(), signal } = options;
  const run = start(program, options);
  for (;;) {
    if (signal?.aborted === true) throw signal.reason ?? new Error('the run was aborted');
    const state = run.run(sliceSteps);
    switch (state.kind) {
      case 'done':
        return { ok: true, value: state.value, usage: run.usage };
      case 'failed':
        return { ok: false, failure: state.failure, usage: run.usage };
      case 'paused':
        await yieldToHost();
        break;
      case 'host-call': {
        const answer = Object.hasOwn(host, state.name) ? host[state.name] : undefined;
        if (answer === undefined) {
          run.refuse(`${state.name} is not available: the host has no such function`);
          break;
        }
        try {
          run.resume(await answer(state.args, state.named));
        } catch (error) {
          run.refuse(error instanceof Error ? error.message : String(error));
        }
        break;
      }
    }
  }
}
