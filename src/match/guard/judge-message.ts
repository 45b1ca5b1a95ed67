// A message -> which of its words ask for something, and for the others a reason that a person can read.
//
//   quotes, pasted text -> mask -> sentences, clauses -> regions -> the verdict of the rules on a stretch of words
//   verdict of the rules + signs around the words -> fires, demoted or held (weigh/)
//
// Words ask, unless a region covers them: negated, quoted, to be translated, asked about, pasted, or narrated. Quoted
// and pasted text is masked first, so that no cue in it counts for the words around it. Regions show what reaches the
// words from afar; then read-clause.ts reads the clause of the words. The verdict of the rules is one sign among many,
// and the sum of the signs decides whether a trigger fires; against the rules only where it is clear, and for a bounded
// number of stretches. A trigger that does not fire is held where structure shows that it is not asked for: quoted,
// pasted, refused, to be translated, asked about as such. Anything else demotes it only, such as the signs alone, or
// what reads as narration. A
// name that a command calls (read-call.ts) is called, whatever else the sentence asks, unless the command is refused,
// reported or narrated, or words before it ask about it ("what does it mean: …").
//
// Everything is read on demand. Text beyond `limits.message` characters is not judged and counts as pasted.
import { findNegation } from './find-negation.ts';
import { findPasted } from './find-pasted.ts';
import { findQuestions } from './find-questions.ts';
import { findQuotes } from './find-quotes.ts';
import { findReported } from './find-reported.ts';
import { findTranslation } from './find-translation.ts';
import type { Guard, Region, Stretch } from './guard.ts';
import { holds, mask, masked, overlaps } from './guard.ts';
import { readNameCall } from './read-call.ts';
import type { ClauseReading } from './read-clause.ts';
import { readClause } from './read-clause.ts';
import type { Sentence } from './split-clauses.ts';
import { sentenceAt, splitSentences } from './split-clauses.ts';
import { directly } from './words/refusals.ts';
import { simplified } from '../text/simplified.ts';
import { unfold } from '../text/unfold.ts';
import { readSigns } from './weigh/read-signs.ts';
import type { WeighedGuard } from './weigh/weigh-signs.ts';
import { weighSigns } from './weigh/weigh-signs.ts';

/** `held`: structure shows that it is not asked for; `demoted`: it may be, but is not certain. */
export type Outcome = 'held' | 'demoted';

export interface Verdict {
  readonly guard: Guard;
  readonly reason: string;
  readonly outcome: Outcome;
}

export interface Judgement {
  readonly message: string;
  /** Why these words ask for nothing by the rules; null when they do. */
  verdict(words: Stretch): Verdict | null;
  /** The same for a trigger phrase, all signs weighed. */
  triggerVerdict(words: Stretch): Verdict | null;
  /** The same but for quotation: for a name that may stand in quotes. */
  verdictUnquoted(words: Stretch): Verdict | null;
  /** The same for the name in a call ("use the NAME skill"), which begins with its verb. */
  verdictCalled(call: Stretch, name: Stretch): Verdict | null;
  /** The message without what is refused, asked about by its meaning, pasted, or given as words to translate; the length stays. */
  readonly rankable: string;
}

export const judgeLimits = { message: 20_000, weighed: 64 } as const;

export function judgeMessage(written: string): Judgement {
  const message = simplified(written);
  const weighed = new Map<string, Verdict | null>();
  let reading: Reading | null = null;
  const read = (): Reading => (reading ??= readMessage(message));
  const judge = (regions: readonly Region[], words: Stretch): Verdict | null => {
    const region = regions.find((one) => counts(one, words, read()));
    return region === undefined ? null : { guard: region.guard, reason: region.reason, outcome: 'held' };
  };
  const readNear = (words: Stretch): Verdict | null => {
    const far = judge(read().soft, words);
    if (far !== null) return far;
    return verdictOf(readClause(read(), words));
  };
  const verdict = (words: Stretch): Verdict | null =>
    judge(read().hard, words) ?? judge(read().quoted, words) ?? readNear(words);
  return {
    message: written,
    verdict,
    triggerVerdict(words) {
      // Many skills may have the same trigger.
      const place = `${words.start} ${words.end}`;
      const known = weighed.get(place);
      if (known !== undefined) return known;
      const ruled = verdict(words);
      if (ruled !== null && isCertain(message, words, ruled)) return ruled;
      if (weighed.size >= judgeLimits.weighed || standsAlone(message, words)) return ruled;
      if (ruled !== null && saysLittleElse(message, words)) return ruled;
      const found = weigh(message, words, ruled);
      weighed.set(place, found);
      return found;
    },
    verdictUnquoted: (words) => judge(read().hard, words) ?? readNear(words),
    verdictCalled(call, name) {
      const hard = judge(read().hard, name);
      if (hard !== null) return hard;
      const how = readNameCall(read(), call, name);
      if (how === null) return readNear(name);
      const far = judge(
        how === 'commanded' ? read().soft.filter((region) => !asksBesides(region, call)) : read().soft,
        name,
      );
      if (far !== null) return far;
      if (how === 'asked about')
        return { guard: 'question', reason: 'it is asked about as a skill', outcome: 'held' };
      const clause = verdictOf(readClause(read(), name));
      return clause?.guard === 'question' ? null : clause;
    },
    get rankable() {
      return rankableText(message, read());
    },
  };
}

