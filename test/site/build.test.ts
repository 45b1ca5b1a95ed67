// The built site: nothing in it leads nowhere, nothing of the tables is missing, nothing comes from another host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNames } from '../../src/api/operations.ts';
import { diagnosticCodes } from '../../src/base/codes.ts';
import { errorCodes } from '../../src/base/error.ts';
import { everyCommand } from '../../src/cli/spec/commands.ts';
import { configKeys } from '../../src/config/keys.ts';
import { eventSensitivity } from '../../src/run/events.ts';
import { failureCodes } from '../../src/run/failure-codes.ts';
import { frontmatterFields } from '../../src/skill/fields/field-table.ts';
import { rowId } from '../../site/generate/render-markdown.ts';
import { searchOptions } from '../../site/client/search-options.ts';
import { buildSite } from './open-site.ts';

let site: Awaited<ReturnType<typeof buildSite>>;
beforeAll(async () => {
  site = await buildSite();
});
afterAll(() => site.remove());

const read = (page: string): string => readFileSync(join(site.folder, page), 'utf8');
const idsOf = (page: string): ReadonlySet<string> =>
  new Set([...read(page).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
const missing = (page: string, wanted: readonly string[]): readonly string[] => {
  const ids = idsOf(page);
  return wanted.filter((one) => !ids.has(one));
};

describe('the site', () => {
  it('has no broken link, and many links', () => {
    const { broken, checked } = site.generator.brokenLinks(site.folder);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(5_000);
  });

  it('has a page for every file of docs/', () => {
    expect(site.generator.pagesOf(site.folder)).toEqual(
      expect.arrayContaining(['index.html', 'playground.html', 'guide/plans.html', 'decisions/index.html']),
    );
  });

  it('has no figures of a benchmark in the menu, except the page that links to the others', () => {
    const links = /<nav id="menu"[^]*?<\/nav>/.exec(read('index.html'))?.[0].match(/project\/speed[^"]*/g);
    expect(links).toEqual(['project/speed.html']);
  });

  it('loads at most 200 KB for any page, without compression', () => {
    const loads = site.generator.pagesOf(site.folder).map((page) => site.script.firstLoad(site.folder, page));
    expect(loads.filter(({ files }) => files < 4)).toEqual([]);
    expect(loads.filter(({ bytes }) => bytes > site.script.firstLoadLimit)).toEqual([]);
  });

  it('has no inline script or style, and loads nothing from elsewhere', () => {
    const wrong = site.generator.pagesOf(site.folder).flatMap((page) => {
      const text = read(page).replaceAll(/<code>[^]*?<\/code>/g, '');
      const found =
        /<script(?![^>]*\bsrc=)|<style| style="| on[a-z]+="|(?:src|rel="stylesheet" href)="https?:/.exec(
          text,
        );
      return found === null ? [] : [`${page}: ${found[0]}`];
    });
    expect(wrong).toEqual([]);
  });

  it('finds codes, fields, keys, commands and words', () => {
    const index = MiniSearch.loadJSON(read('search.json'), searchOptions);
    const places = (words: string): readonly string[] => index.search(words).map(({ id }) => String(id));
    expect(places('TAINT_PROMPT')[0]).toBe('reference/codes.html#TAINT_PROMPT');
    expect(places('disable-model-invocation')[0]).toBe('reference/fields.html#disable-model-invocation');
    expect(places('skills.disabled')[0]).toBe('reference/configuration.html#skills.disabled');
    expect(places('techne trust')).toContain('reference/commands/trust.html');
    expect(places('restart server worker').length).toBeGreaterThan(0);
    expect(index.search('qwertyuiop')).toEqual([]);
  });
});

describe('the reference', () => {
  it('has an entry for every code', () => {
    const codes = [diagnosticCodes, errorCodes, failureCodes].flatMap((table) => Object.keys(table));
    expect(missing('reference/codes.html', codes)).toEqual([]);
  });

  it('has an entry for every field', () => {
    expect(
      missing(
        'reference/fields.html',
        frontmatterFields.map(({ name }) => rowId(name)),
      ),
    ).toEqual([]);
  });

  it('has an entry for every key of the configuration', () => {
    expect(
      missing(
        'reference/configuration.html',
        configKeys.map(({ path }) => rowId(path)),
      ),
    ).toEqual([]);
  });

  it('has an entry for every event', () => {
    expect(missing('reference/events.html', Object.keys(eventSensitivity))).toEqual([]);
    expect(read('reference/events.html')).toContain('<code>reason</code> (<code>string | null</code>)');
  });

  it('has a page for every command, with its help and those of its subcommands', () => {
    const commands = everyCommand.map(({ name }) => name.split(' ')[0] as string);
    for (const command of new Set(commands))
      expect(read(`reference/commands/${command}.html`)).toContain('Usage:');
    const subcommands = everyCommand.filter(({ name }) => name.includes(' '));
    expect(
      subcommands.flatMap(({ name }) =>
        missing(`reference/commands/${name.split(' ')[0]}.html`, [name.replaceAll(' ', '-')]),
      ),
    ).toEqual([]);
  });

  it('has an entry for every operation over HTTP, and the OpenAPI document', () => {
    const listed = [
      ...read('reference/http.html').matchAll(/href="(?:\.\.\/reference\/)?(http\/\w[\w-]*\.html)#(\w+)"/g),
    ];
    expect(new Set(listed.map(([, , id]) => id))).toEqual(
      new Set(operationNames().map((name) => name.toLowerCase())),
    );
    expect(JSON.parse(read('openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });

  it('has an entry for every export of the package', () => {
    const exported = readFileSync(new URL('../golden/exports.txt', import.meta.url), 'utf8');
    const entries = exported
      .trimEnd()
      .split('\n\n')
      .map((part) => part.split('\n'));
    expect(entries.length).toBeGreaterThan(8);
    const absent = entries.flatMap(([entry = '', ...names]) => {
      const file = entry === 'techne' ? 'index' : entry.replace('techne/', '');
      const wanted = names.map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .toLowerCase(),
      );
      return missing(`reference/library/${file}.html`, wanted).map((name) => `${entry}: ${name}`);
    });
    expect(absent).toEqual([]);
  });
});
