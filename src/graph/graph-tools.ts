// graph_query, graph_neighbours: how a model asks about notes. Both only read.
//
//   arguments -> a list of notes as text, and the same as data
//
// What notes say is data: names and titles are quoted and cut, texts of notes are not given.
import { cutText } from '../base/cut-text.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Tool, ToolResult } from '../ports/tool.ts';
import { objectSchema, ToolFault } from '../ports/tool.ts';
import type { GraphNode, NoteGraph } from './graph.ts';
import type { NoteQuery } from './query-graph.ts';
import { queryNotes } from './query-graph.ts';
import type { Vault } from './vault.ts';
import { neighboursOf, typeOf } from './walk-graph.ts';

const text = (description: string): JsonObject => ({
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description,
});
const limit: JsonObject = { type: 'integer', minimum: 1, maximum: 200, default: 30 };

/** `open` gives the vault as it is now. It may throw a ToolFault. */
export function createGraphTools(open: () => Promise<Vault>): readonly Tool[] {
  return [
    {
      name: 'graph_query',
      title: 'Find notes',
      description:
        'Finds notes of the vault by type, tag, property, edge and words; all conditions must hold. Gives paths, types and titles. Read a note with the file tools.',
      parameters: objectSchema(
        {
          words: text('Words that the note contains, in any case.'),
          type: text('The type of the note, such as concept or meeting.'),
          tag: text('A tag, without #.'),
          property: text('The name of a property.'),
          value: text('The value of that property.'),
          edge: text('An edge that the note has, such as prerequisite; "link" is a plain link.'),
          to: text('A note that it links to: path, name or alias.'),
          limit,
        },
        [],
      ),
      readOnly: true,
      async call(args) {
        const vault = await open();
        const { graph } = vault;
        const read = (name: string): string | undefined => args[name] as string | undefined;
        const [type, tag, property, edge, to] = [
          read('type'),
          read('tag'),
          read('property'),
          read('edge'),
          read('to'),
        ];
        if (property === undefined && read('value') !== undefined)
          throw new ToolFault('value needs property', { hint: 'Give the name of the property, too.' });
        const query: NoteQuery = {
          words: (read('words') ?? '').split(/\s+/).filter((word) => word !== ''),
          ...(type === undefined ? {} : { type }),
          ...(tag === undefined ? {} : { tag }),
          ...(property === undefined
            ? {}
            : { properties: [{ name: property, value: read('value') ?? null }] }),
          ...(edge === undefined ? {} : { edge }),
          ...(to === undefined ? {} : { to: noteOf(graph, to).path }),
        };
        const found = queryNotes(graph, query, (path) => vault.textOf(path));
        const shown = found.slice(0, (args['limit'] as number | undefined) ?? 30);
        return result(
          shown.map(describe),
          found.length,
          shown.map((node) => ({ ...factsOf(node) })),
          'No note fits.',
        );
      },
    },
    {
      name: 'graph_neighbours',
      title: 'Show linked notes',
      description:
        'Gives the notes around a note, with the edges that lead to them, in both directions. Read a note with the file tools.',
      parameters: objectSchema(
        {
          note: text('Path, name or alias of the note.'),
          depth: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
          edge: text('Follow only edges of this type; "link" is a plain link.'),
          direction: { enum: ['out', 'in', 'both'], default: 'both' },
          limit,
        },
        ['note'],
      ),
      readOnly: true,
      async call(args) {
        const { graph } = await open();
        const start = noteOf(graph, args['note'] as string);
        const edge = args['edge'] as string | undefined;
        const most = (args['limit'] as number | undefined) ?? 30;
        const found = neighboursOf(graph, start.path, {
          depth: (args['depth'] as number | undefined) ?? 1,
          types: edge === undefined ? null : new Set([edge]),
          direction: (args['direction'] as 'out' | 'in' | 'both' | undefined) ?? 'both',
          limit: 10_000,
        });
        const shown = found.slice(0, most);
        const lines = shown.map((one) => {
          const way =
            one.direction === 'out'
              ? `${line(one.via)} -${typeOf(one.edge)}-> this`
              : `this -${typeOf(one.edge)}-> ${line(one.via)}`;
          return `${describe(graph.get(one.path) as GraphNode)} [${way}]`;
        });
        return result(
          lines,
          found.length,
          shown.map((one) => ({
            ...factsOf(graph.get(one.path) as GraphNode),
            depth: one.depth,
            via: one.via,
            edge: typeOf(one.edge),
            direction: one.direction,
          })),
          `"${line(start.name)}" has no linked notes.`,
        );
      },
    },
  ];
}

function noteOf(graph: NoteGraph, written: string): GraphNode {
  const found = graph.find(written);
  const [node] = found;
  if (node === undefined) {
    const meant = nearest(
      written,
      graph.nodes().map(({ name }) => name),
    );
    throw new ToolFault(`there is no note "${line(written)}"`, {
      hint: meant === null ? 'Find notes with graph_query(words).' : `Did you mean "${line(meant)}"?`,
    });
  }
  if (found.length > 1)
    throw new ToolFault(`${found.length} notes are called "${line(written)}"`, {
      hint: `Give the path of one: ${found
        .slice(0, 5)
        .map(({ path }) => line(path))
        .join(', ')}`,
    });
  return node;
}

function describe({ path, note: { type, title } }: GraphNode): string {
  return `${line(path)}${type === null ? '' : ` (${line(type)})`}${title === null ? '' : `: ${line(title)}`}`;
}

function factsOf({ path, name, note: { type, title, tags } }: GraphNode): JsonObject {
  return { path, name, type, title, tags: tags as Json };
}

function line(written: string): string {
  return printableLine(cutText(written, 200).text);
}

function result(
  lines: readonly string[],
  total: number,
  notes: readonly JsonObject[],
  none: string,
): ToolResult {
  const rest =
    total > lines.length ? `\n… and ${total - lines.length} more; raise limit or ask for less` : '';
  return {
    ok: true,
    text: lines.length === 0 ? none : `${lines.join('\n')}${rest}`,
    metadata: { total, notes: notes as Json },
  };
}
