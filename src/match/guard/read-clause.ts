// An English clause -> whether it asks for the words in it: who acts, and what is done with the words that follow.
//
//   [opener] [request] rest WORDS after
//
// A clause is read from its beginning: a request ("can you", "I need"), then the work. It asks for words that follow
// directly, or after other work ("open the file and X"). A question asks for work only as a request does ("can you",
// "how do I"); other questions, and requests to explain, tell or list what X is, want to know. Work on words (spell,
// translate, count) and verbs that end something (cancel, drop) ask for nothing that follows, and what is put off, done
// or told to others is not asked for now. What else a statement tells is left to the weights (weigh/).
//
// Only a bounded stretch around the words is read, so that a long message costs no more.
import type { Guard, Stretch } from './guard.ts';
import { readHanClause } from './read-han-clause.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import * as openings from './words/openings.ts';
import * as putOff from './words/put-off.ts';
import * as requests from './words/requests.ts';
import * as statements from './words/statements.ts';
import * as questions from './words/questions.ts';
import * as wording from './words/word-work.ts';
import * as refusals from './words/refusals.ts';
import { isPast } from '../text/past-verbs.ts';
import { unfold } from '../text/unfold.ts';

/** `asked`: surely; `null`: nothing speaks against it. */
export type ClauseReading = 'asked' | { readonly guard: Guard; readonly reason: string } | null;

export interface Page {
  /** Masked; in lower case, and as it was written. */
  readonly text: string;
  readonly written: string;
  readonly sentences: readonly Sentence[];
}

const reach = { before: 500, after: 200, turns: 12, wrapped: 60 } as const;

export function readClause({ text, sentences }: Page, words: Stretch): ClauseReading {
  const sentence = sentences[sentenceAt(sentences, words.start)];
  if (sentence === undefined) return null;
  const index = clauseAt(sentence, words.start);
  const clause = sentence.clauses[index] as Stretch;
  const from = Math.max(clause.start, words.start - reach.before);
  // A short line before was not wrapped: what follows it starts anew; so does what follows a smiley.
  const line = text.lastIndexOf('\n', words.start - 1);
  const anew =
    line >= from && line - Math.max(from, text.lastIndexOf('\n', line - 1) + 1) < reach.wrapped
      ? line + 1
      : from;
  const left = text.slice(anew, words.start).replace(/^.*\p{Extended_Pictographic}\uFE0F?/su, '');
  const after = text.slice(words.end, Math.min(sentence.end, words.end + reach.after));
  const shownAround = /\p{L}/u.test(left + after)
    ? left + after
    : text.slice(Math.max(sentence.start, from - reach.wrapped), from);
  if (/\p{Script=Han}/u.test(shownAround))
    return readHanClause({
      left,
      after,
      before: text.slice(Math.max(sentence.start, from - reach.before), from),
    });
  if (left === '' && anew > from && !/[:：]\s*$/.test(text.slice(from, anew))) return 'asked';
  if (/[✅✔☑]\uFE0F?\s*$/u.test(text.slice(Math.max(0, words.start - 4), words.start)))
    return { guard: 'narration', reason: 'it is ticked off' };
  if (wording.rewritten.test(after)) return { guard: 'quotation', reason: 'it is text to rewrite' };
  if (openings.thanks.test(left)) return narration(left);
  if (done.test(after)) return { guard: 'narration', reason: 'it is done already' };
  if (
    putOff.before.test(left) ||
    putOff.after.test(after) ||
    putOff.before.test(text.slice(Math.max(sentence.start, from - reach.wrapped), words.start)) ||
    (putOff.plan.test(left) && putOff.planned.test(after)) ||
    putOff.next.test(text.slice(sentence.end, sentence.end + reach.after))
  )
    return { guard: 'narration', reason: 'it is put off' };
  if (putOff.own.test(left) || (putOff.alone.test(left) && putOff.byOneself.test(after)))
    return { guard: 'narration', reason: 'the writer does it' };
  if (refusals.judged.test(after)) return { guard: 'negation', reason: 'it is called off' };
  if (statements.doneByKin.test(left) || statements.habit.test(left) || statements.doneByOthers.test(left))
    return narration(left);
  if (statements.toldOthers.test(left)) return narration(left);
  const [, subject, verb] = statements.subjectAndVerb.exec(left) ?? [];
  if (verb !== undefined && isPast(verb, subject)) return narration(left);
  if (statements.sayingIt.test(left)) return { guard: 'quotation', reason: 'it is what a person says' };
  if (questions.forAnybody.test(left) && /^[^.!\n]{0,120}\?/.test(after)) return question(left);
  if (questions.inGeneral.test(after) || questions.compared.test(after)) return question(after);
  if (questions.supposed.test(left)) return { guard: 'question', reason: 'it is only supposed' };
  if (
    questions.alternative.test(after) ||
    (/\bor\b[^.!\n]*\?/.test(after) && /^\W*which\b/.test(text.slice(sentence.start, sentence.start + 12)))
  )
    return question(after);
  if (
    left.trim() === '' &&
    wording.wordsAsked.test(text.slice(Math.max(0, sentence.start - reach.after), sentence.start))
  )
    return { guard: 'quotation', reason: 'it is the text to work on' };
  const peeled = peel(left);
  const before = sentence.clauses[index - 1];
  if (before !== undefined && left.trim() === '' && workOnWords(text.slice(before.start, before.end)))
    return { guard: 'quotation', reason: 'it is the text to work on' };
  if (light.test(peeled.rest) && !questions.verbFirst.test(peeled.rest)) return peeled.asked ? 'asked' : null;
  return readRest(peeled, index === 0, after);
}

