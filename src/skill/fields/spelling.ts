// Keys that are not spelt as a known field.
//
// A key in another case, or with `_` for `-`, is read as that field. Anything further away is a suggestion; its value
// stays in the verbatim frontmatter.
import { nearest } from '../../base/nearest.ts';
import type { FrontmatterField } from './field-table.ts';
import { fieldOf, knownKeys } from './field-table.ts';

/** Other people's keys recur in thousands of files; the table's answer to one never changes. */
const remembered = new Map<string, string | null>();
const rememberedLimit = 2_000;

/** Guesses made in one mapping: a file of a thousand odd keys is not a file of slips. */
export const guessLimit = 16;

function folded(key: string): string {
  return key.toLowerCase().replaceAll('_', '-');
}

let byFoldedKey: Map<string, FrontmatterField> | null = null;

/** The field that `key` spells in another case or with other separators. */
export function foldedFieldOf(key: string): FrontmatterField | undefined {
  if (byFoldedKey === null) {
    byFoldedKey = new Map();
    for (const known of knownKeys()) {
      const row = fieldOf(known) as FrontmatterField;
      if (!byFoldedKey.has(folded(known))) byFoldedKey.set(folded(known), row);
    }
  }
  return byFoldedKey.get(folded(key));
}

/** The known name that `key` is probably a slip of, or `null`. */
export function suggestionFor(key: string): string | null {
  if (key.length < 4 || key.length > 40) return null;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const hit = nearest(key, knownKeys());
  const suggestion = hit === null ? null : (fieldOf(hit) as FrontmatterField).name;
  if (remembered.size >= rememberedLimit) remembered.clear();
  remembered.set(key, suggestion);
  return suggestion;
}
