// The reference pages are made from the tables in the source; `npm test -- -u` writes them anew.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codesPage } from '../site/generate/reference/codes.ts';
import { commandsPage } from '../site/generate/reference/commands.ts';
import { configurationPage } from '../site/generate/reference/configuration.ts';
import { createSlugs } from '../site/generate/render-markdown.ts';
import { fieldsPage } from '../site/generate/reference/fields.ts';
import { table } from '../site/generate/reference/markdown.ts';
import type { JsonObject } from '../src/base/json.ts';
import { schemaDefinitions } from '../src/skill/fields/schema-definitions.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

describe('the reference pages', () => {
  it('have a row for every code', async () => {
    await expect(codesPage()).toMatchFileSnapshot('../docs/errors.md');
  });

  it('have a row for every frontmatter field', async () => {
    await expect(fieldsPage()).toMatchFileSnapshot('../docs/guide/fields.md');
  });

  it('have a row for every configuration key', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../docs/guide/configuration.md');
  });

  it('have a row for every key of a requirement and a step', async () => {
    await expect(writingPage()).toMatchFileSnapshot('../docs/guide/writing-skills.md');
  });

  it('have every command with its help', async () => {
    await expect(commandsPage()).toMatchFileSnapshot('../docs/guide/cli.md');
  });
});

describe('the pages', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'bench/README.md',
    'bench/starlark/README.md',
    ...pagesIn('docs'),
  ];

  it('link only to files that are there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target]) => `${page}: ${target}`)
        .filter((link) => !exists(new URL(link.slice(page.length + 2), `file://${project}${page}`))),
    );
    expect(broken).toEqual([]);
  });

  it('link only to headings that are there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(([, path = '', id = '']) => {
        const target =
          path === '' ? page : fileURLToPath(new URL(path, `file://${project}${page}`)).slice(project.length);
        return target.endsWith('.md') && !headingsOf(read(target)).has(id) ? [`${page}: ${path}#${id}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('are all in the list of guides', () => {
    const linked = new Set(
      [...read('docs/README.md').matchAll(/\]\((guide\/[\w-]+\.md)\)/g)].map(([, path]) => `docs/${path}`),
    );
    expect(pagesIn('docs').filter((page) => page.startsWith('docs/guide/') && !linked.has(page))).toEqual([]);
  });

  it('hold no line of a merge that was never finished', () => {
    const left = [...pages, 'CHANGELOG.md'].filter((page) => /^(?:<{7}|>{7}) /m.test(read(page)));
    expect(left).toEqual([]);
  });

  it('name only source files that are there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:src|test|bench|scripts|docs)\/[\w./-]+\.\w+)`/g)]
        .map(([, path]) => path as string)
        .filter((path) => !exists(new URL(path, `file://${project}`))),
    );
    expect(broken).toEqual([]);
  });
});

/** The page as it is, with its tables made anew. */
function writingPage(): string {
  const kept = read('docs/guide/writing-skills.md');
  return kept.replace(/<!-- table: (\w+) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const rows = propertiesOf(name).map(([key, description]) => [`\`${key}\``, description]);
    return `<!-- table: ${name} -->\n${table(['key', 'meaning'], rows)}\n<!-- end -->`;
  });
}

/** The described properties of a definition, or of its alternative that has some. */
function propertiesOf(name: string): readonly (readonly [key: string, description: string])[] {
  const definition = schemaDefinitions[name] as JsonObject;
  const alternatives = [definition, ...((definition['anyOf'] ?? []) as readonly JsonObject[])];
  const properties = alternatives.find((each) => each['properties'] !== undefined)?.[
    'properties'
  ] as JsonObject;
  return Object.entries(properties).flatMap(([key, value]) => {
    const { $ref: reference, description } = value as JsonObject;
    const target =
      reference === undefined
        ? undefined
        : (schemaDefinitions[(reference as string).replace('#/$defs/', '')] as JsonObject);
    const meaning = description ?? target?.['description'];
    return meaning === undefined ? [] : [[key, (meaning as string).replaceAll('<', '&lt;')] as const];
  });
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(text: string): ReadonlySet<string> {
  const slug = createSlugs();
  const headings = text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.*)$/gm);
  return new Set(
    [...headings].map(([, title = '']) => slug(title.replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1'))),
  );
}

function pagesIn(folder: string): string[] {
  return readdirSync(`${project}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function read(path: string): string {
  return readFileSync(`${project}${path}`, 'utf8');
}

function exists(url: URL): boolean {
  try {
    readFileSync(url);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
