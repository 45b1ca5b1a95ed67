// Looks at a folder when it changes, and at intervals in any case.
//
// A look follows every change, never two at a time, and not more often than every few milliseconds. The process stays
// alive until the watch is closed, because a caller is waiting.
import { FileFault } from '../../ports/files.ts';
import type { FolderWatch, Watching } from '../../ports/watching.ts';

interface LookOptions {
  readonly watching: Watching;
  readonly folder: string;
  readonly pollMs: number;
  readonly look: () => Promise<void>;
  /** A look that failed is the last one. */
  readonly onFault: (error: Error) => void;
}

export interface Looking {
  /** Look now. */
  readonly wake: () => void;
  readonly close: () => void;
}

const spacingMs = 2;

export function lookAtChanges({ watching, folder, pollMs, look, onFault }: LookOptions): Looking {
  let state: 'idle' | 'due' | 'looking' | 'closed' = 'idle';
  let again = false;
  let watch: FolderWatch | null = null;
  let lookedAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;

  const close = (): void => {
    state = 'closed';
    watch?.close();
    watch = null;
    clearInterval(poll);
    if (timer !== null) clearTimeout(timer);
  };
  const isClosed = (): boolean => state === 'closed';
  const lookNow = async (): Promise<void> => {
    state = 'looking';
    again = false;
    try {
      await look();
    } catch (error) {
      if (isClosed()) return;
      close();
      onFault(error instanceof Error ? error : new Error(String(error)));
    }
    if (isClosed()) return;
    state = 'idle';
    lookedAt = performance.now();
    if (again) wake();
  };
  const wake = (): void => {
    // Counts during a look only, which begins without it.
    again = true;
    if (state !== 'idle') return;
    state = 'due';
    const waitMs = lookedAt + spacingMs - performance.now();
    if (waitMs > 0) timer = setTimeout(() => void lookNow(), waitMs);
    else queueMicrotask(() => (isClosed() ? undefined : void lookNow()));
  };
  // Without a watch there is still the poll, which then has to be quicker.
  let poll = setInterval(wake, pollMs);
  const pollOnly = (): void => {
    watch = null;
    clearInterval(poll);
    poll = setInterval(wake, Math.ceil(pollMs / 10));
  };
  try {
    watch = watching.watchFolder(folder, wake, pollOnly);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    pollOnly();
  }
  wake();
  return { wake, close };
}
