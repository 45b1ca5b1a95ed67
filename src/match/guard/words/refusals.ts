// The words that end, put off or refuse what follows.
import { unfold } from '../../text/unfold.ts';

/** Ends or puts off what follows. */
export const cancels = new RegExp(unfold`
  ^(?:
    cancel|scrap|drop|hold|pause|stop|skip|avoid|forget|abandon|ditch|nix|axe|kill|shelve|park|postpone
    |delay|defer|suspend|halt|abort|omit|exclude|withdraw|revoke|retract|disregard|dismiss|discard|ban
    |prevent|forgo|quit|cease|scratch|reject|decline|refuse|veto|call off|put off|rule out|leave out|lay off
    |nvm|(?:hard )?pass on|negative on|stand down on|turn off|switch off|disable|mute|unsubscribe
    |back out of|opt (?:me |us )?out of|hold off|stay away from|keep away from|steer clear of|refrain|abstain|resist
    |cut(?: out)? the|ignore|never mind|nevermind|enough|spare me|hands off|wait (?:with|on|before|until)
    |leave(?=\b[^.!?\n]*\b(?:aside|out|alone|off|for)\b)
  )\b
`);

const ended = unfold`
  (?:
    cancell?ed|dropped|paused|postponed|rejected|shelved|scrapped|deferred|delayed|suspended|frozen|removed|skipped
    |discontinued|abandoned|stopped|descoped|vetoed|binned|crossed off|put off|called off|on hold|on ice|off the table
  )
`;

/** Directly after the words, what became of them: "X is rejected", "X stays paused", "X: skip.", "…, X no." */
export const judged = new RegExp(unfold`
  ^(?:
    \s+(?:
      (?:is|was|stays|remains|gets|got|goes|has been|will be|will have to be|has to be|can be)\s+(?:\w+ly\s+)?
    )?${ended}\b
    |\s*[:–—-]+\s*(?:no|skip|cancel|later|never|off|not now|${ended})(?=\s*(?:[.,;!]|$))
    |\s+(?:no|out)(?=\s*[.,;!]?\s*$)
  )
`);

/** Right before the words, with nothing in between: "don't X", 先别X. */
export const directly = new RegExp(
  unfold`
  (?<!\bif (?:you|i|we) )(?<!\bwhy )\b(?:do not|don['’]?t|must not|mustn['’]?t|needn['’]?t|need not)\s+(?:please\s+)?$
  |(?:不要|先别|先不要|不用|不必|不准|不许|别再)\s*$
`,
  'i',
);
