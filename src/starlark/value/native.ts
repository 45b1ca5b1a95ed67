// How a function of the language is written in TypeScript.
//
//   Native + arguments -> Value, or a thrown EvalError / LimitReached
//
// A native with `params` gets its arguments by position, whatever the caller wrote; a missing one is undefined. The
// machine checks the count and the names, so a native never does. A native charges `thread.meter` before it works or
// allocates (see `value.ts` and `charge.ts`). A native never calls back into the program. One that must (sorted, min,
// max with key=) returns a `CallEach`; the machine makes the calls, which may suspend, and hands the results to the
// named finisher.
import type { Meter } from '../../base/meter.ts';
import type { Value } from './value.ts';

/** What a native may use of the running program. */
export interface Thread {
  readonly meter: Meter;
  readonly maxIntBits: number;
  /** Hands one line to the host, after the output limit. */
  print(text: string): void;
}

export interface FixedNative {
  readonly kind: 'fixed';
  readonly name: string;
  /** At most three. In order; `optional` ones last. */
  readonly params: readonly string[];
  /** How many must be given. */
  readonly required: number;
  /** How many of the first may only be given by position. */
  readonly positionalOnly: number;
  /** How many may be given by position. */
  readonly positional: number;
  /** Set only for a native that may return a `CallEach`. */
  readonly callsBack: boolean;
  /** `self` is null for a plain function. */
  readonly run: (
    thread: Thread,
    self: never,
    a: Value | undefined,
    b: Value | undefined,
    c: Value | undefined,
  ) => Value | CallEach;
}

interface VariadicNative {
  readonly kind: 'variadic';
  readonly name: string;
  readonly callsBack: boolean;
  /** `named` is empty when no keyword was given; names are unique. */
  readonly run: (
    thread: Thread,
    self: never,
    args: Value[],
    named: readonly (readonly [string, Value])[],
  ) => Value | CallEach;
}

export type Native = FixedNative | VariadicNative;

/** The request of a native to have `callee` called once with each of `items`, in order. */
export class CallEach {
  readonly callee: Value;
  readonly items: Value[];
  /** Names an entry of the finisher table: a name survives a snapshot, a JavaScript function does not. */
  readonly finisher: string;
  /** What the finisher needs besides items and results. */
  readonly extra: readonly Value[];
  /** What cannot be changed until the last call has returned; None when there is nothing. */
  readonly source: Value;
  constructor(
    callee: Value,
    items: Value[],
    finisher: string,
    extra: readonly Value[],
    source: Value = null,
  ) {
    this.callee = callee;
    this.items = items;
    this.finisher = finisher;
    this.extra = extra;
    this.source = source;
  }
}

/**
 * The request of a native to have `callee` called once without arguments. The one result is the text of the error
 * that ended the call, or None. Only natives for tests ask for it: the language has no way to handle an error.
 */
export class CallCaught extends CallEach {
  constructor(callee: Value, finisher: string, extra: readonly Value[]) {
    super(callee, [null], finisher, extra);
  }
}

export type Finisher = (thread: Thread, items: Value[], results: Value[], extra: readonly Value[]) => Value;

/**
 * Declares a native: `fixed('find', 'sub, start?, end?', run)`.
 * A `/` entry ends the positional-only names: `fixed('len', 'x, /', …)`. A `*` begins those that need their name.
 */
export function fixed(
  name: string,
  signature: string,
  run: FixedNative['run'],
  options: { readonly callsBack?: boolean } = {},
): FixedNative {
  const words = signature
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const slash = words.indexOf('/');
  const names = words.filter((word) => word !== '/' && word !== '*');
  const star = words.filter((word) => word !== '/').indexOf('*');
  const firstOptional = names.findIndex((word) => word.endsWith('?'));
  return {
    kind: 'fixed',
    name,
    params: names.map((word) => word.replace('?', '')),
    required: firstOptional < 0 ? names.length : firstOptional,
    positionalOnly: Math.max(slash, 0),
    positional: star < 0 ? names.length : star,
    callsBack: options.callsBack ?? false,
    run,
  };
}

export function variadic(
  name: string,
  run: VariadicNative['run'],
  options: { readonly callsBack?: boolean } = {},
): VariadicNative {
  return { kind: 'variadic', name, callsBack: options.callsBack ?? false, run };
}
