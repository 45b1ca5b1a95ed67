// The words with which people put something off, or keep it for themselves: it may be wanted, and not now, or not from who reads this.
import { unfold } from '../../text/unfold.ts';

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const otherTime = unfold`
  (?:some ?day|one day|eventually|some other (?:day|time|week)|another (?:day|time)|next (?!one\b|step\b|to\b)\w+)
`;
const laterTime = unfold`
  (?:
    ${otherTime}|later(?: today| this \w+| on)?|tomorrow(?: \w+)?|tonight|this (?:evening|afternoon|weekend)
    |on ${day}|after (?:lunch|work|dinner|that|the \w+)
    |in (?:an?|two|three|a few|\d+) (?:minutes?|hours?|days?|weeks?|months?)
    |in (?:january|february|march|april|may|june|july|august|september|october|november|december)
  )
`;
const thing = String.raw`(?:do\s+|make\s+)?(?:the\s+|an?\s+|our\s+|my\s+)?$`;

/** Directly before the words: "later we can X", "remind me in May that we could X". */
export const before = new RegExp(unfold`
  \b${laterTime}[\s,]+(?:(?:we|you|i)\s+)?(?:can|could|will|may|might|['’]ll)\s+${thing}
  |\bi(?:['’]ll| will)\s+(?:ask|tell|remind)\s+you\s+(?:when\s+)?to\s+${thing}
  |\bremind me\b[^.!?\n]{0,40}\b(?:can|could|should|want to|wanted to|may|might)\s+$
  |(?:^|[.!?\n]\s*)(?:(?:maybe|perhaps|possibly|probably)\s+)?(?:
    (?:for )?later|${otherTime}|not (?:yet|now|today|this \w+|to do(?: \w+)?)|on hold|(?:on )?(?:the )?back ?burner|(?:postponed|deferred|moved|pushed|parked|paused|shelved|deprioriti[sz]ed)
  )(?:\s[^,:\n.!?]{0,30})?:\s*$
`);

/** The writer does it: "I'll X tomorrow", "we are going to do the X". */
export const own = new RegExp(unfold`
  \b(?:i|we)(?:['’]ll| will|['’]m going to|['’]re going to| am going to| are going to)\s+
  (?:\w+ly\s+|just\s+|then\s+|also\s+)?
  (?:(?:do|run|handle|prepare|finish|work on|take care of)\s+(?:the\s+|an?\s+|our\s+|my\s+|this\s+)?)?$
`);
/** With "myself" behind the words: "I do the X myself", but not "I can't do the X myself". */
export const alone =
  /(?:^|[,;]\s*|\b(?:and|but|so)\s+)(?:i|we)\b(?![^]*(?:n['’]t\b|\b(?:not|cannot|unable|never|please|you|need|want|help|rather)\b))/;
export const byOneself = /^[^.!?\n,;]{0,40}\b(?:myself|ourselves)\b/;

/** With a later time behind the words: "we X on Monday". */
export const plan = /^\W*(?:(?:and|so|but|then|ok|okay|no|yes|right),?\s+)*(?:we|i)\s+$/;
export const planned = new RegExp(String.raw`^[^.!?\n]{0,60}\b${laterTime}\b`);

/** Directly after them: "X can wait", "X some other day", "X, maybe next week". */
export const after = new RegExp(unfold`
  ^[\s,–—-]*(?:
    (?:can|could|may|must|has to) wait\b|only (?:after|when|if|once)\b|(?:(?:goes|moves|slips|moved|pushed|is|was|gets) )+(?:back )?(?:to|for|until) (?:the )?(?:next|later|another|q\d)\b
    |[^.!?\n]{0,60},\s*(?:and |but )?not (?:before|earlier|sooner)\s*(?:[.!]|$)
    |${otherTime}\s*[.!]?\s*$
    |(?:maybe|perhaps|possibly)\s+(?:later|${otherTime})\b|(?:but\s+)?not (?:now|today|yet)\b(?!\s*\?)
  )
`);

/** The next sentence: "… Don't start yet.", "… Wait for my word." */
export const next = new RegExp(unfold`
  ^\W*(?:(?:but|so|please|and|just)\s+)*(?:
    (?:don['’]?t|do not)\s+(?:start|begin|go ahead|act|do (?:it|this|that|anything))\b[^.!?\n]{0,12}
    \b(?:yet|now|before|until|till)\b
    |not (?:yet|now|today)\b(?!\s*,?\s*but)|wait (?:for|until|till)\b|hold (?:off|until|till)\b
    |nothing to do (?:now|yet|today)\b
  )
`);

export const hanBefore =
  /(?:以后|改天|[明后]天|明年|下次|过几天|过阵子|回头|晚点|下个?(?:月|周|星期)|[月年]底|周末|将来|日后|等[^，。！？\n]{1,12})再(?:去|来|做|弄)?$|(?:^|[。！？\n])\s*(?:也许|可能|或许)?(?:暂缓|搁置|推迟|延期|暂停|以后|改天|回头|晚点)的?[:：]\s*$/;
export const hanAfter = new RegExp(unfold`
  ^[\s，,]*(?:这事|的事)?就?(?:
    (?:以后|改天|回头|过几天|下次|明年|将来)再(?:说|做|弄|看|议|谈)
    |[排挪推]到(?:下|明|以后|年后)|先?(?:放一放|放放|搁一搁|缓一缓|缓缓|往后推|推迟|延后|暂缓)
  )
`);
