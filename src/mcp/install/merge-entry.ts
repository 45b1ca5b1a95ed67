// Our entry and an existing one -> the merged entry.
//
// Only the part that starts techne is replaced. Environment, timeouts, whether the server is disabled, and arguments after `mcp`
// stay. Folders that are given now replace earlier ones.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';

/** A server with a URL is a different server and must not be merged. */
const urlKeys = ['url', 'httpUrl', 'serverUrl'];

export function isRemote(keys: readonly string[]): boolean {
  return keys.some((key) => urlKeys.includes(key));
}

/** The members of the entry to write. */
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

/** Merges arguments. `own` and `there` begin with the words up to `mcp`. */
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
    const isNamedNow = ['--workspace', '--root', '--page'].includes(option) && own.includes(option);
    if (!isNamedNow) kept.push(word);
    else if (word === option) at += 1;
  }
  return [...own, ...kept];
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}
