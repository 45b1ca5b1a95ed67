// How an evaluation is stopped, and the text that explains why it ended early. The measurements so far are printed.
import { printableLine } from '../../base/printable.ts';
import type { Stop } from '../../measure/eval/work-through.ts';
import { errorsInARow } from '../../measure/eval/work-through.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { counted } from '../../base/render-table.ts';

interface StopListener {
  readonly signal: AbortSignal;
  /** As shells have it; null while it was not stopped. */
  readonly exitCode: number | null;
  close(): void;
}

/** Aborts at Ctrl-C, SIGTERM or SIGHUP. */
export function listenForStop({ io }: CommandContext): StopListener {
  const controller = new AbortController();
  let exitCode: number | null = null;
  const stop = (code: number): void => {
    exitCode ??= code;
    controller.abort();
  };
  const stopListening = io.onInterrupt?.(() => stop(exitCodes.interrupted));
  const stopListeningForEnd = io.onTerminate?.((code) => stop(code));
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    close() {
      stopListening?.();
      stopListeningForEnd?.();
    },
  };
}

interface LeftOut {
  /** `case` or `prompt`. */
  readonly what: string;
  readonly total: number;
  readonly unmeasured: number;
  /** The error of the refused connection. */
  readonly refusal: string | null;
}

export function stopText(stop: Stop, { what, total, unmeasured, refusal }: LeftOut): string {
  const reason = reasonOf(stop, refusal);
  const begun = reason === null ? 'stopped' : `stopped: ${reason}`;
  if (total > 0 && unmeasured >= total) return `${begun}; none was measured`;
  const so = `${begun}; these are the measurements so far`;
  return unmeasured === 0
    ? so
    : `${so}; ${counted(unmeasured, what)} of ${total} ${unmeasured === 1 ? 'was' : 'were'} not measured`;
}

function reasonOf(stop: Stop, refusal: string | null): string | null {
  switch (stop) {
    case 'interrupted':
      return null;
    case 'calls':
      return 'the calls of --max-calls are spent';
    case 'tokens':
      return 'the tokens of --max-tokens are spent';
    case 'errors':
      return `the model failed ${errorsInARow} times in a row`;
    case 'refused':
      return `the model cannot be reached: ${printableLine(refusal ?? 'the connection was refused').slice(0, 300)}`;
  }
}
