// Notes over HTTP. The vault is read at the first request, and looked at again at each one.
import { TechneError } from '../../base/error.ts';
import type { GraphNode } from '../../graph/graph.ts';
import type { Step } from '../../graph/walk-graph.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { displayPath } from '../../techne/paths.ts';
import { openNotes } from '../../techne/open-notes.ts';
import type { Notes } from '../../techne/open-notes.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names =
  | 'noteGraph'
  | 'noteNeighbours'
  | 'notePath'
  | 'orphanNotes'
  | 'danglingLinks'
  | 'searchNotes'
  | 'noteStats'
  | 'suggestEdges'
  | 'showNote';

const usualPage = 2_000;
const usualNeighbours = 200;
const usualFound = 200;
const usualSuggested = 5;
const mostTags = 100;
const mostCandidates = 10;
const mostText = 262_144;
const mostEdges = 2_000;

export function noteHandlers({ techne, workspace, homeFolder }: ApiService): Handlers<Names> {
  let opened: Notes | null = null;
  const notes = (): Notes => {
    if (opened === null) opened = openNotes(techne.library, techne.snapshot);
    else opened.vault.refresh();
    return opened;
  };
  const noteOf = ({ graph }: Notes, written: string): GraphNode => {
    const exact = graph.get(written);
    if (exact !== null) return exact;
    const found = graph.find(written);
    const [first] = found;
    if (first !== undefined && found.length === 1) return first;
    throw new TechneError(
      'FILE_MISSING',
      first === undefined ? `there is no note "${written}"` : `"${written}" fits ${found.length} notes`,
      { hint: 'write its path in the vault' },
    );
  };

  return {
    noteGraph({ query: { offset = 0, limit = usualPage } }) {
      const here = notes();
      const { graph, ...rest } = partsOf(here);
      const all = graph.nodes();
      const ids = new Map(all.map(({ path }, id) => [path, id]));
      const page = all.slice(offset, offset + limit);
      const numbers = new TypeNumbers();
      return {
        nodes: page.map(({ path, name, note }, at) => ({ id: offset + at, path, name, type: note.type })),
        edges: page.flatMap(({ edges }, at) =>
          edges.flatMap((edge) => {
            const target = edge.to === null ? undefined : ids.get(edge.to);
            return target === undefined ? [] : [[offset + at, target, numbers.of(here.typeOf(edge))]];
          }),
        ),
        edgeTypes: numbers.types,
        total: all.length,
        dangling: rest.dangling,
        next: offset + limit < all.length ? offset + limit : null,
      };
    },

    noteNeighbours({ query }) {
      const { depth = 1, direction = 'both', limit = usualNeighbours } = query;
      const known = notes();
      const { path } = noteOf(known, query.note ?? '');
      const types = typesOf(query.types);
      const all = known.neighbours(path, { depth, direction, limit: limit + 1, types });
      const found = all.slice(0, limit);
      const paths = [path, ...found.map((one) => one.path)];
      return {
        note: path,
        neighbours: found.map((one) => ({ ...stepOf(one), via: one.via, depth: one.depth })),
        isCut: all.length > limit,
        ...between(known, paths, types),
      };
    },

    searchNotes({ query: { text = '', limit = usualFound, ...given } }) {
      const known = notes();
      const found = known.query({ ...given, words: text.split(/\s+/).filter((word) => word !== '') });
      return { notes: found.slice(0, limit).map(nameOf), total: found.length };
    },

    noteStats() {
      const known = notes();
      const { types, edgeTypes, tags, ambiguous: _, ...counts } = known.stats();
      return {
        vault: displayPath(known.vault.folder, { cwd: workspace, homeFolder }),
        isConfigured: techne.library.loaded.config.graph.vault !== null,
        ...counts,
        types: types.map(counted),
        edgeTypes: edgeTypes.map(counted),
        tags: tags.slice(0, mostTags).map(counted),
      };
    },

    danglingLinks({ query: { limit = usualPage } }) {
      const all = notes().dangling();
      return {
        links: all.slice(0, limit).map(({ from, type, link, problem, candidates }) => ({
          from,
          target: link.target,
          type,
          problem: problem ?? '',
          line: link.line,
          candidates: candidates.slice(0, mostCandidates),
        })),
        total: all.length,
      };
    },

    suggestEdges({ query: { note = '', limit = usualSuggested } }) {
      const known = notes();
      const node = noteOf(known, note);
      const suggestions = known.suggest(node, limit);
      return {
        note: node.path,
        suggestions: suggestions.map(({ edge, because, candidates }) => ({
          edge,
          because,
          candidates: candidates.map(({ path, score, reasons }) => ({ path, score, reasons: [...reasons] })),
        })),
      };
    },

    notePath({ query: { from = '', to = '', types } }) {
      const known = notes();
      const steps = known.path(noteOf(known, from).path, noteOf(known, to).path, typesOf(types));
      return { steps: steps === null ? null : steps.map(stepOf) };
    },

    orphanNotes({ query: { limit = usualPage } }) {
      const orphans = notes().orphans();
      return { paths: orphans.slice(0, limit).map(({ path }) => path), total: orphans.length };
    },

    showNote({ query }) {
      const known = notes();
      const { path, name, note, edges } = noteOf(known, query.note ?? '');
      const text = known.vault.textOf(path) ?? '';
      return {
        path,
        name,
        type: note.type,
        title: note.title,
        properties: note.properties,
        tags: [...note.tags],
        text: text.slice(0, mostText),
        isCut: text.length > mostText,
        edges: [
          ...edges.map(({ to, type, link, problem }) => ({
            to,
            from: null,
            type,
            target: link.target,
            problem,
          })),
          ...known.graph
            .edgesTo(path)
            .map(({ from, type, link, problem }) => ({ to: null, from, type, target: link.target, problem })),
        ].slice(0, mostEdges),
      };
    },
  };
}

