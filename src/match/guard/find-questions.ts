// Sentences -> the words that they only ask about, or name.
//
// What a word means ("what is X?", "what does X mean?"), and questions about a skill as such ("which skill does X?"). Other questions
// are read by their clause (read-clause.ts) or weighed (weigh/).
import { allMatches } from './all-matches.ts';
import type { Region, Stretch } from './guard.ts';
import { sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const opener = new RegExp(
  unfold`
    ^(?:
      [\s\p{P}]
      |(?:
        hey|hi|hello|ok|okay|so|well|and|but|also|btw|by the way|quick question|one question|question
        |just curious|just wondering|curious|out of curiosity|sorry|please|um|uh|oh|hmm|actually|now|then
        |yes|no|thanks|first|serious question|random question|dear \w+
      )(?=[\s\p{P}])
    )*
  `,
  'u',
);

const definitional = new RegExp(unfold`
  ^(?:what|who)(?:['’]?s|\s+is|\s+are|\s+was|\s+were|\s+exactly\s+is)\b|^(?:was|wer)\s+(?:ist|sind)\b
  |^(?:qu['’]est[- ]ce que?(?:\s+c['’]est)?|c['’]est quoi)|^qué\s+(?:es|son|significa)\b
`);
const fewWords = new RegExp(
  unfold`
    ^[\s\p{P}]*(?:
      (?:
        a|an|the|this|that|your|its?|exactly|actually|even|with|up|all|difference|between|ein|eine|der|die
        |das|un|une|le|la|el|que|called|good|point|use|purpose|of|doing
      )(?=[\s\p{P}])[\s\p{P}]*
    )*$
  `,
  'u',
);
const endsSoon = new RegExp(
  unfold`
    ^[\s\p{P}]*(?:
      (?:
        skills?|thing|feature|trigger|workflow|command|stuff|exactly|actually|really|anyway|anyways|for
        |about|like|again|then|even|used|good|supposed|to|be|mean|do|all|doing|here|called|in|english|and|vs
        |versus|please|guys|though|overrated|nowadays|genau|eigentlich|denn|überhaupt|exactement|exactamente
      )(?=[\s\p{P}]|$)[\s\p{P}]*
    )*$
  `,
  'u',
);

const embedding = new RegExp(
  unfold`
    \b(?:
      explain|tell|describe|know|understand|wonder|wondering|curious|clarify|remind|ask|asking|asked|learn
      |idea|figure out|question is|sure|see|say
    )\b[^.!?\n]{0,30}?\b(?:what|why|how|when|where|who|which|whether|if)\b
  `,
  'g',
);
const verbNext = new RegExp(unfold`
  ^["'”’\s)]*(?:skill |thing |one |feature |stuff )?
  (?:really |actually |exactly |usually |even |typically )?(?:
    means?|meant|is|are|was|were|does|do|did|works?|worked|stands?|refers?|comes?|came|entails?|involves?
    |would be|can be|could be|has|had|looks? like|costs?|takes?
  )\b
`);

const meaning = new RegExp(unfold`
  \b(?:
    mean|means|meant|meaning|stands? for|refers? to|signif\w+|bedeutet|heißt|veut dire|signifie|significa
    |quiere decir
  )\b
`);
const skillNoun = String.raw`(?:meta-?\s?)?(?:skills?|triggers?|plugins?)`;
const skillAfter = new RegExp(
  String.raw`^["'”’\s]*(?:meta-?\s?)?(?:skills?|triggers?|commands?|plugins?|features?)\b`,
);
const skillBefore = new RegExp(
  String.raw`\b${skillNoun}\s+(?:for|called|named|that|which|behind|to|about|with|like|handles?|does|do)\b`,
  'g',
);
const asksAbout = new RegExp(unfold`
  \?\s*$|\b(?:
    about|describe|explain|list|how|what|which|why|when|does|whether|delete|remove|rename|edit|uninstall
    |install|disable|enable|source|author|version|test|lint|publish|archive
  )\b
`);

const namedHan = new RegExp(unfold`
  ^["'”’」』》\s]*(?:
    是(?:什么|啥|指|谁|哪)(?!时候|事|问题|原因)|指的?是|(?:是)?(?:什么|啥)意思
    |的(?:意思|含义|定义|由来|历史|来源|区别|原理|读音|拼音|概念|发音|笔画)
    |这(?:个|几个|两个|四个|些)?(?:词|字|说法|短语|术语|概念|名字|句子|表达|单词|话题|梗)|这句话
    |怎么(?:读|念|拼|发音|理解)|(?:这个)?(?:技能|功能)(?:是|有|怎么|会|能|吗|的|支持|做|叫|干|如何|什么)
    |有(?:什么|啥|哪些)|由谁|(?:这|那)?(?:一)?(?:词|字)(?:是|的|有|出自)|(?:到底|究竟)?是(?:什么|啥)
    |和.{1,12}(?:有什么|的)区别
    |(?!好[吗么])(?:很|好)?(?:难|贵|重要|有趣|有意思|流行|危险|容易|简单|好)(?:学|用|玩|看|听|做)?(?:吗|么|不)|几个字
    |有几个字|多少个?字
  )
`);

export function findQuestions(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  const add = (cue: Stretch, more: Partial<Region> = {}): void => {
    const sentence = sentences[sentenceAt(sentences, cue.start)];
    if (sentence !== undefined)
      found.push({
        guard: 'question',
        cue,
        scope: { start: cue.end, end: sentence.end },
        reason: `it is asked about or named: "${text.slice(cue.start, cue.end).trim()}"`,
        ...more,
      });
  };
  for (const match of allMatches(embedding, text)) add(place(match.index, match[0]), { after: verbNext });
  const skills = /skill|trigger|plugin|command|feature/.test(text);
  const han = /[\u4e00-\u9fff]/.test(text);
  for (const sentence of sentences) {
    const words = text.slice(sentence.start, sentence.end);
    const first = opener.exec(words)?.[0].length ?? 0;
    found.push(...askedIn(sentence, words.slice(first), sentence.start + first));
    // "I'm curious, what is X?"
    for (const clause of sentence.clauses.slice(1)) {
      const part = text.slice(clause.start, clause.end).trimStart();
      if (/^(?:what|who|why|how)\b/.test(part))
        found.push(...askedIn(sentence, part, clause.end - part.length));
    }
    if (skills && asksAbout.test(words)) {
      found.push({
        guard: 'question',
        cue: place(sentence.start, ''),
        scope: sentence,
        reason: 'it is asked about as a skill',
        after: skillAfter,
        ofSkill: true,
      });
      for (const match of allMatches(skillBefore, words))
        add(place(sentence.start + match.index, match[0]), { ofSkill: true });
    }
    const nowhere = place(sentence.end, '');
    if (han)
      found.push({
        guard: 'question',
        cue: nowhere,
        scope: sentence,
        reason: 'it is asked about or named',
        after: namedHan,
        ofSkill: true,
      });
  }
  return found;
}

/** The sentence as a question, from its first word on, which stands at `start`. */
function askedIn(sentence: Sentence, rest: string, start: number): readonly Region[] {
  const found: Region[] = [];
  const add = (cue: string, more: Partial<Region>): void => {
    found.push({
      guard: 'question',
      cue: place(start, cue),
      scope: { start: start + cue.length, end: sentence.end },
      reason: `it is asked about: "${cue.trim()}"`,
      ...more,
    });
  };
  const defining = definitional.exec(rest)?.[0];
  if (defining !== undefined) {
    add(defining, { between: fewWords, after: endsSoon });
    add(defining, { between: fewWords, after: verbNext });
  }
  if (!asksMeaning.test(rest)) return found;
  const says = meaning.exec(rest);
  const wh = says === null ? null : /\b(?:what|how|was|que|qué|ce que)\b/.exec(rest);
  // "what X means", "what does X mean"
  if (says !== null && wh !== null && says.index > wh.index) {
    found.push({
      guard: 'question',
      cue: place(start + wh.index, wh[0]),
      scope: sentence,
      reason: `its meaning is asked: "${wh[0]} … ${says[0]}"`,
    });
  }
  return found;
}

const asksMeaning = /^(?:what|how|was|wie|que|qué|tell|explain|do|does|can|could)/;

function place(start: number, cue: string): Stretch {
  return { start, end: start + cue.length };
}
