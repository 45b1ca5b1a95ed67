// A Chinese clause -> whether it asks for the words in it: the rules of read-clause.ts, in a language without spaces.
//
//   [time] [subject] [request] WORDS after
//
// A question asks for work only as a request does (能…吗, 怎么…, 有没有办法…); other questions want to know. A third person, a
// past time or a liking narrates, unless a wish is passed on (老板让我…). A supposition (如果有人…) asks for nothing, unless it
// is the wish itself (如果能…). A refusal stands directly before the words (不…了, 谁让你…) or directly after them (…先放一放).
import type { ClauseReading } from './read-clause.ts';
import * as putOff from './words/put-off.ts';
import { unfold } from '../text/unfold.ts';

const asks = new RegExp(unfold`
  请(?!了|过|问)|帮(?!了|过)|麻烦|劳驾|拜托|有劳|给我|替我|为我|想(?!到|起|过|法)|(?<!不)要(?!是|求)|需要
  |希望|打算|准备|计划|应该|该|可以|可否|能(?!力)|开始|继续|赶紧|赶快|快点|马上|立刻|立即|务必|记得要?
  |别忘(?:了|记)|咱|[让叫催](?:我|咱|你|您)|等着|要求(?:我|你)
`);
const knows = new RegExp(unfold`
  什么|为何|为啥|干嘛|干啥|谁|哪(?!怕)|多少|多久|多长|多大|多贵
  |几(?:个|次|种|步|项|轮|分钟|天|小时|点|字|块)|是不是|有没有|是否|难道|有何|有啥|不一样|何时|何谓|区别
  |不同|意思|含义|定义|由来|原理
  |(?:怎么|如何)(?:看|回事|理解|评价|读|念|写|讲|说|翻译|工作|运作|来的|定义|形容)|是(?:怎么|怎样|如何)
  |(?:难不难|贵不贵|好不好[用学玩]|会不会)|(?:吗|么|呢)[？?。！!\s]*$
  |(?:支持|知道|听说过|了解|认识|喜欢)(?:不|没)
`);
const asksForWork = new RegExp(unfold`
  咱们?□|(?:什么|哪些?|哪种|啥)(?:好|快)?(?:办法|方法|方式|途径|步骤可以)|谁(?:能|可以|会|来|帮)
  |哪(?:里|儿)?(?:可以|能)|有没有(?:办法|人|空|时间|可能|什么办法)|为(?:什么|何)不
  |(?:能|可以|可否|帮|方便|介意|愿意|要不要|(?<!执)行|好|麻烦|需要我)[^？?]*(?:吗|么|呢)|能不能|可不可以
  |行不行|好不好[？?]?$|(?:怎么|怎样|如何)(?:才能|可以|能|去|来|做|样才能)?$
`);
const explains =
  /(?:解释|说说|说明|介绍|描述|科普|定义|讲讲|谈谈|聊聊|想知道|好奇|想了解|告诉我)(?:一下|下)?(?:什么是|关于)?$/;
const supposes = /如果|假如|假设|要是|万一|倘若|每当|每次/;
const gentle = /(?:如果|假如|要是)(?:你|您|可以|方便|能|有空|有时间|不麻烦|需要|有可能)/;

