// The words of a statement about what somebody else says or does.
import { unfold } from '../../text/unfold.ts';

/** Of people or things that do it: "tools that X". */
export const relative = new RegExp(unfold`
  \b(?:
    [a-z-]+\s+who|[a-z-]+\s+which
    |(?:
      tools?|skills?|apps?|bots?|people|programs?|things?|ones?|commands?|features?|plugins?|models?
      |assistants?|services?|websites?|companies
    )\s+that
  )(?:\s+(?:can|could|will|would|may|might|know how to|lets? you|lets? me|is able to|are able to|do|does))?
  \s*$
`);

/** Somebody else is, or was, told to do it: "when I asked the bot to X", "a man telling his robot to X"; and what one remembers. */
export const toldOthers = new RegExp(
  unfold`
    \b(?:
      asked|asks|asking|told|tells|telling|order(?:ed|s|ing)|instruct(?:ed|s|ing)|begg(?:ed|ing)|begs
      |command(?:ed|s|ing)|forc(?:ed|es|ing)|hir(?:ed|es|ing)|prompt(?:ed|s|ing)|taught|teach(?:es|ing)
      |train(?:ed|s|ing)|programm(?:ed|ing)|convinc(?:ed|es|ing)|persuad(?:ed|es|ing)|allow(?:ed|s|ing)
      |enabl(?:ed|es|ing)|us(?:ed|es|ing)|got(?=\s+(?:the|an?|my|our|his|her|their)\b)
    )\s+(?!
      (?:[\p{L}\d]+\s+){0,3}?
      (?:minutes?|mins?|moments?|seconds?|secs?|hours?|days?|weeks?|time|chance|capacity)\b
    )(?!
      (?:
        me|us|you|someone|somebody|anyone|if|whether|for|that|about|in|on|by|and|or
        |the (?:time|chance|task|order|job|idea|opportunity|honou?r|plan|permission|instructions?)
      )\b
    )(?:(?:the|a|an|my|our|his|her|their|some|its|this|that|one of (?:the|my|our|his|her|their))\s+)?
    (?:[\p{L}\d’'.-]+\s+){0,2}?(?!to\b|and\b|or\b)[\p{L}\d’'.-]+\s+
    (?:(?:several|many|two|three|\d+) times\s+)?(?:not\s+)?to\s+(?:\p{L}+ly\s+)?$
    |\b(?:remember|recall|regret)(?:ed|s|ing)?\s+\p{L}+ing\s+(?:[\p{L}’']+\s+){0,3}?(?:to\s+)?$
  `,
  'u',
);

/** Somebody's words, without marks. */
export const sayingIt =
  /(?<!\b(?:just|i['’]m|am|i) )\b(?:saying|shouting|yelling|whispering|muttering|chanting)\s+(?:please\s+)?$/;

/** Directly before the words, who else did or does it: "my boss X". */
export const doneByKin =
  /(?:^|[,;]|\b(?:and|but|because|that|since|so|while|when|if))\s*(?:my|our|his|her|their)\s+[\p{L}-]+\s+$/u;

/** What people do as a rule: "we usually do a X". */
export const habit = new RegExp(
  unfold`
    \b(?:i|we|they|he|she|(?:my|our|his|her|their|the)\s+[\p{L}-]+)\s+
    (?:normally|usually|always|often|typically|generally|sometimes|regularly|occasionally)\s+
    (?:(?!want|need|like|prefer|expect|ask|get|forget)[\p{L}]+\s+)?(?:(?:the|an?|our|my|their|his|her)\s+)?$
  `,
  'u',
);

/** "Our CTO does a X", "they promised us a X", "our policy requires a X", "just wrapped up the X". */
export const doneByOthers = new RegExp(
  unfold`
    (?:^|[\s,;])(?:they|he|she|(?:my|our|his|her|their)\s+[\p{L}-]+)\s+(?:
      (?<=(?:policy|process|contract|handbook|law|guidelines?|rules?)\s+)(?:requires?|demands?|mandates?)
      |does|runs|writes|prepares|handles|conducts|performs|(?:promised|offered|sold|sent|gave|showed)\s+(?:me|us)
    )\s+(?:(?:the|an?|our|my|their|his|her|some)\s+)?$
    |(?:^|[,;]\s*)\W*(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?(?:just|already|finally)\s+
    (?:wrapped\s+up|finished|completed|did|wrote|ran|submitted|sent|published)\s+(?:(?:the|an?|our|my)\s+)?$
  `,
  'u',
);

/** A subject and its verb right before the words; the verb may be in the past: "we discussed X". */
export const subjectAndVerb = new RegExp(
  unfold`
    (?:^|[,;]\s*|\b(?:and|but|then|because|since)\s+)\s*(i|we|he|she|they|people|(?:my|our|his|her|their|the)\s+[\p{L}-]+)\s+
    (?!said|wanted|needed|hoped|forgot|meant|planned|decided|asked|promised|failed|tried|requested|wished)([\p{L}]+)\s+
    (?:(?:about|over|through|the|an?|our|my|their|his|her)\s+)*$
  `,
  'u',
);
