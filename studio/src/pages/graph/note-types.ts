// Which colour and shape notes have: each type its number, in the picture and in its legend.
export interface TypedNotes {
  readonly nodes: readonly { readonly type: string }[];
  /** Of the vault: each keeps its number, whatever is drawn. */
  readonly types: readonly string[];
}

/** Type -> its number, the same for the picture and the legend. */
export function typeNumbers({ nodes, types }: TypedNotes): ReadonlyMap<string, number> {
  const there = new Set(nodes.map(({ type }) => type));
  const all = [...new Set([...types, ...there])];
  return new Map(all.flatMap((type, at) => (there.has(type) ? [[type, at] as const] : [])));
}

/** Number of a type -> the notes of it, by their place among the nodes. */
export function nodesByType(graph: TypedNotes): ReadonlyMap<number, readonly number[]> {
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
