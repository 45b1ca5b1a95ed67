// Sentences -> the words of another person after a colon, up to the end of the line.
//
//   "the mail says: …", "message from Bob: …", 邮件内容：…
import { allMatches } from './all-matches.ts';
import type { Region } from './guard.ts';
import { unfold } from '../text/unfold.ts';

const said = new RegExp(
  unfold`
  (?<!\b(?:i|we|you|my|our|here|not an?|no|i have|i just) )\b(?:
    wrote|writes|said|says|texted|posted|replied|answered|shouted|states?|quoted?|goes|dictated|typed
    |(?:docs?|manual|readme|guide|rules?|notes?|they|people) say
    |(?:e-?mail|mail|message|log|transcript|chat|thread|quote|post|tweet|comment|voicemail|notification|reply)s?
  )\b(?![^.!?\n:：]*\b(?:you|i(?! quote)|we)\b)[^.!?\n:：]{0,40}[:：]
  |(?:邮件|消息|短信|聊天记录|日志|评论|留言|帖子|文章|新闻|原文|这段话|这句话|说道?|写道?|写着|问道?|回复)[^。！？\n:：]{0,10}[:：]
`,
  'g',
);
const quoteNext = /^[ \t]*["'“‘„«「『《`]?\uFFFC/;

export function findReported(text: string): readonly Region[] {
  const found: Region[] = [];
  for (const match of allMatches(said, text)) {
    const end = match.index + match[0].length;
    // What is quoted ends with its quotes.
    if (quoteNext.test(text.slice(end, end + 8))) continue;
    const line = text.indexOf('\n', end);
    found.push({
      guard: 'pasted',
      cue: { start: match.index, end },
      scope: { start: end, end: line < 0 ? text.length : line },
      reason: `somebody else's words follow "${match[0].trim()}"`,
    });
  }
  return found;
}
