// An executable skill inside a conversation: run with its progress on the screen, its questions asked at the terminal.
//
// Ctrl-C detaches the run: it can be resumed, here or with "techne runs resume". Calls with an unknown outcome are decided
// at the terminal, too.
import type { Abort } from '../../base/abort.ts';
import type { RunHere } from '../../chat/chat-skill-tools.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { DriveRunOptions, Runs } from '../../techne/runs.ts';
import type { CommandContext } from '../context.ts';
import { createProgress } from '../run/progress.ts';
import { createTerminalQuestions } from '../run/drive-run.ts';

export interface ChatRuns extends RunHere {
  /** Resumes a run of this conversation. */
  resume(run: string, signal: Abort): Promise<RunResult>;
}

interface ChatRunsOptions {
  readonly context: CommandContext;
  /** Awaited before a run begins or is resumed. */
  readonly prepare: () => Promise<void>;
  readonly runs: Runs;
  /** What the conversation runs over now. */
  readonly open: () => OpenRuns;
}

export function createChatRuns({ context, prepare, runs, open }: ChatRunsOptions): ChatRuns {
  async function drive(
    begin: (options: DriveRunOptions) => Promise<RunResult>,
    signal: Abort,
    onRun: (run: string, skill: string) => Promise<void> = async () => {},
  ): Promise<RunResult> {
    await prepare();
    const progress = createProgress(context, defaultLimits, null);
    const terminal = createTerminalQuestions(context, open, progress);
    const begun: Promise<void>[] = [];
    try {
      const result = await begin({
        ...terminal.options,
        detach: signal,
        asChosen: true,
        waitsFromStart: true,
        onWait: () => context.err.line('Another process drives the run; its result is shown here, too.'),
        onEvent: (event) => {
          if (event.type === 'run.started' && event.parent === null)
            begun.push(onRun(event.run, event.skill));
          progress.onEvent(event);
        },
      });
      await Promise.all(begun);
      if (signal.aborted && result.status === 'paused') throw new RunDetachedError(result.run, result.usage);
      return result;
    } catch (error) {
      await Promise.all(begun);
      throw error;
    } finally {
      progress.end();
    }
  }

  return {
    start: (request, onRun, signal) =>
      drive((options) => runs.start(open().snapshot, request, options), signal, onRun),
    resume: (run, signal) => drive((options) => runs.resume(open().snapshot, run, options), signal),
  };
}
