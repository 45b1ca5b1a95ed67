// A built site -> every link, picture and script of it that leads to nothing.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { unescapeHtml } from './page.ts';

/** `page: link` for each. Links to other hosts are not followed: checks need no network. */
export function brokenLinks(site: string): { readonly broken: readonly string[]; readonly checked: number } {
  const pages = pagesOf(site);
  const ids = new Map<string, ReadonlySet<string>>();
  const idsOf = (page: string): ReadonlySet<string> => {
    const known = ids.get(page);
    if (known !== undefined) return known;
    const found = new Set(
      [...readFileSync(`${site}/${page}`, 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id = '']) =>
        unescapeHtml(id),
      ),
    );
    ids.set(page, found);
    return found;
  };
  let checked = 0;
  const broken = pages.flatMap((page) =>
    [...readFileSync(`${site}/${page}`, 'utf8').matchAll(/<[a-z]+ [^>]*?(?:href|src)="([^"]*)"/g)].flatMap(
      ([, written = '']) => {
        const link = unescapeHtml(written);
        if (/^(?:https?:|mailto:)/.test(link)) return [];
        checked += 1;
        const [path = '', hash] = link.split('#');
        const target = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), decodeURI(path)));
        const file = `${site}/${target}`;
        const isThere = !target.startsWith('..') && existsSync(file) && statSync(file).isFile();
        const isFound =
          isThere && (hash === undefined || hash === '' || idsOf(target).has(decodeURIComponent(hash)));
        return isFound ? [] : [`${page}: ${link}`];
      },
    ),
  );
  return { broken, checked };
}

/** The pages of a built site. */
export function pagesOf(site: string): readonly string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .sort();
}
