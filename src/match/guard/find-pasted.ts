// Text -> what another person wrote: code blocks, block quotes, mails, transcripts, logs, tagged text.
//
// Lines decide, not words: two lines at least must begin with a speaker or a time, unless one is beyond doubt (a role
// such as "assistant:", a full timestamp). A mail continues to the end of the message, or to a line that ends it; a
// transcript ends with its last line. A line that is a field of a request ("Task: …", "Budget: …") is not a speaker.
import { allMatches } from './all-matches.ts';
import type { Stretch } from './guard.ts';
import { unfold } from '../text/unfold.ts';

export interface Pasted extends Stretch {
  readonly what: string;
}

interface Line extends Stretch {
  readonly text: string;
}

const fence = /^ {0,3}(```+|~~~+)/;
const mailHeader = new RegExp(
  unfold`
    ^\s*\**(?:
      from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|de|à|objet|envoyé|para|asunto
      |enviado|发件人|收件人|抄送|主题|日期|发送时间|寄件人|寄件者
    )\**\s*[:：]\**\s*\S
  `,
  'i',
);
const mailStart = new RegExp(
  unfold`
    ^\s*(?:-{2,}\s*)?(?:
      original message|forwarded message|begin forwarded message|weitergeleitete nachricht
      |ursprüngliche nachricht|message transféré|message d'origine|mensaje reenviado|原始邮件|转发邮件
      |转发的邮件
    )
  `,
  'i',
);
const wroteLine =
  /^(?:(?:on|am|le|el)\b|在|于).{4,120}(?:wrote|schrieb|a écrit|escribió|写道|写)\s*[:：]\s*$/i;
const rule = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,})\s*$/;
const timestamp = new RegExp(
  unfold`
    ^\s*[[(<]?\s*(?:
      \d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}
      |(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{1,2}\b
    )?,?[T ]*(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|[+-]\d{2}:?\d{2})?\s*[\])>]?
  `,
  'i',
);
const fullTimestamp = /^\s*[[(<]?\s*\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}/;
const bracketTime =
  /^\s*[[(<]\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T, ]*)?\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?\s*[\])>]/i;
const anyTime = new RegExp(
  unfold`
    ^\s*[[(<]?\s*(?:
      \d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}
      |(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? +\d{1,2},? +\d{1,2}:\d{2}
    )
  `,
  'i',
);
const speaker = new RegExp(
  unfold`
    ^\s*(?:[-*•]\s+)?[*_<[(]{0,2}@?(\p{L}[\p{L}\p{N}.'’_-]*(?:[ \t]+[\p{L}\p{N}][\p{L}\p{N}.'’_-]*){0,2})\s*
    (?:\([^)\n]{1,30}\))?[*_>\])]{0,2}\s*(?:[,，]?\s*\d{1,2}:\d{2}\s*(?:[ap]m)?)?\s*[:：][*_]{0,2}
    (?:\s|(?<=：)|$)
  `,
  'u',
);
const nickname = /^\s*<[@+~&%]?[\p{L}\p{N}_.-]{1,30}>\s+\S/u;
const chatHead = new RegExp(
  unfold`
    ^\s*\p{L}[\p{L}\p{N} .'_-]{0,40}?[,，]?\s+(?:[-–—•|]\s+)?[[(]?
    (?:(?:today|yesterday|heute|gestern|今天|昨天)\s+(?:at\s+)?)?\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?
    [\])]?\s*$
  `,
  'iu',
);
/** "bea> hello", "#help | bea: hello" */
const prompted = /^\s*(?:[\p{L}\p{N}_.@-]{1,24}\s?>(?=\s?\S)|#[\p{L}\p{N}_-]{1,30}\s*[|:]\s*\S)/u;
/** "### Human", "user - hello", "[x] hello" */
const roleHead = new RegExp(
  unfold`
    ^\s*(?:#{1,6}\s*|\*\*|<\|)?(?:user|assistant|human|ai|bot|system|agent|customer|用户|助手)\s*
    (?:[:：]?(?:\*\*|\|>)?\s*$|\s[-–—]\s)
  `,
  'iu',
);
const ticked = /^\s*(?:[-*+]\s+)?\[[xX✓✔]\]\s/;
const roles = new Set([
  'user',
  'assistant',
  'human',
  'ai',
  'bot',
  'system',
  'agent',
  'customer',
  'client',
  'caller',
  'support',
  'operator',
  'interviewer',
  'interviewee',
  'speaker',
  'moderator',
  'host',
  'guest',
  'q',
  'a',
  'me',
  'him',
  'her',
  'them',
  'nutzer',
  'assistent',
  'kunde',
  'utilisateur',
  'client',
  'usuario',
  'cliente',
  'asistente',
  '用户',
  '助手',
  '客服',
  '客户',
  '机器人',
  '系统',
  '主持人',
  '嘉宾',
  '甲',
  '乙',
  '问',
  '答',
  '我',
  '他',
  '她',
]);
/** Roles that are enough alone; "me:" or "a:" are not. */
const surelyRole =
  /^(?:user|assistant|human|customer|caller|interviewer|interviewee|用户|助手|客服|客户)\b|^(?:用户|助手|客服|客户)/i;
const fields = new RegExp(
  unfold`
    ^(?:(?:my|the|your|our|main|next|quick|new|current|one|two|first|second)\s+)*(?:
      tasks?|to-?dos?|requests?|goals?|topics?|subjects?|questions?|asks?|instructions?|actions?|steps?
      |notes?|context|background|inputs?|outputs?|formats?|tones?|styles?|audience|length|language|budget
      |deadline|due|date|time|priority|title|name|files?|paths?|urls?|links?|requirements?|constraints?
      |problems?|issues?|errors?|expected|actual|summary|tl;?dr|ps|p\.s|update|important|urgent|warning|fyi
      |btw|example|e\.g|i\.e|data|code|query|prompt|need|needed|want|wanted|idea|plan|objective|scope
      |details?|destination|duration|dates|aufgabe|ziel|thema|frage|tâche|objectif|sujet|tarea|objetivo|tema
      |任务|要求|目标|主题|需求|问题|请求|题目|内容|背景|格式|语言|风格|时间|预算|备注|说明|步骤|输入|输出
      |注意|提示|重点
    )\s*\d*$
  `,
  'i',
);
const openTag = /<([a-zA-Z][\w-]*)(?:\s[^<>\n]{0,200})?>/g;
const requestTags = new RegExp(
  unfold`
    ^(?:
      task|request|instructions?|prompt|query|user_?query|question|goal|todo|b|i|em|strong|p|div|span|br|a|u
      |h[1-6]|li|ul|ol|kbd|mark|small
    )$
  `,
  'i',
);
const shellPrompt = /^\s*(?:\$|%|#|>>>|PS [^>]*>|[\w.-]+@[\w.-]+[:~][^$#\n]*[$#])\s+\S/;
const numbered = /^\s+\d{1,6}\s{2,}\S/;
const level = /^\s*(?:[[(]?(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)[\])]?)(?::|\s+\S)/i;

export function findPasted(text: string): readonly Pasted[] {
  if (!/[\n<>:：[]|```|~~~|^\s*\d/.test(text)) return [];
  const lines = linesOf(text);
  const found: Pasted[] = [];
  const taken = lines.map(() => false);
  const take = (from: number, to: number, what: string): void => {
    for (let at = from; at < to; at += 1) taken[at] = true;
    found.push({ start: (lines[from] as Line).start, end: (lines[to - 1] as Line).end, what });
  };
  takeFences(lines, take);
  for (const [at, line] of lines.entries())
    if (taken[at] !== true && /^\s{0,3}>(?!>>)/.test(line.text)) take(at, at + 1, 'a block quote');
  takeMails(lines, taken, take);
  takeTimed(lines, taken, take);
  takeSpeakers(lines, taken, take);
  takeShell(lines, taken, take);
  found.push(...taggedIn(text), ...inlineRoles(lines, taken));
  return found;
}

