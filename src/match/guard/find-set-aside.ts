// Sentences -> words that are set aside by the words on both sides of them, by a heading, or by a stroke through them.
//
//   put WORDS on ice        not to do: WORDS        skip item 3 (WORDS)        ~~WORDS~~
//
// A verb before the words counts with its particle directly after them: "take X off the list", "leave X to others". A
// heading that forbids holds for its line after the colon, or for the list below it. Struck-through words are not
// wanted.
import { allMatches } from './all-matches.ts';
import type { Region, Stretch } from './guard.ts';
import { clauseAt, sentenceAt } from './split-clauses.ts';
import type { Sentence } from './split-clauses.ts';
import { unfold } from '../text/unfold.ts';

const list = unfold`
  (?:from|off|out of)\s+(?:(?:the|my|our|your|today['’]?s|this week['’]?s|this|that)\s+)?
  (?:[\p{L}-]+\s+){0,2}?(?:
    lists?|queue|plans?|agenda|schedule|backlog|board|order|scope|roadmap|sprint|to-?dos?|tasks?|calendar
    |cart|pipeline|menu|table|it|this
  )\b
`;
const later = unfold`
  (?:
    later|another|next|tomorrow|some other|the (?:next|time|weekend|future)|now|when|after
    |a (?:later|rainy|different|better)
  )\b
`;
const others = unfold`
  (?:
    me|us|them|him|her|someone|somebody|others
    |the (?:others?|experts?|pros?|professionals?|team|humans?|next|grown-?ups)|my|our
  )\b
`;
/** A verb, and what follows the words. */
const around: readonly (readonly [verb: RegExp, after: RegExp])[] = [
  [
    /\b(?:remove|delete|strike|take|drop|cross|pull|scratch|cut|erase|wipe|keep|leave|left)\b/g,
    new RegExp(String.raw`^\s*(?:${list}|out\b(?:\s+of\s+(?:it|this|that))?(?=\s*(?:[.,;!?]|$)))`, 'u'),
  ],
  [
    /\b(?:put|place|placed)\b/g,
    /^\s*(?:on (?:ice|hold|pause|the back ?burner|the shelf)|off\b|aside|away\b|to (?:one side|rest|bed))/,
  ],
  [/\b(?:give|giving)\b/g, /^\s*a (?:rest|miss|pass|wide berth)\b/],
  [
    /\b(?:leave|leaving|left)\b/g,
    new RegExp(
      unfold`
        ^\s*(?:
          alone|aside|be\b|undone|untouched|off\b|where it is|as (?:it|they)\b|for ${later}
          |(?:to|for) ${others}|until\b
        )
      `,
    ),
  ],
  [/\b(?:save|keep|reserve)\b/g, new RegExp(String.raw`^\s*for ${later}`)],
  [/\b(?:swap|replace|trade|exchange|substitute)\b/g, /^\s*(?:for|with|by)\b/],
  [
    /\b(?:call|cross|turn|switch|shut|hold|put|push|rule|vote|let)\b/g,
    new RegExp(unfold`
      ^\s*(?:off|out|down|go|slide|rest|drop)
      (?=\s*(?:[.,;!?]|$)|\s+(?:please|for now|now|until|till|entirely|altogether|completely|this|today)\b)
    `),
  ],
  [
    /\b(?:push|move|shift|defer|bump|delay|reschedule)\b/g,
    /^\s*(?:back\s+)?(?:to|until|till) (?:next|later|another|some|after)\b/,
  ],
];
const only =
  /^\s*(?:(?:the|a|an|my|our|your|this|that|any|all|whole|entire|idea of|idea to|plan to|request to)\s+)*$/;