const pastTime = new RegExp(unfold`
  上[次回](?!的)|昨[天晚日夜]|前天|今早|上周|上个?月|上个?星期|去年|前年|前几天|前阵子|前不久|那天|那时|当年
  |当时|(?<![天周点月号日末午晚一二三四五六\d])(?:以前|之前)|过去|小时候|年轻时|有一次|有一回|曾|早就|刚才
  |刚刚|\d+年|\d+月\d+[日号]
`);
const longAgo = /以前|过去|小时候|年轻时|当年|那时|曾/;
const family = unfold`
  朋友|同事|同学|邻居|老师|老板|经理|领导|妈妈?|爸爸?|哥哥?|姐姐?|弟弟?|妹妹?|室友|老公|老婆|丈夫|妻子|爷爷
  |奶奶|外公|外婆|孩子|儿子|女儿|叔叔|阿姨|表哥|表姐|表弟|表妹|客户|实习生|学生|教授|医生|网友|专家|记者
  |作者|主角|主持人|公司|团队|学校|部门|机器人|助手|模型|对方|家
`;
const thirdPerson = new RegExp(
  unfold`
    ^(?:听|据)?(?:
      [他她它]们?|有(?:人|个|位|些)|别人|人家|大家|人们|有的人|网友|很多人|好多人|一些人|不少人|年轻人|老人
      |孩子们|(?:我|你|咱|他|她)?们?(?:的|家|那个|那位)?(?:${family})
      |[小老][\p{Script=Han}](?=负|昨|今|说|在|想|去|会|要|让|叫|喜|以|跟|和|已|正|前|上|总|的)|张三|李四
      |王五|某[个人位家]|一[个位名家群][\p{Script=Han}]{1,4}|这[本部篇家]|那[个位家本部](?![\s，,])|新闻
      |电视|电影|小说|书[里上中]|文章|报纸|报道|媒体|广告|梦[里见]
    )
  `,
  'u',
);
const handedOn = new RegExp(unfold`
  必须|务必|作业|布置|交代|[让叫催请要](?:我(?![爸妈哥姐弟妹爷奶老朋同])|咱|你|您)|要求(?:我|你|做)?|需要
  |想要|希望|等着|急着要|要(?!求)
`);
/** "He had Zhang do it": not a wish that is handed on. */
const toAnother = new RegExp(
  unfold`
    (?:让|叫|命令|吩咐|派|请|找|教|要求|安排)
    (?!我|你|您|咱|帮|给|把|在|用|先|再|直接|立|马|今|明|现|尽|周|下|这)[\p{Script=Han}A-Za-z]{1,8}$
  `,
  'u',
);
const liking = new RegExp(unfold`
  (?:
    喜欢|热爱|爱上|讨厌|擅长|沉迷|着迷|迷上|记得|聊|谈论|讨论|谈到|说到|提到|听说|听人说|报道|了解|梦见|梦到
    |从事|靠|关于|见过|看过|(?<!现|正|实)在(?=$)|[了过](?=$)
  )
`);

const refusedBefore = new RegExp(unfold`
  没人|不(?:让|叫|得)(?:你|您|我们?)?$|(?:还没|未|不)到$
  |不(?:希望|想|要|需要|愿|打算|准备|允许|建议|用|必|该|应该|能|可以?|许|准)(?:你|您|我们?|大家|别人|任何人)
  (?:再|去|来)?$|(?:还|并|根本|绝)不(?:到|是|算|该|能|想|要)[^，]{0,6}$
  |(?:^|[^能可要是会行对愿该有好得])不(?:再|用|要|想|必|会|去|做|打算|准备|愿意?|敢|肯|太想|急着)?
  (?:再|去|来)?$|谁[让叫要](?:你|您|我)|没(?:有)?(?:打算|准备|必要|想|计划|兴趣|说|让|叫|要)[^，]*$
  |(?:
    懒得|放弃|取消|停止|暂停|推迟|反对|拒绝|省得|免得|犯不着|何必|何苦|跳过|别(?!忘|担心|客气|人|的)再?|甭
    |少(?:给我|跟我|来)|勿|休想|撤回|忽略|不考虑|免去|略过|终止|中止|不建议|不推荐|不赞成|不同意|不允许
  )[^，]{0,12}$
`);
const refusedAfter = new RegExp(unfold`
  ^(?:这件事|这事|(?:这个|那个|的)(?:需求|活|项目|安排)|这个|什么的|的事|的请求|的计划|的任务)?(?:
    就|都|也|先|还是|暂时|可以|以后|改天|回头|目前|现在|那个|已经?|被|马上|立刻|立即|全部|统统|一律|同事
    |别人|有人|他们?|她|我|今天|昨天|今早|早上|上午|中午|下午|晚上|昨晚|刚才|刚刚|早就|早
  )*(?:
    (?<=已经?|人|同事|[他她]们?|早就?)(?:做|弄|办|搞定|完成|处理|解决)(?:完|好|掉|过)?
    (?:了(?!吗|么|没)|(?=[、，,。]))|终止|中止
    |打住|作废|不麻烦|划掉|删掉|去掉|从[^，。！？]{0,10}(?:删|去|划|移)[掉除去]|算了|免了|不用|不必|不要
    |不需要|没必要|放一放|放放|放着|停掉|放一边|缓一缓|缓缓|缓一下|再说|往后|推迟|取消|停(?!车)|省了|作罢
    |跳过|不急|别做|不做|不行|拉倒|搁置
  )
`);
/** Who does it: 我明天自己X, 每周五我们都X; and what was meant to be done: 本来想X. */
const doneThemselves = new RegExp(
  unfold`
    (?:[我咱他她]们?|同事|老板)[^，。你您请帮没不]{0,6}自己(?:来|去|会|先|动手)?$
    |每[^，。]{1,8}(?:[我咱他她]们|大家|同事们?|公司|团队)[^，。请帮你您]{0,3}(?:都|总)(?:会|是|在)?$
    |(?:本来|原本)(?:是)?(?:想|要|打算|准备|说好|计划)[^，。你您请帮]{0,6}$
  `,
  'u',
);

