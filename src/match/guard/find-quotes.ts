// Text -> its quotations and its code.
//
//   "…" '…' “…” ‘…’ „…“ «…» 「…」 『…』 《…》 `…` /^…/
//
// A straight quote opens before a letter and closes after one; an apostrophe in a word is not a quote. A quotation ends
// within its paragraph, a single-quoted one within its line; without an end it is not a quotation. The time is linear,
// however many marks are never closed: after one search in vain, the next mark of that kind does not search again.
import type { Stretch } from './guard.ts';

const pairs: Readonly<Record<string, string>> = {
  '“': '”"',
  '„': '“”"',
  '‹': '›',
  '〈': '〉',
  '«': '»',
  '「': '」',
  '『': '』',
  '《': '》',
  '‘': '’',
  '"': '"”',
  "'": "'",
  '`': '`',
  '/': '/',
  '＂': '＂',
};
const wordCharacter = /[\p{L}\p{N}]/u;
const mostQuoted = 20_000;

/** Inside the marks, in order; nothing in them overlaps. */
export function findQuotes(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  const seen = new Map<string, Seen>();
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at] as string;
    const closing = pairs[mark];
    if (closing === undefined || !opens(text, at)) continue;
    const before = seen.get(mark);
    if (before?.isEnd === true && at < before.until) continue;
    const looked = closeOf(text, at, closing, Math.max(at + 2, before?.until ?? 0));
    if (typeof looked !== 'number') {
      seen.set(mark, looked);
      continue;
    }
    found.push({ start: at + 1, end: looked });
    at = looked;
  }
  return found;
}

/** Where nothing closes a mark: up to where it was looked for, and whether a quotation would end there anyway. */
interface Seen {
  readonly until: number;
  readonly isEnd: boolean;
}

function opens(text: string, at: number): boolean {
  const mark = text[at] as string;
  const next = text[at + 1];
  if (next === undefined || next === '\n') return false;
  if (mark === '/') return next === '^';
  if (mark !== '"' && mark !== "'" && mark !== '‘') return true;
  // 5" and don't, but also 写“…” without a space before.
  const before = text[at - 1];
  return !/\s/.test(next) && (before === undefined || !/[A-Za-z0-9]/.test(before));
}

function closeOf(text: string, open: number, closing: string, from: number): number | Seen {
  const mark = text[open] as string;
  const single = mark === "'" || mark === '‘';
  const last = Math.min(text.length, open + mostQuoted);
  // What is directly behind the mark closes nothing, but may end its line.
  if (text[open + 1] === '\n') return { until: open + 2, isEnd: true };
  for (let at = from; at < last; at += 1) {
    const character = text[at] as string;
    if (
      character === '\n' &&
      (single || mark === '`' || mark === '/' || /^\n[ \t]*\n/.test(text.slice(at, at + 40)))
    )
      return { until: at, isEnd: true };
    if (!closing.includes(character)) continue;
    const next = text[at + 1];
    if (single && next !== undefined && wordCharacter.test(next)) continue;
    if (mark === '"' && /\s/.test(text[at - 1] as string) && next !== undefined && wordCharacter.test(next))
      continue;
    return at;
  }
  return { until: Math.max(from, last), isEnd: last === text.length };
}
