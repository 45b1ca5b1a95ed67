// The list of documentation (docs/README.md) and the pages -> the menu of the site.
//
// A section is a heading of the list with the pages it links to. A page that is not in the list is below "More".
import type { SourcePage } from './page.ts';

export interface NavigationEntry {
  readonly title: string;
  readonly path: string;
}

export interface NavigationSection {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

/** Reachable from the page that lists them. */
const inLists = /^(?:decisions\/\d|project\/speed-of-|reference\/(?:commands|http|library)\/)/;

export function readNavigation(
  list: string,
  pages: readonly SourcePage[],
  pathOf: (link: string) => string | null,
): readonly NavigationSection[] {
  const listed = new Set<string>();
  const sections = list
    .split(/^## /m)
    .slice(1)
    .map((part): NavigationSection => {
      const title = part.slice(0, part.indexOf('\n')).trim();
      const entries = [...part.matchAll(/\[([^\]]+)\]\((?!https?:)([^)\s]+)\)/g)].flatMap(
        ([, name = '', link = '']) => {
          const path = pathOf(link);
          if (path === null || path.includes('#') || listed.has(path)) return [];
          listed.add(path);
          return [{ title: capitalised(name), path }];
        },
      );
      return { title, entries };
    });
  const more = pages
    .filter(({ path }) => !listed.has(path) && path !== 'index.html' && !inLists.test(path))
    .map(({ path, text }) => ({ title: /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path, path }));
  // Pages that only the site has cannot be in a list that readers of the repository see.
  const reference = more.filter(({ path }) => path.startsWith('reference/'));
  return [
    ...sections.map((section) =>
      section.title === 'Reference' ? { ...section, entries: [...section.entries, ...reference] } : section,
    ),
    { title: 'More', entries: more.filter((entry) => !reference.includes(entry)) },
  ].filter(({ entries }) => entries.length > 0);
}

function capitalised(text: string): string {
  const plain = text.replaceAll('`', '');
  return /^techne\b/.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}
