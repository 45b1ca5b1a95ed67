// The words with which people withdraw a request, and the words that may stand around them.
import { unfold } from '../../text/unfold.ts';

/** What was said, without its words. */
const it = unfold`
  (?:all (?:of )?)?(?:
    it all|it|that|this|those|these|them|everything|the above|all that
    |(?:the|that|this|my|our)(?: whole| entire| earlier)? (?:
      thing|idea|plan|request|task|order|job|one|matter|topic|subject|thought|message|proposal|suggestion
      |project|offer|instruction
    )|what i(?: just)? (?:said|asked|wrote|typed)|any of (?:it|that|this)
  )
`;
const doing = unfold`
  (?:
    doing(?: so)?|trying|attempting|acting on|working on|going on with|going ahead with|proceeding with|with
    |about|on|from|of
  )
`;
const adverb = unfold`
  (?:
    just|now|already|since|really|actually|simply|finally|recently|then|therefore|also|all|still|honestly
    |definitely|certainly|probably|apparently|sadly|unfortunately|all the same|clearly|quite|very much
    |currently
  )
`;
const adverbs = `(?:${adverb} )*`;
const not = unfold`
  (?:
    do not|don['’]?t|dont|no longer|won['’]?t|will not|wouldn['’]?t|would not|never|did not|didn['’]?t
    |no more
  )
`;

const giveUp = unfold`
  (?:
    cancel(?:l?ed)?|dropp?(?:ed)?|scrap(?:ped)?|abandon(?:ed)?|withdr[ae]w(?:n)?|retract(?:ed)?|revoke[d]?
    |shelved?|ditch(?:ed)?|binned|canned|killed|nixed|axed|parked|rejected|refused?|declined?
    |turn(?:ed|ing)? down|vetoed|postponed?|dismissed|ruled out|called off|put off|scratched
  )
`;
const self = String.raw`(?:i|we)(?:['’](?:ve|m|re|ll|d)| have| had| am| are| will| would)? ?`;

