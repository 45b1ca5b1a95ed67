// A page in Markdown -> HTML, headings and the text of its sections.
//
//   SourcePage -> micromark -> ids for headings and rows, links to pages, coloured code -> RenderedPage
//
// HTML in the text is shown as text, but for <br> in cells. Comments are left out: they are for tests.
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { highlight } from './highlight.ts';
import type { Heading, RenderedPage, Section, SourcePage } from './page.ts';
import { escapeHtml, textOf, unescapeHtml } from './page.ts';

/** What a link of a page leads to: an address relative to the page. Throws where it leads to nothing. */
export type ResolveLink = (target: string) => string;

export function renderMarkdown(page: SourcePage, resolve: ResolveLink): RenderedPage {
  const raw = micromark(withoutComments(page.text), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const headings: Heading[] = [];
  const slug = createSlugs();
  const withHeadings = raw.replace(/<h([1-6])>([^]*?)<\/h\1>/g, (_, level: string, inner: string) => {
    const text = textOf(inner);
    const id = slug(text);
    headings.push({ level: Number(level), id, text });
    const link =
      level === '1'
        ? ''
        : ` <a class="here" href="#${id}" aria-label="${escapeHtml(`Link to ${text}`)}">#</a>`;
    return `<h${level} id="${id}">${inner}${link}</h${level}>`;
  });
  const rowIds = new Set(headings.map(({ id }) => id));
  const html = withHeadings
    .replaceAll('&lt;br&gt;', '<br>')
    .replace(/<pre><code(?: class="language-([\w-]+)")?>([^]*?)<\/code><\/pre>/g, renderCode)
    .replace(/<tr>\n<td([^>]*)><code>([^<]+)<\/code>/g, (whole, align: string, code: string) => {
      const id = rowId(unescapeHtml(code));
      if (id === '' || rowIds.has(id)) return whole;
      rowIds.add(id);
      return `<tr id="${id}">\n<td${align}><code>${code}</code>`;
    })
    .replace(
      /<table>[^]*?<\/table>/g,
      (table) => `<div class="table" tabindex="0">${namedHeads(table)}</div>`,
    )
    .replace(/(<(?:a|img)[^>]*? (?:href|src)=")([^"]*)"/g, (_, before: string, target: string) => {
      const to = unescapeHtml(target);
      return `${before}${escapeHtml(/^(?:[a-z]+:|#)/i.test(to) ? to : resolve(to))}"`;
    })
    .replace(/<input ([^>]*)type="checkbox"([^>]*)>/g, (_, a: string, b: string) =>
      `${a}${b}`.includes('checked') ? '☑' : '☐',
    );
  return {
    path: page.path,
    source: page.source,
    title: headings[0]?.text ?? page.path,
    html,
    headings,
    sections: sectionsOf(html, headings),
  };
}

/** Of a row whose first cell is one name in code: `skills.disabled` -> `skills.disabled`, `--json` -> `json`. */
export function rowId(code: string): string {
  return code.replace(/[^\w.:-]+/g, '-').replace(/^-+|-+$/g, '');
}

/** As GitHub makes them, so that a link works in both places. */
export function createSlugs(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** Comments in code stay. */
function withoutComments(text: string): string {
  return text
    .split(/^(```[^]*?^```[^\n]*$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replace(/<!--[^]*?-->\n?/g, '')))
    .join('');
}

function renderCode(_: string, language: string | undefined, code: string): string {
  const name = language ?? '';
  const label = name === '' ? '' : ` data-language="${name}"`;
  return `<pre tabindex="0"${label}><code>${highlight(unescapeHtml(code), name)}</code></pre>`;
}

/** A column without a name is no header. */
function namedHeads(table: string): string {
  return table.replace(/<th([^>]*)><\/th>/g, '<td$1></td>');
}

/** A row with an id is found by itself: in a table of codes, the heading above says little. */
function sectionsOf(html: string, headings: readonly Heading[]): readonly Section[] {
  const titles = new Map(headings.map(({ id, text }) => [id, text]));
  return html
    .split(/(?=<h[1-6] id=|<tr id=)/)
    .filter((part) => /^<(?:h\d|tr) id=/.test(part))
    .map((part) => {
      const id = unescapeHtml(/ id="([^"]*)"/.exec(part)?.[1] ?? '');
      const text = textOf(part.replace(/^<h[^]*?<\/h\d>/, '').replaceAll(/<\/(?:td|p|li|pre)>/g, ' '));
      return { id, title: titles.get(id) ?? id, text: text.replaceAll(/\s+/g, ' ').trim() };
    });
}
