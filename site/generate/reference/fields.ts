// The table of frontmatter fields -> docs/guide/fields.md, and the same page of the site.
import { frontmatterFields } from '../../../src/skill/fields/field-table.ts';
import { pageOf, table } from './markdown.ts';

export function fieldsPage(): string {
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
