// An English clause -> whether it asks for the words in it: who acts, and what is done with the words that follow.
//
//   [opener] [request] rest WORDS after
//
// A clause is read from its beginning: a request ("can you", "I need"), then the work. It asks for words that follow
// directly, or after other work ("open the file and X"). A question asks for work only as a request does ("can you",
// "how do I"); other questions, and requests to explain, tell or list what X is, want to know. A statement asks, or
// gives the reason for a request, unless it narrates: what others did, say, like or will do, what the writer did, or
// what another person was asked to do. A wish that is passed on asks ("my boss wants X"). Work on words (spell,
// translate, count) and verbs that end something (cancel, drop) ask for nothing that follows. The words alone are a
// request, unless a remark follows ("X was invented in …"). Narrated words are asked for when a pronoun refers back to
// them: "I meant to X but forgot. Please do it now."
//
// Only a bounded stretch around the words is read, so that a long message costs no more.
import type { Guard, Stretch } from './guard.ts';
import { isPast } from './past-verbs.ts';
import { readHanClause } from './read-han-clause.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import * as adverbs from './words/adverbs.ts';
import * as openings from './words/openings.ts';
import * as putOff from './words/put-off.ts';
import * as requests from './words/requests.ts';
import * as statements from './words/statements.ts';
import * as questions from './words/questions.ts';
import * as wording from './words/word-work.ts';
import * as refusals from './words/refusals.ts';
import { unfold, wordList } from '../text/unfold.ts';

/** `asked`: surely; `null`: nothing speaks against it. */
export type ClauseReading = 'asked' | { readonly guard: Guard; readonly reason: string } | null;

export interface Page {
  /** Masked; in lower case, and as it was written. */
  readonly text: string;
  readonly written: string;
  readonly sentences: readonly Sentence[];
}

const reach = { before: 500, after: 200, turns: 12, wrapped: 60 } as const;

export function readClause(page: Page, words: Stretch): ClauseReading {
  const read = readOwnClause(page, words);
  return read !== null && read !== 'asked' && read.guard === 'narration' && takenUp(page, words)
    ? 'asked'
    : read;
}

/** Looked for up to the end of the line. */
function takenUp({ text }: Page, words: Stretch): boolean {
  const rest = text.slice(words.end, words.end + reach.after);
  const line = rest.indexOf('\n');
  return requests.takenUp.test(line < 0 ? rest : rest.slice(0, line));
}

function readOwnClause({ text, written, sentences }: Page, words: Stretch): ClauseReading {
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
  if (left === '' && anew > from && !/[:：]\s*$/.test(text.slice(from, anew)))
    return saidAfter(after) ?? 'asked';
  if (/[✅✔☑]\uFE0F?\s*$/u.test(text.slice(Math.max(0, words.start - 4), words.start)))
    return { guard: 'narration', reason: 'it is ticked off' };
  if (wording.rewritten.test(after)) return { guard: 'quotation', reason: 'it is text to rewrite' };
  if (openings.thanks.test(left)) return narration(left);
  if (saidAgain.test(left) && misheard.test(text.slice(Math.max(0, anew - reach.after), anew)))
    return 'asked';
  if (done.test(after)) return { guard: 'narration', reason: 'it is done already' };
  if (
    putOff.before.test(left) ||
    putOff.after.test(after) ||
    putOff.before.test(text.slice(Math.max(sentence.start, from - reach.wrapped), words.start)) ||
    (putOff.plan.test(left) && putOff.planned.test(after)) ||
    putOff.next.test(text.slice(sentence.end, sentence.end + reach.after))
  )
    return { guard: 'narration', reason: 'it is put off' };
  if (putOff.own.test(left)) return { guard: 'narration', reason: 'the writer does it' };
  if (refusals.judged.test(after)) return { guard: 'negation', reason: 'it is called off' };
  if (statements.doneByKin.test(left)) return narration(left);
  if (statements.toldOthers.test(left)) return narration(left);
  if (statements.sayingIt.test(left)) return { guard: 'quotation', reason: 'it is what a person says' };
  if (
    index > 0 &&
    /^\s*(?:i|we)\s+(?:would|had to|used to|always|often)\s+$/.test(left) &&
    openings.goneBy.test(text.slice(Math.max(sentence.start, from - reach.after), from))
  )
    return narration(left);
  if (questions.forAnybody.test(left) && /^[^.!\n]{0,120}\?/.test(after)) return question(left);
  if (questions.inGeneral.test(after)) return question(after);
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
  const { rest, asked, inPast } = peel(left);
  const read =
    rest.trim() === '' || (light.test(rest) && !questions.verbFirst.test(rest))
      ? asked
        ? 'asked'
        : null
      : readRest(rest, written.slice(words.start - rest.length, words.start), {
          asked,
          inPast,
          first: index === 0,
          after,
        });
  if (read !== null) return read;
  return asked ? 'asked' : (saidAfter(after) ?? introduced(text, sentence, index, words));
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
    )
  `,
  'u',
);

/** Who was misheard asks again. */
const saidAgain = /^\s*(?:what\s+)?(?:i|we)\s+(?:said|asked for|meant|wrote)\s*$/;
const misheard = new RegExp(unfold`
  \b(?:
    mis(?:heard|read|understood|understanding)|not what (?:i|we) (?:said|asked|meant|wanted)
    |got (?:me|it|that) wrong
  )\b[^.!?\n]{0,40}[.!?]?\s*$
