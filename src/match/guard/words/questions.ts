// The words of a question that wants to know, and of a supposition.
import { contractedNot } from './adverbs.ts';
import { unfold } from '../../text/unfold.ts';

/** A question that wants to know: by a question word, or by its verb before the subject. */
export const asksTo = new RegExp(
  unfold`
    ^(?:(?:in|to|for|at|under|by|from|with|since|until|on) )?(?:
      what|which|who|whom|whose|why|how
      |when(?=\s+(?:is|are|was|were|do|does|did|would|should|can|could|will|has|have)\b)
      |where(?=['’]s|\s+(?:is|are|was|were|do|does|did|would|should|can|could|will|has|have)\b)
    )(?:['’](?:s|re|d|ll))?(?![\p{L}])
  `,
  'u',
);

export const verbFirst = new RegExp(
  unfold`
    ^(?:
      (?:is|are|was|were|am|does|did|has|had|should|would|could|can|will|may|might|must|shall)${contractedNot}
      (?![\p{L}'’])
      |(?:do|have)${contractedNot}\s+
      (?:you|they|we|i|people|most|many|any|anyone|anybody|all|kids|users|companies|other|others)\b
      |ever\s+(?:heard|seen|tried|used|wondered)\b|heard\s+(?:of|about)\b|any idea\b
    )
  `,
  'u',
);

/** Knowing, not doing, is what is wanted. */
export const wantsToKnow = new RegExp(unfold`
  (?:^|\b)(?:
    explain|walk (?:me|us) through|tell|describe|clarify|elaborate|know|understand|wonder(?:ing|ed)?|curious
    |learn|find out|figure out|look up|check|see|ask(?:ing)?|guess|say|remind|list|show|name|outline
    |summari[sz]e|specify|state|determine|confirm|question|sure|idea|interested in|document|detail
  )\b[^.!?\n]{0,60}?\b(?:
    what|why|who|whose|which|whether|where|when|if
    |how(?!\s+(?:to\b|(?:i|we)\s+(?:can|could|should|might|would)\b))
  )\b(?<!
    \b(?:if|when|once)(?=
      \s+(?:(?:maybe|perhaps|possibly)\s+)?(?:you|we|someone|somebody)\s+
      (?:can|could|are able|have time|are ready|would|might)\b
    )
  )(?!\s*$)
`);

/** A noun for what is known about something: "the risks of X", "the ability to X". */
export const knownOf = new RegExp(unfold`
  \b(?:
    definition|meaning|explanation|concept|idea|notion|history|origins?|risks?|dangers?|pros and cons|pros
    |cons|advantages?|disadvantages?|benefits?|drawbacks?|limits?|limitations?|abilit(?:y|ies)
    |capabilit(?:y|ies)|requirements?|prerequisites?|permissions?|price|costs?|point|purpose|philosophy
    |psychology|ethics|etymology|anagrams?|synonyms?|antonyms?|rhymes?|spelling|pronunciation|translations?
    |plural|difference|differences|popularity|importance|documentation|docs|source code|version|author
    |opinion|opinions|view|views|thoughts|question|questions|info|information|background|details|overview
    |facts?|trivia|story|joke|quote|legality
  )\s+(?:of|for|behind|about|on|between|to|regarding|with)\b[^.!?\n]{0,40}$
`);

/** To hear or learn about it, not to have it done. */
export const knowMore = new RegExp(unfold`
  \b(?:confirm|verify)\s+(?:that\s+)?(?:you|it)\b
  |\b(?:think|thinking|talk|talking|wondering|worry|worrying)\s+about\s+(?:what|how|why|when|who|whether)\b
  |\b(?:
    know|learn|hear|understand|read|talk|ask|wonder|find out|curious|chat|inquire|enquire|questions?
    |confused|unclear|unsure|speculate|philosophi[sz]e|brag|worry
  )\b(?:\s+[\w'’]+){0,3}?\s+(?:about|regarding|on|concerning|of)\s+(?:[\w'’]+\s+){0,3}$
  |\bunderstand(?:ing)?\s+(?:[\w'’]+\s+){0,2}$
`);

/** A clause of what might be: not asked for. */
export const supposes = new RegExp(unfold`
  ^(?:hypothetically|theoretically|in theory)\b
  |^(?:if|suppose|supposing|imagine|assuming|assume|pretend|say|let['’]?s say|what if)\s+(?:that\s+)?(?:
    (?:i|we)\s+(?:\w+\s+)?(?:ask|asked|tell|told|say|said|type|typed|wrote|were|had|wanted)
    |(?:someone|somebody|one|people|anyone|anybody|he|she|they|a|an|the|another|my|our)\b
  )
`);

/** What would be if: "what happens when someone asks you to X", "will you charge me if I tell you to X". */
export const supposed = new RegExp(
  unfold`
    \b(?:
      what\s+(?:happens?|would happen|you (?:do|would do)|it (?:does|would do))
      |(?<!\b(?:mind|ok|okay|fine|alright|cool|possible) )(?:if|when|whenever|once)\s+
      (?:i|we|they|he|she|one|someone|somebody|people|users?|(?:a|an|the|another)\s+\p{L}+)\s+
      (?:\p{L}+ly\s+|were to\s+|would\s+|should\s+)?
      (?:tells?|told|asks?|asked|orders?|ordered|says?|said|wants?|wanted|types?|typed)\s+
      (?:you|it|the \p{L}+)(?:\s+to)?
    )\s*(?:(?:when|if|after|once|while)\s+(?:you|it|someone|i|we)\s*)?$
  `,
  'u',
);

/** Whether anybody could, not whether you will: "is it possible for a machine to X". */
export const forAnybody = new RegExp(unfold`
  \bfor\s+(?:an?|any|the|some|most|other|today['’]s)?\s*(?:
    ais?|bots?|assistants?|models?|computers?|machines?|programs?|software|tools?|agents?|persons?|humans?
    |people|llms?|someone|somebody|anyone|anybody|robots?|beginners?|apps?
  )\s+to\s+$
`);

/** After the words: of how things are, not of now. */
export const inGeneral = new RegExp(unfold`
  ^\s*,?\s*(?:in (?:general|principle|theory)|generally(?: speaking)?|theoretically|hypothetically)\b[^.!\n]{0,40}\?
`);

/** After the words: "X vs Y". */
export const compared = /^\s*(?:vs\.?|versus)\s/;

/** After the words, in a question: another thing that might be so, or a case that might come. */
export const alternative = new RegExp(
  unfold`
    ^[^.!?\n]{0,80}?(?:
      \bor\s+(?:
        (?:do|does|did)\s+(?:you|it|they|i)\b|is (?:it|that|this)\b|are (?:you|there)\b|only\b
        |just (?:on|for|when)\b
      )
      |\bif\s+(?:an?|the|someone|somebody|i|we|they|he|she)\s+(?:\p{L}+\s+)?
      (?:told|asked|tell|ask|said|ordered|wanted)\b
    )[^.!?\n]*\?
  `,
  'u',
);