function asksBesides({ guard, cue, ofSkill }: Region, call: Stretch): boolean {
  return guard === 'question' && (ofSkill === true || (cue.end > cue.start && cue.start >= call.start));
}

/** What a clause tells, or asks about something else, may still be what is wanted. */
function verdictOf(clause: ClauseReading): Verdict | null {
  if (clause === null || clause === 'asked') return null;
  const isSoft = clause.guard === 'narration' || clause.guard === 'question';
  return { ...clause, outcome: isSoft ? 'demoted' : 'held' };
}

/** "the X ??": there is nothing around it to weigh. */
function standsAlone(message: string, { start, end }: Stretch): boolean {
  if (message.length - (end - start) > 40) return false;
  return !/[\p{L}\p{N}]/u.test(
    `${message.slice(0, start)} ${message.slice(end)}`.replaceAll(
      /\b(?:a|an|the|my|our|this|that|some)\b/gi,
      '',
    ),
  );
}

/** "cancel the X": what the rules saw is all there is, and too little to weigh against it. */
function saysLittleElse(message: string, { start, end }: Stretch): boolean {
  if (message.length - (end - start) > 60) return false;
  const around = `${message.slice(0, start)} ${message.slice(end)}`;
  return (around.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []).length <= fewWords;
}

const fewWords = 4;

function weigh(message: string, words: Stretch, ruled: Verdict | null): Verdict | null {
  const opinion = weighSigns(readSigns(message, words, ruled?.guard ?? 'none'));
  if (opinion === null) return ruled;
  const { score, guard, evidence } = opinion;
  const line = leastOf(message, words);
  if (score >= (ruled === null ? line.agreed : line.overruled)) return null;
  if (ruled !== null) return score >= line.doubted ? { ...ruled, outcome: 'demoted' } : ruled;
  return {
    guard,
    reason: `it reads as ${readsAs[guard]}${evidence === '' ? '' : `: "${evidence}"`}`,
    outcome: 'demoted',
  };
}

interface Least {
  readonly agreed: number;
  readonly overruled: number;
  readonly doubted: number;
}

/**
 * A trigger fires from `agreed` on where the rules let it, from `overruled` on where they do not; from `doubted` on it is only demoted.
 * Chosen on the scores of authors whose frames were left out (`--folds`); in Chinese, whose frames are fewer, more is let through.
 */
const [least, leastHan]: readonly [Least, Least] = [
  { agreed: -0.1, overruled: 0.5, doubted: -0.6 },
  { agreed: -0.8, overruled: 0.5, doubted: -0.8 },
];

export function leastOf(message: string, { start, end }: Stretch): Least {
  return /\p{Script=Han}/u.test(message.slice(0, start) + message.slice(end)) ? leastHan : least;
}

/**
 * What nothing outweighs: marked as such by the author, or never read; taken back, or work on the words themselves. Of authors whose frames
 * were left out, weights that overrule these let four traps pass for each request that they save.
 */
const surely = new RegExp(unfold`
  ^it is (?:
    called off|quoted|in (?:a code block|a block quote|the tag|the text that is asked about)|beyond|the text to work on|put off
  )
  |^the writer does it|" (?:withdraws it|sets it aside|ends or puts it off)$
`);

