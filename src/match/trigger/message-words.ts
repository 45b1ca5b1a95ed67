// Text -> its words, with their places and the gaps between them.
//
// Letters and digits make words; each character of a script without spaces is one. Words are compared without case,
// width and inflection, Chinese in simplified characters; a Chinese measure word after 一 这 那 几 counts as any other. `gap` is the text before a word:
// no separation (space, hyphen), a comma, or the end of a clause. The point of "Dr." or of an initial ends nothing.
import { simplified } from '../text/simplified.ts';
import { stem } from '../text/stem.ts';
import { unfold } from '../text/unfold.ts';

export interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case, NFKC. */
  readonly text: string;
  readonly stem: string;
  /** Of a script that writes without spaces. */
  readonly alone: boolean;
  readonly gap: Gap;
  /** Whether the gap is a colon. */
  readonly colon: boolean;
  /** Written together with the word before it by a hyphen: "Aix-en-Provence". */
  readonly hyphened: boolean;
  /** Whether a question mark follows. */
  readonly asked: boolean;
  /** Stems of trigger words that it may be a misspelling of. */
  readonly near?: ReadonlySet<string>;
}

export type Gap = 0 | 1 | 2;
export const gaps = { none: 0, comma: 1, end: 2 } as const;

const alone = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const pieces = new RegExp(
  unfold`
    [\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*
    |(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+
  `,
  'gu',
);
const plainAscii = /^[a-z0-9]+$/;
// eslint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/;
const plainWords = /[a-z0-9]+/g;
const measure = new Set('个 份 篇 段 首 张 本 条 部 位 件 项 套 支 集 场'.split(' '));
const beforeMeasure = /[一二两三四五六七八九十几这那每某0-9]$/;

export function wordsOf(written: string): readonly Word[] {
  const text = simplified(written);
  const words: Word[] = [];
  let end = 0;
  const add = (start: number, raw: string, lower: string, single: boolean): void => {
    // "6x" is "6 times".
    const times = /^\d+(?=x$)/.exec(lower)?.[0].length ?? 0;
    if (times > 0) {
      add(start, raw.slice(0, times), lower.slice(0, times), false);
      add(start + times, raw.slice(times), 'times', false);
      return;
    }
    words.push({
      start,
      end: start + raw.length,
      text: lower,
      stem: single
        ? measure.has(raw) && beforeMeasure.test(words.at(-1)?.text ?? '')
          ? '个'
          : lower
        : stemOf(lower),
      alone: single,
      gap:
        start - end < 2 && (start === end || text[end] === ' ')
          ? 0
          : gapOf(text.slice(end, start), text[start] as string, words.at(-1)?.text ?? ''),
      colon: text[end] === ':' || text[end] === '：',
      hyphened: start - end === 1 && words.length > 0 && (text[end] === '-' || text[end] === '‑'),
      asked: text[start + raw.length] === '?' || text[start + raw.length] === '？',
    });
    end = start + raw.length;
  };
  if (ascii.test(text)) {
    for (const match of text.toLowerCase().matchAll(plainWords)) add(match.index, match[0], match[0], false);
    return words;
  }
  for (const match of text.matchAll(pieces)) {
    const raw = match[0];
    add(match.index, raw, plainAscii.test(raw) ? raw : raw.normalize('NFKC').toLowerCase(), alone.test(raw));
  }
  return words;
}

/** Stems of words seen lately: messages and triggers repeat them. */
const known = new Map<string, string>();
const mostKnown = 20_000;

function stemOf(word: string): string {
  let found = known.get(word);
  if (found === undefined) {
    found = stem(word);
    if (known.size >= mostKnown) known.clear();
    known.set(word, found);
  }
  return found;
}

const abbreviated = /^(?:dr|mr|mrs|ms|prof|st|sr|jr|vs|mt|ft|approx|hr|fr|mme|mlle|sra|srta|[a-z])$/;

function gapOf(between: string, next: string, before: string): Gap {
  if (between === ' ' || (between === '. ' && abbreviated.test(before))) return 0;
  // "w/" is "with".
  if (before === 'w' && /^\/ ?$/.test(between)) return 0;
  // A line that continues in lower case was only wrapped.
  if (/^[ \t]*\n[ \t]*$/.test(between) && next === next.toLowerCase() && next !== next.toUpperCase())
    return 0;
  if (/[.!?…](?=["'”’)\]]*\s)|[。！？；;：]|:(?=\s)|\n/.test(between)) return gaps.end;
  // 行程规划??七月底出发
  if (/[?!]$/.test(between) && alone.test(next)) return gaps.end;
  return /[,，、()（）—–|/]|\s-+\s/.test(between) ? gaps.comma : 0;
}
