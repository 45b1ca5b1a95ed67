// Words that a trigger does not require, and words that may come between its words.
import { wordList } from '../text/unfold.ts';

/** In a trigger they may be missing, or be others: "write a paper" is also "write my paper". */
export const determiners: ReadonlySet<string> = new Set(
  wordList`
    a an the my your our his her their its this that these those some any ein eine einen der die das den
    mein meine un une le la les des mon ma mes el los las una mi mis
  `,
);

/** Never part of what is asked for. */
export const politeness: ReadonlySet<string> = new Set(
  wordList`
    please pls plz kindly thanks thank thx ty cheers you me us now just also quickly really maybe perhaps
    bitte danke mir uns svp stp merci moi nous por favor gracias
  `,
);

/** Words that start another thought: none of them may stand inside a trigger that lacks it. */
export const parting: ReadonlySet<string> = new Set(
  wordList`
    and or but nor not no never without if because that which who whom what when where why how than then to
    for from in on at by with of about into onto over under is are was were be been am do does did don have
    has had can could will would shall should must may might i he she they we it und oder aber nicht kein
    keine keinen keinem keiner keines niemals et ou mais pas y o pero ni sin
  `,
);

/** Verbs that say no more than that something is made or brought. */
export const makes: ReadonlySet<string> = new Set(
  wordList`write make draft create prepare give get do add build compose generate produce compile show open start run`,
);

/** Who or what does it, last in a noun phrase: "guest list sorter" is asked for by "sort the guest list". */
export const doers: ReadonlySet<string> = new Set(
  wordList`
    analyser analyzer builder calculator checker cleaner comparer converter creator debugger drafter
    editor explainer extractor finder fixer formatter generator maker optimiser optimizer organiser
    organizer picker planner renamer reviewer scheduler scraper sorter splitter summariser summarizer tester
    tracker translator validator writer
  `,
);

/** Of these one stands for another: who has "write a brief" also means "draft a brief". */
export const drafts: ReadonlySet<string> = new Set(
  wordList`write make draft create prepare compose generate produce 写 做 列 拟 建 弄`,
);

/** The same, done. */
export const drafted: ReadonlySet<string> = new Set(
  wordList`written made draft create prepare compose generate produce`,
);

/** Verb -> what was done with it, where its stem does not show that. */
export const participles: ReadonlyMap<string, string> = new Map([
  ['do', 'done'],
  ['find', 'found'],
  ['get', 'got'],
  ['send', 'sent'],
  ['build', 'built'],
  ['take', 'taken'],
  ['give', 'given'],
  ['show', 'shown'],
]);

/** A thing that follows them is asked for: "I need a commit message". */
export const wants: ReadonlySet<string> = new Set(wordList`need want give get like needs wants`);

/** Prepositions: one for another, "a note about tides" for "a note on tides". */
export const prepositions: ReadonlySet<string> = new Set(
  wordList`for from in on at by with of about into onto over to as since regarding concerning re w`,
);

/** What a verb acts on when it was named before: "…, write it". */
export const pronouns: ReadonlySet<string> = new Set(wordList`it one them that this those up`);

/** After "and": another request. */
export const startsRequest: ReadonlySet<string> = new Set(
  wordList`please can could would will let tell show i we you don if when after before whether`,
);

/** After "and", with what they act on: another request. */
export const works: ReadonlySet<string> = new Set(
  wordList`
    add ask attach book build call check compare convert copy count create delete do draft email explain
    export find finish fix forward get give include keep list mail make mark merge note open post prepare
    print put read remind remove repeat reply run save say schedule send set share sort start stop
    summarise summarize test text translate turn update upload use write
  `,
);

/** Chinese, after a comma: thanks, or another thought. */
export const hanThought =
  /^(?:谢|多谢|感谢|麻烦|拜托|辛苦|请|然后|再|并|但|不过|不要|别|顺便|还有|我|你|您|他|她|最好|记得|越|因为|如果|要|就)/;

/** Chinese words that start another thought without a comma as well. */
export const hanJoin: ReadonlySet<string> = new Set(wordList`然 并`);

/** Chinese verbs of one character that a trigger may begin with. */
export const hanActs: ReadonlySet<string> = new Set(
  wordList`写 做 列 拟 建 弄 查 看 画 算 记 译 改 排 订 发 跑`,
);

/** What may follow a verb that was put behind its thing: 周报写一下. */
export const hanAfterVerb = /^(?:一下|下|一份|一篇|一个|吧|呗|吗|出来|行吗|好吗|可以吗)$/;

/** Chinese characters that end what a verb is about: "not", "and", "is", what is done. */
export const hanBreak: ReadonlySet<string> = new Set(
  wordList`不 别 没 未 和 与 及 或 并 再 又 是 了 过 完 到 把 被 让 给 在 后 前 时`,
);

/** Chinese: number, measure word, determiner, "a bit". */
export const hanFiller: ReadonlySet<string> = new Set(
  wordList`
    一 二 两 三 四 五 六 七 八 九 十 几 个 份 篇 段 首 张 本 条 部 位 件 项 套 支 集 场 这 那
    我 你 您 的 们 些 点 下 次 好 新 出 来 了
  `,
);
