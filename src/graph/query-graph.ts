// Questions about a whole graph: which notes fit, what hangs loose, how much there is of what.
import type { Json } from '../base/json.ts';
import type { Edge, GraphNode, NoteGraph } from './graph.ts';
import { typeOf } from './walk-graph.ts';

/** All conditions must hold; a condition that is not given holds. */
export interface NoteQuery {
  readonly type?: string;
  readonly tag?: string;
  /** `value: null`: the property is there, whatever it holds. */
  readonly properties?: readonly { readonly name: string; readonly value: string | null }[];
  /** It has an edge of this type, to `to` where that is given. */
  readonly edge?: string;
  readonly to?: string;
  /** It is linked from this note. */
  readonly from?: string;
  /** Every word occurs in its name, title, aliases or text, in any case. */
  readonly words?: readonly string[];
}

/** By path. `textOf` is asked only about notes that fit everything else. */
export function queryNotes(
  graph: NoteGraph,
  query: NoteQuery,
  textOf: (path: string) => string,
): readonly GraphNode[] {
  const linked = query.from === undefined ? null : new Set(graph.get(query.from)?.edges.map(({ to }) => to));
  return graph.nodes().filter((node) => {
    const { path, note, edges } = node;
    if (query.type !== undefined && note.type?.toLowerCase() !== query.type.toLowerCase()) return false;
    const tag = query.tag?.replace(/^#/, '').toLowerCase();
    if (tag !== undefined && !note.tags.some((one) => one === tag || one.startsWith(`${tag}/`))) return false;
    if (!(query.properties ?? []).every(({ name, value }) => hasProperty(node, name, value))) return false;
    if (query.edge !== undefined || query.to !== undefined) {
      const fits = (edge: Edge): boolean =>
        (query.edge === undefined || typeOf(edge) === query.edge) &&
        (query.to === undefined || edge.to === query.to);
      if (!edges.some(fits)) return false;
    }
    if (linked !== null && !linked.has(path)) return false;
    return hasWords(node, query.words ?? [], textOf);
  });
}

function hasProperty({ note }: GraphNode, name: string, value: string | null): boolean {
  const key = Object.keys(note.properties).find((one) => one.toLowerCase() === name.toLowerCase());
  if (key === undefined) return false;
  return value === null || valuesOf(note.properties[key]).includes(value.toLowerCase());
}

function valuesOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(valuesOf);
  if (value === null || value === undefined) return [''];
  return typeof value === 'object' ? [] : [String(value).toLowerCase()];
}

function hasWords(
  { path, name, note }: GraphNode,
  words: readonly string[],
  textOf: (path: string) => string,
): boolean {
  if (words.length === 0) return true;
  const fold = (text: string): string => text.normalize('NFC').toLowerCase();
  const head = fold([name, note.title ?? '', ...note.aliases].join('\n'));
  const rest = words.map(fold).filter((word) => !head.includes(word));
  if (rest.length === 0) return true;
  const text = fold(textOf(path));
  return rest.every((word) => text.includes(word));
}

/** Notes without any edge from or to another note. */
export function orphansOf(graph: NoteGraph): readonly GraphNode[] {
  return graph
    .nodes()
    .filter(
      ({ path, edges }) =>
        edges.every(({ to }) => to === null || to === path) &&
        graph.edgesTo(path).every(({ from }) => from === path),
    );
}

/** Links that lead to no note, or to no such place in it. */
export function danglingOf(graph: NoteGraph): readonly Edge[] {
  return graph.nodes().flatMap(({ edges }) => edges.filter(({ problem }) => problem !== null));
}

export interface GraphStats {
  readonly notes: number;
  /** Edges that lead to a note. */
  readonly edges: number;
  readonly dangling: number;
  readonly ambiguous: number;
  readonly orphans: number;
  /** Groups of notes that hang together, orphans not counted. */
  readonly groups: number;
  /** How many notes of each type, the most first; '' for none. */
  readonly types: readonly (readonly [string, number])[];
  readonly edgeTypes: readonly (readonly [string, number])[];
  readonly tags: readonly (readonly [string, number])[];
}

export function statsOf(graph: NoteGraph): GraphStats {
  const types = new Map<string, number>();
  const edgeTypes = new Map<string, number>();
  const tags = new Map<string, number>();
  let edges = 0;
  let ambiguous = 0;
  let dangling = 0;
  for (const { note, edges: own } of graph.nodes()) {
    count(types, note.type ?? '');
    for (const tag of note.tags) count(tags, tag);
    for (const edge of own) {
      if (edge.to !== null) {
        edges += 1;
        count(edgeTypes, typeOf(edge));
      }
      if (edge.problem !== null) dangling += 1;
      if (edge.problem === 'ambiguous') ambiguous += 1;
    }
  }
  return {
    notes: graph.size,
    edges,
    dangling,
    ambiguous,
    orphans: orphansOf(graph).length,
    groups: countGroups(graph),
    types: byCount(types),
    edgeTypes: byCount(edgeTypes),
    tags: byCount(tags),
  };
}

function countGroups(graph: NoteGraph): number {
  const seen = new Set<string>();
  let groups = 0;
  for (const { path } of graph.nodes()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const group = [path];
    for (let at = 0; at < group.length; at += 1) {
      const here = group[at] as string;
      const next = [
        ...(graph.get(here)?.edges ?? []).map(({ to }) => to),
        ...graph.edgesTo(here).map(({ from }) => from),
      ];
      for (const one of next)
        if (one !== null && !seen.has(one)) {
          seen.add(one);
          group.push(one);
        }
    }
    if (group.length > 1) groups += 1;
  }
  return groups;
}

function count(into: Map<string, number>, key: string): void {
  into.set(key, (into.get(key) ?? 0) + 1);
}

function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : a > b ? 1 : 0));
}
