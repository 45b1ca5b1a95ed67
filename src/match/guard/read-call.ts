// A call by name and verb ("use the X skill", 用 X 技能) -> whether it is a command, or the subject of a question.
//
//   [opener] [request] VERB … NAME … after
//
// A verb that opens its clause, or follows a request ("could you", "I want you to", 请, 帮我), commands: the rest of the
// sentence is work for the skill. So does "using" after the work ("tell me what changed using …"). A bare verb with
// only "?", a few words of place or another choice after its name asks whether: "use the X skill?". A verb after a word
// that asks for a way, a time, a person or a reason is asked about: "how do I use X", 怎么用 X. In Chinese the text after
// the name decides: work (用 X 技能看看改了什么), or a remark (用 X 技能有什么好处). Refusals are judged elsewhere.
import type { Stretch } from './guard.ts';
import { opens } from './read-clause.ts';
import type { Page } from './read-clause.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

/** `null`: neither is sure. */
export type CallReading = 'commanded' | 'asked about' | null;

const reach = { before: 300, after: 200 } as const;

const adverb = unfold`
  (?:
    please|pls|plz|kindly|just|simply|also|now|then|first|next|maybe|perhaps|possibly|again|instead|quickly
    |always|really|at least|go ahead and|go and|try to|try and
  )
`;
const opening = unfold`
  (?:
    [^\p{L}\p{N}\uFFFC]
    |(?:
      hey|hi|hello|dear \p{L}+|ok|okay|so|well|and|but|or|right|alright|all right|great|cool|perfect|yes
      |yeah|yep|no|sure|thanks|thank you|sorry|actually|btw|by the way|finally|lastly|second|third|today
      |tonight|here|for (?:this|that|now|once)|this time|in that case|if possible|afterwards|later|once more
      |there|team|everyone|bitte|${adverb}
    )(?![\p{L}\p{N}'’])
  )*
`;
const request = unfold`
  (?:can|could|can['’]?t|couldn['’]?t) (?:you|u)
  |(?:i|we)(?:['’]d| would)? (?:${adverb} )*(?:want|need|like|love|prefer|ask|expect|beg|wish)(?: for)?
  (?: you)? to|let['’]?s|let us|make sure (?:that )?(?:you|to)|be sure to|remember to|don['’]?t forget to
  |feel free to|why (?:don['’]?t|not|do not)(?: (?:you|we))?
  |you (?:should|must|need to|have to|ought to|had better)
`;
const helping = String.raw`(?: help (?:me|us)(?: to)?)?`;
const commanding = new RegExp(`^${opening}(?:(?:${request})(?: ${adverb})*${helping})?\\s*$`, 'u');
const requested = new RegExp(`^${opening}(?:${request})(?: ${adverb})*${helping}\\s*$`, 'u');
/** Asks for work only where some is named: "would you use the X skill?" wants to know. */
const wouldYou = new RegExp(
  `^${opening}(?:would|will|won['’]?t|wouldn['’]?t) (?:you|u)(?: ${adverb})*\\s*$`,
  'u',
);
const pleased = /\b(?:please|pls|plz|kindly)\b/;
const workNamed = /^[^.!?\n]*?(?:\s(?:and|to)\s|[,:;])/;

/** "Tell me what changed and use the X skill", but not "explain how I commit and use the X skill". */
const coordinated = new RegExp(String.raw`(?:^|\s)(?:and|then|&)\s+(?:${adverb}\s+)*$`, 'u');
const hasOwnSubject = /\b(?:how|when|where|whether|if|why|who|to)\b/;

/** Work, with the skill as its means. */
const work = unfold`
  (?:
    review|tell|list|show|check|explain|describe|find|write|make|create|summari[sz]e|look|see|prepare|draft
    |give|help|get|compare|figure|say|analy[sz]e|inspect|fix|build|generate|plan|sort|turn|work|do
  )
`;
const byMeans = new RegExp(
  `^${opening}(?:(?:${request}|(?:would|will) you)(?: ${adverb})*\\s+)?${work}\\s+\\S.*\\s$`,
  'su',
);
const governed = new RegExp(unfold`
  \b(?:
    of|about|when|while|for|by|before|after|with|to|from|than|without|like|against|mind|avoid|stop|start|is
    |was|are|and|or|if|whether|how|on
  )\s+$
`);

/** "With the X skill, list …" */
const workFollows = new RegExp(String.raw`^["'”’\s]*skill\s*,\s*(?:${adverb}\s+)*${work}\s[^?？]*$`, 'u');

const doubted = new RegExp(
  unfold`
    ^[^\p{L}\p{N}?？.!,;:\n]*(?:skills?|workflows?|metaskills?)?["'”’\s]*(?:
      (?:for|on|in|with|at)\s+(?:this|that|it|here|these|those)|here|now|then|again|instead
      |\bor\b[^.!?\n]{0,120}
    )?\s*[?？]
  `,
  'u',
);
const choosing = new RegExp(
  unfold`
    ^${opening}(?:should|shall|may|might|must|would|can|could|do|does|did|is|are|was|were)\s+
    (?:i|we|it|one|they|people|he|she|there)\b
  `,
  'u',
);
/** "Use the X skill: what does that mean?" */
const phraseAsked = new RegExp(unfold`
  ^[^.!?\n]{0,24}?\bwhat(?:['’]s| is| does| do| would)\s+(?:that|this)\s+
  (?:even |really |actually |supposed to )?(?:mean|say|stand for)\b
`);

