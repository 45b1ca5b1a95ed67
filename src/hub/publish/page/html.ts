// Text -> HTML that shows it and nothing else.
//
// Every text of a skill goes through `escapeHtml`: characters that a reader does not see become visible escapes, and no text
// becomes an element, an attribute or an address. Pages run no script and load nothing: the policy in `renderPage` allows one
// style, by its hash.
import { createHash } from 'node:crypto';
import { printable } from '../../../base/printable.ts';
import { style } from './style.ts';

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** By this a page is known as ours, and may be replaced. */
export const generatorMark = '<meta name="generator" content="techne publish">';

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** `title` is text; `body` is HTML. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${generatorMark}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
