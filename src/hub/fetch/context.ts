// What every way of fetching gets: limits, the abort, and whom to tell.
import type { Abort } from '../../base/abort.ts';
import type { Progress } from '../source/source.ts';
import type { FetchLimits, FetchOptions } from './options.ts';
import { defaultLimits } from './options.ts';

export interface FetchContext {
  readonly options: FetchOptions;
  readonly limits: FetchLimits;
  readonly signal: Abort;
  readonly tell: (progress: Progress) => void;
}

export function contextOf(
  options: FetchOptions,
  onProgress: (progress: Progress) => void,
  signal: Abort,
): FetchContext {
  return { options, limits: { ...defaultLimits, ...options.limits }, signal, tell: onProgress };
}

export function stopIfAborted(signal: Abort): void {
  if (signal.aborted) throw signal.reason instanceof Error ? signal.reason : new Error('stopped');
}
