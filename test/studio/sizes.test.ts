// What the browser must load, gzipped: the first page, and each page after it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { studioFolder } from './open-studio.ts';

const assets = join(studioFolder, 'assets');
const sizeOf = (name: string): number => gzipSync(readFileSync(join(assets, name))).length;
/** Files that a file imports statically, with itself. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name) || !existsSync(join(assets, name))) return seen;
  seen.add(name);
  const text = readFileSync(join(assets, name), 'utf8');
  for (const [, found = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    withImports(found, seen);
  return seen;
}

describe('the files of the studio', () => {
  const page = readFileSync(join(studioFolder, 'index.html'), 'utf8');
  const first = new Set(
    [...page.matchAll(/\/assets\/([\w.-]+)/g)].flatMap(([, name = '']) =>
      name.endsWith('.js') ? [...withImports(name)] : [name],
    ),
  );

  it('have no inline script or style', () => {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=|onload=/);
  });

  it('are at most 80 KB for the first page', () => {
    const overview = readdirSync(assets).filter((name) => /^Overview-.*\.(?:js|css)$/.test(name));
    const all = new Set([...first, ...overview.flatMap((name) => [...withImports(name)])]);
    const bytes = [...all].reduce((sum, name) => sum + sizeOf(name), 0);
    expect(bytes / 1_024).toBeLessThanOrEqual(80);
  });

  it('are at most 150 KB more for each page', () => {
    const large = readdirSync(assets)
      .filter((name) => /^[A-Z].*\.js$/.test(name))
      .map((name) => {
        const more = [...withImports(name)].filter((one) => !first.has(one));
        return { name, kilobytes: Math.round(more.reduce((sum, one) => sum + sizeOf(one), 0) / 1_024) };
      });
    expect(large.length).toBeGreaterThanOrEqual(2);
    expect(large.filter(({ kilobytes }) => kilobytes > 150)).toEqual([]);
  });

  it('are at most 150 KB more for the editor of skills with its text editor; colours of languages come after', () => {
    const names = readdirSync(assets).filter((name) =>
      /^(?:SkillEdit|codemirror)-.*\.(?:js|css)$/.test(name),
    );
    expect(names.length).toBeGreaterThanOrEqual(3);
    const more = new Set(names.flatMap((name) => [...withImports(name)]).filter((name) => !first.has(name)));
    const bytes = [...more].reduce((sum, name) => sum + sizeOf(name), 0);
    expect(bytes / 1_024).toBeLessThanOrEqual(150);
  });
});
