// Every page, from the folders of pages/.
import type { PageSpec } from './page.ts';
import { fit } from './router.svelte.ts';

const found = import.meta.glob<PageSpec>('../pages/*/page.ts', { eager: true, import: 'page' });

export const pages: readonly PageSpec[] = Object.values(found).toSorted(
  (a, b) => (a.nav?.order ?? 99) - (b.nav?.order ?? 99),
);

export interface FoundPage {
  readonly page: PageSpec;
  readonly params: { readonly [name: string]: string };
}

/** `/skills/new` before `/skills/:name`: the pattern with the fewest names counts. */
export function pageAt(path: string): FoundPage | null {
  const fitting = pages.flatMap((page) =>
    page.paths.flatMap((pattern) => {
      const params = fit(pattern, path);
      return params === null ? [] : [{ page, params }];
    }),
  );
  return fitting.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null;
}
