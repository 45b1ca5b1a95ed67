// The file calls of a child process, which ends with SIGKILL at one chosen call, of whatever kind.

export interface KillingCalls<T> {
  readonly target: T;
  count(): number;
}

/** `how`: `before`: nothing of the call happened. `torn`: half of a write did. `after`: all of it, and nobody was told. */
export function killing<T extends object>(target: T, at: number, how: string): KillingCalls<T> {
  let count = 0;
  const wrap = <O extends object>(object: O): O =>
    new Proxy(object, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key);
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          count += 1;
          const isHere = count === at;
          if (isHere && how === 'torn' && key === 'writeFile') {
            const bytes = args[0] as Uint8Array | string;
            await (Reflect.apply(value, from, [bytes.slice(0, bytes.length >> 1)]) as Promise<unknown>);
          }
          if (isHere && how !== 'after') return die();
          const result: unknown = await Reflect.apply(value, from, args);
          if (isHere) return die();
          return key === 'open' ? wrap(result as object) : result;
        };
      },
    });
  return { target: wrap(target), count: () => count };
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => {});
}
