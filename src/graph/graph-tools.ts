// graph_query, graph_neighbours, graph_tasks: how a model or a workflow asks about notes. They only read.
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
import type { TaskFact, TaskSpan } from './query-tasks.ts';
import { tasksOf } from './query-tasks.ts';
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
    {
      name: 'graph_tasks',
      title: 'List tasks of notes',
      description:
        'Gives the tasks ("- [ ] …") of the vault for a span of days: those that were completed in it, those that are open, what is due first, and the notes of these days.',
      parameters: objectSchema(
        {
          to: {
            type: 'string',
            pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$',
            description: 'The last day, as 2026-11-18.',
          },
          days: {
            type: 'integer',
            minimum: 1,
            maximum: 366,
            default: 7,
            description: 'How many days, the last one included.',
          },
        },
        ['to'],
      ),
      readOnly: true,
      async call(args) {
        const { graph } = await open();
        return describeTasks(tasksOf(graph, args['to'] as string, (args['days'] as number | undefined) ?? 7));
      },
    },
  ];
}

/** So many that a run takes the value whole. */
const mostTasks = { completed: 30, open: 40, notes: 30 } as const;

function describeTasks({ from, to, completed, open, notes }: TaskSpan): ToolResult {
  const short = (written: string, units: number): string => printableLine(cutText(written, units).text);
  const fact = ({ task, note, due, done }: TaskFact): JsonObject => ({
    task: short(task, 100),
    note: short(note, 60),
    ...(due === null ? {} : { due }),
    ...(done === null ? {} : { done }),
    ...(due !== null && done === null && due < to ? { overdue: true } : {}),
  });
  const value = {
    from,
    to,
    completed: completed.slice(0, mostTasks.completed).map(fact),
    open: open.slice(0, mostTasks.open).map(fact),
    notes: notes.slice(0, mostTasks.notes).map(({ name, note: { type } }) => ({
      note: short(name, 60),
      type: type === null ? null : short(type, 30),
    })),
    totals: { completed: completed.length, open: open.length, notes: notes.length },
  };
  const listed = (tasks: readonly TaskFact[], most: number): string => {
    const lines = tasks
      .slice(0, most)
      .map(
        ({ task, note, due }) =>
          `\n- ${short(task, 100)} [[${short(note, 60)}]]${due === null ? '' : `, due ${due}`}`,
      );
    const rest = tasks.length > most ? `\n… and ${tasks.length - most} more` : '';
    return lines.length === 0 ? 'none' : `${lines.join('')}${rest}`;
  };
  return {
    ok: true,
    text: `${from} to ${to}\ncompleted: ${listed(completed, mostTasks.completed)}\nopen: ${listed(open, mostTasks.open)}\nnotes: ${value.notes.map(({ note }) => note).join(', ') || 'none'}`,
    value,
    metadata: value,
  };
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
    value: { total, notes: notes as Json },
    metadata: { total, notes: notes as Json },
  };
}
