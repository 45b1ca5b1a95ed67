// Sentences -> the words that they refuse.
//
//   negator .. words .. end of clause
//
// A negation reaches to the end of its clause; over a comma only in a list ("don't X, Y or Z"), or when the comma
// directly follows the negator ("do not, please, X"). Negated states and inabilities reach only what directly follows.
// Some negators refuse nothing: "don't worry", "I can't do it alone", "not urgent", "why don't you", 能不能. A refusal may
// also follow the words: "X? No.", "X is not needed", X就不用了. In German the refused words stand before or after "nicht".
import { allMatches } from './all-matches.ts';
import type { Region, Stretch } from './guard.ts';
import { findSetAside } from './find-set-aside.ts';
import { findWithdrawal } from './find-withdrawal.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const auxiliary = unfold`
  (?:
    do|does|did|would|could|should|must|need|can|will|shall|might|may|ca|wo|is|are|was|were|am|have|has|had
    |ai
  )
`;
const negator = new RegExp(
  unfold`
    \b${auxiliary}(?:n['’]?t| not)\b|\b(?:cannot|never|not|neither|nor|without|nobody|no one|nothing)\b
    |\bno\b(?!\s*[,.!:;?]|\s+longer\b)
    |\b(?:
      instead of|rather than|rather\b[^.!?,\n]{1,40}?\bthan|(?:zero|little) (?:interest|desire|need|use)
      |as opposed to|(?:anything|everything) but|(?:anything|everything) except|no longer|far from|minus
      |apart from|aside from|other than|let alone|sooner\b[^.!?,\n]{1,40}?\bthan
      |better\b[^.!?,\n]{1,60}?\bthan to
    )\b
    |\b(?:
      avoid|avoiding|stop|stopping|skip|skipping|quit|cancel|abort|omit|ignore|disregard|decline|refuse
      |refuses|refused|forbid|forbidden|prohibited|postpone|hold off|leave out
      |leave(?=[^.!?\n]*\b(?:alone|out|aside|be|for (?:later|another|now|tomorrow))\b)
      |save(?=[^.!?\n]*\bfor (?:later|another))|put(?=[^.!?\n]*\b(?:off|aside|on hold)\b)|refrain from
      |abstain from|hold back from|spare me|against|forget about|enough of|enough with|exclude|excluding
      |except|sick of|tired of|fed up with|last thing
      |(?:
        mistake|bad idea|waste of \w+|pointless|useless|senseless|premature
        |too (?:early|late|soon|expensive|risky)|wrong|foolish|silly|unwise|harmful|overkill
      ) to|mistake|bad idea|done with|veto|banned?|had enough|leave alone|keep away from|stay away from
      |steer clear of|opt out of|rid of|drop the|put off|delay|tak(?:e|ing) back|took back|over my dead body
      |(?:save|spare) yourself the (?:trouble|effort|bother|work|time)
      |(?:stay|keep|steer) (?:well |far )?(?:clear of|away from)|prohibits?|forbids?|past the point
      |(?:(?:['’]ll|will|must|to|['’]d rather|gonna) pass|taking a pass) on|unsubscribe
      |(?:turn|switch|shut) off|disable|deactivate|undo|withdraw|retract|revoke|rescind
      |(?:wait(?:ing)? for|until you have) (?:my|our) (?:
        signal|go|go-ahead|word|approval|ok|okay|permission|confirmation|instructions?
      )|who (?:told|asked) you to
      |you keep (?:trying|wanting|offering|attempting|threatening|insisting|proposing|suggesting|pushing)
      |(?:remove|delete|dismiss|clear) (?:the|my|that|this) (?:
        reminder|task|request|job|order|appointment|step|item|instruction|alarm|ticket
      )s?|(?:freez|halt|suspend|paus)(?:e|es|ed|ing) (?:all )?(?:the )?(?:work|efforts?|activity) on
      |less(?= [^.!?\n]{2,60}, more\b)|allergic to|(?:i|we)(?:['’]ll| will) (?:come|circle|get) back to|dotn
      |donot|dnt
    )\b
    |\b(?:
      nicht|kein|keine|keinen|keinem|keiner|keines|niemals|nie|ohne|anstatt|statt|vermeide|lass das|hör auf
    )\b|\b(?:ne|n['’](?=[a-zà-ÿ]))\s*[a-zà-ÿ]+(?:\s[a-zà-ÿ]+){0,2}?\s(?:pas|jamais|plus)\b
    |(?<![a-zà-ÿ])
    (?:sans|au lieu de|plutôt que|jamais|pas (?:de|besoin|question)|évite[rz]?|arrête[rz]? de|inutile de)\b
    |\b(?:nunca|jamás|sin|en vez de|en lugar de|evita|evitar|deja de|tampoco)\b|不要|别(?!人|的|墅|针)|不用
    |不必|不需要|不需|无需|无须|毋须|用不着|没必要|没有必要|不想|不打算|不准|不许|不能|不可以?|不该|不应该?
    |不是|不做|不会去|禁止|停止|取消|避免|请勿|切勿|勿|并非|没有?(?:让|要|叫|说|请)|拒绝|与其|除了|先不|暂不
    |甭|休想|懒得
  `,
  'g',
);

/** Right after the negator: it does not refuse what comes later. */
const harmless = new RegExp(
  unfold`
    ^\s*(?:(?:really|quite|too|so|that|very|all|even|ever|be|get|feel|worry|at)\s+)*?(?:
      worry|worried|wait|hesitate|forget|fail|skip|miss|omit|neglect|mind|care|afraid|shy|panic|rush|hurry
      |despair|just\b|only\b
      |merely|matter|problem|worries|doubt|idea|kidding|thanks|thank|offen[cs]e|stress|pressure
      |(?:sure|certain)(?!\s+(?:that\s+|if\s+|whether\s+)?(?:we|i|you)\s+(?:need|want|should|really))|urgent
      |bad|longer than|more than|less than|later than|further ado|exception|to mention|surprisingly|everyone
      |everybody|every|all|always|much|many|enough|yet\b(?!\s+\w)|so fast|later than|know|understand
      |remember
    )\b
  `,
);
const desire = new RegExp(unfold`
  ^\s*(?:(?:really|ever|even|actually|currently|specifically|explicitly|particularly)\s+)*(?:
    want|need|wish|like|plan|intend|asks?|asked|asking|request\w*|requir\w*|expect|feel like|think|believe
    |mean|meant|say|said|tell|told|order\w*|agree\w*|approve\w*|authori[sz]e\w*|allow\w*|let|recommend
    |see why|care for|care about|have to|going to|gonna|about to|planning|interested|looking|trying|supposed
    |here|in the mood|in favou?r|want(?:ed|ing)|need(?:ed|ing)|due|necessary|essential|useful|worth
    |appropriate|the (?:time|place|right)|up for|keen|willing|ready to|dare
  )\b
`);
const firstPerson =
  /\b(?:i|we|i've|we've|ich|wir|je|nous)\s+(?:(?:really|just|still|also|simply|honestly|personally)\s+)*$/;
const inability = /^(?:can|could|ca)(?:n['’]?t| not)$|^cannot$/;
const refusedAbility = new RegExp(unfold`
  ^\s*(?:
    afford|stand|bear|justify|allow|accept|support|recommend|tolerate|be bothered|let
    |have (?!time|the time|enough|any|access|a clue|an idea)
  )\b
`);
const copula = /^(?:is|are|was|were|am|ai)(?:n['’]?t| not)$/;
const copulaBefore = /(?:\b(?:is|are|was|were|am|been)|['’](?:m|s|re))\s*$/;
/** A copula with "not" says something of a thing, unless it names what is not wanted. */
const notThis = new RegExp(unfold`
  ^\s*(?:(?:really|even|actually|exactly|yet|currently)\s+)*(?:
    a|an|the|my|your|our|this|about|for|going|gonna|asking|requesting|looking|supposed|allowed|needed
    |necessary|required|interested|here|to\b|time|planning|trying|telling|saying|inviting|wanting|meant
    |possible|permitted|advisable|worth|appropriate|in the mood|in favou?r|willing|up for|keen
  )\b
`);
/** "I am not X", or "not ready to X"; but "not able to X", "not sure how to X" seek help. */
const notReady = new RegExp(unfold`
  ^\s*(?:(?:ever|even|really|just|actually|yet|also|a|an|the|any|to)\s+)*$
  |^(?!
    \s*(?:really |quite |too |so |very |all that |even )*(?:
      able|sure|certain|good|great|familiar|easy|clear|experienced|trained|qualified|hard|capable|skilled
      |in a position|used|skilled|enough
    )\b
  )[^]*\b(?:to|for|in|about|of|on|with)\s+(?:(?:a|an|the|any|my)\s+)*$
`);
/** "I can't X on my own" asks for help. */
const notAlone = new RegExp(unfold`
  ^[^.!?]*\b(?:
    on my own|on our own|alone|by myself|by ourselves|myself|without (?:help|you|your|any help)|anymore
    |so (?:can|could|please|you|do|help)
  )\b
`);
/** A verb that ends something ends with its object: "stop that and X" asks for X. */
const verbal = new RegExp(unfold`
  ^(?:
    avoid|stop|skip|quit|cancel|abort|omit|ignore|disregard|decline|forbid|postpone|hold off|leave|save|put
    |exclude|forget about|veto|ban|drop|delay|enough|turn off|switch off|shut off|disable|deactivate|undo
    |withdraw|retract|revoke|rescind|unsubscribe|wait
  )
`);
const notAnd = /^(?![^]*\b(?:and|then|&)\s+(?:(?:just|please|then|now|simply)\s+)*$)/;
const stuck = new RegExp(unfold`
  ^\s*(?:quite |really |seem to )*
  (?:figure|work out|seem|manage|find|get|tell|see how|remember how|understand how|hurt)\b
`);
const requestQuestion = /\b(?:why\s*$|why\s+(?:do|not|don))/;
const youAfter = new RegExp(unfold`
  ^\s*(?:
    it (?:about |high )?time|you|we|u|someone|somebody|anyone
    |it be (?:possible|nice|great|good|better|best|wise|easier|cool|lovely|fun|smart)
  )\b
`);
const pseudoHan = /(?:能|可|可以|要|是|好|会|行|对|愿|该|有)$/;
const harmlessHan = new RegExp(unfold`
  ^(?:
    好意思|知道|太会|会做|懂|如|仅|但|只|客气|错|急|妨|得不|同|少|过|久|着急|清楚|确定|限|长|多|用担心|要紧
  )|^(?:忘|担心|着急|客气|急|怕)
`);

export function findNegation(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  for (const match of allMatches(negator, text)) {
    const cue = { start: match.index, end: match.index + match[0].length };
    const sentence = sentences[sentenceAt(sentences, cue.start)];
    if (sentence === undefined) continue;
    const region = judgeNegator(text, sentence, clauseAt(sentence, cue.start), cue, match[0]);
    if (region !== null) found.push(region);
  }
  if (maybeAfter.test(text))
    for (const at of sentences.keys()) found.push(...refusedAfter(text, sentences, at));
  return [...found, ...findSetAside(text, sentences), ...findWithdrawal(text, sentences)];
}

/** How much of its clause is read on either side of a negator, so that many of them cost no more than each. */
const reachBefore = 120;
const reachBehind = 300;

function judgeNegator(
  text: string,
  sentence: Sentence,
  index: number,
  cue: Stretch,
  word: string,
): Region | null {
  const clause = sentence.clauses[index] as Stretch;
  const before = text.slice(Math.max(clause.start, cue.start - reachBefore), cue.start);
  const after = text.slice(cue.end, Math.min(clause.end, cue.end + reachBehind));
  const region = (scope: Stretch, reach?: 'next'): Region => ({
    guard: 'negation',
    cue,
    scope,
    reason: `"${word.trim()}" refuses it`,
    ...(reach === undefined ? {} : { reach }),
  });
  if (/^[\u4e00-\u9fff]/.test(word)) {
    if (
      pseudoHan.test(before) &&
      /^(?:不要|不能|不用|不可以?|不是|不会|不该)/.test(word) &&
      before.at(-1) === word[1]
    )
      return null;
    if (/^(?:不仅|不如)/.test(word)) return null;
    // "Except for X the rest can wait" asks for X.
    if (
      word === '除了' &&
      /^[^。！？\n]{0,40}[，,](?:别的|其他|其它|剩下)[^。！？\n]{0,8}不/.test(
        text.slice(cue.end, cue.end + reachBehind),
      )
    )
      return null;
    return {
      ...region({ start: cue.end, end: scopeEnd(text, sentence, index, cue) }),
      unless: takenBack(harmlessHan, after, cue.end),
    };
  }
  const lower = word.toLowerCase();
  if (french.test(lower))
    return frenchHarmless.test(lower)
      ? null
      : region({ start: cue.end, end: clause.end }, frenchUnable.test(lower) ? 'next' : undefined);
  if (german.test(lower)) return region({ start: clause.start, end: scopeEnd(text, sentence, index, cue) });
  // "You haven't X yet", "it would be a shame not to X", "nothing I'd like more than X" ask.
  if (/\byou\s+(?:still\s+)?$/.test(before) && /^(?:have|did)/.test(lower) && /\byet\b/.test(after))
    return null;
  if (lower === 'not' && /\b(?:shame|pity|waste|stupid|silly|foolish|crime|sin)\s+$/.test(before))
    return null;
  if (lower === 'nothing' && /^[^,]{0,30}\bmore\b/.test(after)) return null;
  if (/^(?:skip|omit)$/.test(lower) && /\b(?:do not|don['’]?t|never)\s+$/.test(before)) return null;
  if (
    requestQuestion.test(before) ||
    (youAfter.test(after) && /n['’]?t$/.test(lower) && !/^(?:do|need|must)/.test(lower))
  )
    return null;
  if (lower.startsWith('too ') && /^\s*(?:is|isn['’]t|would|will)\s+(?:it|that|this)\b/.test(before))
    return null;
  const unless = takenBack(harmless, after, cue.end);
  if (unless.length > 0) return { ...region({ start: cue.end, end: clause.end }), unless };
  // The whole verb phrase: "do not", "I am not", "isn't".
  const isCopula = copula.test(lower) || (lower === 'not' && copulaBefore.test(before));
  if (isCopula)
    return notThis.test(after)
      ? region({ start: cue.end, end: scopeEnd(text, sentence, index, cue) })
      : { ...region({ start: cue.end, end: clause.end }), between: notReady };
  if (inability.test(lower) && stuck.test(after)) return region({ start: cue.end, end: clause.end }, 'next');
  if (inability.test(lower) && firstPerson.test(before) && !refusedAbility.test(after)) {
    // Looked for behind the negator, not behind the words: a variable at their end may hold it.
    const rest = text.slice(cue.end, Math.min(sentence.end, cue.end + reachBehind));
    return notAlone.test(rest) ? null : region({ start: cue.end, end: clause.end }, 'next');
  }
  if (
    firstPerson.test(before) &&
    !refusedAbility.test(after) &&
    !/^(?:wo|will|would|shall|should|must|need|withdraw|retract|revoke|rescind|cancel|veto)/.test(lower) &&
    !desire.test(after)
  )
    return region({ start: cue.end, end: clause.end }, 'next');
  const whole = region({ start: cue.end, end: scopeEnd(text, sentence, index, cue) });
  return verbal.test(lower) ? { ...whole, between: notAnd } : whole;
}

const french = /^(?:ne\s|n['’])/;
const frenchHarmless = /(?:oubli|hésit|inquiét|soucie)/;
/** "Je ne sais pas X" seeks help; "je ne veux pas que tu X" refuses. */
const frenchUnable = new RegExp(unfold`
  (?:sais|peux|pouvons|arrive|arrivons|comprends|trouve|connais|ai|avons|suis|sommes)\s+(?:\S+\s+)?
  (?:pas|jamais|plus)$
`);
const german = /^(?:nicht|kein\w*|niemals|nie)$/;

/** The word after a negator that makes it harmless, unless it is what is asked for: "don't forget to X", "don't forget". */
function takenBack(pattern: RegExp, after: string, from: number): readonly Stretch[] {
  const match = pattern.exec(after);
  return match === null ? [] : [{ start: from, end: from + match[0].length }];
}

function scopeEnd(text: string, sentence: Sentence, index: number, cue: Stretch): number {
  const clause = sentence.clauses[index] as Stretch;
  const next = sentence.clauses[index + 1];
  if (next === undefined) return clause.end;
  const bare = /^[\s\p{P}]*$/u.test(text.slice(cue.end, clause.end));
  const rest = text.slice(clause.end, Math.min(sentence.end, clause.end + 300));
  if (bare && /^nicht$/.test(text.slice(cue.start, cue.end)) && /^\s*dass\b/.test(rest)) return next.end;
  const list =
    /[,，、]\s*$/.test(text.slice(Math.max(clause.start, clause.end - 8), clause.end)) &&
    /\b(?:or|nor|oder|noch|ou|ni)\b|或者?|也不/.test(rest) &&
    !/^\s*(?:just|only|but|please|instead|simply|i|we|you|so)\b/.test(rest);
  if (list) return sentence.end;
  // "do not, under any circumstances, X": the aside and what follows it.
  if (bare && /(?:n['’]?t|not|never|不要|别|勿)$/.test(text.slice(cue.start, cue.end)))
    return sentence.clauses[index + 2]?.end ?? next.end;
  return clause.end;
}

const refusal = new RegExp(
  unfold`
    ^[\s\p{P}]*(?:(?:absolutely|definitely|certainly|probably|of course|hell|god|please|oh|um|thanks but) )?
    (?:
      no+(?=\s*(?:\p{P}|$)|\s+(?:no|not|never|i|we|you|it|that|this|way|need|chance|thanks?|please|don['’]?t)\b)
      |not(?=\s*(?:\p{P}|$))|nope|nah|never(?=\s*(?:\p{P}|$)|\s+(?:again|ever|mind|in|would|will)\b)
      |not (?:now|today|yet|again|this time|really|for me|needed|necessary|interested|what)|no thanks
      |(?:please )?(?:don['’]?t|do not)(?=\s*(?:\p{P}|$)|\s+(?:do|you|even|bother|start|think|want|need|please|dare|ever|go|touch)\b)|i (?:never|didn['’]?t|don['’]?t)|nein|non|nunca
      |(?:hard|big|strong) (?:no|pass)|already done|you must be joking|over my dead body|as if|forget it
      |不用|不要|不了|算了|别|免谈|才不|打死我?也不|饶了我|下辈子
    )(?=[\s\p{P}]|$|了|吧|要)
  `,
  'u',
);
const refusedCopula = new RegExp(
  unfold`
    ^[\s)\]"'”’]*(?:skill |thing |stuff )?(?:
      (?:is|are|was|seems|would be)\s+(?:definitely |really |absolutely |totally |just )?(?:
        n['’]?t|not|never|unnecessary|forbidden|prohibited|off|out of the question|cancell?ed|banned
        |pointless|the last thing|overkill|too much|a no\b|no longer\b|no\b(?=[\s\p{P}]*$)
      )|(?:is|are|was|were|does|do|would|should|can|wo|need|must)n['’]?t\b|(?:can|could|should|must) not\b
      |(?:can|could|should|must|may|will have to|has to) (?:wait|be skipped|be omitted|be left out|stay)
      |(?:fell|has fallen|falls) through
      |(?:has been|was|is|got) (?:
        taken off|struck|crossed off|removed|dropped|scrapped|shelved|postponed|put off|called off
      )
    )
  `,
  'u',
);
const maybeAfter = new RegExp(unfold`
  n['’]?t\b|\bnot?\b|nope|nah|never|unnecessary|forbidden|prohibited|\boff\b|question|cancel|banned
  |pointless|last thing|overkill|too much|\bwait\b|\bbe\b|\bstay\b|through|taken off|struck|nicht|nein
  |already done|joking|dead body|as if|[不算免没取别饶下]
`);
const maybeCopula = new RegExp(unfold`
  n['’]?t\b|\bnot?\b|\bnever\b|unnecessary|forbidden|prohibited|\boff\b|out of the question|cancel|banned
  |pointless|last thing|overkill|too much|\bwait\b|\bbe\b|\bstay\b|through|taken off|struck|crossed|removed
  |dropped|scrapped|shelved|postponed
`);
const refusedAside = new RegExp(unfold`
  ^(?:
    \s*[-–—,:]+\s*(?:
      no(?=\s*(?:[,.!;…)]|$)|\s+(?:way|chance|thank|need|please)\b)|nope|nah|no thanks|please don['’]?t|please do not|absolutely not
      |not (?:for me|needed|necessary|again)
    )|[^.!?;,\n]{0,40}?[-–—,]+\s*(?:but |just )?not (?:now|today|yet|this time|you)
  )\s*[,.!;]?(?:\s|$)
`);
const refusedGerman = /^[^,.;!?]{0,40}\bnicht\b/;

/** How far after its clause a refusal is looked for. */
const reachAfter = 80;

/** The region is the text before, and counts only for words that the refusal follows. */
function refusedAfter(text: string, sentences: readonly Sentence[], at: number): readonly Region[] {
  const found: Region[] = [];
  const sentence = sentences[at] as Sentence;
  const next = sentences[at + 1];
  if (
    next !== undefined &&
    /[?？]/.test(text[sentence.end - 1] ?? '') &&
    refusal.test(text.slice(next.start, next.end))
  ) {
    found.push({
      guard: 'negation',
      cue: { start: next.start, end: next.end },
      scope: sentence,
      reason: 'it is asked and refused',
      after: /^[\s\p{P}]*$/u,
    });
  }
  const nothing = { start: sentence.end, end: sentence.end };
  for (const clause of sentence.clauses) {
    const words = text.slice(clause.start, Math.min(sentence.end, clause.end + reachAfter));
    if (maybeCopula.test(words))
      found.push({
        guard: 'negation',
        cue: nothing,
        scope: clause,
        reason: 'it is not wanted',
        after: refusedCopula,
      });
    if (/\bnicht\b/.test(words))
      found.push({
        guard: 'negation',
        cue: nothing,
        scope: clause,
        reason: '"nicht" refuses it',
        after: refusedGerman,
      });
    if (/[-–—,:]\s*(?:but |just )?(?:no|not|nope|nah|please don)/.test(words))
      found.push({
        guard: 'negation',
        cue: nothing,
        scope: clause,
        reason: 'it is not wanted',
        after: refusedAside,
      });
  }
  return found;
}
