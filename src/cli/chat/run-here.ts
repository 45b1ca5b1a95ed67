// A metaskill inside a conversation: run with its progress on the screen, its questions asked right there.
//
// R1. Ctrl-C leaves the run as it is (`RunDetached`): it can be resumed, here or with "techne runs resume".
// R2. What became of a call whose outcome nobody knows is asked right there, too, where somebody is at the terminal.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { RunDetached } from '../../chat/skill-tools.ts';
import type { RunHere } from '../../chat/skill-tools.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import type { OnRunEvent } from '../../run/events.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import type { RunResult, RunUsage } from '../../run/result/result.ts';
import type { ScriptedInputs } from '../../scripted/inputs.ts';
import { isAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { goOn, replied, resumeWhenFree } from '../run/go-on.ts';
import { createProgress } from '../run/progress.ts';
import { askDecisions } from './ask-decision.ts';

export interface ChatRuns extends RunHere {
  /** Goes on with a run of this conversation. */
  resume(run: string, signal: Abort): Promise<RunResult>;
  /** To be told of every event of runs. */
  readonly onEvent: OnRunEvent;
}

export interface ChatRunsOptions {
  readonly context: CommandContext;
  /** Awaited before a run is begun or gone on with. */
  readonly prepare: () => Promise<void>;
  readonly runs: () => OpenRuns;
  readonly inputs: ScriptedInputs | null;
  readonly answerer: string;
}

export function createChatRuns({ context, prepare, runs, inputs, answerer }: ChatRunsOptions): ChatRuns {
  let listen: OnRunEvent = () => {};

  /** Of a run that was left: its journal knows. */
  async function usageOf(run: string | null): Promise<RunUsage | null> {
    try {
      return run === null ? null : (await runs().runner.inspect(run)).usage;
    } catch (error) {
      // That it was left is what counts.
      if (error instanceof TechneError) return null;
      throw error;
    }
  }

  async function bringOn(
    begin: (signal: AbortSignal) => Promise<RunResult>,
    known: string | null,
    onRun: (run: string, skill: string) => Promise<void>,
    signal: Abort,
  ): Promise<RunResult> {
    await prepare();
    const progress = createProgress(context, defaultLimits, null);
    const controller = new AbortController();
    const leave = (): void => controller.abort(new DetachSignal());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    let run = known;
    let told: Promise<void> = Promise.resolve();
    listen = (event) => {
      if (event.type === 'run.started' && event.parent === null && run === null) {
        run = event.run;
        told = onRun(event.run, event.skill);
      }
      progress.onEvent(event);
    };
    try {
      const first = await replied(
        context,
        runs(),
        inputs,
        answerer,
        controller.signal,
        await begin(controller.signal),
      );
      let { result } = await goOn(context, runs(), progress, answerer, controller.signal, first);
      while (result.status === 'needs_decision' && result.run !== null && isAtTerminal(context.io)) {
        progress.hold();
        if (!(await askDecisions(context, runs(), result.undecided, controller.signal))) break;
        progress.release();
        const again = await resumeWhenFree(context, runs(), result.run, {
          answerer,
          signal: controller.signal,
        });
        ({ result } = await goOn(context, runs(), progress, answerer, controller.signal, again));
      }
      await told;
      if (controller.signal.aborted && result.status === 'paused')
        throw new RunDetached(run, await usageOf(run));
      return result;
    } catch (error) {
      await told;
      if (error instanceof DetachSignal) throw new RunDetached(run, await usageOf(run));
      throw error;
    } finally {
      listen = () => {};
      signal.removeEventListener('abort', leave);
      progress.end();
    }
  }

  return {
    onEvent: (event) => listen(event),
    start: (request, onRun, signal) =>
      bringOn((stop) => runs().runner.start({ ...request, answerer, signal: stop }), null, onRun, signal),
    resume: (run, signal) =>
      bringOn(
        (stop) => resumeWhenFree(context, runs(), run, { answerer, signal: stop }),
        run,
        async () => {},
        signal,
      ),
  };
}
