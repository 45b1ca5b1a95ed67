// A message -> its form, which shows whether it asks for work at all.
//
// Only English openings are judged; a message in another language has no form, and its words decide. A form never
// decides alone: it lowers confidence, and much evidence outweighs it.
//
// message-shape#H3. A short message has a form, by its sentences; a longer one has enough words to be judged by them.
//       asks      a clause is a request, a wish, or a question of what to do: "can you", "I need", "make me", "what can I"
//       recounts  it narrates what somebody did: "he failed the test"
//       tells     it describes how something is, or only names it: "my fridge is broken", "branch of a tree", "nice workout!"
//   A message with one clause that asks has the form `asks`. Any other message ("tide times") has no form.
// message-shape#H4. The thing asked for directly follows the verb ("make me a CHECKLIST for moving house"), or begins
//   the message, before its purpose ("CHECKLIST for my wedding"). Of several words it is the last, since "a meeting
//   room" is not a meeting. It can also be the thing pointed at ("make this EMAIL nicer").
import { isPast } from '../text/past-verbs.ts';
import { unfold } from '../text/unfold.ts';

export type MessageForm = 'asks' | 'tells' | 'recounts' | null;

export interface MessageShape {
  readonly isShort: boolean;
  readonly form: MessageForm;
  /** In lower case. */
  readonly things: ReadonlySet<string>;
  /** Asks for knowledge or for talk, not for work: "what is", "explain the difference", "write a poem". */
  readonly conceptual: boolean;
}

const readCharacters = 400;
const greeting = new RegExp(
  unfold`
    ^(?:
      (?:hi|hello|hey|ok|okay|so|please|thanks|thank you|good (?:morning|evening|afternoon))\b[\s,.!:-]{0,5}
    ){0,4}
  `,
  'i',
);
const conceptual = new RegExp(
  unfold`
    ^(?:
      what(?:['’]s| is| are| was| were)\b
      (?! the (?:best|right|correct|fastest|easiest|simplest|recommended|safest|cheapest) )|who\b
      |when (?:did|was|is)\b|where (?:is|are|did)\b|why (?:is|are|do|does|did)\b
      |how (?:are you|is it going|old|tall|far)\b|do you (?:like|know|think|believe)\b
      |(?:can you |could you |please )?(?:explain|describe|define|compare|summari[sz]e) (?:
        the|what|how|when|why|a|an|in
      )\b|tell me (?:about|a)\b
      |(?:give me|write)(?: me)? (?:a|an) (?:(?:short|brief|quick|conceptual|funny|high-level) ){0,3}
      (?:overview|explanation|introduction|poem|story|joke|song|haiku|essay|limerick)\b
    )
  `,
  'i',
);

