// JSON that should be part of a snapshot -> the part, or an Error that says it is none.
//
// A snapshot may have been cut short, edited or made up. What is looked at here keeps the rest safe: an index is within
// its array, a count is a number, and nothing of JavaScript becomes a value of a program.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

export function notASnapshot(why: string, cause?: unknown): Error {
  return new Error(`not a snapshot of this program: ${why}`, cause === undefined ? undefined : { cause });
}

export function objectOf(json: Json | undefined, what: string): JsonObject {
  if (!isJsonObject(json)) throw notASnapshot(`${what} is missing`);
  return json;
}

/** Own properties only: what is parsed from JSON has a prototype. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function arrayOf(json: Json | undefined, what: string): readonly Json[] {
  if (!Array.isArray(json)) throw notASnapshot(`${what} is not an array`);
  return json as readonly Json[];
}

export function shapeText(json: Json | undefined, what: string): string {
  if (typeof json !== 'string') throw notASnapshot(`${what} is not text`);
  return json;
}

export function flagOf(json: Json | undefined, what: string): boolean {
  if (typeof json !== 'boolean') throw notASnapshot(`${what} is neither true nor false`);
  return json;
}

export function intOf(json: Json | undefined, what: string): number {
  if (!Number.isSafeInteger(json)) throw notASnapshot(`${what} is not a whole number`);
  // Adding 0 turns -0 into 0.
  return (json as number) + 0;
}

/** A whole number from 0 to `most`. */
export function countOf(json: Json | undefined, what: string, most = Number.MAX_SAFE_INTEGER): number {
  const count = intOf(json, what);
  if (count < 0 || count > most) throw notASnapshot(`${what} is ${count}, which is out of range`);
  return count;
}

export function numberOf(json: Json | undefined, what: string): number {
  if (typeof json !== 'number' || !Number.isFinite(json)) throw notASnapshot(`${what} is not a number`);
  return json + 0;
}

/** A count that may have a fraction. */
export function amountOf(json: Json | undefined, what: string): number {
  const amount = numberOf(json, what);
  if (amount < 0) throw notASnapshot(`${what} is below 0`);
  return amount;
}

/** `[name, json]`. */
export function pairOf(json: Json | undefined, what: string): readonly [string, Json] {
  const [name, value, ...more] = arrayOf(json, what);
  if (typeof name !== 'string' || value === undefined || more.length > 0)
    throw notASnapshot(`${what} is not a pair`);
  return [name, value];
}
