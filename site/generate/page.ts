// What a page of the site is, before and after its Markdown is rendered.

/** A text in Markdown that becomes a page. */
export interface SourcePage {
  /** The file that readers of the repository see, or a name for a page that only the site has. Links to it lead to the page. */
  readonly source: string;
  /** Where it is in the site: `guide/plans.html`. */
  readonly path: string;
  readonly text: string;
}

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** Without markup. */
  readonly text: string;
}

/** Text below one heading, for the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly path: string;
  readonly source: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** The address of `to` as a page at `from` writes it; both are paths in the site. */
export function relativeLink(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `${up}${to}`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function unescapeHtml(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The text of a piece of HTML. */
export function textOf(html: string): string {
  return unescapeHtml(html.replace(/<[^>]*>/g, ''));
}
