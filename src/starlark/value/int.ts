// Ints of any size: a number when safe, else a bigint.
//
// The size of a bigint is only known up to a factor of two, by comparing it with powers of two: V8 compares numbers of
// unlike length in constant time, and does not expose the length.
import { LimitReached } from '../../base/meter.ts';
import { MAX_SAFE, intFromBigint } from '../../python/int.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { bigintBytes } from './value.ts';
import { typeName } from './type-name.ts';
import type { Value } from './value.ts';

/** 2^64, 2^128, 2^256 and so on; grown as far as it was needed. */
const ladder: bigint[] = [1n << 64n];

/** A power of two, at least 64, that is at least the number of bits of `b` and at most twice as many. */
export function bitsBound(b: bigint): number {
  const size = b < 0n ? -b : b;
  let bits = 64;
  for (let rung = 0; ; rung += 1, bits *= 2) {
    let power = ladder[rung];
    if (power === undefined) {
      power = 1n << BigInt(bits);
      ladder.push(power);
    }
    if (size < power) return bits;
  }
}

let limitBits = -1;
let limit = 0n;
let negativeLimit = 0n;

/** Refuses an int of more bits than the run allows. */
export function checkIntBits(thread: Thread, b: bigint): void {
  if (thread.maxIntBits !== limitBits) {
    limitBits = thread.maxIntBits;
    limit = 1n << BigInt(limitBits);
    negativeLimit = -limit;
  }
  if (b >= limit || b <= negativeLimit) intTooLarge(thread);
}

export function intTooLarge(thread: Thread): never {
  throw new LimitReached(
    'INT_LIMIT',
    `an int of more than ${thread.maxIntBits} bits`,
    'reduce the number on the way, for example with %',
  );
}

/** The result of an operation, of at most `bits` bits; charges its memory and checks its size. */
export function finishBigint(thread: Thread, b: bigint, bits: number): number | bigint {
  const result = intFromBigint(b);
  if (typeof result === 'number') return result;
  thread.meter.allocate(bigintBytes(bits));
  if (bits > thread.maxIntBits) checkIntBits(thread, b);
  return b;
}

export function isInt(v: Value): v is number | bigint {
  return typeof v === 'number' || typeof v === 'bigint';
}

/** An int argument of a library function, cut to what a JavaScript number can hold exactly. */
export function clampedInt(v: Value, what: string): number {
  if (typeof v === 'number') return v;
  if (typeof v === 'bigint') return v > 0n ? MAX_SAFE : -MAX_SAFE;
  throw new EvalError('EVAL_TYPE', `${what}: got ${typeName(v)}, want int`);
}
