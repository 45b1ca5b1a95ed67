// Text that somebody else wrote, in a prompt of ours: between tags, which it can neither close nor open again.
//
// T1. Only what looks like one of the tags of the prompt is changed (`</request>` becomes `&lt;/request>`): code and documents stay as they are.

const allTags = ['request', 'output', 'failure', 'draft', 'answer', 'user_reply', 'user_message'] as const;

export type QuoteTag = (typeof allTags)[number];

/** Blanks are bounded, since the text may be made of them. */
const looksLikeTag = new RegExp(`<(?=\\s{0,8}/?\\s{0,8}(?:${allTags.join('|')})\\b)`, 'gi');

export function quoted(tag: QuoteTag, text: string, attributes: { readonly [name: string]: string } = {}): string {
  const opening = [tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${inAttribute(value)}"`)].join(' ');
  return `<${opening}>\n${text.replaceAll(looksLikeTag, '&lt;')}\n</${tag}>`;
}

function inAttribute(value: string): string {
  return value.replaceAll(/[<>"&\s]+/g, ' ').trim();
}
