// Sentences -> the words of another person after a colon, up to the end of the line.
//
//   "the mail says: …", "message from Bob: …", 邮件内容：…
//
// An announcement at the end of its line is about the paragraph below.
import { allMatches } from './all-matches.ts';
import type { Region } from './guard.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const said = new RegExp(
  unfold`
    \b(?:
      wrote|writes|said|says|texted|messaged|sent|sends|posted|tweeted|replied|answered|asked|shouted|yelled
      |whispered|stated|states|quoted|quotes|received|got|goes|went|commented|announced|printed|prints
      |emailed|mailed|dictated|typed|types|pasted|copied|displayed|claims|claimed|told|understood|heard
      |shows|showed|displays|lists
    )\b[^.!?\n:：]{0,40}[:：]|\breads?\s*[:：]
    |\b(?:say|state|write|read)\b(?<=
      \b(?:
        docs?|documentation|manual|readme|guide|rules?|instructions?|notes?|specs?|faq|they|people|some
        |others|signs?|labels?|users?|customers?
      )\s(?:clearly\s|always\s|often\s|just\s)?(?:say|state|write|read)
    )[^.!?\n:：]{0,20}[:：]
    |\b(?:
      e-?mails?|mails?|messages?|texts?|sms|logs?|transcripts?|chats?|conversations?|threads?|quotes?
      |quotations?|posts?|tweets?|comments?|reviews?|letters?|articles?|excerpts?|snippets?|sentences?
      |paragraphs?|phrases?|headlines?|captions?|poems?|jokes?|lyrics|screenshots?|tickets?|notifications?
      |repl(?:y|ies)|responses?|history|dialogues?|dialogs?|statements?|signs?|posters?|banners?|voicemails?
      |subject lines?
    )\b(?:\s+(?:i|we|he|she|they|from|by|of|that|to|in|on|below|above|here)\b[^.!?\n:：]{0,40})?
    (?:\s*\([^()\n]{0,40}\))?\s*[:：]
    |\b(?:
      schrieb|sagte|mail|nachricht|chatverlauf|protokoll|a écrit|a dit|message|courriel|escribió|dijo|correo
      |mensaje
    )\b[^.!?\n:：]{0,30}[:：]
    |(?:
      邮件|消息|短信|聊天记录|对话|记录|日志|微信|评论|留言|帖子|文章|新闻|标题|原文|引用|这段话|这句话
      |说道?|写道?|写着|问道?|回复|回答|发来|告诉我
    )[^。！？\n:：]{0,10}[:：]
  `,
  'g',
);
/** "She said you can help: X" speaks of who is asked. */
const toYou = /\b(?:you|i(?! quote)|we)\b[^.!?\n:：]*[:：]$/;

/** No announcement is longer, so that it begins in its sentence and ends within this. */
const longest = 200;
const quoteNext = /^[ \t]*["'“‘„«「『《`]?\uFFFC/;

export function findReported(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  for (const sentence of sentences) {
    const line = text.indexOf('\n', sentence.start);
    const words = text.slice(
      sentence.start,
      Math.min(line < 0 ? text.length : Math.max(line, sentence.end), sentence.end + longest),
    );
    for (const match of allMatches(said, words)) {
      const start = sentence.start + match.index;
      if (start >= sentence.end) break;
      if (/^got\s+no\b/.test(match[0])) continue;
      // What is quoted after the colon ends with its quotes; "since you asked: …" is said to who is asked.
      if (
        quoteNext.test(text.slice(start + match[0].length, start + match[0].length + 8)) ||
        /\byou\s+$/.test(words.slice(0, match.index))
      )
        continue;
      // "I have got two wishes: …" is had, not received.
      if (/^got\b/.test(match[0]) && /(?:['’]ve|\bhave|\bhas)\s+$/.test(words.slice(0, match.index)))
        continue;
      // One's own words are no one else's: "here is what I wrote: …".
      if (
        /\b(?:i|we)\s+(?:just\s+|have\s+|already\s+)?$/.test(words.slice(0, match.index)) &&
        !/^(?:got|received|read|quoted?|copied|pasted)/.test(match[0])
      )
        continue;
      if (
        /\b(?:my|our)\s+(?:\w+\s+)?$/.test(words.slice(0, match.index)) &&
        /^(?:message|mail|e-?mail|post|comment|note|reply)s?\s*[:：]$/.test(match[0])
      )
        continue;
      if (/\b(?:here|no questions)\s+$/.test(words.slice(0, match.index))) continue;
      if (/\b(?:not an?|no)\s+$/.test(words.slice(0, match.index))) continue;
      if (/^(?:said|says|told)/.test(match[0]) && toYou.test(match[0])) continue;
      const end = start + match[0].length;
      const stop = text.indexOf('\n', end);
      const nothing = stop >= 0 && text.slice(end, stop).trim() === '';
      const until = nothing ? paragraphEnd(text, stop) : stop < 0 ? text.length : stop;
      found.push({
        guard: 'pasted',
        cue: { start, end },
        scope: { start: end, end: until },
        reason: `somebody else's words follow "${match[0].trim()}"`,
      });
    }
  }
  return found;
}

function paragraphEnd(text: string, from: number): number {
  const first = text.slice(from).search(/\S/);
  if (first < 0) return text.length;
  const blank = text.slice(from + first).search(/\n[ \t]*\n/);
  return blank < 0 ? text.length : from + first + blank;
}
