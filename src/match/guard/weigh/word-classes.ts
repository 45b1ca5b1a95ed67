// Words with the same role in any sentence: to end something, to want it, to ask, to tell. A word has one class at
// most.
//
//   run of tokens -> run of classes;   words without a class are skipped
//
// Classes let a new sentence show signs that were learned from other words (read-signs.ts). English words are known by their
// stem, so that one form stands for all; Chinese words by the longest run of characters that is listed.
import { stem } from '../../text/stem.ts';
import { wordList } from '../../text/unfold.ts';

const english: Readonly<Record<string, readonly string[]>> = {
  not: wordList`
    not no never none nothing nobody neither nor without cannot dont doesnt didnt wont cant couldnt wouldnt
    shouldnt isnt arent wasnt havent hasnt aint nope nah
  `,
  end: wordList`
    cancel cancelled drop scrap forget forgot forgotten skip leave left ignore disregard stop quit abandon
    ditch nix shelve shelf park halt avoid refrain kill scratch abort withdraw withdrawn withdrew revoke
    retract dismiss discard ban prevent forgo cease decline refuse veto scrub undo pull remove erase strike
    struck delete spare pass nevermind nvm void shut discontinue terminate reject deny oppose rescind annul
    overrule desist omit exclude except waive excuse exempt bin binned axe axed dump trash toss bury bail
    unsubscribe descope deprioritize sideline disable deactivate interrupt cross wipe release stand resign
  `,
  pause: wordList`
    postpone delay defer deferred hold wait pause suspend freeze frozen froze stall slip reschedule
    mothball backburner ice shelved adjourn linger hibernate
  `,
  it: wordList`it that this those these one`,
  want: wordList`
    want wanted wants need needed needs wish like liked prefer desire intend intended intention plan
    planned planning hoping hope meant thinking thought considered considering going gonna supposed about
  `,
  done: wordList`
    already done finish finished handled sorted covered completed complete solved fixed settled resolved
    did made ready
  `,
  turn: wordList`
    changed change mind minds decided against instead rather reconsidered regret regretted afterwards
    anymore longer actually turns oops kidding joking joke mistake wrong sooner
  `,
  off: wordList`
    off unnecessary pointless moot obsolete useless waste redundant overkill irrelevant unwanted premature
    forbidden banned prohibited table question
  `,
  later: wordList`
    later someday sometime eventually yet next future until till another before after once soon
  `,
  date: wordList`
    monday tuesday wednesday thursday friday saturday sunday weekend week month year quarter sprint
    january february march april june july august september october november december spring summer autumn
    winter easter christmas holiday vacation tomorrow tonight evening afternoon lunch dinner breakfast
    noon midnight
  `,
  past: wordList`
    yesterday ago last earlier previously formerly used once back then childhood recently
  `,
  often: wordList`usually often always every most mornings sometimes rarely everyday daily weekly regularly normally typically`,
  now: wordList`now today asap immediately straight away ahead start begin proceed go right quick quickly urgent urgently`,
  ask: wordList`please pls plz can could would will help let lets kindly shall`,
  thank: wordList`thanks thank thx cheers appreciate grateful sorry`,
  yes: wordList`yes yeah yep sure ok okay fine alright`,
  tell: wordList`
    said says say told asked asks wrote writes mentioned called reads titled named labelled labeled heard read
    recommended suggested advised insisted announced reported
  `,
  know: wordList`
    what why how who when where which whether explain mean means meaning difference define definition
    example history origin opinion think
  `,
  rate: wordList`
    worth overrated underrated wise risky legal illegal safe dangerous expensive cheap reliable popular hard
    easy difficult useful allowed possible true cost price long fun boring
  `,
  learn: wordList`learn teach taught study course book article news lesson school university tutorial law standard theory`,
  joy: wordList`love enjoy hobby passion favourite favorite pastime fan joy fond satisfying fun sane`,
  paper: wordList`
    list todo agenda mail email message thread ticket subject log transcript note memo chat form letter
    post comment review poster sign menu slogan lyric poem script scene chapter section appendix exercise
    quiz row column table csv json file page screenshot screen button label
  `,
  sort: wordList`
    sort alphabetize count rank rate extract match capitalize sum number classify group order arrange
    highlight underline punctuate shorten abbreviate format regex column
  `,
  word: wordList`
    word words uppercase lowercase uppercased lowercased capitals capitalise encode encoded
    base64 escape escaped anagram palindrome rhyme rhymes rhyming reverse backwards slug characters hash
    phrase phrases sentence sentences line text string title heading headline caption spelling spell spelled
    grammar grammatical typo typos wording reword rephrase paraphrase rewrite proofread pronounce
    pronunciation syllables letters alphabet phonetic phonetically ipa morse braille synonym synonyms noun
    verb adjective tense plural accent camelcase snakecase kebab vowels consonants hyphen glossary
    vocabulary dictionary
  `,
  tongue: wordList`
    translate translated translation language english french german spanish chinese japanese italian
    portuguese russian korean arabic dutch danish swedish norwegian finnish polish czech hungarian greek
    turkish hebrew hindi urdu bengali tamil thai vietnamese indonesian malay tagalog swahili latin esperanto
    welsh irish gaelic scottish catalan basque ukrainian romanian bulgarian serbian croatian slovak
    slovenian icelandic estonian latvian lithuanian persian farsi sanskrit tibetan mandarin cantonese
    brazilian mongolian zulu yiddish klingon hiragana katakana kanji cyrillic
  `,
  self: wordList`i i'm i've i'd i'll we we're we've we'd we'll my our me us myself ourselves`,
  you: wordList`you your you're you've you'd you'll u yourself`,
  other: wordList`
    he she they his her their him them someone somebody people team colleague boss client customer friend
    everyone everybody anyone others manager supervisor director intern assistant coworker neighbour neighbor
    mother mom mum father dad parent sister brother wife husband son daughter uncle aunt cousin grandfather
    grandmother grandma grandpa gran niece nephew partner girlfriend boyfriend roommate teacher professor
    student doctor lawyer accountant committee board company he's she's they're he'll she'll they'll himself herself
    themselves guy guys kid kids child children man woman humans
  `,
  but: wordList`but however though although only just`,
  dislike: wordList`hate sick tired annoying annoyed enough bother fed dread refuse disappointed`,
};
const han: Readonly<Record<string, readonly string[]>> = {
  not: wordList`不 别 別 没 沒 无 無 勿 甭 未 非 不是 没有 不会 不能 不想 不要 不用 不必 不需要 没必要 用不着 不准 不许 千万别 休想`,
  end: wordList`
    取消 停 停止 撤 撤回 撤销 撤掉 免 免了 省 省了 弃 放弃 作罢 作废 算了 罢了 拉倒 打住 终止 中止 结束 关闭 关掉 叫停 喊停 跳过
    略过 忽略 无视 忘了 忘掉 删 删掉 删除 划掉 去掉 移除 拿掉 剔除 否决 驳回 拒绝 回绝 婉拒 谢绝 反对 禁止 严禁 封禁 砍掉 砍了
    免谈 没戏 泡汤 黄了 吹了 停工 停办 不做 不办 不搞 不弄 别做 别弄 别动 住手 罢手 收手 退订 当我没说 饶了我 够了 除了 除外
  `,
  pause: wordList`
    暂停 推迟 延后 延期 搁置 搁 缓 暂缓 缓一缓 放一放 放着 放一边 先放 往后 往后推 往后排 推后 挪到 改到 留到 等到 冻结 再说 再议
    另行通知 等通知 等我通知 再等等 先等 先别 先不 暂不 暂时不 以后 改天 回头 下次 过几天 过阵子 将来 日后 下周 下个月 下月
    明年 明天 后天 年后 节后 饭后 有空 到时候
  `,
  ask: wordList`请 請 帮 幫 麻烦 麻煩 劳 劳驾 拜托 拜託 帮我 给我 替我 请你 能不能 可以 可否 能否 赶紧 赶快 马上 立刻 立即 现在 开始 快点`,
  self: wordList`我 咱 我们 咱们 自己 我自己`,
  you: wordList`你 您 你们`,
  other: wordList`
    他 她 它 他们 她们 别人 有人 人家 大家 同事 朋友 老板 领导 经理 客户 老师 学生 同学 邻居 妈妈 爸爸 我妈 我爸 老公 老婆 儿子
    女儿 爷爷 奶奶 哥哥 姐姐 弟弟 妹妹 孩子 室友 医生 网友 主角 作者
  `,
  know: wordList`吗 嗎 呢 什么 什麼 怎 怎么 如何 哪 谁 几 为什么 多少 多久 是不是 有没有 会不会 算不算 是否 区别 意思 含义 定义 适合`,
  rate: wordList`值得 值不值 合法 安全 危险 贵 便宜 难 容易 好用 靠谱 好玩 合适 应该 有用`,
  want: wordList`想 要 需 想要 需要 希望 打算 准备 计划 本来`,
  turn: wordList`后来 改主意 改变主意 反悔 变卦 还是 不过 但是 可是 换成 改成 搞错 发错 说错 开玩笑 误会`,
  done: wordList`已 完 已经 做完 弄完 搞定 完成 做好 弄好 处理好 解决 早就`,
  past: wordList`昨天 昨晚 前天 上次 上周 上个月 去年 以前 之前 当年 那时 小时候 过去 曾经 刚才 刚刚 那会儿`,
  often: wordList`每天 每周 每次 每年 经常 常常 总是 平时 一直 一辈子`,
  thank: wordList`谢谢 多谢 感谢 辛苦 抱歉 对不起 不好意思`,
  tell: wordList`说 說 写道 提到 听说 据说 告诉 问 表示 宣布 报道 讲 聊`,
  joy: wordList`喜欢 爱 爱好 热爱 迷上 沉迷 擅长 兴趣 理想 好手`,
  tongue: wordList`译 翻 譯 语 語 翻译 英文 英语 中文 日文 日语 法语 德语 韩语 俄语 西班牙语 葡 藏文 文言文 粤语 外语`,
  word: wordList`词 字 句 拼音 读 唸 念 造句 同义 反义 近义 成语 标题 短语 句子 单词 词组 语法 错别字 改写 润色 校对 朗读 默写 关键词 摩斯 密码 国际音标 大写 小写`,
  paper: wordList`邮件 消息 短信 聊天 记录 日志 评论 留言 帖子 清单 待办 列表 表格 手册 附录 题目 按钮 菜单 歌词 台词 剧本 小说 文章 新闻 标语 简历`,
};

