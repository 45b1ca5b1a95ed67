// How often a text stands in a file: what "replace all" is about to replace.
import { readFileSync, statSync } from 'node:fs';

const maxBytes = 16 * 1024 * 1024;

/** `null` when it cannot be told. */
export function countPlaces(path: string, text: string): number | null {
  if (text === '') return null;
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, 'utf8').split(text).length - 1 : null;
  } catch {
    return null; // the tool itself says what is wrong with the file
  }
}