/** Said to whom was asked, or of now. */
const withdraws = unfold`
  (?:
    (?:
      forget|scratch|cancel|drop|scrap|disregard|abort|abandon|nix|shelve|park|ditch|bin|kill|quit|stop
      |cease|halt|strike|undo|retract|withdraw|revoke|pause|suspend|table|postpone|delay|end|resist|avoid
      |give up|back out|back away|hold off|lay off|let go|refrain|abstain|desist|hold|call off|put off
      |stay away|keep away|keep your hands off|hands off|enough
    )(?: ${doing}){0,2}(?: (?:${it}|so))
    |(?:
      forget about it|cut it out|knock it off|call (?:it|that|this|the whole thing) off
      |give (?:it|that|this) (?:up|a rest|a miss)
      |(?:leave|let) (?:it|that|this|things|everything)(?: be| alone| there| at that| out| go| rest| drop
        | lie| slide| aside| as (?:it|they) (?:is|are)| like (?:it|that|this)(?: is)?
        | (?:for|to) (?:later|another \w+|now|me|us|them|someone else|somebody else|my \w+)
      )?|put (?:it|that|this)(?: back)? (?:off|aside|on hold|on ice|away|to rest)
      |(?:keep|stay|get) out(?: of (?:it|this|that))?|steer clear|back off|stand down|hold off
      |hold your horses|desist|give it up|lay off
      |save (?:it|yourself the (?:trouble|effort|bother)|your (?:breath|energy|time))
    )
    |(?:
      (?<!(?:then|and),? (?:just |please )?)(?:stop|cancel|abort|halt|enough)|cancelled|canceled|withdrawn
      |disregard|belay(?: (?:it|that|this|my last))?|as you were|(?:please )?ignore (?:me|my (?:last )?(?:message|question|request))
      |forget (?:that |what )?i (?:said|asked|wrote|mentioned|spoke)(?: (?:it|that|this|anything))?
      |denied|declined|rejected|vetoed|won['’]?t do|wontfix|not on my watch|spare me|hands off
      |(?:let['’]?s|we should|i say we|we) wait|never ?mind(?: (?:it|that|this|me|all that))?|nvm|nm|nah
      |just kidding|kidding|jk|hard pass|pass|no(?:,)? thanks|no(?:,)? thank you|thanks but no(?: thanks)?
      |no way|no deal|no go|not interested|not needed|not necessary|not required|not wanted|no need
      |not happening|out of the question|absolutely not|certainly not|definitely not|i think not|rather not
      |better not|maybe not|perhaps not|let['’]?s not|wait no|no wait
      |no longer (?:needed|wanted|necessary|required|relevant|interested|interesting)|not any ?more
      |do nothing(?: of the (?:sort|kind))?|nothing of the (?:sort|kind)|no action (?:needed|required)
      |(?:some|an) ?other (?:time|day)
      |(?:maybe|perhaps) (?:later|another time|next time|some day|tomorrow|next (?:week|month|year))
      |(?:it|that|this) (?:can|could|will have to|must|should) wait
      |wrong (?:chat|window|tab|person|channel|thread|recipient|conversation|bot|place|group)
      |sent (?:by|in) (?:mistake|accident|error)
    )
    |(?:don['’]?t|dont|do not|never|please don['’]?t)(?: (?:
        you|ever|even|actually|bother|start|dare|continue|proceed
        |go (?:ahead|on|through)(?: with (?:${it}))?
        |(?:
          do|try|act on|touch|begin|start|run|attempt|pursue|carry out|execute|work on|go near|continue with
          |proceed with
        )(?: any of)? (?:${it}|so|anything(?: like (?:that|this|it))?|such (?:a thing|things))|act|move
        |do a thing|do anything of the (?:sort|kind)
      )
    ){0,2}
    |(?:the|my|our|your|his|her|their) (?:
      answer|reply|verdict|decision|response|boss|manager|client|team|wife|husband|partner|lawyer|doctor
      |board|vote
    )(?: has| have)? ?(?:['’]s|is|was|stays|remains|will be|came back|said|says|voted) (?:
      still |always |a (?:clear |firm |definite |hard )?
    )?(?:no|not to|against it|not interested|forget it|don['’]?t)
    |(?:so|it['’]?s|it is|that['’]?s|that is|which is|i say|i said|we said) (?:
      still |a (?:clear |firm |definite |hard )?
    )?no
    |(?:consider|treat|regard|count|call) (?:${it}) (?:as )?
    (?:withdrawn|cancell?ed|dropped|off|void|retracted|dead|unsaid|moot|scrapped|rejected|forgotten)
    |(?:${self}${adverbs})?changed (?:my|our) minds?(?: (?:about|on) (?:${it}))?
    |${self}${adverbs}(?:
      take (?:it|that|this)(?: all)? back|reconsidered
      |(?:withdraw|retract|revoke|cancel|decline|refuse) (?:${it})
      |(?:lost|losing) interest(?: in (?:${it}))?|(?:turning|calling)(?: (?:${it}))? (?:down|off)
      |pass(?: on (?:${it}))?|disagree|do without(?: (?:it|that|this))?|skip (?:${it})
    )
    |(?:i|we)(?:['’]m| am|['’]re| are) ${adverbs}(?:not|no longer) ${adverbs}(?:
      interested(?: in (?:${it}))?|doing (?:${it})
      |going (?:to|ahead|through)(?: (?:do|with))?(?: (?:${it}))?|in the mood(?: for (?:${it}))?
      |up for (?:${it})|(?:a fan|keen|so keen)(?: (?:of|on) (?:${it}))?|having (?:${it})
    )
    |(?:i|we|you|they|nobody|no one)(?:['’]ll| will|['’]d| would)? ?${adverbs}
    (?:${not}|need not|needn['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t) ${adverbs}(?:be )?(?:
      want|need|require|needing|wanting|care for|use|like|have any use for|have a use for
      |see the (?:point|need)(?: (?:of|in|for))?|do|bother|start|care(?: about)?|insist
    )(?: with)?
    (?: (?:${it}|you to(?: do (?:${it}|so))?|to(?: do (?:${it}|so))?|anything like (?:that|this|it)|so))?
    |(?:i|we)(?: ${adverbs})?(?:['’]d| would) (?:much )?(?:rather|prefer)(?: (?:it if )?you)? (?:
      not|not to|didn['’]?t|did not|wouldn['’]?t|hadn['’]?t
    )(?: (?:do )?(?:${it}))?|(?:i|we) (?:wouldn['’]?t|won['’]?t|would not|will not)
    |(?:i|we)(?:['’]ll| will|['’]m going to| am going to|['’]d rather| can| shall)(?: ${adverb})* (?:
      (?:do|handle|manage|take care of|sort|deal with|finish|look after|see to|tackle|write|make|get|figure) ?
      (?:it|that|this|things|one)?(?: out)? (?:
        myself|ourselves|on my own|on our own|by myself|by ourselves|by hand|alone|the old way
      )|take (?:it|this) from here|manage(?: without(?: (?:it|that|you))?)?
      |let (?:it|that|this) (?:go|slide|rest)|(?:tell|ping|call|ask) you when|let you know when
      |come back to (?:it|that|this)(?: later| another time| some day)?
      |get back to you(?: (?:about|on) (?:it|that|this))?
    )
    |(?:which|that|this|it|the (?:idea|plan|whole thing|request|need|matter))(?:
      (?:['’]s| is| was| has been| seems| has become| became|['’]ll be| will be)(?: ${adverb})* (?:
        not|no longer
      )|(?: is| was| would| wo| does| has)n['’]?t(?: ${adverb})*|['’]?s no longer| won['’]?t| will not
      | no longer
    )(?: ${adverb}| be| going to| been)* (?:
      necessary|needed|required|wanted|happening|happen|what i (?:want|need|wanted|meant|asked for)
      |worth (?:it|the \w+)|a good idea|for me|on|an option|relevant|applicable|appropriate|helpful|welcome
      |allowed|interesting|desired|apply|matter|interest me|make sense
    )
    |(?:which|that|this|the (?:idea|plan|whole thing|request|need|matter|project|deal|order))
    (?:['’]s| is| was| has been| has| got|['’]s been)(?: ${adverb})* (?:
      off|off the (?:table|agenda|list|menu)|cancell?ed|dropped|scrapped|withdrawn|obsolete|moot|history
      |over|dead|gone|a no|a no-go|out|out of the question|unnecessary|pointless|called off|on hold|on ice
      |postponed|shelved|a mistake|an accident|an error|a joke|a typo
      |been (?:
        cancell?ed|dropped|scrapped|rescinded|revoked|done|handled|shelved|postponed|called off|sorted
        |solved|settled
      )|done|handled|sorted|solved|settled|finished|taken care of|dealt with|covered|forbidden|rejected|void
    )
    |(?:it|that|this)(?: would|['’]d) ${adverbs}be ${adverbs}(?:
      too much|overkill|unnecessary|pointless|a waste(?: of \p{L}+)?|silly|a mistake|premature
      |the wrong (?:thing|move|time)
    )
    |(?:it|that|this)(?:['’]s| is| has| was)(?: ${adverb})* (?:
      off the (?:table|agenda|list|menu)|been (?:taken care of|handled|dealt with|done|called off)
      |taken care of|handled|dealt with|out of the question|moot|a no-go|(?:all )?off
      |meant for (?:someone|somebody|another|an?|my|the|our)(?: \w+){0,2}|none of your business
      |not your (?:job|business|call|task)
    )
  )
`;

