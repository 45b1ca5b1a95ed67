// Chinese sentences -> the requests that they withdraw: the rules of find-withdrawal.ts, in a language without spaces.
//
//   WORDS ，后来想想还是算了。        WORDS 。哦不用了，当我没说。
//
// A withdrawal begins its clause, after openers at most (后来, 还是, 我, 那就), and ends it: 不用了, not 不用了解. A clause with a
// subject of its own (图就不用了) is about that subject.
import { allMatches } from './all-matches.ts';
import { contentBefore } from './content-before.ts';
import type { Region, Stretch } from './guard.ts';
import { sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const work = '(?:做|弄|搞|办|写|管|干|动|开始|继续|执行|处理|费心|忙|麻烦|折腾|提|操心)';
const withdraws = unfold`
  算了|不用了?|不必了?|不要了?|不需要了?|没必要了?|没有必要了?|用不着了?|用不上了?|免了|拉倒|作罢|罢了|打住
  |住手|停手|停下来?|停止|别停|(?:都|先|全)?停了?|终止|中止|取消掉?了?|撤回|撤销|收回|作废|不了
  |(?:就)?(?:别|不要|不用|不必|甭|勿|不准|不许|不|没)(?:再|去|来|给我|帮我|擅自|急着)*${work}
  (?:它|这个|这些|这事|那个|任何事|什么|下去|了)*
  |(?:别|不要)(?:再)?(?:这样|那样|如此|这么做|那么做|这么干|烦我)了?|什么(?:都|也)(?:别|不要|不用|不)${work}
  |当我没(?:说|问|提)过?|(?:当|就当)(?:我)?(?:什么都)?没(?:说|发生)过?|改(?:变)?(?:了)?主意了?|反悔了?
  |变卦了?|放弃了?|(?:没|不|失去|没了|没有)(?:什么)?兴趣了?|不感兴趣了?|不想(?:要|做|弄|搞)?了
  |不打算(?:做|弄)?了|不考虑了?|没这个(?:必要|打算|需要)了?
  |(?:忽略|无视|忘了|忘掉|删掉?|删除|划掉|去掉|跳过|略过|不理)
  (?:它|这个|这条|这句|上一条|这件事|这事|吧|了|掉)*
  |(?:答案|回答|结论|意见)(?:是|就是|还是)(?:不要?|不行|不用|不需要|否|否定的?)
  |(?:说|讲)不(?:用|要|行|必|做)了?
  |(?:以后|改天|下次|回头|过几天|过阵子|明年|下个?月|下周|有空|等我通知|到时候)(?:再)?
  (?:说|聊|谈|看|议|做|考虑|讨论)?吧?|缓一?缓|放一放|放着|(?:劝你|请)?打消(?:这个|那个)?(?:念头|想法)
  |死了这条心|放一边|搁置|往后(?:推|放)|推迟|暂停|延后|等我(?:的)?(?:通知|消息|信号|指令)|再等等
  |(?:我)?自己(?:来|做|弄|搞定?|处理|解决|动手|写)(?:就好|就行|了|吧|就可以)*
  |已经?(?:有人|被人|让人|找人|做|弄|搞定|完成|办|解决|处理|交给|请)[^，。！？\n]{0,10}了
  |(?:有人|同事|别人|他|她|他们|朋友|老板|另一个[^，。]{0,4})(?:已经?|都)+[^，。！？\n]{0,10}了
  |(?:黄|泡汤|吹|没戏|落空|变|取消|发错|搞错|弄错|说错|打错)了|发错(?:群|人|地方|窗口)了?
  |不麻烦(?:你|您)?了?|心领了
  |(?:这事|这件事|计划|安排|项目|活动|会议)(?:已经?|都|就)?(?:黄|取消|泡汤|作罢|搁置|推迟|变|结束|没)了
`;
const cue = new RegExp(
  `(?:${withdraws})(?=[吧啦哈啊呀哦呢嘛的~～，。！？!?,.;；…、）)\\s]|$|谢谢|多谢|因为|我|你|那)`,
  'gu',
);

const opened = new RegExp(
  unfold`
    (?:^|[，。！？!?,.;；…、：:（(~～—\s])(?:
      哦|噢|喔|啊|嗯|唉|哎|呃|额|哈|那么?|就|还是|但是?|可是?|可|不过|后来|现在|如今|结果|其实|所以|因此
      |因为|我们?|咱们?|你们?|您|他们?|她|想想|想了想|仔细想想|再想想|考虑(?:了)?(?:一下|之后|后)?|又|已经?
      |先|都|也|全|请|麻烦|拜托|求(?:你|您)|今天|目前|暂时|干脆|这个|这事|这件事|这些|这|那个|那事|它|此事
      |真的?|实在|对不起|抱歉|不好意思|等等|等一下|等下|等会|慢着|不对|不|没事|觉得|感觉|决定|临时|突然|忽然
      |最后|最终|刚刚?|刚才|马上|立刻|立即|赶紧|统统|一律|一概|通通|以后|之后|谢谢(?:你|您)?|多谢|好意|好像
      |似乎|既然这样|既然如此|要不|不如|或者|而且|反正|还|根本|完全|完|的话|这样|如果(?:是)?这样|能不能|可以
      |希望|想|要|给我|帮我|让它?|把它?|[\p{Script=Han}]{1,4}(?:说|讲|通知|回复|表示|觉得|要求)
    )*$
  `,
  'u',
);
/** A condition that is not what is withdrawn. */
const condition = /(?:如果|要是|假如|万一|若|实在)[^，。！？\n]{0,20}[，,]?$/;
const withdrawnCondition = /(?:如果|要是|假如|若)(?:你|您)(?!不|没(?:空|时间|办法)|做不)|就算|即使|哪怕|即便/;

const reach = { before: 40, sentence: 200, middle: 24 } as const;
const filler = new RegExp(
  unfold`
    ^(?:
      [^\p{L}\p{N}]|哦|噢|啊|嗯|唉|哎|呃|等等|等一下|等下|慢着|不对|不|抱歉|对不起|不好意思|停|算了|没事|那
      |好吧|谢谢
    )*$
  `,
  'u',
);

export function findHanWithdrawal(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  for (const match of allMatches(cue, text)) {
    const start = match.index;
    const at = sentenceAt(sentences, start);
    const scope = at < 0 ? null : reachBack(text, sentences, at, start);
    if (scope !== null)
      found.push({
        guard: 'negation',
        cue: { start, end: start + match[0].length },
        scope,
        reason: `"${match[0]}" withdraws it`,
      });
  }
  return found;
}

function reachBack(text: string, sentences: readonly Sentence[], at: number, start: number): Stretch | null {
  const sentence = sentences[at] as Sentence;
  const before = text.slice(Math.max(sentence.start, start - reach.before), start);
  const open = opened.exec(before);
  if (open === null) return null;
  const from = start - before.length + open.index;
  const own = text.slice(Math.max(sentence.start, from - reach.sentence), from);
  if (!filler.test(own)) {
    if (condition.test(own) && !withdrawnCondition.test(own)) return null;
    const earlier =
      own.length <= reach.middle && !/你|您|请|帮|如果|要是/.test(own)
        ? contentBefore(text, sentences, at, filler)
        : null;
    return { start: earlier === null ? sentence.start : (sentences[earlier] as Sentence).start, end: start };
  }
  const near = contentBefore(text, sentences, at, filler);
  if (near === null) return null;
  const { start: nearStart, end } = sentences[near] as Sentence;
  const far =
    end - nearStart > reach.middle || /你|您|请|帮/.test(text.slice(nearStart, end))
      ? null
      : contentBefore(text, sentences, near, filler);
  return { start: far === null ? nearStart : (sentences[far] as Sentence).start, end: start };
}
