// Rules about what a text tells the agent to do against the person it works for: override, conceal, deny, act alone, follow others.
import type { Rule } from '../rule.ts';

export const instructionRules: readonly Rule[] = [
  {
    code: 'OVERRIDE_INSTRUCTIONS',
    severity: 'high',
    category: 'instructions',
    title: 'Tells the agent to set aside other instructions',
    message: 'The text tells the agent to ignore or outrank the instructions of its system or its user.',
    hint: 'Do not use the skill unless the sentence is only quoted as an example.',
    sentences: [
      '+IGNORE>5>PRIOR>3>INSTRUCTIONS !ATTACKER !UNTRUSTED_TEXT',
      'THESE_RULES>8>PRECEDENCE>6>PRIOR_VOICE !UNTRUSTED_TEXT !NOT>3>PRECEDENCE',
      '+IGNORE>5>YOUR_RULES !ATTACKER',
      'NEW_MODE>8>NO_LIMITS',
    ],
    patterns: [
      {
        literals: ['ignore', 'disregard', 'forget'],
        regex:
          /\b(?:ignore|disregard|forget)\s{1,3}(?:all\s{1,3}|any\s{1,3}|every\s{1,3})?(?:of\s)?(?:your\s{1,3}|the\s{1,3}|these\s{1,3}|those\s)?(?:previous|prior|above|preceding|earlier|existing|system|safety|original)\s{1,3}(?:system\s|safety\s|security\s)?(?:instruction|prompt|directive|guideline|rule|constraint|message|command|polic|training|restriction)/i,
        in: 'all',
      },
      {
        literals: ['<system', '[system', '<|im_start', '[inst]', '<<sys>>', '### system', '<|system'],
        regex:
          /(?:<\|im_start\|>\s{0,3}system|<\|system\|>|\[\/?INST\]|<<SYS>>|<system>|\[system(?: message| override| note| prompt)?\]|\[SYSTEM[^\]\n]{0,40}\])[\s:]{0,4}[^\n]{0,120}\b(?:you|ignore|must|override|disregard|execute|send|mode|instruction|always|never)\b/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'HIDE_FROM_USER',
    severity: 'high',
    category: 'instructions',
    title: 'Tells the agent to hide something from the user',
    message: 'The text tells the agent to keep what it does from the person it works for.',
    hint: 'Do not use the skill: an honest step needs no secrecy.',
    sentences: [
      'NOT>3>TELL>5>USER>8>THIS_STEP|THAT_IT',
      'NOT>3>TELL>5>THIS_STEP>6>USER',
      'NOT>3>TELL>4>THIS_STEP>10>SUMMARY',
      'NOT>2>TELL_ONLY>4>THIS_STEP',
      '+QUIET_ADVERB>2>UPLOAD|HARVEST PRIVATE|SECRET|SECRET_FILE|STRANGER|OUTSIDER|FILES !ATTACKER',
      '+UPLOAD|ADD|RUN|DOWNLOAD|DESTROY|HARVEST QUIETLY_STRONG !ATTACKER',
      'KEEP_SECRET>6>USER',
      'KEEP>3>THIS_STEP>4>SECRET_WORD',
      'USER>4>NOT_KNOW',
      'NOT>2>TELL>3>USER|QUIETLY STRANGER|SECRET|SECRET_FILE',
      'QUIETLY NOT>3>SHOW_OUTPUT>3>ITS_OUTPUT',
    ],
  },
  {
    code: 'DENY_WHEN_ASKED',
    severity: 'high',
    category: 'instructions',
    title: 'Tells the agent what to deny when it is asked',
    message: 'The text tells the agent to give an untrue or evasive answer about what it does.',
    hint: 'Do not use the skill.',
    sentences: [
      'IF_ASKED>20>DENY>12>LOCAL_CLAIM',
      'IF_ASKED>20>DENY_STRONG',
      'IF_ASKED NOT>3>TELL>6>THIS_STEP',
    ],
  },
  {
    code: 'SKIP_CONFIRMATION',
    severity: 'medium',
    category: 'instructions',
    title: 'Tells the agent to do risky things without asking',
    message: 'The text tells the agent to send, delete, pay or execute without the consent of the user.',
    hint: 'Use the skill only where every such action is approved by a person.',
    sentences: [
      '+RISKY_STRONG>12>NOT>4>CONFIRM_NOUN !UNLESS_ASKED !ATTACKER',
      'NOT>3>CONFIRM_ACT>6>CONFIRM_NOUN>6>RISKY_STRONG !UNLESS_ASKED !ATTACKER',
      'USER>4>ALREADY_AGREED>6>EVERYTHING',
    ],
  },
  {
    code: 'REMOTE_INSTRUCTIONS',
    severity: 'medium',
    category: 'instructions',
    title: 'Fetches instructions from elsewhere and follows them',
    message: 'What the agent does is then decided by a text that can change after the skill was read.',
    hint: 'Have the instructions inside the skill, where they are scanned and pinned.',
    sentences: [
      '+DOWNLOAD>12>URL +FOLLOW !ATTACKER',
      '+FOLLOW_STRICT>6>INSTRUCTIONS URL STRANGER|CATCHER',
      'DOWNLOAD URL PRECEDENCE',
    ],
  },
  {
    code: 'TAMPER_INSTRUCTION',
    severity: 'medium',
    category: 'instructions',
    title: 'Tells the agent to falsify or slip in content',
    message:
      'The result for the user would hold untrue figures, hidden advertising, or payment details and links of somebody else.',
    hint: 'Do not use the skill.',
    sentences: [
      '+FALSIFY>10>NUMBERS UNMARKED',
      '+RECOMMEND NUMBERS|DOCUMENT UNMARKED_AD',
      '+SWAP>8>MONEY',
      '+ADD>14>PHISH_TEXT STRANGER|CATCHER',
      '+ADD|PUT>12>HIDDEN_ROUTE',
      'NOT>3>REPORT_WORD>6>FLAWS !ATTACKER_ONLY',
      'CRYPTO_ADDRESS SWAP',
    ],
  },
  {
    code: 'SPEND_INSTRUCTION',
    severity: 'medium',
    category: 'instructions',
    title: 'Tells the agent to spend money of the user',
    message: 'The text makes the agent buy, pay or transfer by its own decision.',
    hint: 'Do not connect means of payment to an agent with this skill.',
    sentences: ['+SPEND>12>SAVED_MEANS !UNLESS_ASKED', '+SPEND NOT>4>CONFIRM_NOUN !UNLESS_ASKED'],
  },
  {
    code: 'ABUSE_INSTRUCTION',
    severity: 'medium',
    category: 'instructions',
    title: 'Tells the agent to flood, spam or overload',
    message: 'The agent would be used against other people or against the machine it runs on.',
    hint: 'Do not use the skill.',
    sentences: ['+UPLOAD>10>EVERY_CONTACT', '+UPLOAD|MAKE>8>MANY_REQUESTS URL'],
  },
];
