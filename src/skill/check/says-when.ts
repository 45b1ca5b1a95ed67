// Whether a description says when to use the skill.
//
// A heuristic for English that prefers silence: one word of condition or purpose is enough, and a text that is probably
// not English is not judged.

const english = new RegExp(
  [
    String.raw`\b(?:when(?:ever)?|if|while|before|after|during|upon|unless|until|in case|any ?time|as soon as)\b`,
    String.raw`\b(?:useful|helpful|ideal|suited|suitable|designed|intended|meant|needed|required|best|good|perfect|great) (?:for|to|in|with)\b`,
    String.raw`\b(?:use|uses|used|using|invoke|apply|call|run|activate|load|choose|pick|reach for|trigger(?:s|ed)?|consult)\b[^.]{0,60}\b(?:for|to|with|on|in|by|as)\b`,
    String.raw`\b(?:for|to) (?:any|all|every|each|people|users?|tasks?|requests?|questions?|teams?|developers?|work|working|handling|creating|building|writing|reviewing)\b`,
    String.raw`\b(?:user|users|someone|people) (?:ask|asks|want|wants|need|needs|say|says|mention|mentions|request|requests)\b`,
    String.raw`\b(?:trigger|triggers|use cases?|scenarios?)\s*:`,
    String.raw`\bfor\b`,
  ].join('|'),
  'i',
);

const foreignWords =
  /\b(?:und|oder|der|das|wenn|für|mit|eine?r?|nicht|el|los|las|para|cuando|con|una?|del|les|des|une|pour|quand|avec|dans|est|il|della|per|quando|che|het|een|voor|wanneer|met|och|att|när|til|og|że|dla|gdy|não|uma|com|ao|ile|için|ve)\b/gi;

export function saysWhen(description: string): boolean {
  if (english.test(description)) return true;
  const letters = description.match(/\p{L}/gu)?.length ?? 0;
  const ascii = description.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters === 0 || (letters - ascii) / letters > 0.02) return true;
  return (description.match(foreignWords)?.length ?? 0) >= 2;
}