/** Told of what happened. */
const gaveUp = unfold`
  (?:
    ${self}${adverbs}(?:
      (?:decid|opt|vot|resolv|agre|chos|choos)(?:ed|d|en|e|ing)? (?:
        against (?:${it}|doing so)|otherwise|not to(?: do (?:${it}|so))?
      )|g[ai]ven?(?: it)? up(?: on (?:${it}))?|thought better of (?:it|that)|think better of (?:it|that)
      |(?:${giveUp}) (?:${it})|(?:moved|moving) on(?: from (?:${it}))?|called (?:${it}) off
      |turned (?:${it}) down|voted (?:${it}) down|put (?:${it}) (?:off|aside|on hold|on ice)
      |let (?:it|that) go|said no|came to (?:my|our) senses|do not|don['’]?t
      |(?:did|done|finished|managed|solved|sorted|handled|fixed|wrote|made|bought|got|found)(?: ${adverb})* (?:
        it|that|this|one
      )(?: already| myself| ourselves| by myself| on my own| by hand| elsewhere| somewhere else)+
      |already (?:did|done|finished|have|got|had|made|handled|solved|sorted)(?: (?:it|that|this|one))?
      |went (?:another way|with something else|in another direction|for something else)
      |(?:found|hired|asked|got|went with) (?:someone|somebody|something|another \w+)(?: else)?
      (?: to do (?:it|so|that)| for (?:it|that)| instead)?
    )
    |(?:
      decided against (?:${it})|decided not to|gave up on (?:${it})|thought better of it|gave (?:it )?up
      |${giveUp} (?:${it})
    )
    |(?:
      someone|somebody|anybody|(?:my|our|the|a|an|another|one of (?:my|the|our)) (?:[\p{L}-]{1,20} ){1,3}|he
      |she|they|nobody
      |(?!
        (?:
          i|you|we|let|it|that|this|who|what|which|please|can|could|just|and|to|then|so|have|has|get|is|was
        )\b
      )\p{L}{1,20}
    )(?: else| at \p{L}+| in \p{L}+| from \p{L}+)? ?
    (?:['’]s |['’]ve |has |have |had |is |are |(?:will |['’]ll )(?=do |take |handle ))?${adverbs}(?:
      did|done|(?<=(?:will|ll) )(?:do|take|handle)|handled|handling|finished|completed|sorted|solved|fixed
      |taken|took|taking|doing|on|working on|voted|called|turned|said|cancelled|canceled|vetoed|dropped
      |killed|rejected|shelved|scrapped|stopped|beat you to|got to|pulled the plug on|pulled out of
      |backed out of
    )(?: care of)? (?:${it}|no|not to|to forget it|to drop it|otherwise)(?: (?:down|off|out|first|up))?
    |(?:
      things|plans|circumstances|priorities|times|something|everything|the plans?|the situation|my plans
      |our plans|the budget|the deadline|the deal|the meeting|the project|the trip|the event|the client
      |the customer
    )(?: have| has|['’]ve|['’]s| was| were| got)?(?: been)? ?(?:
      changed|came up|come up|fell through|fallen through|cancell?ed|cut|withdrawn|pulled out|said no
      |backed out|called off|postponed|dropped|off|moved on
    )
    |(?:he|she|they|(?:my|our|the|a) [\p{L}-]{1,20}|management|legal|finance)(?:['’]s| has| have|['’]ve)? ${adverbs}
    (?:
      changed (?:his|her|their|its) minds?(?: (?:about|on) (?:${it}))?|pulled the plug(?: on (?:${it}))?
      |backed out|pulled out|bailed(?: out)?|said no|says no|called it off|decided against it|lost interest
    )
    |(?:
      (?:that|the|those) (?:moment|time|times|days|ship|need|chance|idea|phase) (?:has |is |are |have )?
      (?:passed|past|gone|over|sailed)|that['’]?s that|it['’]?s too late(?: (?:for that|now))?|not any ?more
      |(?:now )?i don['’]?t any ?more
      |(?:only|just) not (?:now|today|yet|this \w+)(?: (?:and|or) not (?:now|today|this \w+|tomorrow))?
      |(?:it|that)['’]?s no longer (?:the plan|so|true|the case)
    )
  )
`;