`);

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

function readRest(
  rest: string,
  shown: string,
  {
    asked,
    inPast,
    first,
    after,
  }: { readonly asked: boolean; readonly inPast: boolean; readonly first: boolean; readonly after: string },
): ClauseReading {
  const coordinated =
    /[\s,](?:and|then|&)\s+(?:(?:then|please|also|just|to|a|an|the|my|our|help me|do|make|give me|create)\s+)*$/.test(
      rest,
    );
  if (questions.supposes.test(rest)) return { guard: 'question', reason: 'it is only supposed' };
  // A person who found no one who can do it asks.
  if (statements.relative.test(rest) && !foundNobody.test(rest)) return question(rest);
  if (!asked) {
    if (requests.cleft.test(rest) && !after.includes('?')) return 'asked';
    if (
      inPast &&
      statements.self.test(rest) &&
      statements.saidThen.test(rest.replace(statements.self, '').replace(adverbs.leadingAdverbs, ''))
    )
      return narration(rest);
    if (questions.asksTo.test(rest) && (first || /^(?:what|why|how)/.test(rest))) return question(rest);
    if (questions.verbFirst.test(rest)) return question(rest);
    const statement = readStatement(rest, shown, after) ?? (inPast && !coordinated ? narration(rest) : null);
    // The last of several statements is the nearest: "It's late and I need X".
    if (statement !== null && statement !== 'asked' && statement.guard === 'narration')
      return restarted(rest) ?? statement;
    if (statement !== null) return statement;
  }
  if (coordinated) return 'asked';
  if (questions.wantsToKnow.test(rest) || questions.knownOf.test(rest) || questions.knowMore.test(rest))
    return question(rest);
  if (wording.aboutWords.test(rest)) return question(rest);
  const ended = refusals.cancels.exec(rest)?.[0];
  if (ended !== undefined) return { guard: 'negation', reason: `"${ended}" ends or puts it off` };
  return asked ? 'asked' : null;
}

const foundNobody = new RegExp(unfold`
  ^(?:i|we|there)\s+(?:
    (?:can|could|do|did|is|was|have|know)(?:n['’]?t| not)\b|cannot\b|know (?:nobody|no one)\b
    |(?:is|was) (?:nobody|no one)\b
  )
`);

/** The last of several statements is the nearest, with a subject of its own or without: "It is late and I need X", "he called and wants X". */
function restarted(rest: string): ClauseReading {
  const at = Math.max(...[' and ', ' so ', ' but ', ' yet '].map((word) => rest.lastIndexOf(word)));
  if (at < 0) return null;
  const { rest: last, asked } = peel(rest.slice(at));
  if (asked && (last.trim() === '' || light.test(last))) return 'asked';
  if (asked || last.trim() === '') return null;
  const verb = last.replace(adverbs.leadingAdverbs, '');
  const wish = statements.self.test(rest)
    ? requests.ownWish.test(verb)
    : requests.othersWish.exec(verb)?.index === 0;
  return wish || readStatement(last, last, '') === 'asked' ? 'asked' : null;
}

/** Verbs that may also stand in the present, or that only look like a past form. */
const sameInPresent: ReadonlySet<string> = new Set(
  wordList`
    put cut set let read hit cast spread quit bet shut split left found saw felt lit ground wound need feed
    embed proceed speed seed exceed succeed
  `,
);

function readStatement(rest: string, shown: string, after: string): ClauseReading {
  const own = statements.self.exec(rest);
  const first = /^[\p{L}'’]+/u.exec(rest)?.[0] ?? '';
  // "… and then told me to X" continues the narration.
  if (own === null && isPast(first, undefined) && !sameInPresent.has(first)) return narration(rest);
  if (/^you\s/.test(rest))
    return !/^you\s+(?:still\s+|also\s+)?(?:forgot|failed|promised|agreed|offered|wanted|needed)\b/.test(
      rest,
    ) &&
      isPast(/^you\s+(?:already\s+|just\s+|once\s+)?([\p{L}]+)/u.exec(rest)?.[1] ?? '', 'you') &&
      !requests.nearRequest.test(rest)
      ? narration(rest)
      : null;
  if (own !== null) {
    const verb = rest.slice(own[0].length).replace(adverbs.leadingAdverbs, '');
    if (
      longAgo.test(after) &&
      !/^(?:meant|wanted|planned|hoped|forgot|promised|intended|needed)\b/.test(verb) &&
      isPast(/^[\p{L}]+/u.exec(verb)?.[0] ?? '', 'i')
    )
      return narration(rest);
    const refused = refusals.refuses.exec(verb)?.[0];
    if (refused !== undefined) return { guard: 'negation', reason: `"${refused.trim()}" refuses it` };
    if (questions.wantsToKnow.test(verb)) return question(verb);
    if (questions.knowMore.test(verb)) return question(verb);
    if (requests.ownWish.test(verb))
      return questions.knownOf.test(verb) ? question(verb) : outcomeText(after, rest);
    if (requests.nearRequest.test(verb) && !speaks.test(verb)) return outcomeText(after, rest);
    // What one does now may be what one asks help with; what one did or likes is told.
    return ownTelling.test(verb) || isPast(/^[\p{L}]+/u.exec(verb)?.[0] ?? '', 'i') ? narration(rest) : null;
  }
  const end = subjectEnd(rest, shown);
  if (end === null) return null;
  const wish = requests.othersWish.exec(rest.slice(0, 300));
  const refused = refusals.refuses.exec(rest)?.[0];
  if (refused !== undefined) return { guard: 'negation', reason: `"${refused.trim()}" refuses it` };
  if (wish !== null && (wish.index <= end || wishFollows.test(rest.slice(end, wish.index))))
    return /^(?:wanted|requested)\s+to\s+$/.test(rest.slice(wish.index))
      ? narration(rest)
      : outcomeText(after, rest);
  if (requests.nearRequest.test(rest) && !speaks.test(rest)) return outcomeText(after, rest);
  return narrates(rest.slice(end)) || statements.pastime.test(rest) || statements.subjectMatter.test(rest)
    ? narration(rest)
    : null;
}

/** What others did, say or like, or will do themselves. Any other statement gives the reason for a request. */
function narrates(predicate: string): boolean {
  const own = predicate.replace(aside, '');
  const tokens = [...own.matchAll(/[\p{L}]+(?:['’][\p{L}]+)?/gu)].slice(0, 6).map(([word]) => word);
  for (const [at, word] of tokens.entries()) {
    if (isPast(word, tokens[at - 1] ?? 'it') || statements.tells.test(word)) return true;
    if (!statements.auxiliary.test(word) && word !== 'been') break;
  }
  return statements.othersDo.test(own) || /^\s*(?:has|have|had|['’]s|['’]ve)\s+been\s+\p{L}+ing\b/u.test(own);
}

/** "People in my town love X" */
const aside =
  /^\s*(?:in|at|on|from|of|around|near|with)\s+(?:the|my|our|this|that|his|her|their)?\s*[\p{L}'’-]+/u;

function outcomeText(after: string, rest: string): ClauseReading {
  return statements.cameOfIt.test(after) ? narration(rest) : 'asked';
}

const ownTelling = new RegExp(unfold`
  ^(?:
    ['’]ve|['’]d been|have|had|was|were|did|used|love|like|enjoy|hate|adore|remember|recall|know|do|use|read
    |watch|dream|believe|follow|study|teach|live|work|talk|joke|always|often|usually|sometimes|never|keep
    |spend|practi[sc]e|admire|dislike|fear|miss|find|found
  )\b
`);
const longAgo = new RegExp(unfold`
  ^[^.!?;,\n]*\b(?:
    yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|time|\w+day)|ago
    |back (?:in|then|when)|in \d{4}|once|at (?:school|university|college)|as a (?:kid|child|student)
  )\b
`);

/** Between a subject and its wish. */
const wishFollows = new RegExp(unfold`
  ^(?:
    \s|['’]\w+
    |(?:
      really|just|also|still|now|all|both|already|urgently|currently|desperately|always|never|even|only
      |often|is|are|has|have|had|will|would|been|be|then|again|finally|badly|actually|definitely
    )\b
  )*$
`);

/** Says what was said: a request in it was one then. */
const speaks = new RegExp(unfold`
  \b(?:asked|told|said|wrote|typed|ordered|instructed|replied|answered|begged|when|whenever|what|why|how)\b
  (?!\s+(?:me|us)\b)(?!\s+you\b)
`);

/** Where the verb of a subject begins, or null if there is none. */
function subjectEnd(rest: string, shown: string): number | null {
  const pronoun = statements.pronoun.exec(rest);
  if (pronoun !== null) return pronoun[0].length;
  const tokens = [...rest.matchAll(/[\p{L}\p{N}\uFFFC]+(?:['’-][\p{L}\p{N}]+)*/gu)].slice(0, 10);
  const first = tokens[0]?.[0] ?? '';
  const second = tokens[1]?.[0] ?? '';
  if (
    /^(?:this|that|these|those)$/.test(first) &&
    (statements.auxiliary.test(second) || statements.presentVerb.test(second) || isPast(second, 'it'))
  )
    return first.length;
  const named =
    (/^\p{Lu}\p{Ll}+/u.test(shown) &&
      !/^(?:today|now|next|first|second|third|tomorrow|tonight|here|last|what|all)$/.test(first)) ||
    first.startsWith('\uFFFC');
  const plural = /[^su]s$/.test(first) && first.length > 3;
  const noun = statements.determiner.test(first);
  if (
    !noun &&
    (tokens.length < 2 ||
      !(named || plural) ||
      !(
        statements.auxiliary.test(second) ||
        isPast(second, 'a name') ||
        (plural
          ? /^(?:love|like|hate|enjoy|use|do|make|think|believe|know|need|want)$/.test(second)
          : statements.presentVerb.test(second) && second.endsWith('s'))
      ))
  )
    return null;
  for (const [at, token] of tokens.entries()) {
    if (at === 0) continue;
    const before = tokens[at - 1]?.[0] ?? '';
    if (
      statements.auxiliary.test(token[0]) ||
      isPast(token[0], before) ||
      (statements.presentVerb.test(token[0]) && !statements.determiner.test(before)) ||
      (/['’]s$/.test(token[0]) && !noun)
    )
      return token.index;
  }
  return null;
}

const predicate = new RegExp(unfold`
  ^["'”’)\s]*(?:(?:itself|thing|stuff|alone)\s+)?
  (?:(?:really|actually|also|just|still|always|never|probably|once|recently)\s+)*(?:
    no longer|is|are|was|were|has|had|does|did|isn['’]t|wasn['’]t|hasn['’]t|doesn['’]t|didn['’]t|means?
    |meant|sounds?|sounded|became|becomes?|seems?|seemed|used to|changed|ruined|saved|took|made|began
    |started|happened|originated|comes? from|came|finished|completed|failed|succeeded|crashed|refers?
    |stands for|went|belongs?|remains?|got|gets?|makes?
  )\b
`);
const wanted = new RegExp(unfold`
  \b(?:
    what (?:i|we)(?:['’]d| would)?\s*(?:really |actually |just )?(?:need|want|like|am after|'m after|ask)
    |need(?:ed|s)?|due|overdue|required|urgent|wanted|requested|a must|next|first|top priority
    |the (?:task|goal|request|job|plan|priority|next)
    |on (?:my|our|the|today['’]s|your) (?:list|plate|agenda)|pending|my (?:request|task|goal|wish)|great
    |nice|helpful|useful right now|missing|blocking|to be done|to happen|to be
  )\b
`);

const unwanted = new RegExp(unfold`
  \b(?:
    not|no longer|never|no more|nothing|unnecessary|withdrawn|dropped|cancell?ed|off|over|pointless
    |forbidden|banned|postponed|overkill|out|obsolete|void|revoked|scrapped|suspended|on hold|moot|can wait
  )\b|n['’]t\b
`);
/** "X - is that something you do?" */
const askedOfIt = new RegExp(unfold`
  ^\s*[-–—:,]+\s*(?:and |so |but )?(?:what|who|why|is|are|does|was|how does|how is)(?:['’]s)?\s+
  (?:is |was |does |are )?(?:that|this|it)\b
  (?!\s*(?:possible|ok|okay|doable|feasible|fine|alright|clear|something you could))
`);

function saidAfter(after: string): ClauseReading {
  if (askedOfIt.test(after)) return question(after);
  if (!predicate.test(after)) return null;
  if (unwanted.test(/^[^.!?;\n]*/.exec(after)?.[0] ?? ''))
    return { guard: 'negation', reason: 'it is not wanted' };
  if (wanted.test(after)) return null;
  return { guard: 'narration', reason: 'it is discussed, not asked for' };
}

const quotesAfter = new RegExp(unfold`
  \b(?:
    words?|line|prompt|message|text|title|log|entry|caption|motto|slogan|reply|response|input|command
    |headline|quote
  )\b[^:]*\b(?:is|are|was|were|reads?|used|went|goes|says?|said|typed|wrote|sent)\s*:\s*$
`);

/** Words after a colon that are to be worked on, or that someone said. */
function introduced(text: string, sentence: Sentence, index: number, words: Stretch): ClauseReading {
  const clause = sentence.clauses[index] as Stretch;
  const before = sentence.clauses[index - 1];
  if (before === undefined || text.slice(clause.start, words.start).trim() !== '') return null;
  const intro = text.slice(Math.max(before.start, before.end - reach.before), before.end);
  if (!/[:：–—-]\s*$/.test(intro)) return null;
  const { rest, inPast } = peel(intro);
  if (inPast && statements.self.test(rest)) return narration(intro);
  if (quotesAfter.test(intro) && !peel(intro).asked)
    return { guard: 'quotation', reason: `it is what a person said: "${start(intro)}"` };
  if (/^\W*(?:done|completed|finished|closed|resolved|fixed|shipped|merged)\W*$/.test(intro))
    return narration(intro);
  if (wording.textNoun.test(intro) || wording.wordWork.test(rest))
    return { guard: 'quotation', reason: `it is the text to work on: "${intro.trim()}"` };
  return null;
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
