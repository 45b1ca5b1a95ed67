// The catalogue of events (src/run/events.ts) -> a page: each event with its sensitivity, its fields and their types.
import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { contentFields } from '../../../src/node/events/filter-event.ts';
import { eventSensitivity } from '../../../src/run/events.ts';
import type { SourcePage } from '../page.ts';
import { code, pageOf, table } from './markdown.ts';

type EventName = keyof typeof eventSensitivity;

/** `file`: the path of src/run/events.ts, whose type has the fields. */
export function eventsPage(file: string): SourcePage {
  const fields = fieldsOf(readFileSync(file, 'utf8'));
  const names = Object.keys(eventSensitivity) as EventName[];
  return {
    source: 'reference/events',
    path: 'reference/events.html',
    text: pageOf(
      '# Every event',
      'What a run reports, made from the table that filters it. Texts are left out of an event unless a sink is asked for content. [The guide](docs/guide/events.md) says when each event is sent, and how to read them.',
      table(
        ['event', 'sensitivity', 'fields', 'texts'],
        names.map((name) => {
          const texts = contentFields[name];
          return [
            code(name),
            eventSensitivity[name],
            (fields.get(name) ?? []).map((field) => `${code(field.name)} (${code(field.type)})`).join(', '),
            texts === 'all' ? 'the whole event' : texts.map(code).join(', '),
          ];
        }),
      ),
    ),
  };
}

interface Field {
  readonly name: string;
  readonly type: string;
}

/** Of the members of the union `RunEvent`, by the text of their `type`. */
function fieldsOf(text: string): ReadonlyMap<string, readonly Field[]> {
  const found = new Map<string, readonly Field[]>();
  for (const statement of parseAst(text, { lang: 'ts' }).body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (node?.type !== 'TSTypeAliasDeclaration' || node.id.name !== 'RunEvent') continue;
    if (node.typeAnnotation.type !== 'TSUnionType') continue;
    for (const member of node.typeAnnotation.types) {
      if (member.type !== 'TSTypeLiteral') continue;
      const fields = member.members.flatMap((one) =>
        one.type === 'TSPropertySignature' && one.key.type === 'Identifier' && one.typeAnnotation !== null
          ? [
              {
                name: one.key.name,
                type: text
                  .slice(one.typeAnnotation.typeAnnotation.start, one.typeAnnotation.typeAnnotation.end)
                  .replaceAll(/\s+/g, ' '),
              },
            ]
          : [],
      );
      const type = fields.find(({ name }) => name === 'type')?.type.slice(1, -1);
      if (type !== undefined)
        found.set(
          type,
          fields.filter(({ name }) => name !== 'type'),
        );
    }
  }
  return found;
}
