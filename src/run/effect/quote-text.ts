// Untrusted text in a prompt: between tags that it can neither close nor open again.
//
// Only text that looks like one of the tags of the prompt is changed (`</request>` becomes `&lt;/request>`), so code
// and documents stay intact.

const allTags = ['request', 'output', 'failure', 'draft', 'answer', 'user_reply', 'user_message'] as const;

type QuoteTag = (typeof allTags)[number];

/** Blanks and invisible characters: to a model `< /output>` is a tag with any of them in it. */
const unseen = '[\\s\\p{Cf}\\p{DI}]*';
/** The blanks around "/" belong to it, so that no two runs of blanks are adjacent: a text of blanks takes linear time. */
const looksLikeTag = new RegExp(
  `<(?=${unseen}(?:/${unseen})?(?:${allTags.map((tag) => Array.from(tag).join('[\\p{Cf}\\p{DI}]*')).join('|')})(?![\\p{L}\\p{N}_]))`,
  'giu',
);

export function quotedForModel(
  tag: QuoteTag,
  text: string,
  attributes: { readonly [name: string]: string } = {},
): string {
  const opening = [
    tag,
    ...Object.entries(attributes).map(([name, value]) => `${name}="${inAttribute(value)}"`),
  ].join(' ');
  return `<${opening}>\n${text.replaceAll(looksLikeTag, '&lt;')}\n</${tag}>`;
}

function inAttribute(value: string): string {
  return value.replaceAll(/[<>"&\s]+/g, ' ').trim();
}
