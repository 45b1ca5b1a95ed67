// The words of a request or a wish.
import { adverb, adverbs, contractedNot } from './adverbs.ts';
import { unfold } from '../../text/unfold.ts';

/** A request, up to what is requested. */
export const asking = new RegExp(
  unfold`
    ^(?:
      (?:please|pls|plz|kindly)
      |(?:can|could|would|will|might|may|wo|ca)${contractedNot}\s+
      (?:you|u|ya|we|i|someone|somebody|anyone|anybody|one of you)(?=\s|$)(?:
        ${adverbs}\s+(?:
          please|mind|be (?:able|willing|free|available|so \w+ as|up)|like|care|love|ask|get|have|need
          |take \w+ \w+|help|consider
        )\b(?:\s+(?:to|for|you|me|us|with|of)\b)*
      )*
      |(?:are|were|would)\s+you(?:\s+be)?${adverbs}\s+
      (?:able|willing|free|available|ready|happy|ok|okay|up|in a position|open|down)\b
      (?:\s+(?:to|for|with))?
      |do you\s+(?:
        mind|want(?: me)? to|wanna|fancy|feel like|think (?:you|we|i) (?:can|could|might|should)
        |have (?:any |some |the |a )?(?:time|minute|moment|second|sec|capacity|chance)
        |suppose you (?:can|could)
      )|have you(?: got)? (?:any |some |the |a )?(?:time|minute|moment|second|sec|capacity)
      |(?:is|would|was|might)${contractedNot}\s+(?:it|this|that|there)(?:\s+be)?\s+(?:at all )?(?:
        possible|ok|okay|fine|alright|feasible|doable|cool|too (?:much (?:trouble|to ask)|late|early|soon)
        |realistic|time
        |(?:a|any|some|an easy|a quick|a good|no|another)\s*
        (?:way|chance|possibility|option|method|means|shortcut)
      )\b(?:\s+(?:for|if|that|to|of|you|we|i|can|could)\b)*
      |(?:any|some)\s+(?:chance|way|possibility|hope|tips?|advice|help|pointers)\b
      (?:\s+(?:for|if|that|to|of|on|with|how|you|we|i|can|could|would|might)\b)*
      |(?:can|could|would|will|might)\s+(?:your|the|our|this)\s+
      (?:team|assistant|bot|agent|ai|tool|system|model)
      |(?:are|is)${contractedNot}\s+(?:
        we|there (?:someone|somebody|anyone|anybody|a person|a tool|something)|anyone|someone|anybody
        |somebody
      )(?:\s+(?:here|ready|able|free|available|good|allowed|set|who|that|can|could|would|to|for)\b)*
      |(?:do|should|shall)\s+(?:we|i)\s+(?:need|have|want|get)\s+to(?!\s+(?:be|pay|register|sign|log)\b)
      |(?:have|did) you (?:had|have|get|got) (?:a|the|any) (?:chance|time|opportunity) to
      |(?:is|would) (?:now|this|today|it)(?: be)? (?:an?|the) (?:good|right|ok|okay|bad|best) (?:
        time|moment|day
      ) (?:to|for)|got (?:a|any|some|the) (?:\w+ )?(?:minute|min|moment|second|sec|time) (?:to|for)
      |what if (?:we|you|i)
      |(?:how (?:soon|fast|quickly|early|hard|difficult|easy|feasible|realistic)|when|what time|by when)\s+
      (?:can|could|will|would|might|is)\s+(?:you|we|i|it(?: be)?(?: for you)?(?: to)?)
      |how (?:can|could|will) you help(?: (?:me|us))?(?: (?:to|with))?
      |(?:how does one|which steps (?:do|should|must|can) (?:i|we) (?:take|follow)(?: to)?)
      |would${contractedNot}\s+it\s+
      (?:be (?:nice|great|good|better|best|wise|easier|cool|lovely|fun|smart)|hurt|kill you|make sense|help)
      \s+(?:to|if (?:we|you|i))|aren['’]t you\s+(?:supposed|able|meant|going|ready|free)\s+to
      |you(?:['’]ve| have)(?: got)? (?:[\w-]+ ){0,3}?
      (?:seconds?|minutes|hours?|days?|time|permission|approval|blessing) (?:to|for)
      |(?:shall|should)\s+(?:we|i)
      |would(?:\s+${adverb})*\s+(?:
        love|like|appreciate|prefer
        |be (?:great|nice|good|grateful|glad|happy|lovely|awesome|cool|helpful|ideal|perfect)
      )\b(?:\s+(?:it|if|that|to|for|you|we|someone|somebody|some|help|can|could|would|with)\b)*
      |there\s*(?:must|has to|should|is|['’]s|has got to)\s+(?:be\s+)?(?:a|some|another|any)\s+(?:\w+\s+)?way\b
      (?:\s+(?:to|for|you|we|i|can|could|of)\b)*
      |(?:it|this|that)\s*(?:['’]s|is|was|remains|became)(?:\s+${adverb})*\s+(?:
        crucial|important|essential|vital|necessary|imperative|critical|urgent|best|better|mandatory|key
        |advisable|ok|okay|fine|your (?:turn|job|task)|up to you|on you|my wish|our wish
      )\b(?:\s+(?:that|to|for|if|you|we|i|me|us|all|now)\b)*|what do you (?:say|think)(?: if| about)? we
      |who\s+(?:can|could|will|would|is able to|wants to|is going to|has time to)
      |(?:where|when)\s+(?:can|could|may)\s+(?:i|we)
      |(?:all|what)(?:\s+that)?(?:['’]s|\s+is|\s+remains)?\s*
      (?:left|missing|next|remaining|needed|required|due|open)?\s*(?:now|today|here|for you|for us|to do)?
      \s*(?:is|remains|:)(?=\s+to\b|\s*$)
      |how\s+(?:do|can|could|should|would|might|shall|may|am)\s+(?:i|we)\b(?!
        \s+(?:\w+ly\s+)?(?:
          say|reply|respond|answer|react|ask|word|phrase|express|put|tell|write|spell|pronounce|translate
          |define|call|describe|explain|know|feel|recogni\w+
        )\b
      )|how\s+(?:to|about)|what\s+about|why\s+(?:not|(?:do|ca|wo)n['’]?t\s+(?:you|we|i)|do you not)
      |what(?:['’]?s|\s+is|\s+are|\s+would be)\s+(?:the|a|your|some)\s+(?:[\w-]+\s+){0,3}?
      (?:ways?|approach|method|steps?|procedure|workflow)\s+(?:to|for|of|you)
      (?!\s+(?:phras|say|word|ask|express|put|tell|call|spell|writ)\w*)
      |what\s+(?:would|does|will|did)\s+it\s+take
      |what\s+(?:do|should|must|can|would)\s+(?:i|we)\s+(?:have to |need to )?(?:do|use|type|run|click)\b
      (?:\s+(?:to|in order to|if i want to))?
      |where\s+(?:do|can|should|would)\s+(?:i|we)\s+(?:start|begin|go)\b
      |help(?:\s+(?:me|us|out|them|my \w+))?(?:\s+(?:please|out))?(?:\s+(?:to|with|in|on))?(?=\s|$)
      |let\s+(?:us|me|them|it)|let['’]?s
      |(?:go|get)\s+(?:ahead|on|going|started|to work|cracking|right to it|straight to|back to)
      (?:\s+(?:and|with|to|on))?
      |(?:proceed|continue|carry on|move on|kick off|start off)(?:\s+(?:and|with|to))?
      |(?:make|be)\s+(?:sure|certain)(?:\s+(?:to|that|and|you|we))*
      |(?:do${contractedNot}|do not|never|did you)\s+(?:forget|fail|neglect|hesitate|remember|wait)\s+to|remember\s+to
      |feel\s+free\s+to|do\s+(?:me|us)\s+(?:a|the)\s+(?:\w+\s+)?(?:favou?r|kindness|solid)
      |(?:it['’]?s\s+|it is\s+|now is the\s+|is it\s+)?(?:about\s+|high\s+|finally\s+)?time\s+
      (?:to|for|we|you|that we|that you)
      |(?:it|that|this)\s*(?:['’]d|would|will|['’]ll|might|could)\s+(?:${adverb}\s+)*
      (?:be|help|mean|save|make|do)\b[^.!?\n]{0,60}?\b(?:
        if you(?:\s+(?:can|could|would|were to|were able to))?|if we(?:\s+(?:can|could))?|to|for you to
        |having
      )(?=\s|$)
      |(?:your|my|our|the|one|another|today['’]?s|this week['’]?s)\s+(?:[\w-]+\s+){0,2}?(?:
        goals?|tasks?|requests?|jobs?|plan|aim|wish|needs?|assignment|homework|step|order|objective|priority
        |thing|mission|purpose|intention|topic|deliverable|ask|item|problem|challenge|idea|hope|choice|pick
        |suggestion|proposal|decision|answer
      )(?:\s+(?:for|of|on|from|with|today|now|here|right)\b[^.!?\n,]{0,40}?)?\s*
      (?:is|are|['’]s|would be|will be|remains|:)
      (?:\s+(?:to|that|for|you|we|how|simple|simply|clear|this)\b)*
      |(?:what|all|everything|the (?:one |only )?thing)(?:\s+that)?\s+(?:i|we)(?:['’]d|['’]m| am| would)?
      ${adverbs}\s+(?:need|want|like|require|ask|am asking|am after|care about|hope|looking|hoping|after)\b[^.!?\n]{0,40}?\s*
      (?:is|are|would be)(?:\s+(?:for|to|you|that)\b)*
      |(?:
        need|want|wanna|gotta|require|requesting|request|seeking|hoping|trying|planning|looking|wanting
        |needing|about|ready|able|happy|keen|supposed|asked|have|got|due|off|on|up|back
      )\s+(?:to|for)
      |(?:need|want|wanna|gotta|requesting|seeking|wanting|needing)(?=\s|$)
      (?:\s+(?:you|someone|some|help|assistance|support)\b)*(?:\s+(?:to|with|for))?
      |you\s*(?:
        ['’]ll|['’]d better|['’]re going|can|could|should|must|may|might|will|shall|need|ought|have
        |had better|are|get
      )(?:\s+(?:${adverb}|to|have|now|go|start|help|begin))*(?=\s|$)
      (?!\s+(?:said|told|mentioned|asked|wrote|been|done|seen|always))
    )(?![\p{L}\p{N}])
  `,
  'u',
);

/** "What we agreed on is that you X" */
export const cleft = new RegExp(unfold`
  ^what\s+(?!is\b|was\b|are\b|were\b|does\b|do\b|did\b|would\b|else\b)[^.!?\n]{2,80}?\b(?:is|was)\s+
  (?:that\s+(?:you|we|i)|for you to|to|you)?\s*$
`);
