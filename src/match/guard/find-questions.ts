// Sentences -> the words that they only ask about, or name.
//
// A question that asks for help is a request: "can you X?", "how do I X?", "is there a way to X?", "what is the best X
// for Y?". A question about words, a skill or a fact is not: "what is X?", "why does X …", "did they X?". Words after a
// noun for words ("the phrase X"), or before a remark about them ("X is a funny name"), are named.
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

/** Of words and their meaning, wherever it stands. */
const aboutWords = new RegExp(
  unfold`
    \b(?:
      meanings?|definitions?|etymolog\w*|origins?|synonyms?|antonyms?|pronunciations?|spellings?|concept
      |notion|history|purpose
    )\s+(?:of|for|behind)\b
    |\b(?:
      define|meant by|pronounce|spell|rhymes? with|known as|referred to as|so-called|called|named|titled
      |entitled|labell?ed|nicknamed|captioned|reading(?!\s*,)|that says|which says|that reads|saying
    )\b
    |\b(?:the|this|that|a|an|these|those|her|his|my|your|of)\s+(?:\w+\s+)?(?:
      words?|terms?|phrases?|expressions?|sentences?|strings?|slogans?|headlines?|idioms?|sayings?|hashtags?
      |keywords?|captions?|subject lines?|lyrics?|acronyms?|buzzwords?|mottos?
    )\b(?:\s+(?:of|is|was|like))?
    |\b(?:bedeutung von|bedeutet|der begriff|das wort|der ausdruck|der satz|genannt|namens)\b
    |(?:signification de|définition de|le mot|le terme|l['’]expression|la phrase|appelée?|intitulée?)
    |\b(?:significado de|definición de|la palabra|el término|la expresión|la frase|llamad[oa]|titulad[oa])\b
    |\b(?:what|which)(?:['’]?s|\s+is|\s+are|\s+was|\s+were)\s+(?:the|some|your)\s+(?:\w+\s+)?
    (?!way|best|fastest|easiest|quickest|right|next)\w+\s+(?:of|behind|about|between|against)\b
    |\b(?:tell|know|explain|say|ask|wonder\w*|guess)\b[^.!?\n]{0,20}\bwho\s+
    (?!can|could|will|would|wants|needs)\w+(?:\s+up\s+with)?\b|有没有(?=[^，。！？\n]{0,30}(?:技能|功能))
    |谁(?:最先|最早|第一个)?(?:发明|创造|提出|说|写|喜欢|会|用)(?:了|过|的)?|什么是|什么叫做?|何谓|啥是|啥叫
    |为什么叫|为何叫|所谓的?
    |(?:这个|这几个|这两个|一个)?(?:词|词语|短语|说法|单词|字|术语|概念|句子)[：:是叫]
  `,
  'g',
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

const namedAfter = new RegExp(unfold`
  ^["'”’\s)]*(?:
    (?:is|are|was|were|sounds like|seems|became|remains|would be)\s+
    (?:really |actually |just |such |also |not |probably )*
    (?:a|an|the name|the title|the word|one of|my favou?rite|what|how|considered|known|defined|called)\b
    (?!\s+(?:must|priority|requirement|need|i\s+(?:need|want)|we\s+(?:need|want)))
    |(?:is|was)\s+(?:
      overrated|boring|fun|hard|difficult|easy|expensive|cheap|popular|important|useful|useless|weird|funny
      |old|outdated|common|dead|cool|interesting|trendy|a lie|spelled|spelt|pronounced|misspelled
      |grammatical\w*|correct|wrong
    )\b|sounds?\s+(?:like|weird|funny|odd|good|bad|strange)|means?\b|stands for\b|refers to\b|comes from\b
  )
`);
const namedHan = new RegExp(unfold`
  ^["'”’」』》\s]*(?:
    是(?:什么|啥|指|谁|哪)(?!时候|事|问题|原因)|指的?是|(?:是)?(?:什么|啥)意思
    |的(?:意思|含义|定义|由来|历史|来源|区别|原理|读音|拼音|概念|发音|笔画)
    |这(?:个|几个|两个|四个|些)?(?:词|字|说法|短语|术语|概念|名字|句子|表达|单词|话题|梗)|这句话
    |怎么(?:读|念|拼|发音|理解)|(?:这个)?(?:技能|功能)(?:是|有|怎么|会|能|吗|的|支持|做|叫|干|如何|什么)
    |有(?:什么|啥|哪些)|由谁|(?:这|那)?(?:一)?(?:词|字)(?:是|的|有|出自)|(?:到底|究竟)?是(?:什么|啥)
    |和.{1,12}(?:有什么|的)区别
    |(?:很|好)?(?:难|贵|重要|有趣|有意思|流行|危险|容易|简单|好)(?:学|用|玩|看|听|做)?(?:吗|么|不)|几个字
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
  for (const match of allMatches(aboutWords, text)) add(place(match.index, match[0]), { between: near });
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
    if (predicates.test(words))
      for (const clause of sentence.clauses)
        found.push({
          guard: 'question',
          cue: nowhere,
          scope: clause,
          reason: 'it is discussed, not asked for',
          between: fewWords,
          after: namedAfter,
        });
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

const predicates = /\b(?:is|are|was|were|sounds?|seems|became|remains|would|means?|stands|refers|comes)\b/;

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

/** The noun for words stands right before them, or with a few words between. */
const near = new RegExp(
  unfold`
    ^[\s\p{P}\uFFFC]*(?:
      (?:
        is|was|the|a|an|of|like|exactly|literally|term|word|phrase|expression|concept|notion|skill|you|him
        |her|it|ist|von|der|die|das|de|le|la|el|do|behind|ein|eine|un|une
      )(?=[\s\p{P}])[\s\p{P}\uFFFC]*
    )*$
  `,
  'u',
);
function place(start: number, cue: string): Stretch {
  return { start, end: start + cue.length };
}
