// The declarations of the package (dist/types) -> a page for each entry: every export with its sentence and its shape.
import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import type { SourcePage } from '../page.ts';
import { code, fence, pageOf, table } from './markdown.ts';

interface Declared {
  readonly name: string;
  readonly comment: string;
  readonly text: string;
  readonly isType: boolean;
}

/** Longer ones are cut; the file has the whole. */
const longest = 3_000;

/** `entries`: the name of each file in `folder` -> how it is imported. */
export function libraryPages(
  folder: string,
  entries: { readonly [file: string]: string },
): readonly SourcePage[] {
  const shared = declarationsOf(readFileSync(`${folder}/shared.d.ts`, 'utf8'));
  const pages = Object.entries(entries).map(([file, entry]) => {
    const text = readFileSync(`${folder}/${file}.d.ts`, 'utf8');
    const own = declarationsOf(text);
    const exported = exportsOf(text).map(({ local, name }) => {
      const found = own.get(local) ?? shared.get(local);
      if (found === undefined) throw new Error(`${file}.d.ts exports ${name}, which is declared nowhere`);
      return { ...found, name, text: found.text.replaceAll(new RegExp(`\\b${local}\\b`, 'g'), name) };
    });
    return { file, entry, exported };
  });
  const list = pageOf(
    '# The library',
    'Every export of the package, made from its types. [The guide](docs/guide/library.md) says how to use them.',
    ...pages.flatMap(({ file, entry, exported }) => [
      `## ${entry}`,
      `[${exported.length} exports](reference/library/${file}): ${exported
        .filter(({ isType }) => !isType)
        .map(({ name }) => `[${code(name)}](reference/library/${file}#${name.toLowerCase()})`)
        .join(', ')}`,
    ]),
  );
  return [
    { source: 'reference/library', path: 'reference/library.html', text: list },
    ...pages.map(({ file, entry, exported }) => ({
      source: `reference/library/${file}`,
      path: `reference/library/${file}.html`,
      text: pageOf(`# ${entry}`, 'Part of [the library](reference/library).', ...describe(exported)),
    })),
  ];
}

function describe(exported: readonly Declared[]): readonly string[] {
  const group = (title: string, isType: boolean): readonly string[] => {
    const members = exported.filter((one) => one.isType === isType);
    return members.length === 0
      ? []
      : [
          `## ${title}`,
          table(
            ['name', 'what it is'],
            members.map(({ name, comment }) => [
              `[${code(name)}](#${name.toLowerCase()})`,
              comment.split('\n')[0] ?? '',
            ]),
          ),
          ...members.flatMap(({ name, comment, text }) => [
            `### ${name}`,
            ...(comment === '' ? [] : [comment]),
            fence(
              text.length > longest
                ? `${text.slice(0, longest)}\n// … ${text.length - longest} more characters`
                : text,
              'ts',
            ),
          ]),
        ];
  };
  return [...group('Functions and classes', false), ...group('Types', true)];
}

function exportsOf(text: string): readonly { readonly local: string; readonly name: string }[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from [^;]*)?;$/gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((one) => one.trim().split(' as '))
      .flatMap(([local = '', name = local]) => (local === '' ? [] : [{ local, name }])),
  );
}

function declarationsOf(text: string): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const node of parseAst(text, { lang: 'dts' }).body) {
    const name =
      'id' in node && node.id !== null && 'name' in node.id
        ? node.id.name
        : node.type === 'VariableDeclaration' && node.declarations[0]?.id.type === 'Identifier'
          ? node.declarations[0].id.name
          : null;
    if (typeof name !== 'string') continue;
    const before =
      /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(text.slice(Math.max(0, node.start - 4_000), node.start))?.[0] ??
      '';
    const earlier = declared.get(name);
    declared.set(name, {
      name,
      comment: earlier?.comment || sentenceOf(before),
      // An overload, or the other declaration of one name.
      text:
        (earlier === undefined ? '' : `${earlier.text}\n`) +
        text.slice(node.start, node.end).replace(/^declare /, ''),
      isType: node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration',
    });
  }
  return declared;
}

function sentenceOf(comment: string): string {
  return comment
    .trim()
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim();
}
