// The notes around a workspace, and every question about them that surfaces ask.
//
//   SkillLibrary, Snapshot -> Notes: the vault that the configuration names, and what skills declare about its notes
import { isAbsolute, join } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { GraphFact } from '../graph/check-graph.ts';
import { checkGraph } from '../graph/check-graph.ts';
import type { Edge, GraphNode, NoteGraph } from '../graph/graph.ts';
import { createGraphTools } from '../graph/graph-tools.ts';
import { NoteKinds } from '../graph/note-kinds.ts';
import type { GraphStats, NoteQuery } from '../graph/query-graph.ts';
import { danglingOf, orphansOf, queryNotes, statsOf } from '../graph/query-graph.ts';
import type { GraphFormat } from '../graph/render-graph.ts';
import { renderGraph } from '../graph/render-graph.ts';
import type { EdgeSuggestion } from '../graph/suggest-edges.ts';
import { suggestEdges } from '../graph/suggest-edges.ts';
import { Vault } from '../graph/vault.ts';
import type { Neighbour, NeighbourOptions, Step } from '../graph/walk-graph.ts';
import { neighboursOf, pathBetween, typeOf } from '../graph/walk-graph.ts';
import { nodeParseFull } from '../node/yaml.ts';
import type { Tool } from '../ports/tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { SkillLibrary } from './open-skills.ts';

/** A vault and what skills declare about its notes. It changes nothing. */
export class Notes {
  readonly vault: Vault;
  readonly kinds: NoteKinds;

  constructor(vault: Vault, kinds: NoteKinds) {
    this.vault = vault;
    this.kinds = kinds;
  }

  get graph(): NoteGraph {
    return this.vault.graph;
  }

  stats(): GraphStats {
    return statsOf(this.graph);
  }

  neighbours(path: string, options: NeighbourOptions): readonly Neighbour[] {
    return neighboursOf(this.graph, path, options);
  }

  path(from: string, to: string, types: ReadonlySet<string> | null): readonly Step[] | null {
    return pathBetween(this.graph, from, to, types);
  }

  /** As people name it. */
  typeOf(edge: Pick<Edge, 'type'>): string {
    return typeOf(edge);
  }

  orphans(): readonly GraphNode[] {
    return orphansOf(this.graph);
  }

  dangling(): readonly Edge[] {
    return danglingOf(this.graph);
  }

  query(query: NoteQuery): readonly GraphNode[] {
    return queryNotes(this.graph, query, (path) => this.vault.textOf(path));
  }

  suggest(node: GraphNode, limit: number): readonly EdgeSuggestion[] {
    return suggestEdges(node, {
      graph: this.graph,
      kinds: this.kinds,
      textOf: (path) => this.vault.textOf(path),
      limit,
    });
  }

  /** Loose links, and what does not fit the declarations of skills. */
  check(): readonly GraphFact[] {
    return checkGraph(this.graph, this.kinds);
  }

  /** These notes and the edges between them, as a picture. */
  draw(centre: string | null, paths: readonly string[], format: GraphFormat): string {
    const nodes = paths.flatMap((path) => this.graph.get(path) ?? []);
    return renderGraph({ centre, nodes, edges: nodes.flatMap(({ edges }) => edges) }, format);
  }
}

/** Reads every note of `named`, or of the vault that is configured. Throws FILE_MISSING when it is not there. */
export function openNotes(library: SkillLibrary, snapshot: Snapshot, named: string | null = null): Notes {
  const folder = named ?? vaultFolder(library);
  if (library.files.stat(folder)?.isDirectory() !== true)
    throw new TechneError('FILE_MISSING', `the folder of notes "${folder}" does not exist`, {
      hint:
        named === null
          ? 'correct graph.vault in the configuration, or make the folder'
          : 'correct --vault, or make the folder',
    });
  const kinds = new NoteKinds(snapshot.skills.map(({ head }) => head));
  return new Notes(
    new Vault({ files: library.files, folder, parseFull: nodeParseFull, edges: kinds.edges() }),
    kinds,
  );
}

/** The tools for notes. These are read at the first call, and looked at again at each one. */
export function noteTools(library: SkillLibrary, snapshot: () => Snapshot): readonly Tool[] {
  let notes: Notes | null = null;
  return createGraphTools(async () => {
    if (notes === null) notes = openNotes(library, snapshot());
    else notes.vault.refresh();
    return notes.vault;
  });
}

/** Absolute. */
export function vaultFolder(
  { loaded }: Pick<SkillLibrary, 'loaded'>,
  workspace: string = loaded.workspace ?? process.cwd(),
): string {
  const { vault } = loaded.config.graph;
  return vault === null ? workspace : isAbsolute(vault) ? vault : join(workspace, vault);
}
