// Sentences -> the words that they want translated: material, not a request.
//
// It knows "translate X", "how do you say X in French", "the Spanish word for X", "X in German?", 把X翻译成…, X用英语怎么说.
// "Translate this: …" covers everything after it, up to a sentence that continues with another task ("Then …"). Another
// task in the same sentence stays a request: "translate the text and X" asks for X. A text that is only named
// ("translate this article", 把这段话翻译成…) is not material: its words are what the message is about.
import { allMatches } from './all-matches.ts';
import type { Region } from './guard.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const tongue = unfold`
  (?:
    english|american|british|french|german|spanish|italian|portuguese|brazilian|chinese|mandarin|cantonese
    |japanese|korean|russian|ukrainian|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|arabic
    |hebrew|persian|farsi|hindi|urdu|bengali|tamil|thai|vietnamese|indonesian|malay|tagalog|filipino|dutch
    |flemish|swedish|danish|norwegian|finnish|icelandic|irish|gaelic|welsh|scots|latin|esperanto|swahili
    |catalan|basque|croatian|serbian|slovenian|lithuanian|latvian|estonian|afrikaans|klingon|deutsch\w*
    |englisch\w*|französisch\w*|spanisch\w*|italienisch\w*|chinesisch\w*|japanisch\w*|anglais|français
    |allemand|espagnol|italien|chinois|japonais|inglés|francés|alemán|español|chino|japonés|another language
    |other languages|my language|plain english
  )
`;
const tongueHan = unfold`
  (?:(?:英|中|法|德|日|韩|俄|汉|粤|泰|西班牙|意大利|葡萄牙|阿拉伯|拉丁|越南|外)(?:语|文|话))
