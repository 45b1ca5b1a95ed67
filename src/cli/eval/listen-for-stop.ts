// Ctrl-C, SIGTERM or SIGHUP -> an abort; what was measured by then is printed.
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

export interface StopListener {
  readonly signal: AbortSignal;
  /** As shells have it; null while nobody stopped it. */
  readonly exitCode: number | null;
  close(): void;
}

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