function partsOf(notes: Notes): { readonly graph: Notes['graph']; readonly dangling: number } {
  return { graph: notes.graph, dangling: notes.dangling().length };
}

/** The edges among some notes, and the notes. */
function between(
  notes: Notes,
  paths: readonly string[],
  types: ReadonlySet<string> | null,
): Pick<OperationOutput<Operations['noteNeighbours']>, 'nodes' | 'edges' | 'edgeTypes'> {
  const nodes = paths.flatMap((path) => notes.graph.get(path) ?? []);
  const places = new Map(nodes.map(({ path }, at) => [path, at]));
  const numbers = new TypeNumbers();
  const edges = nodes.flatMap((node, from) =>
    node.edges.flatMap((edge) => {
      const to = edge.to === null ? undefined : places.get(edge.to);
      return to === undefined || (types !== null && !types.has(notes.typeOf(edge)))
        ? []
        : [[from, to, numbers.of(notes.typeOf(edge))]];
    }),
  );
  return { nodes: nodes.map(nameOf), edges, edgeTypes: numbers.types };
}

function nameOf({ path, name, note }: GraphNode): {
  readonly path: string;
  readonly name: string;
  readonly type: string | null;
  readonly title: string | null;
} {
  return { path, name, type: note.type, title: note.title };
}

function counted([name, count]: readonly [string, number]): {
  readonly name: string;
  readonly count: number;
} {
  return { name, count };
}

/** Types of edges by number, so that thousands of edges name each type once. */
class TypeNumbers {
  readonly #numbers = new Map<string, number>();

  of(type: string): number {
    const known = this.#numbers.get(type) ?? this.#numbers.size;
    this.#numbers.set(type, known);
    return known;
  }

  get types(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

function stepOf({ path, edge, direction }: Step): {
  readonly path: string;
  readonly type: string | null;
  readonly direction: 'out' | 'in';
} {
  return { path, type: edge.type, direction };
}

function typesOf(given: string | undefined): ReadonlySet<string> | null {
  return given === undefined || given === '' ? null : new Set(given.split(',').map((type) => type.trim()));
}
