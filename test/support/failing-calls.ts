// The real file calls, with the Nth one made to fail.
import { promises } from 'node:fs';
import type { AsyncCalls } from '../../src/node/files/durable.ts';

export interface FailingCalls {
  readonly calls: AsyncCalls;
  /** Whether the Nth call was reached. */
  failed(): boolean;
}

/**
 * `once`: the Nth call fails and later ones work, as with a full disk. `dead`: every call from the Nth on
 * fails, so that nothing is tidied up, as after a crash.
 */
export function failingCalls(n: number, code: string, mode: 'once' | 'dead'): FailingCalls {
  let count = 0;
  let failed = false;
  const call = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    count += 1;
    if (count < n || (count > n && mode === 'once')) return work();
    failed = true;
    return Promise.reject(Object.assign(new Error(`${code}: made to fail, ${name}`), { code }));
  };
  const closing = async (name: string, run: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await call(name, async () => undefined);
    } finally {
      await run();
    }
  };
  const wrap = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key);
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        return (...args: unknown[]) => {
          const run = async (): Promise<unknown> => {
            const result: unknown = await Reflect.apply(value, from, args);
            return key === 'open' ? wrap(result as object, 'handle.') : result;
          };
          // A crashed process has its files closed; a leak here would only be the test's.
          return key === 'close' ? closing(prefix + key, run) : call(prefix + key, run);
        };
      },
    });
  return { calls: wrap(promises, '') as AsyncCalls, failed: () => failed };
}