/** No weight overrules it. */
export function isCertain(message: string, { start }: Stretch, { guard, reason }: Verdict): boolean {
  return (
    surely.test(reason) ||
    (guard === 'negation' && directly.test(message.slice(Math.max(0, start - 24), start)))
  );
}

const readsAs: Readonly<Record<WeighedGuard, string>> = {
  negation: 'refused',
  quotation: 'mentioned only',
  translation: 'words to work on',
  question: 'asked about',
  pasted: 'text of somebody else',
  narration: 'narrated, not asked for',
};

interface Reading {
  /** Masked, in lower case. */
  readonly text: string;
  readonly written: string;
  readonly sentences: readonly Sentence[];
  readonly hard: readonly Region[];
  readonly quoted: readonly Region[];
  readonly soft: readonly Region[];
}

function readMessage(message: string): Reading {
  const whole = plain(message.length > judgeLimits.message ? message.slice(0, judgeLimits.message) : message);
  const pasted = findPasted(whole);
  const quotes = findQuotes(mask(whole, pasted));
  const written = mask(whole, [...pasted, ...quotes]);
  const text = lowerCase(written);
  const sentences = splitSentences(written, text);
  const hard: Region[] = pasted.map(({ start, end, what }) => ({
    guard: 'pasted',
    cue: { start, end: start },
    scope: { start, end },
    reason: `it is in ${what}`,
    ...(/\bcode\b/.test(what) ? { telling: true } : {}),
  }));
  if (message.length > whole.length)
    hard.push({
      guard: 'pasted',
      cue: { start: whole.length, end: whole.length },
      scope: { start: whole.length, end: message.length },
      reason: `it is beyond the first ${judgeLimits.message} characters`,
    });
  return {
    text,
    written,
    sentences,
    hard,
    quoted: quotes.map((scope) => ({
      guard: 'quotation',
      cue: { start: scope.start, end: scope.start },
      scope,
      reason: 'it is quoted',
    })),
    soft: [
      ...findTranslation(text, sentences),
      ...findReported(text),
      ...findNegation(text, sentences),
      ...findQuestions(text, sentences),
    ],
  };
}

const variants = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff07\u02bc\u275b-\u275e]/g;
const plainMarks: Readonly<Record<string, string>> = {
  '\uff07': "'",
  '\u02bc': "'",
  '\u275b': '‘',
  '\u275c': '’',
  '\u275d': '“',
  '\u275e': '”',
};

/** Wide letters and ornamental quotes as they are usually written; of the same length. */
function plain(text: string): string {
  return text.replaceAll(
    variants,
    (one) => plainMarks[one] ?? String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  );
}

/** Of the same length: the few letters that would become two stay as they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[^]/gu, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one));
}

const gapLimit = 400;

function counts(region: Region, words: Stretch, { text, sentences }: Reading): boolean {
  const { cue, scope, reach, between, after, unless } = region;
  if (!holds(scope, words) || (cue.end > cue.start && overlaps(cue, words))) return false;
  if (unless?.some((one) => !overlaps(one, words)) === true) return false;
  // The text directly before the words counts; a bounded stretch of it, since there may be many regions.
  const gap = text.slice(
    Math.max(cue.end <= words.start ? cue.end : scope.start, words.start - gapLimit),
    words.start,
  );
  if (
    reach === 'next' &&
    !/^\s*(?:(?:ever|even|really|just|actually|yet|also|a|an|the|any|to)\s+)*$/.test(gap)
  )
    return false;
  if (between !== undefined && !between.test(gap)) return false;
  if (after === undefined) return true;
  return after.test(text.slice(words.end, sentences[sentenceAt(sentences, words.start)]?.end ?? text.length));
}

/** Only regions that hold whatever the words are. Code stays: it tells what a message is about; so do quotations, unless their sentence is guarded. */
function rankableText(message: string, { hard, soft }: Reading): string {
  const sure = soft.filter(
    ({ guard, reach, between, after, unless, telling }) =>
      telling !== true &&
      reach === undefined &&
      after === undefined &&
      (unless ?? []).length === 0 &&
      (between === undefined || guard === 'translation'),
  );
  // Who asks for a translation asks for one: the cue stays.
  const gone = [...hard.filter(({ telling }) => telling !== true), ...sure].flatMap(({ guard, scope, cue }) =>
    guard === 'translation' ? [scope] : [scope, cue],
  );
  return gone.length === 0 ? message : mask(message, gone).replaceAll(masked, ' ');
}
