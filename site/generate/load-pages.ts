// The files of docs/, a few beside it, and the tables of the code -> the pages of the site.
//
// Every Markdown file below docs/ becomes a page by itself. Four of them are made from tables; the site makes those anew.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type { SourcePage } from './page.ts';
import { codesPage } from './reference/codes.ts';
import { commandPages } from './reference/commands.ts';
import { configurationPage } from './reference/configuration.ts';
import { eventsPage } from './reference/events.ts';
import { fieldsPage } from './reference/fields.ts';
import { httpPages } from './reference/http.ts';
import { libraryPages } from './reference/library.ts';
import { playgroundPage } from './playground-page.ts';

/** Beside docs/, and beside the Markdown files at the top of the project. */
const others: { readonly [source: string]: string } = {
  'bench/README.md': 'project/speed.html',
  'bench/template/README.md': 'project/speed-of-templates.html',
  'bench/starlark/README.md': 'project/speed-of-starlark.html',
};

/** The first page is docs/README.md, and what is for agents alone is no page. */
const noPages = new Set(['README.md', 'AGENTS.md']);

export function loadPages(
  project: string,
  entries: { readonly [file: string]: string },
): readonly SourcePage[] {
  const made: readonly SourcePage[] = [
    { source: 'docs/errors.md', path: 'reference/codes.html', text: codesPage() },
    { source: 'docs/guide/fields.md', path: 'reference/fields.html', text: fieldsPage() },
    {
      source: 'docs/guide/configuration.md',
      path: 'reference/configuration.html',
      text: configurationPage(),
    },
    ...commandPages(),
    eventsPage(`${project}src/run/events.ts`),
    ...httpPages(),
    ...libraryPages(`${project}dist/types`, entries),
    playgroundPage(),
  ];
  const replaced = new Set(made.map(({ source }) => source));
  const read = (source: string, path: string): SourcePage => ({
    source,
    path,
    text: readFileSync(`${project}${source}`, 'utf8'),
  });
  const written = readdirSync(`${project}docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.split('\\').join('/')}`)
    .filter((source) => source.endsWith('.md') && !replaced.has(source))
    .sort();
  return withLinked(project, [
    ...written.map((source) => read(source, pathOf(source))),
    ...readdirSync(project)
      .filter((name) => name.endsWith('.md') && !noPages.has(name))
      .sort()
      .map((name) => read(name, `project/${name.toLowerCase().replace(/\.md$/, '.html')}`)),
    ...Object.entries(others).map(([source, path]) => read(source, path)),
    ...made,
  ]);
}

/** With the Markdown files elsewhere in the project that the pages link to, and those that they link to. */
function withLinked(project: string, pages: readonly SourcePage[]): readonly SourcePage[] {
  const all = [...pages];
  const names = new Set(pages.map(({ source }) => source));
  for (const page of all)
    for (const [, link = ''] of page.text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+\.md)(?:#[^)\s]*)?\)/g)) {
      const source = targetOf(page, link).name;
      if (
        names.has(source) ||
        source.startsWith('..') ||
        noPages.has(source) ||
        !existsSync(`${project}${source}`)
      )
        continue;
      names.add(source);
      const path = `project/${source.toLowerCase().replaceAll('/', '-').replace(/\.md$/, '.html')}`;
      all.push({ source, path, text: readFileSync(`${project}${source}`, 'utf8') });
    }
  return all;
}

/** docs/guide/plans.md -> guide/plans.html; a README is the page of its folder. */
function pathOf(source: string): string {
  return source
    .slice('docs/'.length)
    .replace(/(^|\/)README\.md$/, '$1index.html')
    .replace(/\.md$/, '.html');
}

/** The name of what a link leads to: of a page, or of a file of the repository; and the place in it. */
export function targetOf(page: SourcePage, link: string): { readonly name: string; readonly hash: string } {
  const [path = '', hash = ''] = link.split('#');
  return { name: posix.normalize(posix.join(posix.dirname(page.source), decodeURI(path))), hash };
}
