// Opens the hub for a command, with progress and Ctrl-C.
//
// Ctrl-C stops fetching and scanning, and nothing is installed. While a person is asked, Ctrl-C ends the process as usual. A
// change that has begun is finished: it takes moments.
import { AbortSource } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import type { OpenHub } from '../../techne/hub/open-hub.ts';
import { openHub } from '../../techne/hub/open-hub.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { hubProgress } from './progress.ts';

export interface HubWork {
  readonly hub: OpenHub;
  readonly library: SkillLibrary;
  /** Before anything is printed or asked: the line of progress is removed, and Ctrl-C ends the process again. */
  pause(): void;
  /** From here on Ctrl-C waits until the change is done. */
  resume(): void;
}

export async function withHub(
  context: CommandContext,
  work: (work: HubWork) => Promise<number>,
): Promise<number> {
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const stop = new AbortSource();
  const progress = hubProgress(context);
  const { io } = context;
  const interrupted = new TechneError('ENVIRONMENT', 'it was interrupted');
  const listen = (): (() => void) => io.onInterrupt?.(() => stop.abort(interrupted)) ?? (() => undefined);
  let stopListening = listen();
  try {
    const hub = await openHub({
      library,
      cwd: io.cwd,
      tell: progress.tell,
      signal: stop.signal,
    });
    return await work({
      hub,
      library,
      pause() {
        progress.end();
        stopListening();
      },
      resume() {
        stopListening();
        stopListening = listen();
      },
    });
  } catch (error) {
    if (!stop.signal.aborted || (error !== interrupted && !isAbort(error))) throw error;
    progress.end();
    context.err.line('Stopped; nothing was changed.');
    return exitCodes.interrupted;
  } finally {
    progress.end();
    stopListening();
    stop.close();
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.message === 'it was interrupted');
}
