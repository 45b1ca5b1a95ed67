// A message -> what its form says about whether it asks for work at all.
//
// H1. Judged by English openings alone; a message in another language has no form, and its words decide.
// H2. A form never decides alone: it lowers confidence, and much evidence outweighs it.

export interface MessageShape {
  /** Asks for knowledge or for talk, not for work: "what is", "explain the difference", "write a poem". */
  readonly conceptual: boolean;
}

const readCharacters = 400;
const greeting = /^(?:(?:hi|hello|hey|ok|okay|so|please|thanks|thank you|good (?:morning|evening|afternoon))\b[\s,.!:-]{0,5}){0,4}/i;
const conceptual = new RegExp(
  `^(?:${[
    String.raw`what(?:['’]s| is| are| was| were)\b(?! the (?:best|right|correct|fastest|easiest|simplest|recommended|safest|cheapest) )`,
    String.raw`who\b|when (?:did|was|is)\b|where (?:is|are|did)\b|why (?:is|are|do|does|did)\b|how (?:are you|is it going|old|tall|far)\b|do you (?:like|know|think|believe)\b`,
    String.raw`(?:can you |could you |please )?(?:explain|describe|define|compare|summari[sz]e) (?:the|what|how|when|why|a|an|in)\b`,
    String.raw`tell me (?:about|a)\b|(?:give me|write)(?: me)? (?:a|an) (?:(?:short|brief|quick|conceptual|funny|high-level) ){0,3}(?:overview|explanation|introduction|poem|story|joke|song|haiku|essay|limerick)\b`,
  ].join('|')})`,
  'i',
);

export function shapeOf(message: string): MessageShape {
  const text = message.slice(0, readCharacters).trim();
  return { conceptual: conceptual.test(text.slice(greeting.exec(text)?.[0].length ?? 0)) };
}
