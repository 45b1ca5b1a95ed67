// A rendered page and the menu -> a whole HTML document.
//
// No inline script or style, and nothing from another host: the policy in its head allows files of the site alone.
import type { NavigationSection } from './navigation.ts';
import type { RenderedPage } from './page.ts';
import { escapeHtml, relativeLink } from './page.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export interface Frame {
  readonly navigation: readonly NavigationSection[];
  /** Of the page in the order of the menu. */
  readonly before: RenderedPage | null;
  readonly after: RenderedPage | null;
  readonly version: string;
  /** Scripts of this page alone, as paths in the site. */
  readonly scripts: readonly string[];
}

export function renderDocument(page: RenderedPage, frame: Frame): string {
  const to = (path: string): string => escapeHtml(relativeLink(page.path, path));
  const root = relativeLink(page.path, '');
  const title =
    page.path === 'index.html' ? 'techne: a skill runtime for AI agents' : `${page.title} · techne`;
  const description = page.sections.find(({ text }) => text !== '')?.text.slice(0, 160) ?? '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
<script type="module" src="${to('assets/main.js')}"></script>
${frame.scripts.map((script) => `<script type="module" src="${to(script)}"></script>\n`).join('')}</head>
<body data-root="${escapeHtml(root)}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="name" href="${to('index.html')}">techne</a>
<button type="button" class="search" aria-keyshortcuts="/ Control+K">Search <kbd aria-hidden="true">/</kbd></button>
<a class="top" href="${to('playground.html')}">Playground</a>
<button type="button" class="theme"><span class="sign" aria-hidden="true">◐</span><span class="words">Theme: <span class="value">system</span></span></button>
</header>
<div class="columns">
<nav id="menu" aria-label="Pages">
${frame.navigation.map((section) => renderSection(section, page, to)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article${page.path === 'index.html' ? ' class="home"' : ''}>
${page.html}
</article>
${renderEnd(page, frame, to)}
</main>
${renderContents(page)}
</div>
</body>
</html>
`;
}

function renderSection(
  { title, entries }: NavigationSection,
  page: RenderedPage,
  to: (path: string) => string,
): string {
  // A page below another one in a list, such as a command, opens the section of the list.
  const isHere = (path: string): boolean =>
    path === page.path || page.path.startsWith(path.replace(/(?:index)?\.html$/, '/').replaceAll('//', '/'));
  const open = entries.some(({ path }) => isHere(path)) || page.path === 'index.html';
  const items = entries
    .map(
      (entry) =>
        `<li><a href="${to(entry.path)}"${entry.path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a></li>`,
    )
    .join('');
  return `<details${open ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items}</ul></details>`;
}

function renderContents({ headings, path }: RenderedPage): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  const second = shown.filter(({ level }) => level === 2);
  const listed = shown.length > 40 ? second : shown;
  if (listed.length < 2 || path === 'index.html') return '';
  const items = listed
    .map(
      ({ level, id, text }) =>
        `<li class="l${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
    )
    .join('');
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`;
}

function renderEnd(
  page: RenderedPage,
  { before, after, version }: Frame,
  to: (path: string) => string,
): string {
  const link = (other: RenderedPage | null, side: string, word: string): string =>
    other === null
      ? ''
      : `<a class="${side}" href="${to(other.path)}"><small>${word}</small> ${escapeHtml(other.title)}</a>`;
  const source = page.source.endsWith('.md') ? ` · made from <code>${escapeHtml(page.source)}</code>` : '';
  return `<footer><div class="ends">${link(before, 'before', 'Before')}${link(after, 'after', 'Next')}</div><p>techne ${escapeHtml(version)}${source}</p></footer>`;
}
