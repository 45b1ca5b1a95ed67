// techne graph
//
// JSON: a note is {path, name, type, title, tags, properties}, an edge {from, to, type, line, target, problem, candidates}. `stats` gives
// the counts; `show` {note, edges, backlinks}; `neighbours` and `path` {notes, edges} with depth or order; `orphans` and `query` an array of
// notes; `dangling` an array of edges; `suggest` {note, suggestions}; `check` an array of facts {code, path, line, message, hint}.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { Edge, GraphNode } from '../../graph/graph.ts';
import type { GraphFact } from '../../graph/check-graph.ts';
import { openNotes } from '../../techne/open-notes.ts';
import type { Notes } from '../../techne/open-notes.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';

export async function runGraphStats(context: CommandContext): Promise<number> {
  const notes = await open(context);
  const found = notes.stats();
  if (context.json) {
    context.out.json({
      vault: notes.vault.folder,
      ...found,
      types: objectOf(found.types),
      edgeTypes: objectOf(found.edgeTypes),
      tags: objectOf(found.tags),
    });
    return 0;
  }
  const top = (rows: readonly (readonly [string, number])[], none: string): string =>
    rows.length === 0
      ? '-'
      : rows
          .slice(0, 12)
          .map(([name, count]) => `${name === '' ? none : printableLine(name)} ${count}`)
          .join(', ') + (rows.length > 12 ? ` and ${rows.length - 12} more` : '');
  context.out.write(
    renderTable(
      [
        ['vault', printableLine(notes.vault.folder)],
        ['notes', String(found.notes)],
        ['types', top(found.types, '(none)')],
        ['edges', `${found.edges} in ${counted(found.groups, 'group')} of linked notes`],
        ['edge types', top(found.edgeTypes, '')],
        ['tags', top(found.tags, '')],
        ['orphans', String(found.orphans)],
        ['dangling', `${found.dangling}, of which ${found.ambiguous} ambiguous`],
      ],
      context.columns,
    ),
  );
  return 0;
}

export async function runGraphShow(context: CommandContext): Promise<number> {
  const notes = await open(context);
  const node = noteOf(notes, context.args.positionals[0] as string);
  const backlinks = notes.graph.edgesTo(node.path);
  if (context.json) {
    context.out.json({
      note: noteJson(node),
      edges: node.edges.map(edgeJson),
      backlinks: backlinks.map(edgeJson),
    });
    return 0;
  }
  const { note } = node;
  context.out.write(
    renderTable(
      [
        ['note', printableLine(node.path)],
        ['type', printableLine(note.type ?? '-')],
        ...(note.title === null ? [] : [['title', printableLine(note.title)]]),
        ...(note.aliases.length === 0 ? [] : [['aliases', printableLine(note.aliases.join(', '))]]),
        ...(note.tags.length === 0 ? [] : [['tags', printableLine(note.tags.join(', '))]]),
      ],
      context.columns,
    ),
  );
  section(
    context,
    'Links',
    node.edges.map((edge) => [
      edge.type ?? 'link',
      edge.to ?? edge.link.target,
      `line ${edge.link.line}`,
      edge.problem ?? '',
    ]),
  );
  section(
    context,
    'Linked from',
    backlinks.map((edge) => [edge.type ?? 'link', edge.from, `line ${edge.link.line}`, '']),
  );
  return 0;
}

export async function runGraphNeighbours(context: CommandContext): Promise<number> {
  const { args } = context;
  const notes = await open(context);
  const node = noteOf(notes, args.positionals[0] as string);
  const found = notes.neighbours(node.path, {
    depth: numberOption(args, 'depth', 1, 10) ?? 1,
    types: args.values('type').length === 0 ? null : new Set(args.values('type')),
    direction: (args.value('direction') ?? 'both') as 'out' | 'in' | 'both',
    limit: limitOf(context),
  });
  return give(context, notes, {
    centre: node.path,
    paths: [node.path, ...found.map(({ path }) => path)],
    rows: found.map(({ path, depth, direction, edge, via }) => [
      String(depth),
      path,
      direction === 'out'
        ? `${printableLine(via)} -${edge.type ?? 'link'}->`
        : `-${edge.type ?? 'link'}-> ${printableLine(via)}`,
    ]),
    json: {
      note: noteJson(node),
      notes: found.map(({ path, depth, direction, edge, via }) => ({
        ...noteJson(notes.graph.get(path) as GraphNode),
        depth,
        via,
        direction,
        edge: edge.type ?? 'link',
      })),
    },
    none: `"${printableLine(node.name)}" has no neighbours; techne graph suggest shows what it could link to`,
  });
}

