// The words that tell what an English clause does: ask, tell, question, refuse, or speak about words.
//
// Each is a class of grammar, not a list of sentences: what opens a clause, who acts in it, and what is done with what follows.

const any = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;
const n = String.raw`(?:n['’]?t)?`;
const adverb = any(
  'really',
  'just',
  'also',
  'still',
  'only',
  'simply',
  'actually',
  'honestly',
  'currently',
  'now',
  'already',
  'always',
  'often',
  'usually',
  'never',
  'even',
  'both',
  'all',
  'kindly',
  'quickly',
  'desperately',
  'urgently',
  'probably',
  'definitely',
  'certainly',
  'maybe',
  'perhaps',
  'possibly',
  'please',
  'personally',
  'finally',
  'soon',
  'once',
  'apparently',
  'badly',
  'at least',
  'kind of',
  'sort of',
  'first',
  'quite',
  'rather',
  'very',
  'so',
  'then',
  'again',
  'today',
  'recently',
  'ever',
  'long',
  'merely',
  'basically',
  'literally',
  'seriously',
  'obviously',
  'clearly',
  'sometimes',
  'somehow',
  'later',
  'together',
);
const adverbs = String.raw`(?:\s+${adverb}\b)*`;

/** Before a clause: greetings, connectives, politeness, list marks, when. Nothing in it asks or tells. */
export const opener = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}\uFFFC]+|(?:[a-z]|\d{1,3})[.)]\s|@[\w-]+|${any(
    'hey',
    'hi',
    'hello',
    'hiya',
    'yo',
    'dear \\w+',
    'ok',
    'okay',
    'alright',
    'all right',
    'right',
    'well',
    'so',
    'and',
    'but',
    'or',
    'plus',
    'then',
    'now',
    'next',
    'first',
    'firstly',
    'second',
    'secondly',
    'third',
    'last',
    'lastly',
    'finally',
    'also',
    'again',
    'instead',
    'otherwise',
    'anyway',
    'anyways',
    'btw',
    'by the way',
    'oh',
    'um',
    'uh',
    'hmm',
    'yes',
    'yeah',
    'yep',
    'no',
    'nope',
    'sure',
    'sorry',
    'thanks',
    'thank you',
    'thx',
    'cheers',
    'great',
    'cool',
    'perfect',
    'good morning',
    'good evening',
    'morning',
    'evening',
    'actually',
    'honestly',
    'basically',
    'seriously',
    'just',
    'simply',
    'only',
    'maybe',
    'perhaps',
    'possibly',
    'today',
    'tonight',
    'tomorrow',
    'asap',
    'quick',
    'quickly',
    'immediately',
    'there',
    'everyone',
    'team',
    'folks',
    'guys',
    'buddy',
    'mate',
    'man',
    'dude',
    'assistant',
    'bot',
    'claude',
    'because',
    'since',
    'although',
    'though',
    'while',
    'whereas',
    'as',
    'that',
    'this time',
    'this week',
    'this morning',
    'this afternoon',
    'for now',
    'for once',
    'at least',
    'of course',
    'in that case',
    'in short',
    'long story short',
    'as usual',
    'as discussed',
    'as agreed',
    'as before',
    'fun fact',
    'apparently',
    'if possible',
    'in particular',
    'specifically',
    'mostly',
    'overall',
    'still',
    'yet',
    'therefore',
    'thus',
    'hence',
    'once more',
    'one more time',
    'real quick',
    'quick question',
    'question',
    'out of curiosity',
    'just curious',
    'curious',
    'previously',
    'meanwhile',
    'eventually',
    'afterwards',
    '(?:it |that )?(?:looks|seems|sounds|feels) like',
    'i guess',
    'guess',
    'i think',
    'i suppose',
    'i believe',
    'wow',
    'ugh',
    'lol',
    'haha',
    'fyi',
    'ps',
    'p.s.',
    'note to self',
    'which is why',
    "that(?:['’]s| is) why",
  )}(?![\p{L}\p{N}'’])(?!(?<=(?:now|today|next|first|second|last|tomorrow|tonight|up))\s+(?:is|was|are|up is)\b))+`,
  'u',
);
/** `there` and `that`, `this` may also be the subject. */
export const openingSubject =
  /^(?:there|that|this|everyone|team|folks|guys|man|bot|assistant)(?:['’](?:s|d|ll)|\s+(?:is|are|was|were|has|had|will|would|can|could|must|might|may|should|reminds?|means?|sounds?|seems?|used|told|said|looks?|does|did|team|one)\b)/;

/** When it was: before the subject of what is told. */
export const past = new RegExp(
  String.raw`^(?:yesterday|in (?:my|our|the|a) (?:previous|last|earlier|old|past) (?:chat|conversation|session|message|thread|job|company|team)(?: with \w+)?|earlier(?: today| this \w+| on| in [\w ]{3,20}?)?|recently|lately|once upon a time|once|back then|back in [\w ]{2,20}?|(?:the other|one) (?:day|night|time)|last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|time|\w+day)|(?:a|two|three|several|\d+)(?: few| couple of)? (?:days?|weeks?|months?|years?|hours?|minutes?|decades?) ago|(?:some|a long|long) (?:time|while) ago|ages ago|in (?:the )?\d{4}s?|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|when (?:i|we|he|she) (?:was|were) [\w ]{2,30}?)(?=[\s,]*(?:i|we|he|she|they|you|it|the|a|an|my|our|his|her|their|someone|people|two|some|there)\b|[\s,]*$)`,
  'u',
);
/** Where or on what occasion, right before a subject. */
export const occasion =
  /^(?:in|on|at|during|since|for|by|around|throughout|after|before|over|from)\s+(?!which|what|whose|whom)(?:(?:the|a|an|my|our|this|that|last|his|her|their|his)\s+)?(?:[\p{L}\d'’-]+\s+){1,3}?,?\s*(?=\p{L}+\s+(?:will|would|has|had|was|is|were)\b|(?:i|we|you|he|she|they|people|someone|everyone|two|my|our|his|her|their|the|a|an|there)\b)/u;

/** A request, up to what is requested. */
export const asking = new RegExp(
  String.raw`^${any(
    String.raw`(?:please|pls|plz|kindly)`,
    String.raw`(?:can|could|would|will|might|may|wo|ca)${n}\s+(?:you|u|ya|we|i|someone|somebody|anyone|anybody|one of you)(?=\s|$)(?:${adverbs}\s+(?:please|mind|be (?:able|willing|free|available|so \w+ as|up)|like|care|love|ask|get|have|need|take \w+ \w+|help|consider)\b(?:\s+(?:to|for|you|me|us|with|of)\b)*)*`,
    String.raw`(?:are|were|would)\s+you(?:\s+be)?${adverbs}\s+(?:able|willing|free|available|ready|happy|ok|okay|up|in a position|open|down)\b(?:\s+(?:to|for|with))?`,
    String.raw`do you\s+(?:mind|want(?: me)? to|wanna|fancy|feel like|think (?:you|we|i) (?:can|could|might|should)|have (?:any |some |the |a )?(?:time|minute|moment|second|sec|capacity|chance)|suppose you (?:can|could))`,
    String.raw`have you(?: got)? (?:any |some |the |a )?(?:time|minute|moment|second|sec|capacity)`,
    String.raw`(?:is|would|was|might)${n}\s+(?:it|this|that|there)(?:\s+be)?\s+(?:at all )?(?:possible|ok|okay|fine|alright|feasible|doable|cool|too (?:much (?:trouble|to ask)|late|early|soon)|realistic|time|(?:a|any|some|an easy|a quick|a good|no|another)\s*(?:way|chance|possibility|option|method|means|shortcut))\b(?:\s+(?:for|if|that|to|of|you|we|i|can|could)\b)*`,
    String.raw`(?:any|some)\s+(?:chance|way|possibility|hope|tips?|advice|help|pointers)\b(?:\s+(?:for|if|that|to|of|on|with|how|you|we|i|can|could|would|might)\b)*`,
    String.raw`(?:can|could|would|will|might)\s+(?:your|the|our|this)\s+(?:team|assistant|bot|agent|ai|tool|system|model)`,
    String.raw`(?:are|is)${n}\s+(?:we|there (?:someone|somebody|anyone|anybody|a person|a tool|something)|anyone|someone|anybody|somebody)(?:\s+(?:here|ready|able|free|available|good|allowed|set|who|that|can|could|would|to|for)\b)*`,
    String.raw`(?:do|should|shall)\s+(?:we|i)\s+(?:need|have|want|get)\s+to(?!\s+(?:be|pay|register|sign|log)\b)`,
    String.raw`(?:have|did) you (?:had|have|get|got) (?:a|the|any) (?:chance|time|opportunity) to`,
    String.raw`(?:is|would) (?:now|this|today|it)(?: be)? (?:an?|the) (?:good|right|ok|okay|bad|best) (?:time|moment|day) (?:to|for)`,
    String.raw`got (?:a|any|some|the) (?:\w+ )?(?:minute|min|moment|second|sec|time) (?:to|for)`,
    String.raw`what if (?:we|you|i)`,
    String.raw`(?:how (?:soon|fast|quickly|early|hard|difficult|easy|feasible|realistic)|when|what time|by when)\s+(?:can|could|will|would|might|is)\s+(?:you|we|i|it(?: be)?(?: for you)?(?: to)?)`,
    String.raw`how (?:can|could|will) you help(?: (?:me|us))?(?: (?:to|with))?`,
    String.raw`(?:how does one|which steps (?:do|should|must|can) (?:i|we) (?:take|follow)(?: to)?)`,
    String.raw`would${n}\s+it\s+(?:be (?:nice|great|good|better|best|wise|easier|cool|lovely|fun|smart)|hurt|kill you|make sense|help)\s+(?:to|if (?:we|you|i))`,
    String.raw`aren['’]t you\s+(?:supposed|able|meant|going|ready|free)\s+to`,
    String.raw`you(?:['’]ve| have)(?: got)? (?:[\w-]+ ){0,3}?(?:seconds?|minutes|hours?|days?|time|permission|approval|blessing) (?:to|for)`,
    String.raw`(?:shall|should)\s+(?:we|i)`,
    String.raw`would(?:\s+${adverb})*\s+(?:love|like|appreciate|prefer|be (?:great|nice|good|grateful|glad|happy|lovely|awesome|cool|helpful|ideal|perfect))\b(?:\s+(?:it|if|that|to|for|you|we|someone|somebody|some|help|can|could|would|with)\b)*`,
    String.raw`there\s*(?:must|has to|should|is|['’]s|has got to)\s+(?:be\s+)?(?:a|some|another|any)\s+(?:\w+\s+)?way\b(?:\s+(?:to|for|you|we|i|can|could|of)\b)*`,
    String.raw`(?:it|this|that)\s*(?:['’]s|is|was|remains|became)(?:\s+${adverb})*\s+(?:crucial|important|essential|vital|necessary|imperative|critical|urgent|best|better|mandatory|key|advisable|ok|okay|fine|your (?:turn|job|task)|up to you|on you|my wish|our wish)\b(?:\s+(?:that|to|for|if|you|we|i|me|us|all|now)\b)*`,
    String.raw`what do you (?:say|think)(?: if| about)? we`,
    String.raw`who\s+(?:can|could|will|would|is able to|wants to|is going to|has time to)`,
    String.raw`(?:where|when)\s+(?:can|could|may)\s+(?:i|we)`,
    String.raw`(?:all|what)(?:\s+that)?(?:['’]s|\s+is|\s+remains)?\s*(?:left|missing|next|remaining|needed|required|due|open)?\s*(?:now|today|here|for you|for us|to do)?\s*(?:is|remains|:)(?=\s+to\b|\s*$)`,
    String.raw`how\s+(?:do|can|could|should|would|might|shall|may|am)\s+(?:i|we)\b(?!\s+(?:\w+ly\s+)?(?:say|reply|respond|answer|react|ask|word|phrase|express|put|tell|write|spell|pronounce|translate|define|call|describe|explain|know|feel|recogni\w+)\b)`,
    String.raw`how\s+(?:to|about)`,
    String.raw`what\s+about`,
    String.raw`why\s+(?:not|(?:do|ca|wo)n['’]?t\s+(?:you|we|i)|do you not)`,
    String.raw`what(?:['’]?s|\s+is|\s+are|\s+would be)\s+(?:the|a|your|some)\s+(?:[\w-]+\s+){0,3}?(?:ways?|approach|method|steps?|procedure|workflow)\s+(?:to|for|of|you)(?!\s+(?:phras|say|word|ask|express|put|tell|call|spell|writ)\w*)`,
    String.raw`what\s+(?:would|does|will|did)\s+it\s+take`,
    String.raw`what\s+(?:do|should|must|can|would)\s+(?:i|we)\s+(?:have to |need to )?(?:do|use|type|run|click)\b(?:\s+(?:to|in order to|if i want to))?`,
    String.raw`where\s+(?:do|can|should|would)\s+(?:i|we)\s+(?:start|begin|go)\b`,
    String.raw`help(?:\s+(?:me|us|out|them|my \w+))?(?:\s+(?:please|out))?(?:\s+(?:to|with|in|on))?(?=\s|$)`,
    String.raw`let\s+(?:us|me|them|it)|let['’]?s`,
    String.raw`(?:go|get)\s+(?:ahead|on|going|started|to work|cracking|right to it|straight to|back to)(?:\s+(?:and|with|to|on))?`,
    String.raw`(?:proceed|continue|carry on|move on|kick off|start off)(?:\s+(?:and|with|to))?`,
    String.raw`(?:make|be)\s+(?:sure|certain)(?:\s+(?:to|that|and|you|we))*`,
    String.raw`(?:do${n}|do not|never|did you)\s+(?:forget|fail|neglect|hesitate|remember|wait)\s+to`,
    String.raw`remember\s+to`,
    String.raw`feel\s+free\s+to`,
    String.raw`do\s+(?:me|us)\s+(?:a|the)\s+(?:\w+\s+)?(?:favou?r|kindness|solid)`,
    String.raw`(?:it['’]?s\s+|it is\s+|now is the\s+|is it\s+)?(?:about\s+|high\s+|finally\s+)?time\s+(?:to|for|we|you|that we|that you)`,
    String.raw`(?:it|that|this)\s*(?:['’]d|would|will|['’]ll|might|could)\s+(?:${adverb}\s+)*(?:be|help|mean|save|make|do)\b[^.!?\n]{0,60}?\b(?:if you(?:\s+(?:can|could|would|were to|were able to))?|if we(?:\s+(?:can|could))?|to|for you to|having)(?=\s|$)`,
    String.raw`(?:your|my|our|the|one|another|today['’]?s|this week['’]?s)\s+(?:[\w-]+\s+){0,2}?(?:goals?|tasks?|requests?|jobs?|plan|aim|wish|needs?|assignment|homework|step|order|objective|priority|thing|mission|purpose|intention|topic|deliverable|ask|item|problem|challenge|idea|hope|choice|pick|suggestion|proposal|decision|answer)(?:\s+(?:for|of|on|from|with|today|now|here|right)\b[^.!?\n,]{0,40}?)?\s*(?:is|are|['’]s|would be|will be|remains|:)(?:\s+(?:to|that|for|you|we|how|simple|simply|clear|this)\b)*`,
    String.raw`(?:what|all|everything|the (?:one |only )?thing)(?:\s+that)?\s+(?:i|we)(?:['’]d|['’]m| am| would)?${adverbs}\s+(?:need|want|like|require|ask|am asking|am after|care about|hope|looking|hoping|after)\b[^.!?\n]{0,40}?\s*(?:is|are|would be)(?:\s+(?:for|to|you|that)\b)*`,
    String.raw`(?:need|want|wanna|gotta|require|requesting|request|seeking|hoping|trying|planning|looking|wanting|needing|about|ready|able|happy|keen|supposed|asked|have|got|due|off|on|up|back)\s+(?:to|for)`,
    String.raw`(?:need|want|wanna|gotta|requesting|seeking|wanting|needing)(?=\s|$)(?:\s+(?:you|someone|some|help|assistance|support)\b)*(?:\s+(?:to|with|for))?`,
    String.raw`you\s*(?:['’]ll|['’]d better|['’]re going|can|could|should|must|may|might|will|shall|need|ought|have|had better|are|get)(?:\s+(?:${adverb}|to|have|now|go|start|help|begin))*(?=\s|$)(?!\s+(?:said|told|mentioned|asked|wrote|been|done|seen|always))`,
  )}(?![\p{L}\p{N}])`,
  'u',
);

/** After "I" or "we": a wish, a duty, a plan, a difficulty, or what one has got. */
export const ownWish = new RegExp(
  String.raw`^(?:(?:['’]ve|have|had)(?:\s+${adverb})*\s+(?=tried|decided|promised|agreed|wanted|needed|hoped|planned|been|chosen|meant|forgotten|offered|got))?${any(
    String.raw`(?:want(?:ed)?|wanna|need(?:ed)?|wish(?:ed)?|hop(?:e|ed)|require[d]?|request(?:ed)?|expect(?:ed)?|suggest|propose|insist|vote|recommend|demand|prefer|crave|desire|intend(?:ed)?|aim(?:ed)?|plan(?:ned)?|gotta|must|should|ought|shall|will|can|could|might|may|think|thought|guess|figure|reckon|suppose|believe|say|bet|trust|appreciate|wonder(?:ed)?|struggle[d]?|let|lack|miss|owe|leave|mean|meant|beg|urge)\b`,
    String.raw`(?:['’]ve|have) (?:yet to|never|not yet|still to|(?:got )?(?:to|until|till|only))\b`,
    String.raw`ask(?:ed)?(?=\s+(?:you|for|that you|if you|again|kindly|whether you))`,
    String.raw`(?:would|['’]d|['’]ll|will|could|can)\b`,
    String.raw`(?:(?:am|are|['’]m|['’]re)\s*$|had better|have to|has to|need to|got to|am to|are to|used to want)\b`,
    String.raw`(?:promised|told|assured|said|swore)\b.*\b(?:i|we)(?:['’](?:d|ll)|\s+(?:would|will|could|can|should))\s*$`,
    String.raw`(?:tried|try|forgot|failed|decided|promised|agreed|offered|chose|meant|attempted|volunteered|committed|signed up|came(?: here)?|started|began)\s+(?:to|that)\b`,
    String.raw`(?:count|rely|depend|insist|call)\s+(?:on|upon)\b`,
    String.raw`do\s+(?:need|want|hope|wish|require|expect|have to|think)\b`,
    String.raw`(?:find|found)\s+(?:it|this)\s+(?:\w+\s+)?(?:hard|difficult|impossible|tricky|tough)\b`,
    String.raw`keep\s+(?:failing|getting|running into|trying|forgetting|struggling)\b`,
    String.raw`(?:am|are|['’]m|['’]re|was|were|have been|['’]ve been|had been|been|got|get)${adverbs}\s+(?:hoping|wondering|looking|trying|thinking|going|gonna|asking|asked|told|instructed|tasked|assigned|ordered|requested|advised|hired|required|supposed|expected|about|planning|here|ready|keen|eager|excited|happy|glad|pleased|grateful|interested|in|after|due|stuck|struggling|unable|not able|waiting|counting|relying|depending|working|preparing|getting|seeing|having|facing|hitting|needing|wanting|requesting|seeking|meaning|dying|desperate|willing|set|up|open|aiming|starting|under|on|lost|new|unsure|sure|confident|curious to try|told to|missing|short|behind|late|writing|reaching|messaging|contacting|calling|emailing|texting|checking|launching|obliged|forced|meant|to)\b`,
    String.raw`(?:have|['’]ve|['’]ve got|got|get|see|hit|face|keep (?:getting|seeing|hitting)|had)\s+(?:a|an|the|this|that|these|some|two|three|several|my|no|another|trouble|difficulty|problems?|issues?|enough|\d+)\b(?!\s+(?:dream|nightmare|chat|conversation|discussion|laugh|friend|cousin|uncle|neighbou?r|colleague|lecture|class|talk|memory|memories|debate|argument))`,
    String.raw`(?:sent|gave|attached|uploaded|shared|pasted|prepared|collected|gathered|recorded|dropped|added|put)\b`,
    String.raw`(?:(?:do|did|ca|could|was|were|have|are|had)n['’]?t|(?:do|did|can|could|was|were|am|are|have|['’]m|['’]re|['’]ve) not|cannot)\b`,
  )}`,
);
/** "you" before what is asked for: "I trust you to X", "I'd owe you if you X". */
export const nearRequest =
  /(?:\b(?:please|you to|for you to|have you|get you to|if you(?: (?:can|could|would|will))?|you (?:can|could|should|would|will|must|might)(?: be able to)?|you['’](?:d|ll)(?: be able to)?|(?:can|could|would|will) you|(?:i|we) (?:should|need to|have to|must|want to|ought to)|help(?: (?:me|us))?(?: (?:to|with))?|let['’]?s))\s+(?:[a-z]+ly\s+|just\s+|also\s+|the\s+|a\s+|an\s+|my\s+|our\s+)*$/;

/** What others want, and hand on. */
export const othersWish = new RegExp(
  String.raw`(?<![\p{L}])(?:(?:want|need|expect|require|request|demand|insist|suggest|recommend|propose|wish|hope|desire|deserve|await|like(?=\s+(?:to have|you)))(?:e?s|e?d)?|would(?:\s+${adverb})*\s+(?:like|love|prefer|appreciate|benefit)|(?:says?|said) (?:to|(?:i|we) (?:should|have to|need to|must|ought to))|['’]d (?:like|love|prefer|appreciate)|calls? for|called for|could use|asks? for|asked for|(?:asks?|asked|tells?|told|remind(?:s|ed)|instruct(?:s|ed)|order(?:s|ed)|beg(?:s|ged)|urge[sd]|push(?:es|ed)|press(?:es|ed)|invite[sd]|want(?:s|ed)|assigned|tasked)\s+(?:me|us|you)\s+(?:to|with|for)|(?:is|are|was|were|['’]s|['’]re|keeps?|been|still|already)\s+(?:${adverb}\s+)*(?:waiting|asking|requesting|due|needed|hoping|looking|required|expecting|begging|demanding|desperate|overdue|missing|pending|wanted|requested|asking me|nagging)|(?:someone|somebody|one of us|one of you)\s+(?:has to|must|should|needs to|ought to))\b`,
  'u',
);

const be = String.raw`(?:is|are|was|were|am|be|been|being|has|have|had|does|did|do|can|could|will|would|may|might|must|should|shall)${n}`;
/** A finite verb of a third person; a plain plural or adverb is none. */
export const auxiliary = new RegExp(
  String.raw`^(?:${be}|['’](?:s|re|ve|d|ll)|used|cannot|never|always|often|usually|sometimes|really|still|also|even|all|both|only|just)$`,
);
export const presentVerb =
  /^(?:says?|states?|likes?|loves?|hates?|enjoys?|uses?|does|makes?|keeps?|calls?|thinks?|believes?|claims?|knows?|spends?|runs?|works?|talks?|speaks?|opens?|starts?|begins?|ends?|goes|comes?|gets?|gives?|takes?|tells?|shows?|explains?|describes?|mentions?|includes?|involves?|contains?|features?|covers?|deals?|sells?|offers?|teaches|teach|studies|study|practises?|practices?|prefers?|considers?|reminds?|refers?|means?|sounds?|seems?|looks?|feels?|reports?|reads?|writes?|plays?|sings?|posts?|argues?|warns?|suggests?|announces?|advertises?|manages?|handles?|performs?|lives?|dreams?|raves?|brags?|jokes?|complains?|obsess(?:es)?|swears?|relies|rely|insists?|struggles?|decides?|tries|try|helps?|lets?|turns?|changed?|centers?|centres?|revolves?|depicts?|tackles?|discuss(?:es)?|promotes?|celebrates?|organi[sz]es?|sponsors?|stores?|asks?|answers?|depends?|costs?|wants?|needs?|became|becomes?)$/;
/** Of others: what they say, think, like, or do by habit. */
export const tells =
  /^(?:says?|claims?|thinks?|believes?|likes?|loves?|hates?|enjoys?|adores?|talks?|speaks?|spends?|explains?|describes?|mentions?|writes?|swears?|raves?|brags?|jokes?|complains?|dreams?|argues?|warns?|announces?|advertises?|teach(?:es)?|stud(?:y|ies)|practi[sc]es?|reports?|shows?|sells?|lets?|prefers?|obsess(?:es)?|discuss(?:es)?|celebrates?|promotes?|sponsors?|organi[sz]es?|depicts?|features?|revolves?|reminds?|uses?|states?|covers?|used|always|often|usually|sometimes)$/;
/** Others are to do it, or did. */
export const othersDo = new RegExp(
  String.raw`^\s*(?:will|would|shall|can|could|might|may|['’](?:ll|d|s|ve)|has|have|had|did|does|do|(?:is|are|was|were)(?:\s+${adverb})*\s+(?:able|allowed|known|going|gonna|about|supposed|used)|been|used|get|gets|${adverb})(?:\s+(?:will|would|can|could|have|has|been|be|able|allowed|known|going|gonna|about|to|used|how|${adverb}))*\s*$`,
);
/** "My dad's hobby is X" */
export const pastime =
  /\b(?:hobby|hobbies|pastime|passion|favou?rite|profession|obsession|dream)\b[^.!?\n]{0,30}\b(?:is|are|was|were)\b/;
export const determiner =
  /^(?:the|a|an|my|our|your|his|her|its|their|this|that|these|those|some|any|every|each|most|many|several|few|both|all|one|two|three|four|five|ten|another|no|half|such|certain|other|various|countless|\d+)$/;
export const pronoun =
  /^(?:(?:he|she|they|it|there|someone|somebody|everyone|everybody|nobody|no one|people|others|kids|folks|children|men|women|experts|scientists|anyone|none|who|which)(?:['’](?:s|d|ll|ve|re))?|(?:this|that)['’](?:s|d|ll))(?=\s|$)/;
export const self = /^(?:i|we|my \w+ and i)(?=\s|['’]|$)/;
export const leadingAdverbs = new RegExp(String.raw`^${adverbs}\s*`);

/** A question that wants to know: by a question word, or by its verb before the subject. */
export const asksTo =
  /^(?:(?:in|to|for|at|under|by|from|with|since|until|on) )?(?:what|which|who|whom|whose|why|how|when(?=\s+(?:is|are|was|were|do|does|did|would|should|can|could|will|has|have)\b)|where(?=['’]s|\s+(?:is|are|was|were|do|does|did|would|should|can|could|will|has|have)\b))(?:['’](?:s|re|d|ll))?(?![\p{L}])/u;
export const verbFirst = new RegExp(
  String.raw`^(?:(?:is|are|was|were|am|does|did|has|had|should|would|could|can|will|may|might|must|shall)${n}(?![\p{L}'’])|(?:do|have)${n}\s+(?:you|they|we|i|people|most|many|any|anyone|anybody|all|kids|users|companies|other|others)\b|ever\s+(?:heard|seen|tried|used|wondered)\b|heard\s+(?:of|about)\b|any idea\b)`,
  'u',
);
/** Knowing, not doing, is what is wanted. */
export const wantsToKnow =
  /(?:^|\b)(?:explain|walk (?:me|us) through|tell|describe|clarify|elaborate|know|understand|wonder(?:ing|ed)?|curious|learn|find out|figure out|look up|check|see|ask(?:ing)?|guess|say|remind|list|show|name|outline|summari[sz]e|specify|state|determine|confirm|question|sure|idea|interested in|document|detail)\b[^.!?\n]{0,60}?\b(?:what|why|who|whose|which|whether|where|when|if|how(?!\s+(?:to\b|(?:i|we)\s+(?:can|could|should|might|would)\b)))\b(?<!\b(?:if|when|once)(?=\s+(?:(?:maybe|perhaps|possibly)\s+)?(?:you|we|someone|somebody)\s+(?:can|could|are able|have time|are ready|would|might)\b))(?!\s*$)/;

/** Done to words, not asked for: said, explained, counted, corrected. */
export const aboutWords = new RegExp(
  `^${any(
    String.raw`(?:define|explain(?!\s+(?:to (?:me|us)\s+)?how to\b)|describe|clarify|discuss|elaborate on|spell(?:[- ]?check)?|pronounce|say|repeat|recite|mention|quote|cite|google|rate|guess|interpret|paraphrase|rephrase|reword|proofread|proof-read|capitali[sz]e|hyphenate|punctuate|conjugate|diagram the|rename|italici[sz]e|underline|transliterate|transcribe|encode|decode|encrypt|reverse|upper-?case|lower-?case|tokeni[sz]e|back-?translate|translate|retranslate|locali[sz]e|abbreviate|contrast|debate|type|echo|shout|whisper|chant)\b`,
    String.raw`(?:tell|teach|inform|remind|educate|enlighten)\s+(?:me|us|him|her|them)\s+(?:more\s+|something\s+|everything\s+|a (?:bit|little)(?: more)?\s+|all\s+|anything\s+|a (?:story|joke)\s+)?(?:about|of|on)\b`,
    String.raw`(?:talk|speak|chat|learn|read|hear|know|think|care|say something|write an? (?:essay|poem|story|article|post|song|joke|haiku|limerick))\s+(?:to me\s+|with me\s+|more\s+|a (?:bit|little)\s+)?(?:about|of)\b`,
    String.raw`(?:count|compare|correct|fix|check|change|improve|shorten|highlight|replace|bold|put)\b[^.!?\n]*\b(?:letters?|words?|characters?|vowels?|syllables?|spelling|grammar|punctuation|capitali[sz]ation|case|typos?|hyphens?|commas?|wording|tone|heading|headline|phrase|sentence|label|caption|slogan|string|title)\b`,
    String.raw`(?:give|tell|show|send|offer|provide|write)\s+(?:(?:me|us)\s+)?(?:a|an|the|some|your|two|three|\d+)\s+(?:[\w-]+\s+){0,3}?(?:definitions?|meanings?|explanations?|synonyms?|antonyms?|etymolog\w+|pronunciations?|translations?|descriptions?|examples? of when|pros|advantages?|disadvantages?|benefits?|drawbacks?|risks?|limits?|limitations?|origins?|history|price|cost|requirements?|prerequisites?|facts?|documentation|docs|background|information|info|details|context|overview|(?:[\w-]+\s+)?transcriptions?|transliterations?|plural|tense|grammar|spelling|acronym|abbreviation|opinion|thoughts|take)\b(?=\s+(?:of|for|on|about|behind)\b)`,
  )}`,
);
/** A noun for what is known about something: "the risks of X", "the ability to X". */
export const knownOf =
  /\b(?:definition|meaning|explanation|concept|idea|notion|history|origins?|risks?|dangers?|pros and cons|pros|cons|advantages?|disadvantages?|benefits?|drawbacks?|limits?|limitations?|abilit(?:y|ies)|capabilit(?:y|ies)|requirements?|prerequisites?|permissions?|price|costs?|point|purpose|philosophy|psychology|ethics|etymology|anagrams?|synonyms?|antonyms?|rhymes?|spelling|pronunciation|translations?|plural|difference|differences|popularity|importance|documentation|docs|source code|version|author|opinion|opinions|view|views|thoughts|question|questions|info|information|background|details|overview|facts?|trivia|story|joke|quote|legality)\s+(?:of|for|behind|about|on|between|to|regarding|with)\b[^.!?\n]{0,40}$/;

/** To hear or learn about it, not to have it done. */
export const knowMore =
  /\b(?:confirm|verify)\s+(?:that\s+)?(?:you|it)\b|\b(?:think|thinking|talk|talking|wondering|worry|worrying)\s+about\s+(?:what|how|why|when|who|whether)\b|\b(?:know|learn|hear|understand|read|talk|ask|wonder|find out|curious|chat|inquire|enquire|questions?|confused|unclear|unsure|speculate|philosophi[sz]e|brag|worry)\b(?:\s+[\w'’]+){0,3}?\s+(?:about|regarding|on|concerning|of)\s+(?:[\w'’]+\s+){0,3}$|\bunderstand(?:ing)?\s+(?:[\w'’]+\s+){0,2}$/;
/** After the words: another way to write them. */
export const rewritten =
  /^["'”’\s]*(?:backwards?|out loud|aloud|(?:in|into|to|from) (?:the )?(?:past|present|future|passive|active|plural|singular|imperative)\b|in (?:all[ -])?(?:caps|capitals?|capital letters|upper ?case|lower ?case|title case|camel ?case|snake ?case|cursive|morse\w*|braille|binary|hex\w*|bold|italics|(?:[\w-]+\s+){1,2}(?:characters|letters|script|alphabet|font|handwriting|calligraphy))|to (?:upper ?case|lower ?case|title case|morse\w*|binary|hex\w*|base64)|(?:in|with) (?:simpler|other|fewer|plain|your own|different|nicer|kinder) (?:words|terms|language|english)|as an? (?:question|statement|haiku|hashtag|acronym|emoji)|into a (?:question|statement|hashtag)|(?:sound|read)s? (?:more|less|\w+er|natural\w*|polite\w*|formal\w*|like)|more (?:polite|formal|concise|natural|friendly|idiomatic)(?:ly)?|using (?:the nato|only|emoji)\b)/;
/** After a request that was one then: what came of it. */
export const cameOfIt =
  /^[^.!?;\n]{0,60}?(?:,\s*|\s)(?:and|but|which|so)\s+(?:(?:i|we|it|he|she|they|you|the \w+|that|nothing|nobody|everything|this)\s+)?(?:already\s+|just\s+|then\s+|simply\s+|never\s+|finally\s+)?(?:did|refused|declined|took|was|were|had|finished|completed|forgot|got|went|failed|worked|happened|answered|replied|said|apologi[sz]ed|crashed|ignored|produced|gave)\b/;

/** Ends or puts off what follows. */
export const cancels =
  /^(?:cancel|scrap|drop|hold|pause|stop|skip|avoid|forget|abandon|ditch|nix|axe|kill|shelve|park|postpone|delay|defer|suspend|halt|abort|omit|exclude|withdraw|revoke|retract|disregard|dismiss|discard|ban|prevent|forgo|quit|cease|scratch|reject|decline|refuse|veto|call off|put off|rule out|leave out|lay off|back out of|opt out of|hold off|stay away from|keep away from|steer clear of|refrain|abstain|resist|cut(?: out)? the|ignore|never mind|nevermind|enough|spare me|hands off|wait (?:with|on|before|until)|leave(?=\b[^.!?\n]*\b(?:aside|out|alone|off|for)\b))\b/;
/** What one dislikes, doubts or has given up. */
export const refuses =
  /(?<![\p{L}])(?:hate|hated|loathe|dread|dislike|detest|doubt|refuse[ds]?|declin(?:e|ed|ing)|object(?:ed)? to|regret|oppose[d]?|reject(?:ed)?|cancel(?:l?ed)?|abandon(?:ed)?|gave up|given up|giving up|opted out|backed out|decided against|(?:am|['’]m|are|['’]re) (?:against|sick of|tired of|done with|over|fed up|through with)|changed (?:my|our) mind about|can (?:easily )?do without|could do without|prevent|prohibit(?:ed)?|forbid|forbidden|banned|too (?:early|late|soon|risky|expensive|busy|tired|complicated|dangerous)(?= to\b)|unnecessary|pointless|needless|premature|unwise|foolish|useless|inappropriate|wrong|a mistake|a bad idea|overkill)(?![\p{L}])/u;

/** After what is told: the request itself, by a pronoun: "Please do it now", "I'd like that today". */
export const takenUp =
  /(?<!\b(?:not|never|n['’]t|who|to|if you|why|you|i|we|they|he|she) )(?:\b(?:please|pls|kindly|(?:can|could|would|will) you(?: please)?|now|so|go ahead and|let['’]?s|just|i(?:['’]d like| want| need) you to)\s+(?:(?:now|finally|just|please|go ahead and)\s+)*(?:do|handle|finish|start|get) (?:it|that|this|so)(?: done)?(?=\s*(?:[.,!?;]|$)|\s+(?:now|today|please|for (?:me|us)|again|right|asap|this|instead|anyway|properly|tonight)\b)|\bi(?:['’]d (?:like|love)| want| need) (?:that|it|this)(?: done)? (?:now|today|please|right away|asap)\b)/;
/** "What we agreed on is that you X" */
export const cleft =
  /^what\s+(?!is\b|was\b|are\b|were\b|does\b|do\b|did\b|would\b|else\b)[^.!?\n]{2,80}?\b(?:is|was)\s+(?:that\s+(?:you|we|i)|for you to|to|you)?\s*$/;
/** Said, by oneself, at another time. */
export const saidThen =
  /^(?:had\s+|have\s+|['’]d\s+|['’]ve\s+)?(?:asked|told|requested|instructed|ordered|typed|wrote|said)\b/;

/** A clause of what might be: not asked for. */
export const supposes =
  /^(?:hypothetically|theoretically|in theory)\b|^(?:if|suppose|supposing|imagine|assuming|assume|pretend|say|let['’]?s say|what if)\s+(?:that\s+)?(?:(?:i|we)\s+(?:\w+\s+)?(?:ask|asked|tell|told|say|said|type|typed|wrote|were|had|wanted)|(?:someone|somebody|one|people|anyone|anybody|he|she|they|a|an|the|another|my|our)\b)/;
/** Thanks, joy at what was done, or a memory of it. */
export const thanks =
  /^\W*(?:(?:do you |i )?remember\s+(?:when|how|the (?:time|day))\b|(?:thanks|thank you|thx|cheers|kudos|congrats|congratulations|props|glad|pleased|good job|great job|nice work|well done|sorry|proud|impressed)(?:\s+(?:so much|a lot|very much|again|a million))?\s+(?:for|that|you|on|about|with|to hear)\b(?!\s+(?:asking|the trouble|bothering)))/;
/** Of people or things that do it: "tools that X". */
export const relative =
  /\b(?:[a-z-]+\s+who|[a-z-]+\s+which|(?:tools?|skills?|apps?|bots?|people|programs?|things?|ones?|commands?|features?|plugins?|models?|assistants?|services?|websites?|companies)\s+that)(?:\s+(?:can|could|will|would|may|might|know how to|lets? you|lets? me|is able to|are able to|do|does))?\s*$/;
/** Before a clause that tells of others. */
export const whenOthers =
  /^(?:when|whenever|after|before|until|once|every time|each time|as soon as|because|while|since|although)\s+(?=(?:he|she|they|someone|somebody|people|my\s+\w+|our\s+\w+|the\s+\w+|an?\s+\w+|his|her|their|one)\b)/;

/** Of a text, a book, a show or a person: what it is about, or known for. */
export const subjectMatter =
  /\b(?:book|article|film|movie|documentary|podcast|episode|song|lecture|exhibition|poster|advert|novel|rumou?r|joke|meme|museum|festival|club|fan|conference|famous|known|notorious)s?\s+(?:was\s+|is\s+)?(?:about|on|of|for|featuring)\s+(?:an?\s+|the\s+)?$/;

const surelyOfWords = String.raw`read this (?:aloud|out)|translate|retranslate|back-?translate|interpret|proof-?read|rephrase|reword|paraphrase|spell(?:[- ]?check)?|pronounce|transcribe|transliterate|punctuate|capitali[sz]e|conjugate|sound out|read (?:aloud|out)|re-?write|re-?phrase|polish|say`;
const ofWords = String.raw`this (?:in|into|to|as|as a|sound|shorter|better|nicer|less|more)|words?|wording|phras\w+|sentences?|spelling|grammar|punctuation|typos?|tone|letters?|vowels?|consonants?|syllables?|characters?|tense|english|headings?|headlines?|titles?|captions?|slogans?|commas?|capitali[sz]ation|idioms?|mistakes?|clarity|brevity|readability|flow`;
/** Before a colon: work on words. */
export const wordWork = new RegExp(
  String.raw`^(?:(?:${surelyOfWords})\b|(?:render|correct|edit|shorten|lengthen|improve|simplify|rate|grade|classify|label|categori[sz]e|analy[sz]e|count|convert|locali[sz]e|parse|tokeni[sz]e|encode|decode|encrypt|fix|check|change|find|mark|underline|highlight|make|put|turn|write|repeat|read|sort|reverse)\b(?:[^.!?\n]*\b(?:${ofWords}|more (?:polite|formal|concise|natural|friendly|casual)|politer|friendlier|shorter|simpler|nicer)\b|\s*[:：]\s*$))`,
);

/** Somebody else is, or was, told to do it: "when I asked the bot to X", "a man telling his robot to X"; and what one remembers. */
export const toldOthers =
  /\b(?:asked|asks|asking|told|tells|telling|order(?:ed|s|ing)|instruct(?:ed|s|ing)|begg(?:ed|ing)|begs|command(?:ed|s|ing)|forc(?:ed|es|ing)|hir(?:ed|es|ing)|prompt(?:ed|s|ing)|taught|teach(?:es|ing)|train(?:ed|s|ing)|programm(?:ed|ing)|convinc(?:ed|es|ing)|persuad(?:ed|es|ing)|allow(?:ed|s|ing)|enabl(?:ed|es|ing)|us(?:ed|es|ing)|got(?=\s+(?:the|an?|my|our|his|her|their)\b))\s+(?!(?:[\p{L}\d]+\s+){0,3}?(?:minutes?|mins?|moments?|seconds?|secs?|hours?|days?|weeks?|time|chance|capacity)\b)(?!(?:me|us|you|someone|somebody|anyone|if|whether|for|that|about|in|on|by|and|or|the (?:time|chance|task|order|job|idea|opportunity|honou?r|plan|permission|instructions?))\b)(?:(?:the|a|an|my|our|his|her|their|some|its|this|that|one of (?:the|my|our|his|her|their))\s+)?(?:[\p{L}\d’'.-]+\s+){0,2}?(?!to\b|and\b|or\b)[\p{L}\d’'.-]+\s+(?:(?:several|many|two|three|\d+) times\s+)?(?:not\s+)?to\s+(?:\p{L}+ly\s+)?$|\b(?:remember|recall|regret)(?:ed|s|ing)?\s+\p{L}+ing\s+(?:[\p{L}’']+\s+){0,3}?(?:to\s+)?$/u;
/** Somebody's words, without marks. */
export const sayingIt =
  /(?<!\b(?:just|i['’]m|am|i) )\b(?:saying|shouting|yelling|whispering|muttering|chanting)\s+(?:please\s+)?$/;
/** A clause before that tells of times gone by. */
export const goneBy =
  /\b(?:back when|when (?:i|we) (?:was|were|lived|worked|studied)|in the old days|years ago)\b/;
/** What would be if: "what happens when someone asks you to X", "will you charge me if I tell you to X". */
export const supposed =
  /\b(?:what\s+(?:happens?|would happen|you (?:do|would do)|it (?:does|would do))|(?<!\b(?:mind|ok|okay|fine|alright|cool|possible) )(?:if|when|whenever|once)\s+(?:i|we|they|he|she|one|someone|somebody|people|users?|(?:a|an|the|another)\s+\p{L}+)\s+(?:\p{L}+ly\s+|were to\s+|would\s+|should\s+)?(?:tells?|told|asks?|asked|orders?|ordered|says?|said|wants?|wanted|types?|typed)\s+(?:you|it|the \p{L}+)(?:\s+to)?)\s*(?:(?:when|if|after|once|while)\s+(?:you|it|someone|i|we)\s*)?$/u;
/** Whether anybody could, not whether you will: "is it possible for a machine to X". */
export const forAnybody =
  /\bfor\s+(?:an?|any|the|some|most|other|today['’]s)?\s*(?:ais?|bots?|assistants?|models?|computers?|machines?|programs?|software|tools?|agents?|persons?|humans?|people|llms?|someone|somebody|anyone|anybody|robots?|beginners?|apps?)\s+to\s+$/;
/** After the words: of how things are, not of now. */
export const inGeneral =
  /^\s*,?\s*(?:in (?:general|principle|theory)|generally(?: speaking)?|theoretically|hypothetically)\b[^.!\n]{0,40}\?/;
/** After the words, in a question: another thing that might be so, or a case that might come. */
export const alternative =
  /^[^.!?\n]{0,80}?(?:\bor\s+(?:(?:do|does|did)\s+(?:you|it|they|i)\b|is (?:it|that|this)\b|are (?:you|there)\b|only\b|just (?:on|for|when)\b)|\bif\s+(?:an?|the|someone|somebody|i|we|they|he|she)\s+(?:\p{L}+\s+)?(?:told|asked|tell|ask|said|ordered|wanted)\b)[^.!?\n]*\?/u;

/** A question about words, right before them: "Any typos in this? X" */
export const wordsAsked =
  /\b(?:typos?|commas?|this (?:sentence|phrase|line|heading|title|wording|word)|grammar|grammatical|spelling|spelled|punctuation|wording|phrasing|idiomatic|(?:correct|proper|good|my|the) english|english (?:fine|ok|okay|correct|right)|sound (?:natural|right|rude|polite|ok|okay|formal))\b[^.!?\n]*\?\s*$/;

/** A colon after these is followed by words to work on. */
export const textNoun =
  /\b(?:this|these|the following|that|those|the next|(?<!\w\s)following(?! up))\s+(?:[\w-]+\s+){0,2}?(?:sentences?|phrases?|headings?|headlines?|titles?|lines?|texts?|paragraphs?|words?|strings?|slogans?|captions?|labels?|wordings?|statements?|passages?|excerpts?|snippets?|subject lines?|tweets?|quotes?|expressions?|idioms?|names?|utterances?|examples?|inputs?|e-?mails?|messages?|mails?|letters?|posts?|comments?|reviews?|replies|reply|notes?|tickets?|logs?|chats?|transcripts?|conversations?|dialogues?)\b/;
