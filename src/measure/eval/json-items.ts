// A JSON text -> the places of the cases in it. The text must be valid JSON: nothing is checked here.
import type { Span } from '../../base/span.ts';

const string = /"(?:[^"\\]|\\[^])*"/y;
const bare = /[^\s,\]}]+/y;
const inside = /"(?:[^"\\]|\\[^])*"|[[\]{}]/g;

/** The items of the list that the text is, or of the first key of `keys` that it has. */
export function jsonItemSpans(text: string, keys: readonly string[]): readonly Span[] {
  const start = skipped(text, 0);
  if (text[start] === '[') return itemsAt(text, start);
  const members = new Map<string, number>();
  for (let at = skipped(text, start + 1); text[at] === '"';) {
    const end = endOf(text, at);
    const value = skipped(text, skipped(text, end) + 1);
    members.set(JSON.parse(text.slice(at, end)) as string, value);
    at = skipped(text, skipped(text, endOf(text, value)) + 1);
  }
  const list = keys.map((key) => members.get(key)).find((at) => at !== undefined);
  return list === undefined || text[list] !== '[' ? [] : itemsAt(text, list);
}

function itemsAt(text: string, list: number): readonly Span[] {
  const spans: Span[] = [];
  for (let at = skipped(text, list + 1); at < text.length && text[at] !== ']';) {
    const end = endOf(text, at);
    spans.push({ start: at, end });
    at = skipped(text, end);
    if (text[at] === ',') at = skipped(text, at + 1);
  }
  return spans;
}

function skipped(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}

/** Behind the value that begins at `at`. */
function endOf(text: string, at: number): number {
  const first = text[at];
  if (first !== '{' && first !== '[') {
    const scalar = first === '"' ? string : bare;
    scalar.lastIndex = at;
    return scalar.test(text) ? scalar.lastIndex : text.length;
  }
  let depth = 0;
  inside.lastIndex = at;
  for (let found = inside.exec(text); found !== null; found = inside.exec(text)) {
    const [token] = found;
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return inside.lastIndex;
  }
  return text.length;
}