export async function runGraphPath(context: CommandContext): Promise<number> {
  const { args, err, json, out } = context;
  const notes = await open(context);
  const [from, to] = args.positionals.map((written) => noteOf(notes, written)) as [GraphNode, GraphNode];
  const way = notes.path(
    from.path,
    to.path,
    args.values('type').length === 0 ? null : new Set(args.values('type')),
  );
  if (way === null) {
    if (json) out.json(null);
    else err.line(`no links connect "${printableLine(from.name)}" and "${printableLine(to.name)}"`);
    return exitCodes.files;
  }
  return give(context, notes, {
    centre: from.path,
    paths: [from.path, ...way.map(({ path }) => path)],
    rows: [
      ['', from.path],
      ...way.map(({ path, edge, direction }) => [
        direction === 'out' ? `-${edge.type ?? 'link'}->` : `<-${edge.type ?? 'link'}-`,
        path,
      ]),
    ],
    json: {
      notes: [from, ...way.map(({ path }) => notes.graph.get(path) as GraphNode)].map(noteJson),
      edges: way.map(({ edge }) => edgeJson(edge)),
    },
    none: '',
  });
}

export async function runGraphOrphans(context: CommandContext): Promise<number> {
  const notes = await open(context);
  return listNotes(context, notes.orphans(), 'no orphans: every note is linked');
}

export async function runGraphDangling(context: CommandContext): Promise<number> {
  const notes = await open(context);
  const edges = notes.dangling();
  if (context.json) {
    context.out.json(edges.slice(0, limitOf(context)).map(edgeJson));
    return 0;
  }
  const places = new Set(edges.map(({ from, link }) => `${from}:${link.line}`));
  return listFacts(
    context,
    notes
      .check()
      .filter(({ path, line, code }) => code.startsWith('NOTE_LINK_') && places.has(`${path}:${line}`)),
    'every link leads to a note',
  );
}

export async function runGraphQuery(context: CommandContext): Promise<number> {
  const { args } = context;
  const notes = await open(context);
  const value = (name: string): string | undefined => args.value(name) ?? undefined;
  const note = (name: string): string | undefined => {
    const written = args.value(name);
    return written === null ? undefined : noteOf(notes, written).path;
  };
  const [type, tag, edge, to, from] = [value('type'), value('tag'), value('edge'), note('to'), note('from')];
  const found = notes.query({
    words: args.positionals.flatMap((words) => words.split(/\s+/)).filter((word) => word !== ''),
    properties: args.values('property').map((written) => {
      const at = written.indexOf('=');
      return at < 0
        ? { name: written, value: null }
        : { name: written.slice(0, at), value: written.slice(at + 1) };
    }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tag }),
    ...(edge === undefined ? {} : { edge }),
    ...(to === undefined ? {} : { to }),
    ...(from === undefined ? {} : { from }),
  });
  const shown = found.slice(0, limitOf(context));
  return give(context, notes, {
    centre: null,
    paths: shown.map(({ path }) => path),
    rows: shown.map((node) => noteRow(node)),
    json: shown.map(noteJson),
    none: 'no note fits; techne graph stats shows which types, tags and edges there are',
    total: found.length,
  });
}

export async function runGraphSuggest(context: CommandContext): Promise<number> {
  const { args, out, err, json } = context;
  const notes = await open(context);
  const node = noteOf(notes, args.positionals[0] as string);
  const suggestions = notes.suggest(node, numberOption(args, 'limit', 1, 50) ?? 5);
  if (json) {
    out.json({ note: noteJson(node), suggestions });
    return 0;
  }
  if (suggestions.length === 0)
    err.line(
      node.note.type === null
        ? `"${printableLine(node.name)}" has no type, so it is not known which edges it usually has; write "type: concept" or the like into its frontmatter`
        : `"${printableLine(node.name)}" has every edge that notes of type ${printableLine(node.note.type)} usually have`,
    );
  for (const { edge, because, candidates } of suggestions) {
    out.line(`${printableLine(edge)}: ${printableLine(because)}`);
    out.write(
      renderTable(
        candidates.map(({ path, reasons }) => [
          `  ${printableLine(path)}`,
          printableLine(reasons.join('; ')),
        ]),
        context.columns,
      ),
    );
    if (candidates.length === 0) out.line('  no candidates');
  }
  return 0;
}

