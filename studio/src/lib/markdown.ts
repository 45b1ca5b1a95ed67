// Markdown -> HTML that may be shown: no script, no remote picture, links that cannot reach back. Loaded when first needed.
import DOMPurify from 'dompurify';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    const href = node.getAttribute('href') ?? '';
    if (/^(?:https?:|mailto:|#)/i.test(href)) {
      node.setAttribute('rel', 'noopener noreferrer nofollow');
      if (!href.startsWith('#')) node.setAttribute('target', '_blank');
    } else node.removeAttribute('href');
  }
  if (node.tagName === 'INPUT') {
    // A task: a box that cannot be ticked would only be in the way of keys and screen readers.
    const text = document.createElement('span');
    text.textContent = node.hasAttribute('checked') ? '☑ ' : '☐ ';
    node.replaceWith(text);
  }
  if (node.tagName === 'IMG') {
    // Nothing is fetched: the text of a picture is shown instead.
    const text = document.createElement('span');
    text.textContent = `[picture: ${node.getAttribute('alt') ?? node.getAttribute('src') ?? ''}]`;
    node.replaceWith(text);
  }
});

const tags =
  'h1 h2 h3 h4 h5 h6 p a em strong del code pre blockquote ul ol li hr br table thead tbody tr th td img input sup span'.split(
    ' ',
  );

/** Of Trusted Types where the browser has them. */
export function renderMarkdown(text: string): string {
  return DOMPurify.sanitize(micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }), {
    RETURN_TRUSTED_TYPE: true,
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', 'alt', 'src', 'title', 'align', 'type', 'checked', 'disabled', 'start', 'class'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
  }) as unknown as string;
}
