// Sentences -> what is told, not asked for: seen on television, done last year, liked by a friend.
//
//   [adverb] subject verb .. words      a statement: the words are told
//
// R1. A statement has a subject before its verb: of others any verb counts, of oneself one in the past.
// R2. It is a wish all the same if the verb is one ("my boss wants X", "I tried to X"), if it tells of a fault ("the
//     build failed with X"), or if its subject is the task itself ("my goal is X").
//     What one did oneself is the reason for what is asked in another sentence ("I installed X. How do I check it?").
// R3. Whoever then asks for help with it ("can you look into it?") has told why, and asks.
import type { Region, Stretch } from './guard.ts';
import { isPast } from './past-verbs.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';

/** Before the subject: when and where, and how one goes on. */
const adverbial = /^(?:[\s\p{P}]|(?:and|but|so|well|ok|okay|btw|by the way|fun fact|funny|apparently|yesterday|today|tonight|earlier|recently|lately|once|sometimes|often|back then|(?:the other|one|that|every) (?:day|time|night|morning)|(?:last|this) (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time|morning|evening)|(?:in|since|during|around|by) (?:the )?(?:\d{4}s?|\w+ies|january|february|march|april|may|june|july|august|september|october|november|december|school|college|class|court|paris|london|berlin|germany|france|china|japan)|(?:a|two|three|few|many|some|\d+) (?:few )?(?:days?|weeks?|months?|years?|hours?) ago|when i was \w+|at (?:work|school|home|lunch|dinner|the office))(?=[\s\p{P}]|$))*/u;

