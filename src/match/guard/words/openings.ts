// How a clause opens, before its subject or its request.
import { unfold } from '../../text/unfold.ts';

/** Before a clause: greetings, connectives, politeness, list marks, when. Nothing in it asks or tells. */
export const opener = new RegExp(
  unfold`
    ^(?:
      [^\p{L}\p{N}\uFFFC]+|(?:[a-z]|\d{1,3})[.)]\s|@[\w-]+
      |(?:
        hey|hi|hello|hiya|yo|dear \w+|ok|okay|alright|all right|right|well|so|and|but|or|plus|then|now|next
        |first|firstly|second|secondly|third|last|lastly|finally|also|again|instead|otherwise|anyway|anyways
        |btw|by the way|oh|um|uh|hmm|yes|yeah|yep|no|nope|sure|sorry|thanks|thank you|thx|cheers|great|cool
        |perfect|good morning|good evening|morning|evening|actually|honestly|basically|seriously|just|simply
        |only|maybe|perhaps|possibly|today|tonight|tomorrow|asap|quick|quickly|immediately|there|everyone
        |team|folks|guys|buddy|mate|man|dude|assistant|bot|claude|because|since|although|though|while
        |whereas|as|that|this time|this week|this morning|this afternoon|for now|for once|at least|of course
        |in that case|in short|long story short|as usual|as discussed|as agreed|as before|fun fact
        |apparently|if possible|in particular|specifically|mostly|overall|still|yet|therefore|thus|hence
        |once more|one more time|real quick|quick question|question|out of curiosity|just curious|curious
        |previously|meanwhile|eventually|afterwards|(?:it |that )?(?:looks|seems|sounds|feels) like|i guess
        |guess|i think|i suppose|i believe|wow|ugh|lol|haha|fyi|ps|p.s.|note to self|which is why
        |that(?:['’]s| is) why
      )(?![\p{L}\p{N}'’])
      (?!(?<=(?:now|today|next|first|second|last|tomorrow|tonight|up))\s+(?:is|was|are|up is)\b)
    )+
  `,
  'u',
);

/** `there` and `that`, `this` may also be the subject. */
export const openingSubject = new RegExp(unfold`
  ^(?:there|that|this|everyone|team|folks|guys|man|bot|assistant)(?:
    ['’](?:s|d|ll)
    |\s+(?:
      is|are|was|were|has|had|will|would|can|could|must|might|may|should|reminds?|means?|sounds?|seems?|used
      |told|said|looks?|does|did|team|one
    )\b
  )
`);

/** When it was: before the subject of what is told. */
export const past = new RegExp(
  unfold`
    ^(?:
      yesterday
      |in (?:my|our|the|a) (?:previous|last|earlier|old|past) (?:
        chat|conversation|session|message|thread|job|company|team
      )(?: with \w+)?|earlier(?: today| this \w+| on| in [\w ]{3,20}?)?|recently|lately|once upon a time
      |once|back then|back in [\w ]{2,20}?|(?:the other|one) (?:day|night|time)
      |last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|time|\w+day)
      |(?:a|two|three|several|\d+)(?: few| couple of)? (?:
        days?|weeks?|months?|years?|hours?|minutes?|decades?
      ) ago|(?:some|a long|long) (?:time|while) ago|ages ago|in (?:the )?\d{4}s?
      |in (?:january|february|march|april|may|june|july|august|september|october|november|december)
      |when (?:i|we|he|she) (?:was|were) [\w ]{2,30}?
    )(?=
      [\s,]*(?:i|we|he|she|they|you|it|the|a|an|my|our|his|her|their|someone|people|two|some|there)\b
      |[\s,]*$
    )
  `,
  'u',
);

/** Where or on what occasion, right before a subject. */
export const occasion = new RegExp(
  unfold`
    ^(?:in|on|at|during|since|for|by|around|throughout|after|before|over|from)\s+(?!which|what|whose|whom)
    (?:(?:the|a|an|my|our|this|that|last|his|her|their|his)\s+)?(?:[\p{L}\d'’-]+\s+){1,3}?,?\s*(?=
      \p{L}+\s+(?:will|would|has|had|was|is|were)\b
      |(?:i|we|you|he|she|they|people|someone|everyone|two|my|our|his|her|their|the|a|an|there)\b
    )
  `,
  'u',
);

/** Thanks, joy at what was done, or a memory of it. */
export const thanks = new RegExp(unfold`
  ^\W*(?:
    (?:do you |i )?remember\s+(?:when|how|the (?:time|day))\b
    |(?:
      thanks|thank you|thx|cheers|kudos|congrats|congratulations|props|glad|pleased|good job|great job
      |nice work|well done|sorry|proud|impressed
    )(?:\s+(?:so much|a lot|very much|again|a million))?\s+(?:for|that|you|on|about|with|to hear)\b
    (?!\s+(?:asking|the trouble|bothering))
  )
`);

/** Before a clause that tells of others. */
export const whenOthers = new RegExp(unfold`
  ^(?:when|whenever|after|before|until|once|every time|each time|as soon as|because|while|since|although)\s+
  (?=(?:he|she|they|someone|somebody|people|my\s+\w+|our\s+\w+|the\s+\w+|an?\s+\w+|his|her|their|one)\b)
`);