const forbids = new RegExp(
  unfold`
    \b(?:things?|stuff|tasks?|items?|what|actions?|everything|jobs?)\b[^\n:：]{0,40}?\b(?:
      (?:not|never)(?: be| ever)? (?:
        allowed|permitted|supposed|to do|do|touch|wanted|needed|doing|want(?: you to do)?|need
      )|(?:don['’]?t|do not|no longer) (?:want|need|do)
      |(?:must|should|may|can)(?:n['’]t| not) (?:do|touch|happen)|forbidden|prohibited|off[- ]limits
      |can wait|to avoid|to skip
    )[^\n:：]{0,30}
    |(?:^|\n|[.!?,]\s)\W{0,6}(?:please |kindly |and |so |you can |you may |you should |let['’]?s |we can )*
    (?:
      do not|don['’]?t|never|avoid|skip|cancel|omit|drop|stop|withdraw|retract|revoke|delete|remove|strike
      |abort|postpone
    )(?: (?:do|doing|touch|attempt|try|start|run|any of))*\s+(?:(?:any|all) of )?(?:
      the following|this|these|those|(?:item|step|point|task|number|no\.?) ?#?\d+
      |my (?:last |earlier |previous )?(?:request|order|task)
      |the (?:last |next |third |second |first )?(?:request|step|task|item|point)|one thing
    )[^\n:：(]{0,20}
    |(?:^|\n)\W{0,6}(?:
      forbidden|off[- ]limits|out of scope|not in scope|cancell?ed|don['’]?ts|not to do|no-?gos?|not needed
      |no longer needed|not now|not today|postponed|won['’]?t do|not doing|dropped|rejected|declined|on hold
      |struck off
    )(?: (?:tasks?|items?|today|for now|this week|actions?|list))?\s*
    |(?:以下|下列|下面|这些|这几)[^\n:：]{0,10}
    (?:不准|不要|不许|禁止|别|不用|不做|取消|跳过|不得|严禁|无需|暂缓|不必|不能)[^\n:：]{0,6}
    |(?:不准|不要|不许|禁止|别|不用|取消|跳过|不得|严禁|无需|暂缓|撤回|撤销|收回)[^\n:：。，]{0,6}
    (?:以下|下列|下面|请求|要求|任务|指令|这[条项个件])[^\n:：。，]{0,6}
  `,
  'gu',
);
const colon = /^\s*[:：(]/;
const items = /^(?:[ \t]*\n)?(?:[ \t]*(?:[-*•·–]|\(?\d{1,2}[.)、]|[a-z][.)])[^\n]*(?:\n|$)){1,40}/u;
const struck = /~~(?=\S)[^~\n]{1,200}~~/g;

export function findSetAside(text: string, sentences: readonly Sentence[]): readonly Region[] {
  const found: Region[] = [];
  const add = (cue: Stretch, scope: Stretch, rest: Partial<Region> = {}): void =>
    void found.push({
      guard: 'negation',
      cue,
      scope,
      reason: `"${text.slice(cue.start, cue.end).trim()}" sets it aside`,
      ...rest,
    });
  for (const [verb, after] of around) {
    for (const match of allMatches(verb, text)) {
      const end = match.index + match[0].length;
      const sentence = sentences[sentenceAt(sentences, match.index)];
      if (sentence !== undefined)
        add(
          { start: match.index, end },
          { start: end, end: (sentence.clauses[clauseAt(sentence, match.index)] as Stretch).end },
          { between: only, after },
        );
    }
  }
  for (const match of allMatches(forbids, text)) {
    const end = match.index + match[0].length;
    const mark = colon.exec(text.slice(end, end + 8));
    if (mark === null) continue;
    const from = end + mark[0].length;
    const below = items.exec(text.slice(from, from + 4000));
    const line = text.indexOf('\n', from);
    const rest = Math.min(
      line < 0 ? text.length : line,
      sentences[sentenceAt(sentences, from)]?.end ?? text.length,
    );
    add(
      { start: match.index, end },
      { start: from, end: below === null ? Math.max(rest, from) : from + below[0].length },
    );
  }
  for (const match of allMatches(struck, text))
    add(
      { start: match.index, end: match.index + 2 },
      { start: match.index + 2, end: match.index + match[0].length },
    );
  return found;
}