/** "uppercase this: X" */
function workOnWords(intro: string): boolean {
  const bounded = intro.slice(-reach.before);
  return (
    /[:：–—-]\s*$/.test(bounded) &&
    (wording.textNoun.test(bounded) || wording.wordWork.test(peel(bounded).rest))
  );
}

/** How a sentence in lower case opens: as a question that wants to know, or not. */
export function opens(sentence: string): 'question' | null {
  const { rest, asked } = peel(sentence.slice(0, reach.before));
  return !asked && (questions.asksTo.test(rest) || questions.verbFirst.test(rest)) ? 'question' : null;
}

/** A record: what is ticked off is asked for no more. */
const done = new RegExp(
  unfold`
    ^\s*(?:
      [([–—:-]\s*(?:already )?(?:done|completed|finished)\b
      (?!\s+(?:by|before|today|asap|until|this|when|if|on|in)\b)|✅|✔|☑
      |(?:(?:is|was|has been|got)\s+)?already\s+(?:done|completed|finished|handled|taken care of)\b(?![^.!\n]*\?)
    )
  `,
  'u',
);

/** Nothing but what belongs to the words themselves. */
const light = new RegExp(unfold`
  ^\s*(?:
    (?:
      to|a|an|the|my|our|your|some|any|this|that|with|for|of|on|by|in|about|another|new|quick|short|good
      |nice|full|proper|bit of|use|using|do|doing|have|having|get|getting|make|making|run|running|start
      |starting|begin|beginning|me|us|it|you|and|help|go|be able
    )(?=\s|$)\s*
  )*$
`);

interface Peeled {
  readonly rest: string;
  readonly asked: boolean;
  readonly inPast: boolean;
}

function peel(left: string): Peeled {
  let rest = left;
  let asked = false;
  let inPast = false;
  for (let turn = 0; turn < reach.turns; turn += 1) {
    const before = asked ? null : (openings.past.exec(rest) ?? openings.whenOthers.exec(rest));
    if (before !== null) {
      inPast ||= openings.past.test(rest);
      rest = rest.slice(before[0].length).replace(/^[\s,]+/, '');
      continue;
    }
    const opened = openings.openingSubject.test(rest.trimStart())
      ? /^\s*/.exec(rest)
      : openings.opener.exec(rest);
    if (opened !== null) rest = rest.slice(opened[0].length);
    const request = requests.asking.exec(rest);
    if (request !== null) {
      asked = true;
      rest = rest.slice(request[0].length);
      continue;
    }
    const when = asked ? null : openings.occasion.exec(rest);
    if (when !== null) {
      rest = rest.slice(when[0].length).replace(/^[\s,]+/, '');
      continue;
    }
    if (opened === null || opened[0] === '') break;
  }
  return { rest, asked, inPast };
}

function readRest({ rest, asked, inPast }: Peeled, first: boolean, after: string): ClauseReading {
  const coordinated =
    /[\s,](?:and|then|&)\s+(?:(?:then|please|also|just|to|a|an|the|my|our|help me|do|make|give me|create)\s+)*$/.test(
      rest,
    );
  if (questions.supposes.test(rest)) return { guard: 'question', reason: 'it is only supposed' };
  if (statements.relative.test(rest)) return question(rest);
  if (!asked) {
    if (requests.cleft.test(rest) && !after.includes('?')) return 'asked';
    if (questions.asksTo.test(rest) && (first || /^(?:what|why|how)/.test(rest))) return question(rest);
    if (questions.verbFirst.test(rest)) return question(rest);
    if (inPast && !coordinated) return narration(rest);
  }
  if (coordinated) return 'asked';
  if (questions.wantsToKnow.test(rest) || questions.knownOf.test(rest) || questions.knowMore.test(rest))
    return question(rest);
  if (wording.aboutWords.test(rest)) return question(rest);
  const ended = refusals.cancels.exec(rest)?.[0];
  if (ended !== undefined) return { guard: 'negation', reason: `"${ended}" ends or puts it off` };
  return asked ? 'asked' : null;
}

function question(cue: string): ClauseReading {
  return { guard: 'question', reason: `it is asked about: "${start(cue)}"` };
}

function narration(cue: string): ClauseReading {
  return { guard: 'narration', reason: `it is narrated, not asked for: "${start(cue)}"` };
}

function start(cue: string): string {
  return cue.trim().split(/\s+/).slice(0, 4).join(' ');
}
