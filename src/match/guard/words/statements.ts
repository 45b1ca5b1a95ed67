// The words of a statement: who acts in it, and what they said or did.
import { adverb, contractedNot } from './adverbs.ts';
import { unfold } from '../../text/unfold.ts';

const be = unfold`
  (?:
    is|are|was|were|am|be|been|being|has|have|had|does|did|do|can|could|will|would|may|might|must|should
    |shall
  )${contractedNot}
`;

/** A finite verb of a third person; a plain plural or adverb is none. */
export const auxiliary = new RegExp(
  unfold`
    ^(?:
      ${be}|['’](?:s|re|ve|d|ll)|used|cannot|never|always|often|usually|sometimes|really|still|also|even|all
      |both|only|just
    )$
  `,
);

export const presentVerb = new RegExp(unfold`
  ^(?:
    says?|states?|likes?|loves?|hates?|enjoys?|uses?|does|makes?|keeps?|calls?|thinks?|believes?|claims?
    |knows?|spends?|runs?|works?|talks?|speaks?|opens?|starts?|begins?|ends?|goes|comes?|gets?|gives?|takes?
    |tells?|shows?|explains?|describes?|mentions?|includes?|involves?|contains?|features?|covers?|deals?
    |sells?|offers?|teaches|teach|studies|study|practises?|practices?|prefers?|considers?|reminds?|refers?
    |means?|sounds?|seems?|looks?|feels?|reports?|reads?|writes?|plays?|sings?|posts?|argues?|warns?
    |suggests?|announces?|advertises?|manages?|handles?|performs?|lives?|dreams?|raves?|brags?|jokes?
    |complains?|obsess(?:es)?|swears?|relies|rely|insists?|struggles?|decides?|tries|try|helps?|lets?|turns?
    |changed?|centers?|centres?|revolves?|depicts?|tackles?|discuss(?:es)?|promotes?|celebrates?
    |organi[sz]es?|sponsors?|stores?|asks?|answers?|depends?|costs?|wants?|needs?|became|becomes?
  )$
`);

/** Of others: what they say, think, like, or do by habit. */
export const tells = new RegExp(unfold`
  ^(?:
    says?|claims?|thinks?|believes?|likes?|loves?|hates?|enjoys?|adores?|talks?|speaks?|spends?|explains?
    |describes?|mentions?|writes?|swears?|raves?|brags?|jokes?|complains?|dreams?|argues?|warns?|announces?
    |advertises?|teach(?:es)?|stud(?:y|ies)|practi[sc]es?|reports?|shows?|sells?|lets?|prefers?
    |obsess(?:es)?|discuss(?:es)?|celebrates?|promotes?|sponsors?|organi[sz]es?|depicts?|features?|revolves?
    |reminds?|uses?|states?|covers?|used|always|often|usually|sometimes
  )$
`);

/** Others are to do it, or did. */
export const othersDo = new RegExp(
  unfold`
    ^\s*(?:
      will|would|shall|can|could|might|may|must|should|['’](?:ll|d|s|ve)|has|have|had|did|does|do
      |(?:is|are|was|were)(?:\s+${adverb})*\s+(?:able|allowed|known|going|gonna|about|supposed|used)|been
      |used|get|gets|${adverb}
    )(?:
      \s+
      (?:will|would|can|could|have|has|been|be|able|allowed|known|going|gonna|about|to|used|how|${adverb})
    )*(?:\s+(?:do|make|write|prepare|run|handle))?(?:\s+(?:the|an?|our|their|his|her|its|all))?\s*$
  `,
);

/** "My dad's hobby is X" */
export const pastime = new RegExp(unfold`
  \b(?:hobby|hobbies|pastime|passion|favou?rite|profession|obsession|dream)\b[^.!?\n]{0,30}\b
  (?:is|are|was|were)\b
`);

export const determiner = new RegExp(unfold`
  ^(?:
    the|a|an|my|our|your|his|her|its|their|this|that|these|those|some|any|every|each|most|many|several|few
    |both|all|one|two|three|four|five|ten|another|no|half|such|certain|other|various|countless|\d+
  )$
`);

export const pronoun = new RegExp(unfold`
  ^(?:
    (?:
      he|she|they|it|there|someone|somebody|everyone|everybody|nobody|no one|people|others|kids|folks
      |children|men|women|experts|scientists|anyone|none|who|which
    )(?:['’](?:s|d|ll|ve|re))?|(?:this|that)['’](?:s|d|ll)
  )(?=\s|$)
`);

export const self = /^(?:i|we|my \w+ and i)(?=\s|['’]|$)/;

/** Said, by oneself, at another time. */
export const saidThen =
  /^(?:had\s+|have\s+|['’]d\s+|['’]ve\s+)?(?:asked|told|requested|instructed|ordered|typed|wrote|said)\b/;

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

/** Of a text, a book, a show or a person: what it is about, or known for. */
export const subjectMatter = new RegExp(unfold`
  \b(?:
    book|article|film|movie|documentary|podcast|episode|song|lecture|exhibition|poster|advert|novel|rumou?r
    |joke|meme|museum|festival|club|fan|conference|famous|known|notorious
  )s?\s+(?:was\s+|is\s+)?(?:about|on|of|for|featuring)\s+(?:an?\s+|the\s+)?$
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

/** After a request that was one then: its result. */
export const cameOfIt = new RegExp(unfold`
  ^[^.!?;\n]{0,60}?(?:,\s*|\s)(?:and|but|which|so)\s+
  (?:(?:i|we|it|he|she|they|you|the \w+|that|nothing|nobody|everything|this)\s+)?
  (?:already\s+|just\s+|then\s+|simply\s+|never\s+|finally\s+)?(?:
    did|refused|declined|took|was|were|had|finished|completed|forgot|got|went|failed|worked|happened
    |answered|replied|said|apologi[sz]ed|crashed|ignored|produced|gave
  )\b
`);

/** Directly before the words, who else did or does it: "my boss X". */
export const doneByKin =
  /(?:^|[,;]|\b(?:and|but|because|that|since|so|while|when|if))\s*(?:my|our|his|her|their)\s+[\p{L}-]+\s+$/u;
