// The sections of all pages -> the index that the browser searches, as JSON.
import MiniSearch from 'minisearch';
import { searchOptions } from '../client/search-options.ts';
import type { RenderedPage } from './page.ts';

/** Enough to find a section by what it is about; the rest of a long one is in the page. */
const longest = 800;

export function renderSearchIndex(pages: readonly RenderedPage[]): string {
  const index = new MiniSearch(searchOptions);
  for (const page of pages)
    index.addAll(
      page.sections.map(({ id, title, text }, at) => ({
        id: at === 0 ? page.path : `${page.path}#${id}`,
        title,
        page: page.title,
        text: text.slice(0, longest),
      })),
    );
  return JSON.stringify(index);
}
