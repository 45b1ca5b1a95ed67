// Text -> what is quoted in it, and what is code.
//
//   "…" '…' “…” ‘…’ „…“ «…» 「…」 『…』 《…》 `…`
//
// Q1. A straight quote opens before a letter and closes after one; an apostrophe in a word is none.
// Q2. A quotation ends within its paragraph, a single-quoted one within its line. What is never closed is no quotation.
import type { Stretch } from './guard.ts';

const pairs: Readonly<Record<string, string>> = { '“': '”', '„': '“”', '«': '»', '「': '」', '『': '』', '《': '》', '‘': '’', '"': '"', "'": "'", '`': '`', '＂': '＂' };
const wordCharacter = /[\p{L}\p{N}]/u;
const mostQuoted = 20_000;

/** Inside the marks, in order; nothing in them overlaps. */
export function findQuotes(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const closing = pairs[text[at] as string];
    if (closing === undefined || !opens(text, at)) continue;
    const end = closeOf(text, at, closing);
    if (end < 0) continue;
    found.push({ start: at + 1, end });
    at = end;
  }
  return found;
}

function opens(text: string, at: number): boolean {
  const mark = text[at] as string;
  const next = text[at + 1];
  if (next === undefined || next === '\n') return false;
  if (mark !== '"' && mark !== "'" && mark !== '‘') return true;
  // Q1: 5" and don't, but also 写“…” without a space before.
  const before = text[at - 1];
  return !/\s/.test(next) && (before === undefined || !/[A-Za-z0-9]/.test(before));
}

function closeOf(text: string, open: number, closing: string): number {
  const mark = text[open] as string;
  const single = mark === "'" || mark === '‘';
  const last = Math.min(text.length, open + mostQuoted);
  for (let at = open + 1; at < last; at += 1) {
    const character = text[at] as string;
    if (character === '\n' && (single || mark === '`' || /^\n[ \t]*\n/.test(text.slice(at, at + 40)))) return -1;
    if (!closing.includes(character) || at === open + 1) continue;
    const next = text[at + 1];
    if (single && next !== undefined && wordCharacter.test(next)) continue;
    if (mark === '"' && /\s/.test(text[at - 1] as string) && next !== undefined && wordCharacter.test(next)) continue;
    return at;
  }
  return -1;
}