const stems = new Map<string, string>();
const exact = new Map<string, string>();
for (const [name, words] of Object.entries(english))
  for (const word of words) {
    exact.set(word, name);
    if (!stems.has(stem(word))) stems.set(stem(word), name);
  }
const hanWords = new Map<string, string>();
for (const [name, words] of Object.entries(han)) for (const word of words) hanWords.set(word, name);
const longestHan = 5;

/** Of a token in lower case, or null. */
export function classOf(token: string): string | null {
  return (
    exact.get(token) ??
    hanWords.get(token) ??
    (token.endsWith("n't") ? 'not' : (stems.get(stem(token)) ?? null))
  );
}

/** The classes of tokens in lower case, one after the other; Chinese characters are tokens of their own. */
export function classesOf(tokens: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [length, name] = hanAt(tokens, at) ?? [1, classOf(tokens[at] as string)];
    if (name !== null) found.push(name);
    at += length - 1;
  }
  return found;
}

function hanAt(tokens: readonly string[], at: number): readonly [length: number, name: string] | null {
  if (!/^\p{Script=Han}$/u.test(tokens[at] as string)) return null;
  for (let length = Math.min(longestHan, tokens.length - at); length > 1; length -= 1) {
    const name = hanWords.get(tokens.slice(at, at + length).join(''));
    if (name !== undefined) return [length, name];
  }
  return null;
}
