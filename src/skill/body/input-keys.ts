// The "Input keys:" list of a body (S0 §3).
//
//   Input keys:
//   - `task`: The writing task description.        -> required
//   - `tone` (optional): How it should sound.      -> optional
//
// The line may be a heading, bold or plain; the list ends at the first line that is neither an item,
// the continuation of one, nor blank.
import { markdownLines } from './markdown-lines.ts';
import type { InputKey } from '../types.ts';

// Linear in the body: each pattern is tried at one place, and no two repeats in it can share a character.
const titleStart = /^#{1,6}\s+|^/;
const titleWords = /^[*_]*input keys?(?:\s*\([^)]*\))?$/i;
const itemStart = /^\s*(?:[-*+]|\d{1,9}[.)])\s+[*_]*`?/;
const itemKey = /[\p{L}_][\p{L}\p{M}\p{N}_.-]*/uy;
const itemRemark = /`?[*_]*\s*(?:\(([^)]*)\)\s*)?/y;
const separators = ':：–—-';

interface Item {
  readonly key: string;
  readonly remark: string;
  readonly description: string;
}

interface OpenKey {
  readonly key: string;
  readonly required: boolean;
  readonly description: string[];
}

export function parseInputKeys(body: string): readonly InputKey[] {
  if (!/input keys?/i.test(body)) return [];
  const keys: OpenKey[] = [];
  const seen = new Set<string>();
  let inside = false;
  for (const line of markdownLines(body)) {
    if (!inside) {
      inside = !line.code && isTitle(line.text);
      continue;
    }
    if (line.text.trim() === '') continue;
    const item = line.code ? null : parseItem(line.text);
    const last = keys.at(-1);
    if (item !== null) {
      const required = !/\boptional\b/i.test(item.remark) && !/^\(?optional\b/i.test(item.description);
      if (!seen.has(item.key)) keys.push({ key: item.key, required, description: [item.description] });
      seen.add(item.key);
    } else if (
      last !== undefined &&
      !line.code &&
      /^\s{2}/.test(line.text) &&
      !/^\s*[-*+]\s/.test(line.text)
    ) {
      last.description.push(line.text.trim());
    } else if (keys.length > 0 || !/^\s/.test(line.text)) break;
  }
  return keys.map(({ key, required, description }) => ({
    key,
    required,
    description: description.join(' ').trim() || null,
    schema: null,
  }));
}

function isTitle(line: string): boolean {
  const text = line.trim();
  let end = text.length;
  while (end > 0 && /[*_:\s]/.test(text[end - 1] as string)) end -= 1;
  return titleWords.test(text.slice((titleStart.exec(text)?.[0] ?? '').length, end));
}

function parseItem(line: string): Item | null {
  const start = itemStart.exec(line);
  if (start === null) return null;
  itemKey.lastIndex = start[0].length;
  let key = itemKey.exec(line)?.[0] ?? '';
  // A dash at the end is the one before the description: "task- What to do".
  while (key.endsWith('-')) key = key.slice(0, -1);
  if (key === '') return null;
  itemRemark.lastIndex = start[0].length + key.length;
  const remark = itemRemark.exec(line)?.[1] ?? '';
  const rest = line.slice(itemRemark.lastIndex);
  if (rest !== '' && !separators.includes(rest[0] as string)) return null;
  return { key, remark, description: rest.slice(1).trim() };
}