const tongue =
  /(?:英|中|法|德|日|韩|俄|汉|粤|泰|西班牙|意大利|葡萄牙|阿拉伯|拉丁|越南|外|希腊|荷兰|土耳其)(?:语|文|话)/;
const writtenIn = /[用以][^，。！？\n]{1,4}[语文话](?:来|去)?(?:写|输出|回答|回复|生成|撰写|呈现)/g;
const wording = /怎么|如何|什么|说|讲|写|翻|译|表达|单词|叫|念|读|拼/;
const textWork = new RegExp(unfold`
  (?:这|下面|以下|下列|那)[^，。]{0,6}(?:句|段|话|文字|标题|短语|词|文本|内容|消息|邮件|评论)
  |(?:翻译|润色|改写|校对|朗读|造句|拼写|检查语法|纠错|改错|断句|默写|复述|跟我念)
`);

/** After the words: its result. */
const cameOfIt = new RegExp(unfold`
  ^[^。！？\n]{0,20}(?:，|,)(?:我|他|她|它|你|我们|结果|但是?|可是?)*(?:已经?|都|当时|也)*(?:
    (?:做完|做好|弄好|弄完)(?!了?(?:之?后|再|就|跟|告诉|通知|喊|叫|发|给我|请|记得|说|以后))|完成了|搞定了
    |没(?:理|反应|回|答应|成功|同意|做)|拒绝了|等了|卡|花了|用了
  )
`);

/** After the words: whether they are well put. */
const wordsJudged = new RegExp(unfold`
  ^[，,\s]*(?:这|那)(?:句|段|个)(?:话|短语|词|表达|标题)?[^。！？\n]{0,12}
  (?:语法|对吗|通顺|地道|错别字|拼写|正确吗|自然吗)
`);
const openers = new RegExp(unfold`
  ^(?:
    其实|听说|据说|而且|另外|不过|但是?|所以|因为|后来|结果|今天|现在|最近|平时
    |每(?:天|周|月|年|次|个?星期)?[一二三四五六日]?都?
  )+
`);

export interface HanClause {
  readonly left: string;
  readonly after: string;
  /** The text before the clause in its sentence. */
  readonly before: string;
}

