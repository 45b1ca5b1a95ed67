// A list of things to measure -> the result of each, until it is stopped.
//
// They are measured in order, `parallel` at a time. Once `stopped` gives a reason, nothing more is started, and the
// current ones finish. One without a result (it was stopped on the way) is left out: a measurement is complete or not
// counted. A model that fails `errorsInARow` times without a success in between is not asked again.

export type Stop = 'interrupted' | 'calls' | 'tokens' | 'errors' | 'refused';

export interface Work<T, R> {
  readonly items: readonly T[];
  readonly parallel: number;
  /** Why nothing more is started; null: continue. */
  readonly stopped: () => Stop | null;
  /** `null`: stopped before it was whole. */
  readonly measure: (item: T) => Promise<R | null>;
  readonly isError: (result: R) => boolean;
  readonly onResult: (result: R, done: number) => void;
}

export interface Worked<R> {
  readonly results: readonly R[];
  /** Why it ended before the end of the list. */
  readonly stop: Stop | null;
}

export const errorsInARow = 5;

export async function workThrough<T, R>({
  items,
  parallel,
  stopped,
  measure,
  isError,
  onResult,
}: Work<T, R>): Promise<Worked<R>> {
  const results: (R | null)[] = items.map(() => null);
  let next = 0;
  let done = 0;
  let errors = 0;
  const stop = (): Stop | null => stopped() ?? (errors >= errorsInARow ? 'errors' : null);
  const worker = async (): Promise<void> => {
    while (next < items.length && stop() === null) {
      const at = next;
      next += 1;
      const result = await measure(items[at] as T);
      if (result === null) continue;
      results[at] = result;
      done += 1;
      errors = isError(result) ? errors + 1 : 0;
      onResult(result, done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  return {
    results: results.filter((result) => result !== null),
    stop: done === items.length ? null : stop(),
  };
}