const howTo = new RegExp(unfold`
  \b(?:how|when|where|why|whether|who|which|what)\b[^.!?\n]{0,24}?\b
  (?:do|does|did|can|could|should|would|may|might|must|shall|to|i|we|you|people|one|someone|somebody)\s+
  (?:best |actually |even |ever |really |properly |correctly )?$
`);
const offer = /\b(?:why (?:don['’]?t|not|do not|can['’]?t|won['’]?t))\b/;

const askedBeforeHan = new RegExp(
  unfold`
    (?:
      怎么样?|怎样|如何|咋|谁|哪(?:些|种|个)?(?:人|情况下?|时候|里)?|什么(?:时候|情况下?|人|场合)|何时
      |为(?:什么|何|啥)|该不该|要不要|应不应该|需不需要|是否|是不是|多久
    )(?:才|能|能够|可以|会|来|去|该|应该|要|需要|得|正确|我们?|你们?|您)*$
  `,
  'u',
);
const commandingHan = new RegExp(
  unfold`
    ^(?:
      [^\p{L}\p{N}]|请(?!问)|帮(?:我|忙|个忙)?|麻烦|劳驾|拜托|你们?|您
      |我们?(?:想|要|需要|希望|打算)(?:要|让|请)?|咱们?|让我们|给我|替我|为我|先|再|就|那么?|好的?|好吧|嘿
      |喂|然后|接着|接下来|下面|首先|其次|最后|之后|现在|马上|立刻|立即|直接|赶紧|赶快|快|今天|另外|也|还是?
      |顺便|最好|务必|应该|必须|可以|可否|能否|能不能|可不可以|能|来|去|试试|试着|尝试|改|改成|一定要?|记得
      |继续|重新
    )*$
  `,
  'u',
);
/** Behind 技能. */
const saidOfHan = new RegExp(
  unfold`
    ^(?:技能|skill|工作流)?(?:的话[，,]?|这件事|来)?\s*(?:
      (?:到底|究竟|一般|通常|真的|还|都|也|就)*(?:
        会|要(?:多|花|几|什么|钱|不要)|需要(?:什么|多|哪|钱|几|吗)|花
        |有(?:什么|啥|哪些|何|没有|用|风险|危险|必要|意义)|是(?!的)|好(?:不好|吗|么|处|用)|吗|么|嘛|呢
        |行(?:吗|么|不)|对(?:吗|么|不)|能(?:不能|做|干|否|够)|怎么样|怎样|如何|可靠|安全|靠谱|合适|划算|值得
        |麻烦|难|贵|慢|快|免费|收费|合法|危险|做(?:什么|啥)|干(?:什么|嘛|啥)|为(?:什么|何)|多少|多久
        |的(?:好处|坏处|区别|风险|意义|原因|目的|方法|时候|人)
      )
    )
  `,
  'u',
);

/** `call` from its verb on, `name` within it. */
export function readNameCall({ text, sentences }: Page, call: Stretch, name: Stretch): CallReading {
  const sentence = sentences[sentenceAt(sentences, call.start)];
  if (sentence === undefined) return null;
  const index = clauseAt(sentence, call.start);
  const clause = sentence.clauses[index] as Stretch;
  const left = text.slice(Math.max(clause.start, call.start - reach.before), call.start);
  const whole = text.slice(Math.max(sentence.start, call.start - reach.before), call.start);
  const after = text.slice(name.end, Math.min(sentence.end, name.end + reach.after));
  const verb = /^\p{L}+/u.exec(text.slice(call.start, call.start + 16))?.[0] ?? '';
  if (/^\p{Script=Han}/u.test(verb)) return readHanCall(left.trim(), after.replace(/^[\s"'”’」』》]+/u, ''));
  if (howTo.test(left) && !offer.test(left)) return 'asked about';
  if (phraseAsked.test(after)) return null;
  if (/^(?:with|via|through)$/.test(verb))
    return index === 0 && left.trim() === '' && workFollows.test(after) ? 'commanded' : null;
  if (verb === 'using' || verb === 'running') {
    const isMeans =
      (left.trim() === '' && index === 0 && !after.includes('?')) ||
      (byMeans.test(whole) && !governed.test(left));
    return isMeans ? 'commanded' : null;
  }
  if (wouldYou.test(left)) return pleased.test(left) || workNamed.test(after) ? 'commanded' : null;
  if (requested.test(left)) return 'commanded';
  if (doubted.test(after)) return null;
  const isChoice =
    index > 0 &&
    after.includes('?') &&
    /[,，]\s*$/.test(text.slice(sentence.start, clause.start)) &&
    (choosing.test(whole) || opens(whole) === 'question');
  if (isChoice) return null;
  if (commanding.test(left)) return 'commanded';
  return coordinated.test(left) && !hasOwnSubject.test(left) && opens(left) !== 'question'
    ? 'commanded'
    : null;
}

function readHanCall(left: string, after: string): CallReading {
  if (askedBeforeHan.test(left)) return 'asked about';
  if (!commandingHan.test(left)) return null;
  if (!saidOfHan.test(after)) return 'commanded';
  return /[吗么呢？?]|什么|哪|多少|多久|怎|如何|是否|有没有|会不会|啥/.test(after) ? 'asked about' : null;
}
