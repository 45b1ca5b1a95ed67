// An entry of ours, and the one that is there -> what it becomes.
//
// M1. What is ours is replaced: how techne is started. All else that somebody put there stays: environment, timeouts, whether it
//     is turned off, and arguments behind `mcp`.
// M2. Of the arguments, folders that are named now count instead of those that were.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';

/** A server that is reached by a URL is another one, which must not be made ours by halves. */
const urlKeys = ['url', 'httpUrl', 'serverUrl'];

export function isRemote(keys: readonly string[]): boolean {
  return keys.some((key) => urlKeys.includes(key));
}

/** The members of the entry that are to be written. */
export function mergeEntry(entry: JsonObject, there: Json): JsonObject {
  if (!isJsonObject(there)) return entry;
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, own]): readonly (readonly [string, Json])[] => {
      const old = there[key];
      if (typeof own === 'boolean' && old !== undefined) return [];
      return [[key, isTexts(own) && isTexts(old) ? mergeArguments(own, old) : own]];
    }),
  );
}

/** M2. `own` and `there` begin with how techne is found, up to `mcp`. */
export function mergeArguments(own: readonly string[], there: readonly string[]): readonly string[] {
  const behind = there.indexOf('mcp') + 1;
  if (behind === 0) return own;
  const rest = there.slice(behind);
  // `techne mcp` is `techne mcp serve`.
  if (rest[0] === 'serve') rest.shift();
  const kept: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as string;
    const option = word.split('=', 1)[0] as string;
    const isNamedNow = (option === '--workspace' || option === '--root') && own.includes(option);
    if (!isNamedNow) kept.push(word);
    else if (word === option) at += 1;
  }
  return [...own, ...kept];
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}
