// A message -> the same message with only the words that ask for something, for ranking.
//
// In a short message each word that a skill shares is judged as a trigger would be. In a long one only the regions that
// hold for any words apply, because most of it is material; narration and longer questions are left to them as well.
// Quotations and code show what a message is about ("fix `parse`"), unless there is nothing else.
import type { Judgement, Verdict } from '../guard/judge-message.ts';
import { functionWords, requestWords } from '../text/stop-words.ts';
import { unfold } from '../text/unfold.ts';

export interface AskedWords {
  /** As long as the message, with blanks for what asks for nothing. */
  readonly text: string;
  /** Why a word asks for nothing, by the word in lower case. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

const shortMessage = 240;
/** Wants to know what a thing is ("what is a pizza?"); other questions are mostly answered with a skill ("what is the weather in Rome?"). */
export const definition = new RegExp(
  unfold`
    ^\W*(?:
      what(?:['’]s|\s+is|\s+are)\s+
      (?!the\b|my\b|our\b|your\b|this\b|that\b|on\b|in\b|at\b|new\b|next\b|left\b)|who\s+(?:is|are)\s
      |how\s+(?:is|are)\s+\S+\s+\w+(?:ed|en|ade|one)\b|tell\s+me\s+(?:what|about)\s
    )
  `,
  'i',
);
const fewWords = 6;
const word = /[\p{L}\p{N}]+/gu;

/** `text` is the message, with names of refused skills left out; `shared` are words in lower case. */
export function askedWords(judgement: Judgement, text: string, shared: ReadonlySet<string>): AskedWords {
  const verdicts = new Map<string, Verdict>();
  let asked = common(judgement.rankable, text);
  const seen = new Set<string>();
  const isShort = text.length <= shortMessage;
  const defines = definition.test(text) && (text.match(word)?.length ?? 0) <= fewWords;
  const quoted: {
    readonly start: number;
    readonly end: number;
    readonly verdict: Verdict;
    readonly of: string;
  }[] = [];
  for (const { 0: found, index: start } of text.matchAll(word)) {
    const of = found.toLowerCase();
    if (!shared.has(of)) continue;
    const end = start + found.length;
    const isGone = asked[start] === ' ';
    if (isGone ? seen.has(of) : !isShort) continue;
    if (isGone) seen.add(of);
    const verdict = judgement.verdict({ start, end });
    if (isGone && verdict !== null && !verdicts.has(of)) verdicts.set(of, verdict);
    if (isGone || verdict === null || !takesAway(verdict, text, defines)) continue;
    if (isQuoted(verdict)) {
      quoted.push({ start, end, verdict, of });
      continue;
    }
    asked = blanked(asked, start, end);
    if (!verdicts.has(of)) verdicts.set(of, verdict);
  }
  if (quoted.length > 0 && !saysMore(judgement, asked)) {
    for (const { start, end, verdict, of } of quoted) {
      asked = blanked(asked, start, end);
      if (!verdicts.has(of)) verdicts.set(of, verdict);
    }
  }
  return { text: asked, verdicts };
}

/** What is told is often what a skill is wanted for ("my build fails"); "it isn't starting" complains and refuses nothing. */
function takesAway({ guard, reason }: Verdict, text: string, defines: boolean): boolean {
  if (guard === 'narration') return false;
  if (guard === 'question') return defines;
  return !(guard === 'negation' && reason === saidOfIt) || unwanted.test(text);
}

const saidOfIt = 'it is not wanted';
const unwanted = /\b(?:need|want|requir|necessar|forbid|bann|cancel|obsolete|off the table|pointless)/i;

function isQuoted({ guard, reason }: Verdict): boolean {
  return guard === 'quotation' || (guard === 'pasted' && /\bcode\b/.test(reason));
}

/** Whether there is text besides the quotations. */
function saysMore(judgement: Judgement, text: string): boolean {
  for (const { 0: found, index: start } of text.matchAll(word)) {
    const of = found.toLowerCase();
    if (functionWords.has(of) || requestWords.has(of)) continue;
    const verdict = judgement.verdict({ start, end: start + found.length });
    if (verdict === null || !isQuoted(verdict)) return true;
  }
  return false;
}

export function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** Blank where either is. */
function common(a: string, b: string): string {
  if (a === b) return a;
  let result = '';
  for (let at = 0; at < Math.min(a.length, b.length); at += 1)
    result += a[at] === ' ' ? ' ' : (b[at] as string);
  return result;
}
