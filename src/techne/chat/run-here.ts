// An executable skill inside a conversation: run with its progress shown, its questions asked by the surface.
//
// A stop of the turn detaches the run: it can be resumed, here or with "techne runs resume".
import type { Abort } from '../../base/abort.ts';
import type { RunHere } from '../../chat/chat-skill-tools.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { OnRunEvent } from '../../run/events.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { OpenRuns } from '../open-runs.ts';
import type { DriveRunOptions, Runs } from '../runs.ts';

export interface ChatRuns extends RunHere {
  /** Resumes a run of this conversation. */
  resume(run: string, signal: Abort): Promise<RunResult>;
}

/** A surface that shows a run and answers its questions while it is driven. */
export interface RunWatch {
  readonly options: Pick<DriveRunOptions, 'questions' | 'decide' | 'onWait'>;
  readonly onEvent: OnRunEvent;
  /** The run is not driven any more. */
  end(): void;
}

/** Called before a run is driven. `run`: that is resumed. */
export type WatchRun = (open: () => OpenRuns, run: string | null) => RunWatch;

interface ChatRunsOptions {
  readonly watch: WatchRun;
  /** Awaited before a run begins or is resumed. */
  readonly prepare: () => Promise<void>;
  readonly runs: Runs;
  /** What the conversation runs over now. */
  readonly open: () => OpenRuns;
}

export function createChatRuns({ watch, prepare, runs, open }: ChatRunsOptions): ChatRuns {
  async function drive(
    begin: (options: DriveRunOptions) => Promise<RunResult>,
    signal: Abort,
    run: string | null,
    onRun: (run: string, skill: string) => Promise<void> = async () => {},
  ): Promise<RunResult> {
    await prepare();
    const watching = watch(open, run);
    const begun: Promise<void>[] = [];
    try {
      const result = await begin({
        ...watching.options,
        detach: signal,
        asChosen: true,
        waitsFromStart: true,
        onEvent: (event) => {
          if (event.type === 'run.started' && event.parent === null)
            begun.push(onRun(event.run, event.skill));
          watching.onEvent(event);
        },
      });
      await Promise.all(begun);
      if (signal.aborted && result.status === 'paused') throw new RunDetachedError(result.run, result.usage);
      return result;
    } catch (error) {
      await Promise.all(begun);
      throw error;
    } finally {
      watching.end();
    }
  }

  return {
    start: (request, onRun, signal) =>
      drive((options) => runs.start(open().snapshot, request, options), signal, null, onRun),
    resume: (run, signal) => drive((options) => runs.resume(open().snapshot, run, options), signal, run),
  };
}