export function readHanClause({ left: raw, after, before }: HanClause): ClauseReading {
  const left = raw.trim();
  const right = (/^[^，。！？；,.!?;\n]*[？?吗]*/.exec(after)?.[0] ?? '').trimStart();
  const clause = `${left}□${right}`;
  if (refusedBefore.test(left) || refusedAfter.test(right))
    return { guard: 'negation', reason: 'it is refused' };
  if (putOff.hanBefore.test(left) || putOff.hanBefore.test(`${before}${raw}`) || putOff.hanAfter.test(right))
    return { guard: 'narration', reason: 'it is put off' };
  // 用中文写 says in which language, not what is to be translated.
  const unwritten = `${left}□${right.replace(writtenIn, '')}`;
  if (tongue.test(unwritten) && wording.test(unwritten) && !/^.*(?:用|以)[^□]*(?:写|做)(?:一)?□/.test(clause))
    return { guard: 'translation', reason: 'it is to be translated' };
  if (left === '' && /[:：]\s*$/.test(before) && textWork.test(before))
    return { guard: 'quotation', reason: `it is the text to work on: "${before.trim()}"` };
  if (wordsJudged.test(after)) return { guard: 'translation', reason: 'it is about words' };
  if (/(?:写道|说道|表示|提到|声称)[，,：:]\s*$/.test(before))
    return { guard: 'pasted', reason: 'it is what another person wrote' };
  if (
    /[让叫请要](?:你|您)$/.test(left) &&
    /^(?:之前|以前|的时候|时)[^。！\n]{0,24}(?:什么|哪些|哪[个种]|怎么|多少|几|吗)/.test(after)
  )
    return { guard: 'question', reason: 'it is asked about' };
  // "…, is that all right?" asks for it, unless one that is there already is meant.
  if (/^(?:这|那|你|他|她)[^，]{0,3}$/.test(left) && /^好(?:吗|么)/.test(right))
    return { guard: 'question', reason: 'it is asked about' };
  if (explains.test(left)) return { guard: 'question', reason: 'it is asked about' };
  if (supposes.test(left) && !gentle.test(left)) return { guard: 'question', reason: 'it is only supposed' };
  if (
    /(?:怎么|怎样|如何)□的/.test(clause) ||
    (knows.test(clause) && !asksForWork.test(left) && !asksForWork.test(clause))
  )
    return { guard: 'question', reason: 'it is asked about' };
  if (left !== '' && cameOfIt.test(after)) return { guard: 'narration', reason: 'its outcome is reported' };
  return readTold(left, right, before);
}

function readTold(left: string, right: string, before: string): ClauseReading {
  const narrated = {
    guard: 'narration',
    reason: `it is narrated, not asked for: "${left || right}"`,
  } as const;
  const time = pastTime.exec(left);
  const rest = time === null ? left : left.slice(time.index + time[0].length);
  const start = left.replace(openers, '').replace(pastTime, '');
  const third = thirdPerson.test(start);
  if ((third || time !== null) && toAnother.test(rest)) return narrated;
  if (time !== null && /提到|说起|谈到|讨论/.test(rest)) return narrated;
  if (
    /被(?!我|你)[^，]{0,6}$/.test(left) ||
    (/(?:我|你)?(?:说|提|讲|问|写)过/.test(left) && !/你(?:说|讲)过/.test(left))
  )
    return narrated;
  if (third && longAgo.test(before)) return narrated;
  if (time !== null && /谢谢|多谢|感谢/.test(left)) return narrated;
  if (doneThemselves.test(left)) return narrated;
  if (third)
    return handedOn.test(start) &&
      !(
        /(?:说|写|发|回复|表示|宣布|宣称)/.test(start) && !/[让叫催请要](?:我|咱|你|您)|必须|务必/.test(start)
      )
      ? 'asked'
      : narrated;
  if (time !== null && longAgo.test(time[0]) && !/请|帮|你/.test(rest)) return narrated;
  if (time !== null && !asks.test(rest) && !/^没|再|重新|一样/.test(rest)) return narrated;
  if (liking.test(left) && !asks.test(left)) return narrated;
  if (/^过(?!来|程|去)/.test(right)) return narrated;
  if (/^(?:我|我们)/.test(left) && /^(?:了(?!吧)|过)/.test(right) && !asks.test(left)) return narrated;
  return asks.test(left) ? 'asked' : null;
}