/** Characters and words of a short message. */
const short = { characters: 120, words: 16 } as const;
const determiner = unfold`
  (?:a|an|the|my|our|your|his|her|their|this|that|these|those|some|any|all|me|us|it|them)
`;
const wordEnd = String.raw`(?![\p{L}\p{N}])`;
const request = new RegExp(
  unfold`
    ^(?:
      (?:can|could|would|will) you(?: please)?(?: help(?: me| us)?(?: to)?)?
      |(?:i|we)(?:['’]d like| would like| need| want| have to| must| wish)(?: to)?(?: have)?
      |(?:please )?(?:help|let)(?: me| us|['’]s)(?: to| with)?|help with
      |(?:what|where|when|which|how)(?: (?:can|could|should|shall|do|would|must) (?:i|we)| to)
      |(?:should|shall|can|could|may|must) (?:i|we)|please
    )${wordEnd}
  `,
  'iu',
);
/** "bill Acme", "sort my photos", "make 12 copies": no statement begins with a word and what it acts on. */
const imperative = new RegExp(
  unfold`
    ^(?!(?:[\p{Lu}][\p{L}]*\s+[\p{Lu}]))[\p{L}]+(?: (?:up|out|over|down))? (?:
      ${determiner}(?![\p{L}\p{N}])|\p{Lu}\p{Ll}|\p{N}
    )
  `,
  'u',
);
const notImperative = new RegExp(
  unfold`
    ^(?:
      ${determiner}|i|we|you|he|she|they|there|here|is|are|was|were|am|be|do|does|did|has|have|had|and|or
      |but|so|if|in|on|at|of|to|for|from|with|by|as|than|what|where|when|which|who|why|how|all|both|not|no
      |yes|like|such|only|just|always|never|thanks
    )(?![\p{L}\p{N}])
  `,
  'iu',
);
const tells = new RegExp(
  unfold`
    ^(?:
      (?:${determiner}|i|we|he|she|they|you|there)\s(?:[\p{L}\p{N}'’-]+\s){0,3}?
      (?:is|are|was|were|isn['’]t|aren['’]t|has|had|went|came|looks?|seems?|feels?)(?![\p{L}\p{N}])
      |[\p{L}]+s (?:is|are|was|were)(?![\p{L}\p{N}])
      |(?:i|we|they|people) (?:really )?(?:hate|love|like|enjoy|dislike|prefer|miss|know|think|believe)
      (?![\p{L}\p{N}])|(?:he|she|it) (?:has|likes|loves|hates|[\p{L}]+s)(?![\p{L}\p{N}])
      |(?:the |a |an |this |that )?(?:[\p{L}]+\s)?[\p{L}]+ of(?![\p{L}\p{N}])
      |(?:nice|great|good|lovely|cool|beautiful|awesome|amazing|what an?)\s
      |(?:a|an|the)\s(?![^]*\s(?:for|about|with|from)\s)
    )
  `,
  'iu',
);
const clauseEnd = /[.!?;:,\n]+(?:\s+(?:and|then|so|but)(?=\s))?\s*|\s+(?:and|then|so|but)\s+/u;
const word = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const subject = new RegExp(
  unfold`
    ^(?:
      i|we|he|she|they|it|you|somebody|someone|everybody|everyone
      |(?:the|my|our|his|her|their|this|that) [\p{L}]+
    )\s([\p{L}]+)
  `,
  'u',
);
const past = /^(?:he|she|it|that|this|they) (?:was|were|had|did)(?![\p{L}\p{N}])/u;
/** Where the thing ends. */
const thingEnd = new RegExp(
  unfold`
    \s(?:
      for|about|with|from|of|in|on|at|to|into|by|as|that|which|who|what|where|when|how|before|after|so
      |because|if|is|are|and|or
    )(?![\p{L}\p{N}])
  `,
  'u',
);
const purpose = /^\s(?:for|about|from|with|on)\s/u;
const pointing = /^(?:this|these|that|those|my|our)$/;
const mostThingWords = 6;

const nothing: ReadonlySet<string> = new Set();

export function shapeOf(message: string): MessageShape {
  const text = message.slice(0, readCharacters).trim();
  const opened = text.slice(greeting.exec(text)?.[0].length ?? 0);
  return { conceptual: conceptual.test(opened), ...formOf(message, opened) };
}

function formOf(message: string, opened: string): Omit<MessageShape, 'conceptual'> {
  if (message.length > short.characters || (message.match(word)?.length ?? 0) > short.words)
    return { isShort: false, form: null, things: nothing };
  const things = new Set<string>();
  let asks = /\bplease\b/i.test(message);
  for (const clause of opened.split(clauseEnd)) {
    const opener = request.exec(clause)?.[0];
    if (opener === undefined && (notImperative.test(clause) || !imperative.test(clause))) continue;
    asks = true;
    addThings(clause.slice(opener?.length ?? 0).trim(), things);
  }
  if (asks && things.size === 0) addThings(opened, things);
  if (asks) return { isShort: true, form: 'asks', things };
  if (/\?\s*$/.test(message)) return { isShort: true, form: null, things: nothing };
  const lower = opened.toLowerCase();
  const verb = subject.exec(lower)?.[1];
  if (past.test(lower) || (verb !== undefined && !/^(?:was|were|had)$/.test(verb) && isPast(verb, undefined)))
    return { isShort: true, form: 'recounts', things };
  if (tells.test(lower)) return { isShort: true, form: 'tells', things };
  const end = thingEnd.exec(lower);
  if (end === null ? /^[\p{L}\p{N}-]+\W*$/u.test(lower) : purpose.test(lower.slice(end.index)))
    addThings(lower, things);
  return { isShort: true, form: null, things };
}

function addThings(text: string, things: Set<string>): void {
  const end = thingEnd.exec(text)?.index ?? text.length;
  const found = (text.slice(0, end).match(word) ?? [])
    .slice(0, mostThingWords)
    .map((one) => one.toLowerCase());
  const last = found.at(-1) === 'please' ? found.at(-2) : found.at(-1);
  if (last !== undefined) things.add(last);
  for (const [at, one] of found.entries())
    if (at > 0 && pointing.test(found[at - 1] as string)) things.add(one);
}
