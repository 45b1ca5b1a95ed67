// The "Input keys:" list of a body (S0 §3).
//
//   Input keys:
//   - `task`: The writing task description.        -> required
//   - `tone` (optional): How it should sound.      -> optional
//
// The line may be a heading, bold or plain; the list ends at the first line that is neither an item,
// the continuation of one, nor blank.
import { markdownLines } from './markdown-lines.ts';
import type { InputKey } from './types.ts';

const title = /^\s*(?:#{1,6}\s+)?[*_]*input keys?\s*(?:\([^)]*\))?\s*[*_]*\s*:?\s*[*_]*\s*$/i;
const item = /^\s*(?:[-*+]|\d+[.)])\s+[*_]*`?([A-Za-z_][\w.-]*)`?[*_]*\s*(?:\(([^)]*)\))?\s*(?:[:：–—-]\s*(.*))?$/;

export function parseInputKeys(body: string): readonly InputKey[] {
  if (!/input keys?/i.test(body)) return [];
  const keys: { key: string; required: boolean; description: string | null; schema: null }[] = [];
  const seen = new Set<string>();
  let inside = false;
  for (const line of markdownLines(body)) {
    if (!inside) {
      inside = !line.code && title.test(line.text);
      continue;
    }
    if (line.text.trim() === '') continue;
    const match = line.code ? null : item.exec(line.text);
    const last = keys.at(-1);
    if (match !== null) {
      const remark = match[2] ?? '';
      const description = match[3]?.trim() ?? '';
      const required = !/\boptional\b/i.test(remark) && !/^\(?optional\b/i.test(description);
      const key = match[1] as string;
      if (!seen.has(key)) keys.push({ key, required, description: description || null, schema: null });
      seen.add(key);
    } else if (last !== undefined && !line.code && /^\s{2,}\S/.test(line.text) && !/^\s*[-*+]\s/.test(line.text)) {
      last.description = `${last.description ?? ''} ${line.text.trim()}`.trim();
    } else if (keys.length > 0 || !/^\s/.test(line.text)) break;
  }
  return keys;
}
