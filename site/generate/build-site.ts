// The project -> the files of the site in an empty folder.
//
//   loadPages -> renderMarkdown -> readNavigation -> renderDocument, renderSearchIndex -> files
import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { renderOpenApi } from '../../src/api/render-openapi.ts';
import { homeHtml } from './home.ts';
import { renderDocument } from './layout.ts';
import { loadPages, targetOf } from './load-pages.ts';
import { readNavigation } from './navigation.ts';
import type { RenderedPage, SourcePage } from './page.ts';
import { relativeLink } from './page.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderSearchIndex } from './search-index.ts';

export { brokenLinks, pagesOf } from './check-links.ts';

export interface SiteOptions {
  /** With a slash at its end. */
  readonly project: string;
  readonly out: string;
  readonly version: string;
  /** The files of dist/types -> how they are imported. */
  readonly entries: { readonly [file: string]: string };
}

export function buildSite({ project, out, version, entries }: SiteOptions): { readonly pages: number } {
  const sources = loadPages(project, entries);
  const byName = new Map(sources.map((page) => [page.source, page]));
  const files = new Map<string, string>();
  const find = (page: SourcePage, link: string): string | null => {
    const { name, hash } = targetOf(page, link);
    const wanted = [name, posix.normalize(link.split('#')[0] as string)];
    const found = wanted.flatMap((one) => byName.get(one) ?? byName.get(`${one}/README.md`) ?? [])[0];
    if (found !== undefined) {
      const [command = ''] = hash.split('-');
      const own =
        found.source === 'docs/guide/cli.md' ? byName.get(`reference/commands/${command}`) : undefined;
      if (own !== undefined) return `${own.path}${hash === command ? '' : `#${hash}`}`;
      return `${found.path}${hash === '' ? '' : `#${hash}`}`;
    }
    if (link === 'openapi.json') return link;
    const file = `${project}${name}`;
    if (name.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return null;
    // Any other file that a page links to is shown as the text that it is.
    const path = /\.(?:png|svg|webp)$/.test(name) ? `pictures/${posix.basename(name)}` : `files/${name}.txt`;
    files.set(path, file);
    return path;
  };
  const rendered = sources.map((page) =>
    renderMarkdown(page, (link) => {
      const target = find(page, link);
      if (target === null) throw new Error(`${page.source} links to ${link}, which the site does not have`);
      return relativeLink(page.path, target);
    }),
  );
  const list = byName.get('docs/README.md') as SourcePage;
  const navigation = readNavigation(list.text, sources, (link) => find(list, link));
  const order = navigation
    .flatMap((section) => section.entries)
    .map(({ path }) => rendered.find((page) => page.path === path) as RenderedPage);
  for (const page of rendered) {
    const at = order.indexOf(page);
    const shown = page.path === 'index.html' ? { ...page, html: homeHtml(page.html) } : page;
    write(
      `${out}/${page.path}`,
      renderDocument(shown, {
        navigation,
        version,
        before: at < 1 ? null : (order[at - 1] ?? null),
        after: at < 0 ? null : (order[at + 1] ?? null),
        scripts: page.path === 'playground.html' ? ['assets/playground.js'] : [],
      }),
    );
  }
  write(`${out}/search.json`, renderSearchIndex(rendered));
  write(`${out}/openapi.json`, `${JSON.stringify(renderOpenApi(version), null, 2)}\n`);
  for (const [path, from] of files) {
    mkdirSync(posix.dirname(`${out}/${path}`), { recursive: true });
    copyFileSync(from, `${out}/${path}`);
  }
  return { pages: rendered.length };
}

function write(path: string, text: string): void {
  mkdirSync(posix.dirname(path), { recursive: true });
  writeFileSync(path, text);
}
