// The words with which people put something off: it is wanted, and not now.
import { unfold } from '../../text/unfold.ts';

const otherTime = unfold`
  (?:some ?day|one day|eventually|some other (?:day|time|week)|another (?:day|time)|next (?:\w+))
`;

/** Directly before the words: "later we can X", "remind me in May that we could X". */
export const before = new RegExp(unfold`
  \b(?:later|${otherTime})[\s,]+(?:(?:we|you|i)\s+)?(?:can|could|will|may|might|['’]ll)\s+
  (?:do\s+|make\s+)?(?:the\s+|an?\s+|our\s+|my\s+)?$
  |\bremind me\b[^.!?\n]{0,40}\b(?:can|could|should|want to|wanted to|may|might)\s+$
`);

/** Directly after them: "X can wait", "X some other day", "X, maybe next week". */
export const after = new RegExp(unfold`
  ^[\s,–—-]*(?:
    (?:can|could|may|must|has to) wait\b|${otherTime}\s*[.!]?\s*$
    |(?:maybe|perhaps|possibly)\s+(?:later|${otherTime})\b|(?:but\s+)?not (?:now|today|yet)\b(?!\s*\?)
  )
`);

export const hanBefore = /(?:以后|改天|明年|下次|过几天|过阵子|回头|下个?月|将来|日后)再(?:去|来|做|弄)?$/;
export const hanAfter = new RegExp(unfold`
  ^[\s，,]*(?:这事|的事)?就?(?:
    (?:以后|改天|回头|过几天|下次|明年|将来)再(?:说|做|弄|看|议|谈)
    |先?(?:放一放|放放|搁一搁|缓一缓|缓缓|往后推|推迟|延后|暂缓)
  )
`);
