// Ways through a graph: what is near a note, and how two notes hang together.
//
// Edges are followed in both directions; a neighbour says which way its edge leads. Ties are broken by path, so that the same
// vault gives the same answer. Cycles do no harm: each note is visited once.
import type { Edge, NoteGraph } from './graph.ts';

export interface Step {
  /** The note that is reached. */
  readonly path: string;
  readonly edge: Edge;
  /** `out`: the note before links to this one. */
  readonly direction: 'out' | 'in';
}

export interface Neighbour extends Step {
  /** The note before, on a shortest way. */
  readonly via: string;
  /** From 1. */
  readonly depth: number;
}

export interface NeighbourOptions {
  readonly depth: number;
  /** Follow only edges of these types; `null`: all. A plain link has the type `link`. */
  readonly types: ReadonlySet<string> | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly limit: number;
}

/** Breadth first, without `start` itself. */
export function neighboursOf(
  graph: NoteGraph,
  start: string,
  options: NeighbourOptions,
): readonly Neighbour[] {
  const seen = new Set([start]);
  const found: Neighbour[] = [];
  let ring = [start];
  for (let depth = 1; depth <= options.depth && ring.length > 0; depth += 1) {
    const next: string[] = [];
    for (const via of ring)
      for (const step of stepsFrom(graph, via, options)) {
        if (seen.has(step.path)) continue;
        seen.add(step.path);
        if (found.length >= options.limit) return found;
        found.push({ ...step, via, depth });
        next.push(step.path);
      }
    ring = next;
  }
  return found;
}

/** A shortest way; `[]` from a note to itself, `null` where there is none. */
export function pathBetween(
  graph: NoteGraph,
  from: string,
  to: string,
  types: ReadonlySet<string> | null = null,
): readonly Step[] | null {
  const cameBy = new Map<string, Step & { readonly via: string }>();
  const queue = [from];
  for (let at = 0; at < queue.length; at += 1) {
    const here = queue[at] as string;
    if (here === to) {
      const way: Step[] = [];
      for (let path = to; path !== from;) {
        const { via, ...step } = cameBy.get(path) as Step & { readonly via: string };
        way.unshift(step);
        path = via;
      }
      return way;
    }
    for (const step of stepsFrom(graph, here, { types, direction: 'both' }))
      if (step.path !== from && !cameBy.has(step.path)) {
        cameBy.set(step.path, { ...step, via: here });
        queue.push(step.path);
      }
  }
  return null;
}

/** The type of an edge as people name it. */
export function typeOf({ type }: Pick<Edge, 'type'>): string {
  return type ?? 'link';
}

function stepsFrom(
  graph: NoteGraph,
  path: string,
  { types, direction }: Pick<NeighbourOptions, 'types' | 'direction'>,
): readonly Step[] {
  const steps: Step[] = [];
  const follows = (edge: Edge): boolean => types === null || types.has(typeOf(edge));
  if (direction !== 'in')
    for (const edge of graph.get(path)?.edges ?? [])
      if (edge.to !== null && edge.to !== path && follows(edge))
        steps.push({ path: edge.to, edge, direction: 'out' });
  if (direction !== 'out')
    for (const edge of graph.edgesTo(path))
      if (edge.from !== path && follows(edge)) steps.push({ path: edge.from, edge, direction: 'in' });
  return steps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