type Take = (from: number, to: number, what: string) => void;

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && text[at] !== '\n') continue;
    lines.push({ start, end: at, text: text.slice(start, at) });
    start = at + 1;
  }
  return lines;
}

function takeFences(lines: readonly Line[], take: Take): void {
  let open: { readonly at: number; readonly mark: string } | null = null;
  for (const [at, { text }] of lines.entries()) {
    const mark = fence.exec(text)?.[1];
    if (mark === undefined) continue;
    if (open === null) open = { at, mark };
    else if (mark.startsWith(open.mark)) {
      take(open.at, at + 1, 'a code block');
      open = null;
    }
  }
  if (open !== null) take(open.at, lines.length, 'a code block');
}

/** Two headers in a row, "Forwarded message", or "On … wrote:" begin a mail. */
function takeMails(lines: readonly Line[], taken: readonly boolean[], take: Take): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (taken[at] === true) continue;
    const { text } = lines[at] as Line;
    const header =
      mailHeader.test(text) && at + 1 < lines.length && mailHeader.test((lines[at + 1] as Line).text);
    const wrote = wroteLine.test(text);
    if (!header && !wrote && !mailStart.test(text)) continue;
    // "On … wrote:" above a block quote says nothing about what comes after it.
    if (wrote && lines.slice(at + 1).some(({ text: next }) => /^\s{0,3}>/.test(next))) {
      take(at, at + 1, 'a mail');
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !(end > at + 2 && rule.test((lines[end] as Line).text))) end += 1;
    take(at, end, 'a mail');
    at = end;
  }
}

