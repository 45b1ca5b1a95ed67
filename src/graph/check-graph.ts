// The notes of a vault against what skills declare, and links that lead nowhere: facts with file, line and hint.
//
// Only what a skill declares is compared: types and edges of a person's own are facts, told once with how many notes have them.
import type { DiagnosticCode } from '../base/codes.ts';
import type { Edge, NoteGraph } from './graph.ts';
import type { NoteKinds } from './note-kinds.ts';
import { noteName } from './note-names.ts';

export interface GraphFact {
  readonly code: DiagnosticCode;
  /** Relative to the vault. */
  readonly path: string;
  /** From 1; `null`: of the note as a whole. */
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
}

export function checkGraph(graph: NoteGraph, kinds: NoteKinds): readonly GraphFact[] {
  const facts: GraphFact[] = [];
  const known = kinds.edges();
  const unknownTypes = new Map<string, { readonly first: string; count: number }>();
  const unknownEdges = new Map<string, { readonly first: Edge; count: number }>();
  for (const { path, note, edges } of graph.nodes()) {
    if (note.type !== null && !kinds.has(note.type)) {
      const seen = unknownTypes.get(note.type);
      if (seen === undefined) unknownTypes.set(note.type, { first: path, count: 1 });
      else seen.count += 1;
    }
    for (const edge of edges) {
      const problem = describeProblem(edge);
      if (problem !== null) facts.push({ path, line: edge.link.line, ...problem });
      if (edge.type !== null && !known.has(edge.type)) {
        const seen = unknownEdges.get(edge.type);
        if (seen === undefined) unknownEdges.set(edge.type, { first: edge, count: 1 });
        else seen.count += 1;
      }
      const wrong = note.type === null ? null : wrongTarget(edge, note.type, graph, kinds);
      if (wrong !== null) facts.push({ path, line: edge.link.line, ...wrong });
    }
  }
  for (const [type, { first, count }] of unknownTypes)
    facts.push({
      code: 'NOTE_TYPE_UNKNOWN',
      path: first,
      line: null,
      message: `no skill makes notes of type "${type}" (${count} in this vault)`,
      hint: `declare node_type: ${type} in a skill, if notes of this type should be checked`,
    });
  for (const [type, { first, count }] of unknownEdges)
    facts.push({
      code: 'NOTE_EDGE_UNKNOWN',
      path: first.from,
      line: first.link.line,
      message: `no skill declares the edge "${type}" (${count} in this vault)`,
      hint: `add ${type} to suggested_edges of a skill, or ignore this if it is a property of your own`,
    });
  return facts.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)));
}

function describeProblem({ problem, link, candidates, to }: Edge): Omit<GraphFact, 'path' | 'line'> | null {
  const written = link.target === '' ? 'this note' : `"${link.target}"`;
  switch (problem) {
    case null:
      return null;
    case 'missing': {
      const [alias] = candidates;
      return {
        code: 'NOTE_LINK_MISSING',
        message: `the link leads to ${written}, and there is no such note`,
        hint:
          alias === undefined
            ? 'write the note, or correct the name'
            : `it is an alias of "${noteName(alias)}": write [[${noteName(alias)}|${link.target}]]`,
      };
    }
    case 'ambiguous':
      return {
        code: 'NOTE_LINK_AMBIGUOUS',
        message: `${candidates.length} notes are named ${written}: ${candidates.slice(0, 4).join(', ')}`,
        hint: `write the path: [[${(candidates[0] ?? '').replace(/\.md$/i, '')}]]`,
      };
    case 'outside':
      return {
        code: 'NOTE_LINK_OUTSIDE',
        message: `the link ${written} leads out of the vault and is not followed`,
        hint: 'link to a note of the vault',
      };
    case 'heading':
      return {
        code: 'NOTE_LINK_PLACE',
        message: `"${noteName(to ?? '')}" has no heading "${link.heading}"`,
        hint: 'correct the heading, or leave it out',
      };
    case 'block':
      return {
        code: 'NOTE_LINK_PLACE',
        message: `"${noteName(to ?? '')}" has no block "^${link.block}"`,
        hint: 'add the id to the block, or leave it out',
      };
  }
}

function wrongTarget(
  { type, to }: Edge,
  from: string,
  graph: NoteGraph,
  kinds: NoteKinds,
): Omit<GraphFact, 'path' | 'line'> | null {
  const declared = kinds.edgesOf(from).find(({ edge }) => edge === type);
  const target = to === null ? null : (graph.get(to)?.note.type ?? null);
  if (declared === undefined || declared.target === null || target === null || to === null) return null;
  if (target.toLowerCase() === declared.target.toLowerCase()) return null;
  return {
    code: 'NOTE_EDGE_TARGET',
    message: `"${type}" of a note of type ${from} leads to notes of type ${declared.target}; "${noteName(to)}" is of type ${target}`,
    hint: `link to a note of type ${declared.target}, or use another edge`,
  };
}
