// Ends runs whose deadline has passed, also those that wait for an answer, are queued or are held.
//
// The store gives each of them to one worker at a time. A run that another process drives gets the message to end; one that no process
// drives ends here. A run that cannot be ended now is tried again after a minute.
import { TechneError } from '../base/error.ts';
import type { ServedRuns } from '../ports/served-runs.ts';
import type { Delivery } from '../run/tell/tell-run.ts';

export interface LateRunsOptions {
  readonly served: Pick<ServedRuns, 'late' | 'done'>;
  /** Asks a run to end; `recorded`: it has ended. */
  readonly cancel: (run: string, reason: string) => Promise<Delivery>;
  readonly onSay: (event: LateEvent) => void;
}

export interface LateEvent {
  readonly kind: 'late';
  readonly run: string;
  readonly reason: string;
}

const atOnce = 100;

export async function endLateRuns({ served, cancel, onSay }: LateRunsOptions): Promise<null> {
  for (const { run, deadlineAt } of await served.late(atOnce)) {
    const reason = `its deadline has passed: it was to end by ${new Date(deadlineAt).toISOString()}`;
    try {
      if ((await cancel(run, reason)) === 'recorded') await served.done(run);
      onSay({ kind: 'late', run, reason });
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      // It is about to be made, or it ended meanwhile, or the store cannot be written: the next look tells.
      if (error.code !== 'RUN_UNKNOWN') onSay({ kind: 'late', run, reason: `${reason}; ${error.message}` });
    }
  }
  return null;
}