/** Log lines, and chats that tell the time of each message. */
function takeTimed(lines: readonly Line[], taken: readonly boolean[], take: Take): void {
  const free = lines.map(({ text }, at) => taken[at] !== true && text.trim() !== '');
  const timed = lines.map(
    ({ text }, at) =>
      free[at] === true && anyTime.test(text) && (timestamp.exec(text)?.[0].trim().length ?? 0) > 3,
  );
  const heads = lines.map(
    ({ text }, at) => free[at] === true && (chatHead.test(text) || roleHead.test(text)),
  );
  const levels = lines.map(({ text }, at) => free[at] === true && level.test(text));
  const nicks = lines.map(
    ({ text }, at) => free[at] === true && (nickname.test(text) || prompted.test(text)),
  );
  const several = (marks: readonly boolean[]): boolean => marks.indexOf(true) !== marks.lastIndexOf(true);
  for (const [at, { text }] of lines.entries()) {
    if (free[at] !== true) continue;
    if (timed[at] === true && (several(timed) || fullTimestamp.test(text) || bracketTime.test(text)))
      take(at, at + 1, 'a log or transcript');
    else if (nicks[at] === true && several(nicks)) take(at, at + 1, 'a transcript');
    else if (ticked.test(text)) take(at, at + 1, 'a list of what is done');
    else if (levels[at] === true && several(levels)) take(at, at + 1, 'a log');
  }
  if (!several(heads)) return;
  for (let at = heads.indexOf(true); at < lines.length; at += 1) {
    if (heads[at] !== true) continue;
    let end = at + 1;
    while (end < lines.length && heads[end] !== true && (lines[end] as Line).text.trim() !== '') end += 1;
    take(at, end, 'a transcript');
  }
}

function takeSpeakers(lines: readonly Line[], taken: readonly boolean[], take: Take): void {
  const names = lines.map(({ text }, at) => (taken[at] === true ? null : speakerOf(text)));
  const said = names.filter((name) => name !== null);
  const sure = said.some((name) => surelyRole.test(name));
  if (said.length < 2 && !sure) return;
  const first = names.findIndex((name) => name !== null);
  const last = names.findLastIndex((name) => name !== null);
  for (let at = first; at <= last; at += 1) {
    // The next line of a speaker; a blank line before the last speaker ends nothing.
    if (taken[at] !== true) take(at, at + 1, 'a transcript');
  }
}

function speakerOf(line: string): string | null {
  const name = speaker.exec(line)?.[1];
  if (name === undefined || fields.test(name)) return null;
  const known = roles.has(name.toLowerCase()) || roles.has(name.toLowerCase().replace(/\s?[a-z\d]$/, ''));
  // A sentence that ends in a colon is not a name: names are capitalised, or short and without Latin letters.
  if (!known && /[A-Za-z]/.test(name) && !name.split(/\s+/).every((word) => /^[\p{Lu}\p{N}]/u.test(word)))
    return null;
  if (!known && !/[A-Za-z]/.test(name) && name.length > 5) return null;
  return name;
}

function takeShell(lines: readonly Line[], taken: readonly boolean[], take: Take): void {
  if (lines.length < 2) return;
  const prompts = lines.some(({ text }) => shellPrompt.test(text) && !/^\s*#/.test(text));
  for (const [at, { text }] of lines.entries()) {
    if (taken[at] === true) continue;
    if (
      (prompts && (shellPrompt.test(text) || numbered.test(text))) ||
      (/^(?: {4}|\t)\S/.test(text) && at > 0)
    )
      take(at, at + 1, 'code');
  }
}

/** <mail>…</mail>: text in a tag is material, unless the tag marks the request. */
function taggedIn(text: string): readonly Pasted[] {
  const found: Pasted[] = [];
  for (const tag of allMatches(openTag, text)) {
    const name = tag[1] as string;
    if (requestTags.test(name)) continue;
    const start = tag.index + tag[0].length;
    const end = text.indexOf(`</${name}>`, start);
    if (end > start) found.push({ start, end, what: `the tag <${name}>` });
    if (found.length > 100) break;
  }
  return found;
}

const inlineRole = /(?<![\p{L}\p{N}])(?:user|assistant|human|customer|caller|agent|bot|ai|system)\s?: ?/giu;

/** "user: … assistant: …" in one line: from the first role to the end of the line. */
function inlineRoles(lines: readonly Line[], taken: readonly boolean[]): readonly Pasted[] {
  const found: Pasted[] = [];
  for (const [at, line] of lines.entries()) {
    if (taken[at] === true) continue;
    const marks = allMatches(inlineRole, line.text);
    if (marks.length > 1 && new Set(marks.map(([mark]) => mark.toLowerCase())).size > 1) {
      found.push({ start: line.start + (marks[0]?.index ?? 0), end: line.end, what: 'a transcript' });
    }
  }
  return found;
}
