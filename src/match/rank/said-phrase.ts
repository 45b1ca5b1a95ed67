// How much of a message is worded as the skill expects: "asks what to cook" and "what can I cook with eggs?"
//
//   phrases (triggers, questions of the description) x message -> words that both have in a row, 0 if they are not a phrase
//
// said-phrase#F1. Function words count here, since "what · cook" is a question and "cook" is a word. Articles, pronouns
//   and auxiliaries are one and the same gap ("what can I cook", "what to cook"), unless they are about others ("what
//   did he cook").
// said-phrase#F2. Of a question its beginning counts: the question word and a verb. An everyday verb ("where · go")
//   must follow directly. Of any other phrase a row with two content words counts, and question words are gaps in it:
//   "look over my changes" is "look over what I changed".
// said-phrase#F3. A message that asks may also have all words of a trigger in their order, with others in between.
import { fold } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { functionWords, requestWords } from '../text/stop-words.ts';
import { wordList } from '../text/unfold.ts';

const questionWords = new Set('what where when which how who whether why'.split(' '));
const gaps = new Set(wordList`
  a an the my our your this that these those some any i we me us to can could should shall do does did would
  will may might must am is are was were be been have has had im ive id user users
`);
const others = new Set('he she they you it his her their them him'.split(' '));
const [gap, otherGap, end] = ['·', '×', '|'];
const token = /\{[^}]*\}|[\p{L}\p{N}]+|[.!?;:,]/gu;
const leastInOrder = 3;
const leastRow = 3;

interface Token {
  readonly text: string;
  /** 0 a gap, 1 a function word, 2 a word of every request, 3 one that tells. */
  readonly worth: 0 | 1 | 2 | 3;
  readonly opens: boolean;
}

/** What a message says, read once for all phrases. */
export interface SaidMessage {
  readonly forQuestions: readonly Token[];
  readonly forOthers: readonly Token[];
  readonly asks: boolean;
}

export function readSaid(text: string, asks: boolean): SaidMessage {
  return {
    asks,
    forQuestions: tokensOf(text, { questions: true, bySkill: false }),
    forOthers: tokensOf(text, { questions: false, bySkill: false }),
  };
}

/** Words of the longest phrase that both have. */
export function phraseShared({ forQuestions, forOthers, asks }: SaidMessage, phrase: string): number {
  const questions = questionWords.has((/[\p{L}\p{N}]+/u.exec(phrase)?.[0] ?? '').toLowerCase());
  const tokens = tokensOf(phrase, { questions, bySkill: true });
  const message = questions ? forQuestions : forOthers;
  let best = asks ? inOrder(message, tokens) : 0;
  for (let from = 0; from < message.length; from += 1) {
    for (let at = 0; at < (questions ? 1 : tokens.length); at += 1)
      best = Math.max(best, rowFrom(message, from, tokens, at));
  }
  return best;
}

/** `bySkill`: its gaps stand for any person who asks. */
function tokensOf(
  text: string,
  { questions, bySkill }: { readonly questions: boolean; readonly bySkill: boolean },
): readonly Token[] {
  const tokens: Token[] = [];
  for (const [found] of text.matchAll(token)) {
    const lower = fold(found);
    const isOther = others.has(lower);
    const next: Token =
      !/[\p{L}\p{N}]/u.test(lower) || found.startsWith('{')
        ? { text: end, worth: 0, opens: false }
        : isOther || gaps.has(lower) || (!questions && questionWords.has(lower))
          ? { text: isOther && !bySkill ? otherGap : gap, worth: 0, opens: false }
          : {
              text: stem(lower),
              worth: functionWords.has(lower) ? 1 : requestWords.has(lower) ? 2 : 3,
              opens: questionWords.has(lower),
            };
    const before = tokens.at(-1);
    if (
      next.worth !== 0 ||
      next.text === end ||
      before === undefined ||
      before.worth !== 0 ||
      before.text === end
    )
      tokens.push(next);
    else if (next.text === otherGap) tokens[tokens.length - 1] = next;
  }
  return tokens;
}

function rowFrom(message: readonly Token[], from: number, phrase: readonly Token[], at: number): number {
  let length = 0;
  let said = 0;
  let telling = 0;
  const first = message[from] as Token;
  while (from + length < message.length && at + length < phrase.length) {
    const one = message[from + length] as Token;
    if (one.text === end || one.text !== (phrase[at + length] as Token).text) break;
    length += 1;
    if (one.worth > 0) said += 1;
    if (one.worth > 1) telling += one.worth === 3 ? 1 : 0.5;
  }
  if (length < leastRow) return 0;
  const asksIt =
    first.opens &&
    (telling >= 1 || (telling > 0 && first.text !== 'how' && (message[from + 1] as Token).worth === 0));
  return asksIt || telling >= 1.5 ? said : 0;
}

function inOrder(message: readonly Token[], phrase: readonly Token[]): number {
  let at = 0;
  let said = 0;
  let telling = 0;
  for (const { text, worth } of phrase) {
    if (worth === 0) continue;
    while (at < message.length && (message[at] as Token).text !== text) at += 1;
    if (at === message.length) return 0;
    said += 1;
    if (worth === 3) telling += 1;
  }
  return said >= leastInOrder && telling > 1 ? said : 0;
}
