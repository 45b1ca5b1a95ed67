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
    please pls plz kindly thanks thank you me us now just also quickly really maybe perhaps bitte mir uns
    svp stp moi nous por favor
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

/** Chinese: number, measure word, determiner, "a bit". */
export const hanFiller: ReadonlySet<string> = new Set(
  wordList`
    一 二 两 三 四 五 六 七 八 九 十 几 个 份 篇 段 首 张 本 条 部 位 件 项 套 支 集 场 这 那
    我 你 您 的 们 些 点 下 次 好 新 出 来
  `,
);
