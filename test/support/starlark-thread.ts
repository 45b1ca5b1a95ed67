// What natives and operations of `src/starlark` need of a running program, without one.
import { Meter } from '../../src/base/meter.ts';
import { EvalError } from '../../src/starlark/value/eval-error.ts';
import { LimitReached } from '../../src/base/meter.ts';
import type { Native, Thread } from '../../src/starlark/value/native.ts';
import type { Value } from '../../src/starlark/value/value.ts';

export function testThread(
  limits: { readonly steps?: number; readonly bytes?: number; readonly maxIntBits?: number } = {},
): Thread {
  return {
    meter: new Meter(limits.steps ?? 1e9, limits.bytes ?? 64 * 1024 * 1024),
    maxIntBits: limits.maxIntBits ?? 65_536,
    print: () => {},
  };
}

/** Calls a native as the machine would, after its checks of the arguments. */
export function callNative(
  thread: Thread,
  native: Native | undefined,
  self: Value,
  args: readonly Value[] = [],
  named: readonly (readonly [string, Value])[] = [],
): Value {
  if (native === undefined) throw new Error('no such native');
  if (native.kind === 'variadic') return native.run(thread, self as never, [...args], named) as Value;
  return native.run(thread, self as never, args[0], args[1], args[2]) as Value;
}

/** The code and message of the fault that `run` ends with, or "no fault". */
export function faultOf(run: () => unknown): string {
  try {
    run();
    return 'no fault';
  } catch (error) {
    if (error instanceof EvalError || error instanceof LimitReached) return `${error.code} ${error.message}`;
    throw error;
  }
}
