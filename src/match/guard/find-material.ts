// Text -> paragraphs that are material, because a question beside them is about them: "…\n\nWho is the sender of this
// mail?"
//
// A last line or paragraph that asks about a text, its tone or its speakers is about the text above it; a request ("can
// you …") is not such a question. A first paragraph that announces what comes below ("Below is a mail I got. Is it
// spam?") makes that material. A last line that asks for a fact, without "I" or "you", is about the records above it:
// list items, fields, rows, lines with a time ("- Eva to X\n- Paul to buy milk\n\nWho buys milk?").
import { opens } from './read-clause.ts';
import type { Pasted } from './find-pasted.ts';
import { unfold } from '../text/unfold.ts';

/** Only a text has these. */
const ofText = new RegExp(unfold`
  \b(?:
    (?:e-?)?mails?|messages?|chats?|conversations?|dialogues?|transcripts?|threads?|logs?|repl(?:y|ies)
    |comments?|posts?|posters?|senders?|authors?|speakers?|reporters?|recipients?|tone|mood|sentiment|turns?
    |exchange|sessions?|timestamps?|channels?|tickets?|commits?|changelog|letters?|minutes|quotes?|reviews?
    |callers?|agents?|customers?|bots?|assistants?|interviewe[er]s?|polite|rude|rudeness|friendl\w+|spam
    |scam|phishing|grammar|punctuation|typos?|semver|json\w*|xml|yaml|csv
    |who (?:said|wrote|asked|answered|replied|spoke|posted|sent|changed|is talking|speaks)
  )\b
`);
/** These are of a text if it is pointed at. */
const pointedAt = new RegExp(unfold`
  \b(?:this|that|these|those|above|here|there|following)\b[^.!?\n]{0,30}\b(?:
    text|sentence|paragraph|note|notes|words?|lines?|format|items?|list|answer|story|snippet|record|entry
    |entries|list|table|call|history|block|excerpt|passage|page
  )\b
  |\b(?:
    action items
    |how many (?:messages|people|speakers|turns|lines|questions|items|tasks|users|words|entries|records)
  )\b
`);
const ofTextHan = new RegExp(unfold`
  (?:
    对话|聊天|邮件|消息|短信|记录|日志|留言|评论|帖子|语气|发件人|收件人|作者|说话
    |谁(?:先|说|写|发|回|问|在)|几(?:轮|条|句|项|个(?:用户|人|任务|问题))|哪(?:条|句|位)|态度|礼貌|诈骗|这段
  )
`);
const wantsHan = /[？?]\s*$|什么|谁|几|多少|哪|怎么|吗/;
const task = new RegExp(unfold`
  ^\s*(?:
    count|rate|classify|convert|put|label|identify|name|rank|score|judge|extract|tell me|categori[sz]e|guess
    |spell-?check|proofread|translate
  )\b
`);
/** What is asked about the work, not about a text. */
const ofWork = new RegExp(unfold`
  \b(?:do|would|will) you (?:need|want|require|prefer)\b|\benough\b|\banything else\b|\belse do you\b
  |\bshould i (?:send|share|attach|upload|add|give)\b|\bhow (?:long|soon) (?:will|would)\b
`);
const announces = new RegExp(unfold`
  \b(?:below|following|here)\b[^.!?\n]{0,40}\b(?:is|are|['’]s|comes)\b|\b(?:is|are)\s+below\b
  |\b(?:here|below)(?:['’]s| is| are)\b
  |\b(?:i|we)\s+(?:just\s+|recently\s+)?(?:got|received|found|saw|copied|came across)\b
  |(?:下面|以下)(?:是|为)|收到(?:了|一)
`);

export function findMaterial(text: string): readonly Pasted[] {
  if (!text.includes('\n')) return [];
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  const body = lower.trimEnd();
  const lineStart = body.lastIndexOf('\n') + 1;
  if (lineStart === 0) return [];
  const found: Pasted[] = [];
  const blank = lastBlank(body);
  for (const start of blank > 0 && blank < lineStart ? [lineStart, blank] : [lineStart]) {
    const asked = body.slice(start, start + 300);
    if (
      !wantsToKnowOfText(asked) &&
      !(
        wantsFact(asked) &&
        holdsRecords(body.slice(0, start), blank === start || body.slice(0, start).endsWith('\n\n') ? 1 : 2)
      )
    )
      continue;
    found.push({ start: 0, end: start, what: 'the text that is asked about' });
    break;
  }
  const end = /\n[ \t]*\n/.exec(body)?.index ?? -1;
  if (
    end > 0 &&
    end < 400 &&
    announces.test(body.slice(0, end)) &&
    wantsToKnowOfText(lastSentence(body.slice(0, end)))
  )
    found.push({ start: end, end: text.length, what: 'the text that is announced' });
  return found;
}

function wantsToKnowOfText(words: string): boolean {
  if (/\p{Script=Han}/u.test(words)) return ofTextHan.test(words) && wantsHan.test(words);
  if (
    /^\W*how (?:do|should|can|would|could) (?:i|we) (?:\w+ly )?(?:reply|answer|respond|react)\b/.test(words)
  )
    return true;
  if (
    !ofText.test(words) &&
    !pointedAt.test(words) &&
    !/^\W*(?:is|was|are) (?:it|this|that|he|she)\b[^?]*\b(?:scam|spam|phishing|rude|polite|serious)/.test(
      words,
    )
  )
    return false;
  return !ofWork.test(words) && (task.test(words) || opens(words) === 'question');
}

function wantsFact(words: string): boolean {
  return (
    /[?？]\s*$/.test(words) &&
    !personal.test(words) &&
    (/\p{Script=Han}/u.test(words) ? wantsHan.test(words) : opens(words) === 'question')
  );
}

const personal =
  /\b(?:you|your|we|us|me|my|our|it|ok|okay|possible|clear|deadline|budget)\b|[你您我咱]|可以|行吗|好吗/;
const record = new RegExp(
  unfold`
    ^\s*(?:
      [-*•+|—–]\s*\S|\w+=\S|\p{L}?\d+[.):,]|[^|\n]{1,60}\|[^|\n]{1,60}\||\[|[^:：\n]{1,30}[:：]
      |[^,\n]{1,30},[^,\n]{1,30},
    )
  `,
  'u',
);

/** Fewer are enough where a blank line parts them from the question. */
function holdsRecords(text: string, enough: number): boolean {
  let records = 0;
  for (const line of text.split('\n')) if (record.test(line) && (records += 1) >= enough) return true;
  return false;
}

function lastSentence(words: string): string {
  return words.split(/(?<=[.!?])\s+/).at(-1) ?? words;
}

/** Where the last paragraph begins. */
function lastBlank(text: string): number {
  let at = text.lastIndexOf('\n');
  while (at > 0) {
    const before = text.lastIndexOf('\n', at - 1);
    if (before >= 0 && text.slice(before + 1, at).trim() === '') return at + 1;
    at = before;
  }
  return -1;
}