export async function runGraphCheck(context: CommandContext): Promise<number> {
  const notes = await open(context);
  const facts = notes.check();
  const code = facts.length > 0 && context.args.flag('strict') ? exitCodes.files : 0;
  if (context.json) {
    context.out.json(facts.slice(0, limitOf(context)));
    return code;
  }
  listFacts(context, facts, 'nothing to report');
  return code;
}

async function open(context: CommandContext): Promise<Notes> {
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const named = context.args.value('vault');
  const notes = openNotes(
    library,
    await library.load(),
    named === null ? null : resolve(context.io.cwd, named),
  );
  if (notes.vault.isCut && !context.quiet)
    context.err.line('techne: the vault has more files than are read; the rest is left out');
  return notes;
}

/** Throws USAGE for a name that no note has, or several. */
function noteOf({ graph }: Notes, written: string): GraphNode {
  const found = graph.find(written);
  const [node] = found;
  if (node === undefined) {
    const meant = nearest(
      written,
      graph.nodes().map(({ name }) => name),
    );
    throw new TechneError('USAGE', `there is no note "${printableLine(written)}" in the vault`, {
      hint: meant === null ? 'techne graph query lists all notes' : `did you mean "${printableLine(meant)}"?`,
    });
  }
  if (found.length > 1)
    throw new TechneError('USAGE', `${found.length} notes are called "${printableLine(written)}"`, {
      hint: `write the path of one: ${found
        .slice(0, 5)
        .map(({ path }) => printableLine(path))
        .join(', ')}`,
    });
  return node;
}

interface Given {
  readonly centre: string | null;
  readonly paths: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly json: unknown;
  readonly none: string;
  readonly total?: number;
}

function give(
  context: CommandContext,
  notes: Notes,
  { centre, paths, rows, json, none, total }: Given,
): number {
  const { out, err, quiet } = context;
  const format = context.json ? 'json' : (context.args.value('format') ?? 'text');
  if (format === 'json') out.json(json);
  else if (format !== 'text') out.write(notes.draw(centre, paths, format as 'mermaid' | 'dot' | 'svg'));
  else {
    out.write(
      renderTable(
        rows.map((row) => row.map(printableLine)),
        context.columns,
      ),
    );
    if (!quiet && rows.length === 0) err.line(none);
    else if (!quiet && total !== undefined && total > rows.length)
      err.line(`${rows.length} of ${counted(total, 'note')}; --limit shows more`);
  }
  return 0;
}

function listNotes(context: CommandContext, found: readonly GraphNode[], none: string): number {
  const shown = found.slice(0, limitOf(context));
  if (context.json) {
    context.out.json(shown.map(noteJson));
    return 0;
  }
  context.out.write(renderTable(shown.map(noteRow), context.columns));
  if (!context.quiet)
    context.err.line(
      found.length === 0
        ? none
        : `${counted(found.length, 'note')}${shown.length < found.length ? `, ${shown.length} shown; --limit shows more` : ''}`,
    );
  return 0;
}

function listFacts(context: CommandContext, facts: readonly GraphFact[], none: string): number {
  const shown = facts.slice(0, limitOf(context));
  for (const { path, line, code, message, hint } of shown)
    context.out.line(
      `${printableLine(path)}${line === null ? '' : `:${line}`}: ${code}: ${printableLine(message)}${context.quiet ? '' : `\n  ${printableLine(hint)}`}`,
    );
  if (!context.quiet)
    context.err.line(
      facts.length === 0
        ? none
        : `${counted(facts.length, 'fact')}${shown.length < facts.length ? `, ${shown.length} shown; --limit shows more` : ''}`,
    );
  return 0;
}

function limitOf({ args }: CommandContext): number {
  return numberOption(args, 'limit', 1, 10_000) ?? 100;
}

function section(context: CommandContext, title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  context.out.line(`\n${title}`);
  context.out.write(
    renderTable(
      rows.map((row) => [`  ${printableLine(row[0] ?? '')}`, ...row.slice(1).map(printableLine)]),
      context.columns,
    ),
  );
}

function noteRow({ path, note }: GraphNode): readonly string[] {
  return [printableLine(path), printableLine(note.type ?? '-'), printableLine(note.title ?? '')];
}

function noteJson({ path, name, note: { type, title, tags, aliases, properties } }: GraphNode): object {
  return { path, name, type, title, aliases, tags, properties };
}

function edgeJson({ from, to, type, link, problem, candidates }: Edge): object {
  return { from, to, type: type ?? 'link', line: link.line, target: link.target, problem, candidates };
}

function objectOf(rows: readonly (readonly [string, number])[]): object {
  return Object.fromEntries(rows);
}
