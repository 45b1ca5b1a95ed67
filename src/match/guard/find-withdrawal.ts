// Sentences -> the requests that they withdraw, by a pronoun or without naming them.
//
//   WORDS , but [opener] forget it .        WORDS . [opener] I changed my mind .
//
// find-withdrawal#T1. A withdrawal begins its clause, after openers at most, and ends it: "forget it", not "forget it
//   was late"; "I'll do it myself", not "I'll do it myself next time".
// find-withdrawal#T2. It reaches back over its own sentence. With openers at most before it, it reaches over the
//   sentence before, and over one more when that one is short and asks for nothing. It never reaches forward: "stop
//   that and X" asks for X.
// find-withdrawal#T3. A condition blocks it ("if it is slow, skip it"), unless the condition itself is withdrawn ("if
//   you were planning to X, drop it").
// find-withdrawal#T4. A report that it was done or given up ("gave up on it", "my boss did it") needs its own sentence,
//   or a contrast in the same one.
// find-withdrawal#T5. A verb that may drop a part ("skip it", "remove it") takes the nearest clause with a subject of
//   its own.
// find-withdrawal#T6. A message that continues with "do it", "go ahead" or a better value ("make it two") has not
//   withdrawn it.
import { allMatches } from './all-matches.ts';
import { contentBefore } from './content-before.ts';
import { findHanWithdrawal } from './find-han-withdrawal.ts';
import type { Region, Stretch } from './guard.ts';
import { sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import {
  cues,
  opened,
  condition,
  withdrawnCondition,
  contrast,
  intention,
  ownSubject,
  ofAnother,
  resumed,
} from './words/withdrawals.ts';
import { unfold } from '../text/unfold.ts';

const reach = { before: 100, sentence: 400, middle: 70, resumed: 60, condition: 160 } as const;
const filler = new RegExp(
  unfold`
    ^(?:
      [^\p{L}\p{N}]
      |(?:
        hm+|hmm+|ok|okay|wait|no|nah|oh|sorry|actually|stop|cancel|abort|um|uh|well|ugh|please|thanks
        |never ?mind|right|so|nope|oops|hold on|hang on|not now|you know what|edit|update|wrong chat
        |thank you
      )(?![\p{L}\p{N}])
    )*$
  `,
  'u',
);

export function findWithdrawal(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [...findHanWithdrawal(text, sentences)];
  const taken: Stretch[] = [];
  for (const { pattern, part, narrated } of cues) {
    for (const match of allMatches(pattern, text)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some((one) => start < one.end && end > one.start)) continue;
      taken.push({ start, end });
      // One detail of several: "no remarks on style, and don't run anything".
      if (/\banything$/.test(match[0]) && /\band\s+$/.test(text.slice(Math.max(0, start - 8), start)))
        continue;
      const at = sentenceAt(sentences, start);
      const scope = at < 0 ? null : reachBack(text, sentences, at, start, narrated, part);
      if (scope === null || resumed.test(text.slice(end, end + reach.resumed))) continue;
      found.push({
        guard: 'negation',
        cue: { start: scope.end, end },
        scope,
        reason: `"${match[0].trim()}" withdraws it`,
      });
    }
  }
  return found;
}

function reachBack(
  text: string,
  sentences: readonly Sentence[],
  at: number,
  start: number,
  narrated: boolean,
  part: boolean,
): Stretch | null {
  const sentence = sentences[at] as Sentence;
  const before = text.slice(Math.max(sentence.start, start - reach.before), start);
  const open = opened.exec(before);
  if (open === null) return null;
  const from = start - before.length + open.index;
  const own = text.slice(Math.max(sentence.start, from - reach.sentence), from);
  const previous = filler.test(own) ? contentBefore(text, sentences, at, filler) : null;
  // What is set right beside it is what is meant: "sorry for the noise, never mind that".
  if (ofAnother.test(own)) return null;
  if (!filler.test(own)) {
    if (narrated && !(contrast.test(before) && intention.test(own))) return null;
    if (onlySupposed(own)) return null;
    const scope = { start: sentence.start, end: start };
    if (part) return { start: Math.max(scope.start, lastSubject(own, from)), end: start };
    const reason = own.length <= reach.middle && !/\b(?:you|your|if|when|please)\b|\?/.test(own) && !narrated;
    const earlier = reason ? contentBefore(text, sentences, at, filler) : null;
    return earlier === null ? scope : { start: (sentences[earlier] as Sentence).start, end: start };
  }
  if (previous === null) return null;
  const near = sentences[previous] as Sentence;
  const nearText = text.slice(near.start, near.end);
  const far =
    part || nearText.length > reach.middle || /\b(?:you|your|please)\b/.test(nearText)
      ? null
      : contentBefore(text, sentences, previous, filler);
  return { start: far === null ? near.start : (sentences[far] as Sentence).start, end: start };
}

function onlySupposed(own: string): boolean {
  const supposed = condition.exec(own.slice(-reach.condition));
  // A condition of an earlier clause is not that of the withdrawal: "if it costs, no, and it does, so no".
  return (
    supposed !== null &&
    !withdrawnCondition.test(own) &&
    !/[,;][^,;]*[,;\s]\s*[^,;]*[,;]\s*[^,;]*$/.test(supposed[0])
  );
}

function lastSubject(own: string, from: number): number {
  const last = allMatches(ownSubject, own).at(-1);
  return last === undefined ? 0 : from - own.length + last.index;
}
