// The site, built into a folder of its own, and the server of scripts/site.mjs for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FirstLoad {
  readonly page: string;
  readonly files: number;
  readonly bytes: number;
  readonly gzipped: number;
}

interface SiteScript {
  buildSite(out: string): Promise<{
    readonly pages: number;
    readonly generator: {
      brokenLinks(site: string): { readonly broken: readonly string[]; readonly checked: number };
      pagesOf(site: string): readonly string[];
    };
  }>;
  serveSite(folder: string): Promise<{ readonly url: string; close(): Promise<void> }>;
  firstLoad(folder: string, page: string): FirstLoad;
  readonly firstLoadLimit: number;
}

export async function siteScript(): Promise<SiteScript> {
  return (await import(new URL('../../scripts/site.mjs', import.meta.url).href)) as SiteScript;
}

export async function buildSite() {
  const script = await siteScript();
  const parent = mkdtempSync(join(tmpdir(), 'techne-site-'));
  const folder = join(parent, 'site');
  const { generator } = await script.buildSite(folder);
  return { folder, script, generator, remove: () => rmSync(parent, { recursive: true, force: true }) };
}
