// The reference pages are made from the tables in the source; `npm test -- -u` writes them anew.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from '../src/base/codes.ts';
import { errorCodes } from '../src/base/error.ts';
import { everyCommand } from '../src/cli/spec/commands.ts';
import { renderCommandHelp, renderOverview } from '../src/cli/render-help.ts';
import { configKeys } from '../src/config/keys.ts';
import type { JsonObject } from '../src/base/json.ts';
import { failureCodes } from '../src/run/failure-codes.ts';
import { frontmatterFields } from '../src/skill/fields/field-table.ts';
import { schemaDefinitions } from '../src/skill/fields/schema-definitions.ts';
import { skipUnless } from './support/skip-unless.ts';
import { blockLanguages, hasTerminal, runPage, withPlace } from './support/transcript.ts';

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

describe('the commands', () => {
  const pages = ['README.md', 'docs/guide/first-skill.md'];

  it.each(pages)('of %s are all in blocks that are run', (page) => {
    const text = read(page);
    expect(blockLanguages(text).filter((language) => !['console', 'sh'].includes(language))).toEqual([]);
    expect(text.replace(/^```[\s\S]*?^```$/gm, '').match(/^(?: {4}|\t).*$/gm)).toBe(null);
  });

  it.skipIf(skipUnless(hasTerminal, 'script of util-linux is not installed')).each(pages)(
    'of %s print what the page shows',
    async (page) => {
      const made = await withPlace((place) => runPage(read(page), place));
      await expect(made).toMatchFileSnapshot(`../${page}`);
    },
    120_000,
  );
});

function codesPage(): string {
  return pageOf(
    '# Codes',
    'Made from `src/base/codes.ts`, `src/base/error.ts` and `src/run/failure-codes.ts`. A code keeps its meaning for good.',
    '## Diagnostics: what is wrong in a file',
    'An `error` makes the file unusable as it stands, or breaks the strict rules when they were asked for. A `warning` means it loads, but something was repaired, ignored or is likely wrong. `info` is a fact worth knowing.',
    table(
      ['code', 'severity', 'meaning'],
      Object.entries(diagnosticCodes).map(([code, { severity, meaning }]) => [
        `\`${code}\``,
        severity,
        meaning,
      ]),
    ),
    '## Errors: what could not be done',
    table(
      ['code', 'meaning'],
      Object.entries(errorCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Failures: why a run failed or was refused',
    'The `error.code` of its result. The codes of Starlark programs (`EVAL_…`, above) and the reasons why a skill is not runnable come besides.',
    table(
      ['code', 'meaning'],
      Object.entries(failureCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  );
}

function fieldsPage(): string {
  const rows = [...frontmatterFields]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, aliases, dialect, description }) => [
      `\`${name}\``,
      dialect,
      aliases.map((alias) => `\`${alias}\``).join(' '),
      description,
    ]);
  return pageOf(
    '# Every frontmatter field',
    'Made from `src/skill/fields/field-table.ts`; `techne schema` prints the same as a JSON Schema for editors. `standard` are the six fields of the open standard. Fields that are not here are kept as they are; `x_…` and `metadata` are the places for your own.',
    table(['field', 'whose', 'also written', 'meaning'], rows),
  );
}

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

function configurationPage(): string {
  const rows = configKeys.map(({ path, default: fallback, security, description }) => [
    `\`${path}\``,
    `\`${JSON.stringify(fallback)}\``,
    security ? 'yes' : '',
    description,
  ]);
  return pageOf(
    '# Configuration',
    'Your own file is `~/.techne/config.json`. A workspace may have `techne.json` (or `.techne/config.json`), which counts over yours. JSON, with comments and trailing commas allowed. `techne config` shows every effective value and the file and line it came from; `techne config --schema` prints a JSON Schema.',
    '```json\n{\n  "precedence": "claude",\n  "skills": { "disabled": ["deploy"] },\n  "trust": { "folders": ["~/src/my-skills"] }\n}\n```',
    'Every value is checked. An unknown key is an error with a suggestion, an invalid value is reported with its place and does not count. While a configuration file has errors nothing is executed, since the file may have been meant to forbid it. A model with an error in its entry is not asked, nor is another in its place unless you name it, since its intended address is unknown. With an error in the name of an entry, in `models` as a whole or in the syntax of the file, no model is asked at all unless you name it; the same holds for `match.embeddings`, of which none is used then.',
    'A workspace that you have not trusted can only *narrow* the keys marked as security-relevant: its values are combined with the layers below so that nothing becomes allowed that was not before. What it tries beyond that is reported as `CONFIG_NARROWED`. A model or an embedding that it sets to null is not asked, nor is another in its place. A `techne.json` that is a link out of the workspace is not read (`CONFIG_LINK`). Your own file counts like one that is not trusted while other users can write or replace it, because the file or a folder above it is theirs or writable for them (`CONFIG_WRITABLE`; the message has the command that ends it). See [Trust](trust.md), and [Commands](commands.md) for the rules of commands and the sandbox.',
    table(['key', 'default', 'security', 'meaning'], rows),
  );
}

function commandsPage(): string {
  return pageOf(
    '# The command line',
    'Generated from the tables in `src/cli/spec/`. For a tutorial, see [Your first skill](first-skill.md); for runs, [Running skills](running.md).',
    fence(renderOverview()),
    'With `--json`, a command prints one JSON value on standard output; an error is `{"error": {"code", "message", "hint"}}`. `eval "$(techne completion bash)"` (or zsh, fish) completes commands, options and skill names.',
    ...everyCommand.flatMap((command) => [
      `## ${command.name}`,
      fence(renderCommandHelp(command).replace(/\nAlso: --[\s\S]*$/, '')),
    ]),
  );
}

function pageOf(...blocks: string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``;
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