const others = /^(?:he|she|they|people|someone|somebody|everyone|everybody|kids|folks|experts|scientists|others|most people|many people|some people|no one|nobody)\b/;
const nounPhrase = /^(?:my|our|his|her|their|your|a|an|the|some|this|that|these|those|one|most|many|every|each|another|two|three)\s+(?:[\p{L}'’-]+\s+){0,3}?(?=[\p{L}])/u;
const selfSubject = /^(?:i|we|i've|we've|i had|we had)\b/;
const personalName = /^\p{Lu}\p{Ll}+(?:\s+\p{Lu}\p{Ll}+)?(?=\s)/u;

const person = /\b(?:friends?|brothers?|sisters?|mother|father|mom|mum|dad|parents?|kids?|child|children|sons?|daughters?|neighbou?rs?|colleagues?|cowork\w*|boss|manager|teachers?|students?|professors?|wife|husband|partner|girlfriend|boyfriend|uncle|aunt|grand\w+|cousins?|roommates?|flatmates?|guys?|man|men|woman|women|girls?|boys?|persons?|people|hero|characters?|company|companies|firms?|startups?|authors?|doctors?|lawyers?|actors?|singers?|politicians?|bands?|museums?|universit\w+|schools?|governments?|scientists?|researchers?|players?|artists?|fans?|cats?|dogs?|robots?|hobby|hobbies|favou?rite|dream|passion|job|profession)\b/;
const presentOfOthers = /^(?:is|are|has|have|does|do|can|could|will|would|might|must|should|always|often|usually|never|sometimes|really|also|only|just|still|\p{L}{2,}(?:s|ies))$/u;
/** A wish that is handed on, or one's own; a help that is sought; a fault that is told. */
const wish = /\b(?:wan(?:t|ts|ted|na)|needs?|needed|would like|['’]d (?:like|love)|wish(?:es|ed)?|hop(?:e|es|ed|ing)|wonder(?:ed|ing)?|looking|asks?|asked|asking|requests?|requested|requires?|required|expects?|expected|insists?|insisted|suggests?|suggested|recommend\w*|told (?:me|us) (?:to|you)|(?:was|were|been|am|are|got|get|being) (?:told|asked|instructed|ordered|assigned|required|supposed|expected|hired|advised|invited)|said (?:to|i|we|you)\b|says? (?:to|i|you)\b|waiting for|due|demand\w*|tr(?:y|ied|ying) to|tried|failed to|decided|plann?(?:ed|ing)?|intend(?:ed)?|promised|agreed|forgot to|have to|has to have|had better|got to|gotta|should|must|going to|about to|start(?:ed|ing)? to|began|struggl\w+|supposed|encounter\w*|hit|face[ds]?|getting|keeps?|fails?|failing|failed|crash\w*|throws?|threw|broke|breaks?|returns?|returned|stopped|raises?|raised|gave me|gives me|got|have|had|sent me|send|received|attached|shared|uploaded|pasted|prepared|wrote|collected|gathered|recorded|see|seeing|shows?)\b/g;
/** What one does with a text, a fault or a plan is a wish only of oneself; of others these are statements. */
const ownOnly = /^(?:tr(?:y|ied|ying) to|tried|decided|plann?(?:ed|ing)?|intend(?:ed)?|promised|agreed|start(?:ed|ing)? to|began|got|have|had|hit|face[ds]?|wrote|shared|prepared|collected|gathered|recorded|see|seeing|looking|hop(?:e|es|ed|ing)|must|should|wonder(?:ed|ing)?|got to|gotta|have to|going to|about to|keeps?|shows?|supposed|uploaded|pasted|received|raised?s?|struggl\w+|getting|said (?:i|we))$/;
/** Of oneself these tell even so. */
const perceived = /\b(?:saw|watched|heard|overheard|noticed|dreamed|dreamt|dreaming|talked|talking|spoke|speaking|chatted|discussed|mentioned|told (?:me|us|him|her|them|everyone|people) (?:about|of|that|how|a|an|the|his|her|their)|joked|argued|laughed|bragged|complained|raved|learned|learnt|stumbled|came across|ran into|remembered|recalled|met|visited|attended|read (?:an?|the|some|about|in|somewhere|that|it)|(?<=\b(?:i|we|you) )remember(?= (?:an?|the|when|that|my|seeing|our|his|her)\b)|shut up about|going on about|famous for|known for|used to)\b/g;
const telling = /\b(?:an?|the|this|that|some)\s+(?:\w+\s+)?(?:book|article|film|movie|documentary|podcast|episode|song|talk|lecture|course|exhibition|poster|ad|advert|story|novel|play|news item|rumou?r|joke|meme|museum|history|festival|club|fan|shop|conference|class)\s+(?:was\s+|is\s+)?(?:about|on|of|for|featuring|named|called)\b/g;
const media = /\b(?:on|in|at|from|during)\s+(?:the\s+|a\s+|an\s+|my\s+|this\s+|that\s+|last\s+|some\s+|her\s+|his\s+)?(?:\w+\s+)?(?:tv|television|news|radio|movies?|films?|books?|novels?|magazines?|newspapers?|papers?(?=\s+(?:this|yesterday|today|last))|shows?|episodes?|dreams?|games?|story|stories|podcasts?|cinema|theat(?:re|er)|museum|concert|party|comic|documentary|lecture|advert|billboard|pub|bar)\b|\bwhen (?:i|we|he|she|they) (?:was|were|lived|worked|studied)\b|\bback (?:in the day|then|when)\b|\bin (?:the (?:old|good old) days|my (?:youth|childhood)|those days)\b|\bas a (?:kid|child|student|teenager)\b|电视上|电视里|新闻里|新闻上|新闻中|电影里|电影中|小说里|小说中|书里|书上|书中|报纸上|广播里|梦里|课上|杂志上|展览上|做梦/g;
const ownTask = /^(?:my|our|the|your|one|this)\s+(?:\w+\s+){0,2}?(?:goals?|tasks?|requests?|jobs?(?=\s+(?:is|for))|plans?|ideas?|aims?|wish|needs?|assignments?|homework|step|orders?|questions?|problems?|issues?|challenges?|deliverables?|objectives?|priority|priorities|thing|mission|purpose|intention|topic|error|bug|build|app|server|script|code|program|tests?|ci|project|deadline|report)\b/;

const toldHan = /看到了?|看见了?|看了(?!一下)|看过|听说过?|听到了?|听过|读到了?|读过|梦到了?|梦见了?|讨论过|讨论了|讨论的|提到了?|提过|聊到了?|聊过|见过|遇到过|说起|谈到了?|谈过|学过|参加过|刷到了?|介绍了|听[^，。！？\n]{1,6}说|(?:讲|教|做|用|写|玩|办|体验|试|问|说|演|唱|买|写)(?:过|了)(?!一下|吧)|(?:昨天|前天|昨晚|上周|上个?月|去年|小时候|以前|当年)[^，。！？\n]{0,10}(?:了|过)/g;
const othersHan = /(?:^|[，。,\s])(?:我(?:的)?(?:朋友|同事|邻居|老师|妈妈|爸爸|妈|爸|哥哥|姐姐|弟弟|妹妹|室友|同学|老公|老婆|爷爷|奶奶|孩子)|他们?|她们?|有人|大家|别人|邻居|朋友|同事|小明|网上有人|网友|很多人|一些人|人们|年轻人)(?:都|也|很|最|总|总是|经常|常常|一直|昨天|今天|以前|就|特别|非常)*(?:讨论|聊|从小|以前常?|曾|常常|经常|总是|天天|每天|过去|说|喜欢|觉得|讨厌|爱|告诉|在|会|认为|问过|正在|曾经|想过|擅长|迷上)(?!要|让|请|需要)/g;
const seenForeign = /(?<![a-zà-ÿ])(?:sah|gesehen|gehört|gelesen|erzählt\w*|geträumt|vu|entendu|parlé|rêvé|raconté|leí|escuché|oí|soñé|contó|habló|hablaron|vimos)(?![a-zà-ÿ])/g;

/** A condition is no request: "if you X, …"; "if you can X" may be one. */
const condition = /(?<!\b(?:what|mind|ok|okay|fine|great|nice|good|wonder|wondering|ask|see|check|grateful|it|helpful|cool|know|lot|best|better|appreciated|happy)\s+)\b(?:if|whenever|unless)\s+(?:you|we|i|they|he|she|someone|people)\b/g;
/** "If you X I'd be grateful" is a request. */
const notThanked = /^(?![^.!?]*\b(?:grateful|appreciate[d]?|owe|great|lovely|thank\w*|help|happy|nice|wonderful|amazing|awesome|love you|saved?|lifesaver|perfect|ideal)\b)/;
const tellers: readonly RegExp[] = [perceived, telling, seenForeign, media, condition];
const hanTellers: readonly RegExp[] = [toldHan, othersHan];

const request = /\byou (?:can|could)\b|\b(?:someone|somebody|anyone) (?:has to|must|should|needs? to)\b|\b(?:please|pls|plz|can|could|would|will)\s+(?:you|we|u)\b|\b(?:please|pls|plz)\b|\b(?:i|we)\s+(?:want|need|would like)\b|\b(?:i|we)['’]d (?:like|love)\b|\bhelp (?:me|us)\b|\blet['’]?s\b|请|帮我|帮忙|麻烦|我想要?|我需要|给我/g;
const asking = /\?\s*$|\b(?:how (?:do|can|should|would) (?:i|we)|should (?:i|we)|can (?:i|we|you)|could you|please|walk me|show me|tell me|help|let['’]?s)\b|请|帮|吗/;
const helpWithIt = /(?:\b(?:can|could|would|will|please|pls|help|let['’]?s|i (?:want|need)|how (?:do|can) (?:i|we))\b[^.!?\n]{0,60}\b(?:it|this|that|them|one|these|those|the same)\b)|\b(?:please )?(?:fix|investigate|debug|look into|explain|analy[sz]e|check|solve|diagnose|handle)\s+(?:it|this|that|them)\b|\bhelp\b[\s\p{P}]*$|(?:请|帮|麻烦)[^。！？\n]{0,20}(?:它|这个|一下|一个|看看)/u;

export function findNarration(text: string, sentences: readonly Sentence[], written: string): readonly Region[] {
  const found: Region[] = [];
  const add = (sentence: Sentence, cue: Stretch, scope: Stretch, unless: readonly Stretch[] = []): void => {
    found.push({ guard: 'narration', weak: true, cue, scope, reason: `it is told, not asked for: "${text.slice(cue.start, cue.end).trim()}"`, unless: [...unless, ...takenBack(sentence)] });
  };
  const takenBack = wishesOf(text, sentences);
  const han = /[\u4e00-\u9fff]/.test(text);
  for (const pattern of han ? [...tellers, ...hanTellers] : tellers) {
    for (const match of text.matchAll(pattern)) {
      const cue = { start: match.index, end: match.index + match[0].length };
      const sentence = sentences[sentenceAt(sentences, cue.start)];
      if (sentence === undefined) continue;
      const clause = sentence.clauses[clauseAt(sentence, cue.start)] as Stretch;
      if (pattern === media) add(sentence, cue, { start: clause.start, end: beforeColon(text, sentence, clause) });
      else if (pattern === condition) found.push({ guard: 'narration', cue, scope: { start: cue.end, end: clause.end }, reason: `it is a condition: "${match[0].trim()}"`, reach: 'next', after: notThanked });
      else add(sentence, cue, { start: cue.end, end: clause.end });
    }
  }
  for (const [index, sentence] of sentences.entries()) {
    for (const clause of sentence.clauses) {
      const statement = statementIn(text.slice(clause.start, clause.end), written.slice(clause.start, clause.end), () => asksElsewhere(text, sentences, index));
      if (statement === null) continue;
      const shift = (one: Stretch): Stretch => ({ start: clause.start + one.start, end: clause.start + one.end });
      add(sentence, shift(statement), { start: clause.start + statement.end, end: withReason(text, sentence, clause) }, statement.unless.map(shift));
    }
  }
  return found;
}

/** R3, and a request in the sentence itself: what takes a statement back; found once for each sentence. */
function wishesOf(text: string, sentences: readonly Sentence[]): (sentence: Sentence) => readonly Stretch[] {
  const known = new Map<Sentence, readonly Stretch[]>();
  let help: Stretch | null | undefined;
  return (sentence) => {
    let wishes = known.get(sentence);
    if (wishes === undefined) {
      wishes = [...text.slice(sentence.start, sentence.end).matchAll(request)].map((match) => ({ start: sentence.start + match.index, end: sentence.start + match.index + match[0].length }));
      known.set(sentence, wishes);
    }
    help ??= lastHelp(text, sentences);
    return help !== null && help.start >= sentence.start ? [...wishes, help] : wishes;
  };
}

/** The last plea for help with something told before, in its clause. */
function lastHelp(text: string, sentences: readonly Sentence[]): Stretch | null {
  for (const sentence of [...sentences].reverse()) {
    const match = helpWithIt.exec(text.slice(sentence.start, sentence.end));
    if (match !== null) return { start: sentence.start + match.index, end: sentence.start + match.index + match[0].length };
  }
  return null;
}

function asksElsewhere(text: string, sentences: readonly Sentence[], index: number): boolean {
  return sentences.some((other, at) => at !== index && Math.abs(at - index) < 20 && asking.test(text.slice(other.start, other.end)));
}

/** Over: what one had or got then is told. */
const over = /\b(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall)|ago|in (?:19|20)\d\d|once)\b/;

/** What is announced with a colon is said now. */
function beforeColon(text: string, sentence: Sentence, from: Stretch): number {
  return sentence.clauses.find(({ start, end }) => start >= from.start && /[:：]\s*$/.test(text.slice(start, end)))?.end ?? sentence.end;
}

/** A statement goes on with its reason: "… because of X". */
function withReason(text: string, sentence: Sentence, clause: Stretch): number {
  const next = sentence.clauses.find(({ start }) => start === clause.end);
  return next !== undefined && /^\s*(?:because|since|while|when|although|though)\b/.test(text.slice(next.start, next.end)) ? next.end : clause.end;
}

/** R1, R2: from the subject to its verb, or null. */
function statementIn(words: string, written: string, asks: () => boolean): (Stretch & { readonly unless: readonly Stretch[] }) | null {
  const start = adverbial.exec(words)?.[0].length ?? 0;
  const rest = words.slice(start);
  const subject = subjectOf(rest, written.slice(start));
  if (subject === null || (subject.kind === 'self' && asks())) return null;
  const self = subject.kind === 'self';
  // R2; a word of the trigger itself takes nothing back.
  const longAgo = over.test(rest);
  const unless = [...rest.matchAll(wish)].filter(([one]) => (self && !longAgo) || !ownOnly.test(one)).map((one) => ({ start: start + one.index, end: start + one.index + one[0].length }));
  const tokens = [...rest.matchAll(/[\p{L}'’]+/gu)];
  const personal = subject.kind === 'others' || subject.kind === 'name' || person.test(rest.slice(0, subject.end + 24));
  for (const [at, token] of tokens.entries()) {
    if (token.index < subject.from || at > 7) continue;
    const word = token[0].toLowerCase();
    const past = isPast(word, tokens[at - 1]?.[0].toLowerCase());
    const present = !self && subject.kind !== 'name' && personal && presentOfOthers.test(word) && at > 0 && !person.test(word);
    // After "people", "they" any word that follows is the verb.
    const plural = subject.kind === 'others' && /^(?:they|people|kids|folks|experts|scientists|others|most|many|some)/.test(rest) && token.index <= subject.from + 1;
    if (past || present || plural) return { start, end: start + token.index + token[0].length, unless };
  }
  return null;
}

function subjectOf(rest: string, written: string): { readonly kind: 'self' | 'others' | 'noun' | 'name'; readonly from: number; readonly end: number } | null {
  const self = selfSubject.exec(rest);
  if (self !== null) return { kind: 'self', from: self[0].length, end: self[0].length };
  if (ownTask.test(rest)) return null;
  const other = others.exec(rest);
  if (other !== null) return { kind: 'others', from: other[0].length, end: other[0].length };
  const noun = nounPhrase.exec(rest);
  if (noun !== null) return { kind: 'noun', from: noun[0].length, end: noun[0].length };
  const name = personalName.exec(written);
  // A name is followed by its verb at once; anything else with a capital may be a command.
  if (name !== null) {
    const next = /^\s+([\p{L}]+)/u.exec(rest.slice(name[0].length))?.[1]?.toLowerCase() ?? '';
    if (isPast(next, 'a name')) return { kind: 'name', from: name[0].length, end: name[0].length };
  }
  return null;
}