`;

/** What is translated stands after these. */
const ahead = new RegExp(
  unfold`
    \b(?:re)?translat(?:e|es|ing|ions?)\b
    |\bhow\s+(?:do|does|would|could|can|should|might|to)\b[^.!?,\n]{0,40}?\bsay\b
    |\b(?:the|a|an|your|any|good|${tongue})\s+${tongue}\s+
    (?:word|words|term|phrase|expression|equivalent|translation|version|name|way (?:of saying|to say))s?\s+
    (?:for|of)?|\b${tongue}\s+(?:word|words|term|phrase|expression|equivalent|translation)s?\s+(?:for|of)\b
    |\b(?:what(?:['’]?s| is| are)|the|give me|know)\s+(?:the\s+)?${tongue}\s+for\b
    |${tongueHan}(?:里|中)?(?:应该|该)?(?:怎么|如何)(?:说|讲|写|表达|翻译)
    |\b(?:in|into|to)\s+${tongue}(?:[\s,]+(?:please|now))?\s*[:：]
    |\b[a-z]{2}\s*(?:->|→|=>|>)\s*[a-z]{2}\s*[:：]
    |\b${tongue}\s*(?:to|into|->|→|=>|–|-)\s*${tongue}\b\s*[:：]?
    |\b(?:render|interpret|localis|localiz)\w*\b(?=[^.!?\n]{0,200}\b(?:in|into|to|for)\s+${tongue})
    |\b(?:put|turn|convert|rewrite|write|express|phrase|say|render)\b
    (?=[^.!?\n]{0,200}\b(?:into|in)\s+${tongue}\b)
    (?=\s+(?:this|that|the following|these|it|["'“￼])|[^.!?\n]{0,200}\binto\b)
    |(?:^|[.!?,\n]\s*|\b(?:please|you|to|i)\s+)say\b(?=[^.!?\n]{0,200}\bin\s+${tongue}\b)
    |(?<![a-zà-ÿ])(?:übersetz\w*|übertrag\w*|wie sagt man|wie heißt|was heißt)\b
    |\b(?:tradui\w*|traduction|comment (?:dit|dire|dit-on)|comment on dit)\b
    |\b(?:traduc\w*|traduz\w*|tradúc\w*|cómo se dice|como se dice)\b|翻译(?:一下)?(?:成|为)?${tongueHan}?
    |译成|译为|翻成|[英中法德日韩俄汉]译[英中法德日韩俄汉]
    |用${tongueHan}(?:来)?(?:怎么|如何)?(?:说|讲|表达|翻译)
  `,
  'g',
);

/** What is translated stands before these, in the same sentence. */
const behind = new RegExp(
  unfold`
    (?:用|的)?${tongueHan}(?:里|中)?(?:应该)?(?:怎么|如何|该怎么)(?:说|讲|翻译|写|表达)
    |的${tongueHan}(?:是什么|是啥|怎么|翻译|说法|叫)|(?:翻译|翻|译)(?:成|为|到)|(?:怎么|如何)翻译
    |\b(?:be\s+|get\s+)?translated\b|\b(?:in|into)\s+${tongue}\s*(?:\?|$)|(?:->|→|=>)\s*${tongue}\b
    |\b(?:is|are|be)\s+(?:called|said|named|spelled)\s+(?:in|by)\s+(?:the\s+)?${tongue}
    |\bauf\s+(?:deutsch|englisch|französisch|spanisch|chinesisch|italienisch)\b
    |\ben\s+(?:anglais|français|allemand|espagnol|inglés|francés|alemán|español)\s*\?
  `,
  'g',
);
/** Every cue has one of these words. */
const maybe = new RegExp(
  unfold`
    \b(?:words?|wording|phras\w+|spelling|pronunciation)\b|->|→|=>|\b[a-z]{2}>|translat|\bsay\b|\bsaid\b
    |interpret|locali[sz]|übersetz|übertrag|sagt|heißt|tradu|tradú|\bdit\b|\bdire\b|dice|翻|译|${tongueHan}
    |\b${tongue}\b
  `,
);
const sayThat = new RegExp(
  unfold`
    \b(?:say|translate|render|write|express|put)\s+(?:that|this|it)\s+(?:in|into|to)\s+${tongue}
    |\bhow\s+(?:do|would|can)\s+(?:i|you|we)\s+say\s+(?:that|this|it)\b
  `,
);
const material = new RegExp(unfold`
  [:：]|\s[-–—]+\s|\b(?:this|that|these|those|following|below|text|sentence|phrase|line|paragraph|word)s?\b
  |这|以下|下面|一下
`);
const another = new RegExp(
  unfold`
    ^[\s\p{P}]*(?:
      then|after that|afterwards?|also|next|finally|and then|and also|once (?:done|that)|when (?:done|you)
      |besides|in addition|secondly|second|separately|dann|danach|außerdem|ensuite|puis|aussi|luego|después
      |también|然后|接着|另外|此外|再|最后
    )\b|^[\s\p{P}]*(?:然后|接着|另外|此外|最后|再)
  `,
  'u',
);
const notCoordinated = new RegExp(unfold`
  ^(?!
    [^]*\S[^]*(?:
      \b(?:and(?: then)?|then|und|et|y)\s+
      (?:(?:please|also|a|an|the|my|help me|write|make|do|give me|create)\s+)*|(?:并且?|然后|再|和)\s*
    )$
  )
`);

const named = new RegExp(unfold`
  ^\s*(?:(?:for )?(?:me|us)\s+)?(?:this|that|these|those|the|my|our|your|it|them|an?|all|some|every|each)\b
  |^(?:一下)?(?:这|那|我|整|全|该|所有|一)
`);
const namedHan = /[把将](?:这|那|以下|下面|我的?|整|全|该|所有)[^“”"「」：:]*$/;
const onlyWording = new RegExp(unfold`
  \b(?:just|only)\s+(?:(?:want|need|give me|tell me|asking for|after)\s+)?(?:the|its)\s+
  (?:words?|wording|phrasing|phrase|translation|spelling|pronunciation)\b
`);

export function findTranslation(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  if (!maybe.test(text)) return found;
  for (const [at, sentence] of sentences.entries()) {
    const words = text.slice(sentence.start, sentence.end);
    for (const match of allMatches(ahead, words)) {
      const cue = {
        start: sentence.start + match.index,
        end: sentence.start + match.index + match[0].length,
      };
      const content =
        material.test(words.slice(match.index, match.index + 400)) || /[:：]\s*$/.test(match[0]);
      const end = content ? materialEnd(text, sentences, at) : clauseEndOf(sentence, cue.end);
      const telling =
        named.test(words.slice(match.index + match[0].length)) &&
        !/[:：\n]\s*\S/.test(text.slice(cue.end, end));
      // What is introduced as material may hold any word.
      found.push({
        guard: 'translation',
        cue,
        scope: { start: cue.end, end },
        reason: `it is to be translated: "${match[0].trim()}"`,
        ...(content ? {} : { between: notCoordinated }),
        ...(telling ? { telling } : {}),
      });
    }
    for (const match of allMatches(behind, words)) {
      const cue = {
        start: sentence.start + match.index,
        end: sentence.start + match.index + match[0].length,
      };
      if (
        /^\s*(?:in|into|auf|en)\s/.test(match[0]) &&
        !/^\s*(?:and |so |hey |hi |ok |please |\p{P}|\s)*(?:what|how|wie|was|comment|cómo|qué)\b/u.test(
          words,
        ) &&
        !/^\s*[￼"'“]/.test(words)
      )
        continue;
      found.push({
        guard: 'translation',
        cue,
        scope: { start: sentence.start, end: cue.start },
        reason: `it is to be translated: "${match[0].trim()}"`,
        ...(namedHan.test(words.slice(0, match.index)) ? { telling: true } : {}),
      });
    }
    // "… I only need the wording": it is about the text before it.
    const wording = onlyWording.exec(words);
    if (wording !== null) {
      const cue = {
        start: sentence.start + wording.index,
        end: sentence.start + wording.index + wording[0].length,
      };
      found.push({
        guard: 'translation',
        cue,
        scope: { start: sentences[at - 1]?.start ?? sentence.start, end: cue.start },
        reason: `it is about words: "${wording[0].trim()}"`,
      });
    }
    const that = sayThat.exec(words);
    if (that !== null) {
      const asked =
        /^how\b/.test(that[0]) || /\bhow\s+(?:do|would|can|should)\b/.test(words.slice(0, that.index));
      const cue = { start: sentence.start + that.index, end: sentence.start + that.index + that[0].length };
      // "X — how do I say that in Korean?": the other clauses, and of a question the sentence before. "X and translate it" asks for both.
      const start = asked ? (sentences[at - 1]?.start ?? sentence.start) : sentence.start;
      found.push({
        guard: 'translation',
        cue,
        scope: { start, end: cue.start },
        reason: `it is to be translated: "${that[0].trim()}"`,
        after: /^(?![\s,]*(?:and|then)\b)/,
      });
    }
  }
  return found;
}

function materialEnd(text: string, sentences: readonly Sentence[], at: number): number {
  let end = (sentences[at] as Sentence).end;
  for (const next of sentences.slice(at + 1)) {
    if (another.test(text.slice(next.start, next.end))) break;
    end = next.end;
  }
  return end;
}

function clauseEndOf(sentence: Sentence, at: number): number {
  return sentence.clauses.find(({ start, end }) => start < at && at <= end)?.end ?? sentence.end;
}