const leavesOut = unfold`
  (?:
    skip|ignore|omit|exclude|remove|delete|leave out|cut|disable|cross out|strike out|take out|turn off
    |switch off
  )(?: (?:it|that|this|that one|this one|that part|this part))
  (?: (?:out|off|from the (?:list|queue|plan|agenda|schedule)))?
`;

const ends = unfold`
  (?:
    (?:
      ,? (?:
        now|please|pls|plz|then|altogether|entirely|completely|for good|thanks|thank you|immediately
        |right (?:away|now)|at once|ok|okay|will you|would you|could you|alright|anyway|any ?more|any longer
        |already|for (?:now|today|the moment|the time being|me|us|this week)|today|at all|instead|again
        |for real|after all|though|sorry|either|entirely|mate|this (?:morning|week|time|year)|yesterday
        |last (?:night|week)|earlier|of course|at this point|indeed|as well|yet|and (?:so|that is)
        |with (?:that|this|it)
      )
    )*(?=
      \s*(?:$|[.,;:!?)…\]\n—–]|-+\s)
      |\s+(?:and|just|because|cause|cos|since|as|so|but|i|we|it['’]?s|my|our|per|unless|or i|or we)\b
    )
  )
`;
/** One pattern for each: all in one is so large that it is interpreted, and takes ten times as long. */
export const cues = [
  { words: withdraws },
  { words: leavesOut, part: true },
  { words: gaveUp, narrated: true },
].map(({ words, part = false, narrated = false }) => ({
  pattern: new RegExp(String.raw`(?<![\p{L}\p{N}'’-])(?:${words})${ends}`, 'gu'),
  part,
  narrated,
}));

