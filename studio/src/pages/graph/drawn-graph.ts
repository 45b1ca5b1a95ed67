// What is drawn of notes: nodes, edges, the number of each type, sizes.
export interface DrawnNode {
  readonly path: string;
  readonly name: string;
  /** Of note; '' for none. */
  readonly type: string;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  /** From, to, and the place of the type in `edgeTypes`. */
  readonly edges: readonly (readonly [number, number, number])[];
  readonly edgeTypes: readonly string[];
  /** Of notes of the vault: each keeps its colour and shape, whatever is drawn. */
  readonly types: readonly string[];
}

/** How many edges each node has. */
export function degreesOf({ nodes, edges }: DrawnGraph): Uint32Array {
  const degrees = new Uint32Array(nodes.length);
  for (const [from, to] of edges) {
    degrees[from] = (degrees[from] ?? 0) + 1;
    degrees[to] = (degrees[to] ?? 0) + 1;
  }
  return degrees;
}

export function sizeOf(degree: number, nodes: number): number {
  const least = nodes > 2_000 ? 2 : nodes > 300 ? 3 : 5;
  return least + Math.min(least * 2, Math.sqrt(degree));
}

/** Type -> its number, the same for the picture and the legend. */
export function typeNumbers({ nodes, types }: DrawnGraph): ReadonlyMap<string, number> {
  const there = new Set(nodes.map(({ type }) => type));
  const all = [...new Set([...types, ...there])];
  return new Map(all.flatMap((type, at) => (there.has(type) ? [[type, at] as const] : [])));
}

/** Number of a type -> the notes of it, by their place among the nodes. */
export function nodesByType(graph: DrawnGraph): ReadonlyMap<number, readonly number[]> {
  const numbers = typeNumbers(graph);
  const groups = new Map<number, number[]>();
  for (const [at, { type }] of graph.nodes.entries()) {
    const number = numbers.get(type) ?? 0;
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [at]);
    else group.push(at);
  }
  return groups;
}
