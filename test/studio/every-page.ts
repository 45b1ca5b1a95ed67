// Every page of the studio, from the same specs that the client has: a page that is added is looked at by itself.
//
//   pages/*/page.ts + what stands for the names in paths -> addresses
import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { PageOptions, Studio } from './open-studio.ts';

const folder = fileURLToPath(new URL('../../studio/src/pages', import.meta.url));

/** What stands for `:run`, `:skill` and so on; `proposals/:id` is asked for before `:id`. */
export interface Stand {
  readonly [name: string]: string;
}

export interface Address {
  readonly title: string;
  readonly pattern: string;
  readonly path: string;
  /** `g` and this letter lead there. */
  readonly letter: string | null;
}

export async function everyPage(stand: Stand): Promise<readonly Address[]> {
  const addresses: Address[] = [];
  for (const name of readdirSync(folder).toSorted((a, b) => (a < b ? -1 : 1))) {
    const { page } = (await import(pathToFileURL(`${folder}/${name}/page.ts`).href)) as {
      readonly page: {
        readonly paths: readonly string[];
        readonly title: string;
        readonly nav?: { readonly letter: string };
      };
    };
    for (const pattern of page.paths)
      addresses.push({
        title: page.title,
        pattern,
        path: pattern.replaceAll(
          /\/([\w-]+)\/:(\w+)|:(\w+)/g,
          (_, before: string, of: string, alone: string) => {
            const value = stand[`${before}/:${of}`] ?? stand[of ?? alone] ?? 'nothing';
            return of === undefined ? encodeURIComponent(value) : `/${before}/${encodeURIComponent(value)}`;
          },
        ),
        letter: pattern === page.paths[0] ? (page.nav?.letter ?? null) : null,
      });
  }
  return addresses;
}

/** Waits until the page shows what it has read. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page
    .getByText(/^(?:Loading|Logging in)/)
    .first()
    .waitFor({ state: 'detached' });
}

/** A browser for tests that go through all of them: it waits longer, since they have more time. */
export async function patient(studio: Studio, options: PageOptions = {}): Promise<BrowserContext> {
  const context = await studio.context(options);
  context.setDefaultTimeout(30_000);
  return context;
}
