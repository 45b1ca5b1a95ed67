// A description -> its sentences, each marked as about what the skill is for, or what it is not for.
//
// Words in "do not use for X", "not for X", "use Y instead" and "out of scope" count for another skill.
import { unfold } from '../text/unfold.ts';

const sentenceEnd = /(?<=[.!?;])\s+|\n\s*\n|\s[—–]\s/;
const cues = new RegExp(
  unfold`
    \b(?:do not|don['’]t|does not|doesn['’]t|should not|shouldn['’]t|must not|never|cannot)\s+
    (?:use|invoke|apply|trigger|activate|load|run|cover|handle|replace|reach|select|pick|choose)\b
    |\bnot\s+
    (?:for|intended|meant|when|suitable|used|designed|applicable|covered|a (?:replacement|substitute))\b
    |\bskip (?:this|it|when|if|for)\b|\binstead\b|\bout[- ]of[- ]scope\b|\bnon-goals?\b|\brather than\b
    |\bexcept\b|\b(?:route|redirect|defer|hand off|refer|escalate|belongs?|go) to\b
  `,
  'i',
);

/** One of these is in every text that the cues fit: looking for them costs a tenth. */
const hints = [
  'not',
  "n't",
  'n’t',
  'never',
  'skip',
  'instead',
  'scope',
  'non-goal',
  'rather than',
  'except',
  'route to',
  'redirect to',
  'defer to',
  'hand off to',
  'refer to',
  'escalate to',
  'belong',
  'go to',
];

export interface DescriptionParts {
  readonly uses: readonly string[];
  readonly notFor: readonly string[];
}

export function splitDescription(description: string): DescriptionParts {
  const lower = description.toLowerCase();
  if (!hints.some((hint) => lower.includes(hint)) || !cues.test(description))
    return { uses: [description], notFor: [] };
  const uses: string[] = [];
  const notFor: string[] = [];
  for (const sentence of description.split(sentenceEnd)) (cues.test(sentence) ? notFor : uses).push(sentence);
  return { uses, notFor };
}
