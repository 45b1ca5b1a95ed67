// The kinds of notes that skills declare: node_type and the edges that such notes usually have.
import type { SkillHead } from '../skill/types.ts';
import { edgeName } from './note.ts';

export interface KindEdge {
  readonly edge: string;
  /** The type of the notes it leads to; `null`: any. */
  readonly target: string | null;
  /** The skill that declares it. */
  readonly skill: string;
}

export class NoteKinds {
  readonly #edges = new Map<string, KindEdge[]>();

  constructor(heads: readonly Pick<SkillHead, 'name' | 'nodeType' | 'suggestedEdges'>[]) {
    for (const { name, nodeType, suggestedEdges } of heads) {
      if (nodeType === null) continue;
      const edges = this.#edges.get(nodeType.toLowerCase()) ?? [];
      for (const { type, target } of suggestedEdges)
        if (!edges.some(({ edge }) => edge === edgeName(type)))
          edges.push({ edge: edgeName(type), target, skill: name });
      this.#edges.set(nodeType.toLowerCase(), edges);
    }
  }

  has(type: string): boolean {
    return this.#edges.has(type.toLowerCase());
  }

  edgesOf(type: string): readonly KindEdge[] {
    return this.#edges.get(type.toLowerCase()) ?? [];
  }

  /** All edges that any skill declares. */
  edges(): ReadonlySet<string> {
    return new Set([...this.#edges.values()].flatMap((edges) => edges.map(({ edge }) => edge)));
  }

  types(): readonly string[] {
    return [...this.#edges.keys()].sort();
  }
}