/** Before it in its clause. */
export const opened = new RegExp(
  unfold`
    (?:
      ^|[^\p{L}\p{N}\s'’]
      |(?<![\p{L}\p{N}'’])(?:
        but|and|so|then|because|cause|cos|yet|though|although|which|since|as|when(?= i reali[sz]ed)
        |until(?= i reali[sz]ed)
      )
    )\s*(?:
      (?:
        (?:
          but|and|so|then|yet|or|well|oh|ah|um|uh|hmm+|hm|er|erm|ugh|ok|okay|alright|right|actually|wait
          |hold on|hang on|no|nah|nope|yes|yeah|sorry|apologies|my bad|oops|whoops|please|pls|plz|kindly
          |just|simply|now|today|honestly|frankly|in fact|you know what
          |on (?:second|further|reflection|third) ?(?:thoughts?|reflection)?|on reflection|after all
          |come to think of it|thinking about it|having thought about it|in the end|in any case
          |at this point|by now|all right|thanks|thank you|cheers|edit|update|ps|correction|scratch
          |therefore|hence|thus|instead|rather|maybe|perhaps|probably|better|best|let us|let['’]?s|let me
          |i think|i guess|i suppose|i believe|i see(?: that)?|i hear(?: that)?|i notice|i noticed
          |i reali[sz]ed(?: that)?|all good|i['’]?m afraid|it turns out|turns out|sadly|unfortunately
          |luckily|fortunately|happily|as it happens|afterwards|later|since then|since|because|as|cause
          |meanwhile|for now|for the time being|until then|till then|this time|again|seriously|really
          |finally|eventually|also|still|anyway|anyways|guys|everyone|tonight|this morning|yesterday
          |(?:can|could|would|will|may) (?:you|we|i)(?: ask you to| beg you to)?
          |(?:you|we|i)(?:['’]d| would| had)? (?:
            can|could|should|may|might|must|will|need to|have to|better|want to|like to|want you to
            |need you to|like you to|ask you to|beg you to|suggest you|say we|say you|ought to|prefer to
            |rather
          )
          |(?:(?:he|she|they|my \p{L}+|our \p{L}+|the \p{L}+) )?(?:
            said|says|told (?:me|us|you)|tells (?:me|us|you)|asked (?:me|us|you)|wants (?:me|us|you)|decided
            |wants|want
          )(?: to| that| we should| you should)?
          |(?:
            feel free to|go ahead and|do me a favou?r and|be so kind (?:as to|and)|time to|happy to|going to
            |i (?:must|have to|need to) (?:ask you to|tell you to)
          )
        )
      )(?:\s+|\s*[^\p{L}\p{N}\s'’]+\s*|$)
    )*$
  `,
  'u',
);
export const condition =
  /(?:^|[^\p{L}])(?:if|unless|when|whenever|once|in case|should you|as soon as|where)\s[^]*$/u;
export const withdrawnCondition = new RegExp(
  unfold`
    (?:^|[^\p{L}])(?:
      even (?:if|when|though|once)|no matter
      |(?:if|in case|when|whenever|should) you(?:['’]re)?
      (?!\s+(?:can|could|are (?:un)?able|are too|are busy|do not|don['’]?t|cannot)\b)
    )\s
  `,
  'u',
);
/** What makes it contrast with the words before. */
export const contrast = new RegExp(
  unfold`
    (?<![\p{L}])(?:but|and|then|so|yet|though|although|which|because|since|as|cause|cos)\s+
    (?:[\p{L}'’]+\s+){0,3}$|[,;–—-]\s*(?:[\p{L}'’]+\s+){0,2}$
  `,
  'u',
);
export const intention = new RegExp(unfold`
  \b(?:
    (?:was|were|had been|have been|been) (?:
      going|planning|about|hoping|thinking|meaning|supposed|considering|toying|tempted|wondering|intending
    )|thought|meant|wanted|intended|planned|hoped|considered|nearly|almost|toyed|asked|told|said|suggested
    |offered|proposed|promised|i know (?:i|we|you)|idea|once|originally|initially|at first|earlier|before
    |used to|talked|discussed|agreed|request|remember|wants? (?:you|us|me)|may|might|some ?day|eventually
    |one day
  )\b
`);
export const ownSubject =
  /[,;:.!?–—-]\s*(?:(?:and|but|so|also)\s+)?(?:the|my|our|your|this|that|these|those|any|some|an?|there)\s/g;
export const ofAnother =
  /\b(?:ignore|skip|disregard|sorry (?:for|about)|apologies for|pardon)\s+(?:the|my|any|all)\b[^.!?]{0,40}$/;
export const resumed = new RegExp(
  unfold`
    ^[^\p{L}]*(?:(?:and|so|but|now|please|yes|then|just|no)[^\p{L}]+)*(?:
      do (?:it|that)\b|go ahead|go for it|let['’]?s do (?:it|that)|proceed|i do want|make it\b|i meant?\b
      |use \p{L}+ instead|\d
    )
  `,
  'u',
);
