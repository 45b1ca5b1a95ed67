// Edges that a note could have: what notes of its type usually have and it lacks, with notes they may lead to.
//
//   note -> lacking edge types (declared by a skill, or usual in this vault) -> candidates with reasons
//
// It only suggests. A candidate is mentioned in the text, linked without a type, shares neighbours, or shares words; each reason
// is told. What is linked with a type already, and the note itself, are left out.
import { createLexicalIndex } from '../match/lexical/lexical-index.ts';
import { isCommonWord } from '../match/text/common-words.ts';
import { splitSections } from '../match/text/split-sections.ts';
import type { GraphNode, NoteGraph } from './graph.ts';
import type { NoteKinds } from './note-kinds.ts';
import { nameKey } from './note.ts';
import { splitNote } from './read-note.ts';

export interface SuggestedLink {
  readonly path: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

export interface EdgeSuggestion {
  readonly edge: string;
  /** Why a note of this type should have such an edge. */
  readonly because: string;
  /** Best first. */
  readonly candidates: readonly SuggestedLink[];
}

interface SuggestOptions {
  readonly graph: NoteGraph;
  readonly kinds: NoteKinds;
  readonly textOf: (path: string) => string;
  /** Candidates for each edge. */
  readonly limit: number;
}

/** An edge is usual when at least this share of at least three other notes of the type have it. */
const usualShare = 0.3;

export function suggestEdges(
  node: GraphNode,
  { graph, kinds, textOf, limit }: SuggestOptions,
): readonly EdgeSuggestion[] {
  const lacking = lackingEdges(node, graph, kinds);
  if (lacking.length === 0) return [];
  const evidence = gatherEvidence(node, graph, textOf);
  const linked = new Set(node.edges.filter(({ type }) => type !== null).map(({ to }) => to));
  return lacking.map(({ edge, because, targets }) => {
    const candidates = [...evidence]
      .filter(([path]) => path !== node.path && !linked.has(path))
      .map(([path, found]) => {
        const type = graph.get(path)?.note.type ?? null;
        const fits = type !== null && targets.has(type.toLowerCase());
        return {
          path,
          score: round(found.score * (fits ? 1.5 : targets.size === 0 ? 1 : 0.5)),
          reasons: fits
            ? [...found.reasons, `is of type ${type}, as "${edge}" usually leads to`]
            : found.reasons,
        };
      })
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return { edge, because, candidates: candidates.slice(0, limit) };
  });
}

interface Lacking {
  readonly edge: string;
  readonly because: string;
  /** Types that such an edge leads to, in lower case; empty: not known. */
  readonly targets: ReadonlySet<string>;
}

function lackingEdges(
  { path, note, edges }: GraphNode,
  graph: NoteGraph,
  kinds: NoteKinds,
): readonly Lacking[] {
  if (note.type === null) return [];
  const own = new Set(edges.map(({ type }) => type));
  const siblings = graph
    .nodes()
    .filter((one) => one.path !== path && one.note.type?.toLowerCase() === note.type?.toLowerCase());
  const counts = new Map<string, number>();
  const targets = new Map<string, Set<string>>();
  for (const sibling of siblings)
    for (const edge of new Set(sibling.edges.map(({ type }) => type)))
      if (edge !== null) {
        counts.set(edge, (counts.get(edge) ?? 0) + 1);
        const reached = targets.get(edge) ?? new Set();
        for (const { type, to } of sibling.edges) {
          const reachedType = to === null || type !== edge ? null : (graph.get(to)?.note.type ?? null);
          if (reachedType !== null) reached.add(reachedType.toLowerCase());
        }
        targets.set(edge, reached);
      }
  const lacking = new Map<string, Lacking>();
  for (const { edge, target, skill } of kinds.edgesOf(note.type))
    if (!own.has(edge))
      lacking.set(edge, {
        edge,
        because: `the skill "${skill}" suggests it for notes of type ${note.type}`,
        targets: target === null ? (targets.get(edge) ?? new Set()) : new Set([target.toLowerCase()]),
      });
  for (const [edge, count] of [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
    if (!own.has(edge) && !lacking.has(edge) && siblings.length >= 3 && count / siblings.length >= usualShare)
      lacking.set(edge, {
        edge,
        because: `${count} of ${siblings.length} other notes of type ${note.type} have it`,
        targets: targets.get(edge) ?? new Set(),
      });
  return [...lacking.values()];
}

interface Evidence {
  readonly score: number;
  readonly reasons: readonly string[];
}

function gatherEvidence(
  node: GraphNode,
  graph: NoteGraph,
  textOf: (path: string) => string,
): ReadonlyMap<string, Evidence> {
  const found = new Map<string, { score: number; reasons: string[] }>();
  const add = (path: string, score: number, reason: string): void => {
    if (path === node.path) return;
    const known = found.get(path) ?? { score: 0, reasons: [] };
    known.score += score;
    known.reasons.push(reason);
    found.set(path, known);
  };
  for (const { to, type, link } of node.edges)
    if (to !== null && type === null) add(to, 2, `is linked in line ${link.line} without a type`);
  const text = textOf(node.path);
  for (const [path, name] of mentionsIn(text, node, graph)) add(path, 3, `its name "${name}" is in the text`);
  for (const [path, shared] of sharedNeighbours(node, graph))
    add(
      path,
      Math.min(2, shared.length * 0.7),
      `also linked with ${shared
        .slice(0, 3)
        .map((one) => `"${one}"`)
        .join(', ')}`,
    );
  for (const { path, score, words } of similarNotes(node, text, graph, textOf))
    add(
      path,
      score,
      words.length === 0 ? 'has words in common' : `shares ${words.map((word) => `"${word}"`).join(', ')}`,
    );
  return found;
}

/** Notes whose name or alias stands in the text and is no link there. */
export function* mentionsIn(
  text: string,
  node: GraphNode,
  graph: NoteGraph,
): Iterable<readonly [string, string]> {
  const linked = new Set(node.edges.map(({ to }) => to));
  const folded = nameKey(withoutLinks(text));
  for (const { path, name, note } of graph.nodes()) {
    if (path === node.path || linked.has(path)) continue;
    const mentioned = [name, ...note.aliases].find((one) => one.length >= 3 && hasWord(folded, nameKey(one)));
    if (mentioned !== undefined) yield [path, mentioned];
  }
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ' '))
      return true;
  return false;
}

/** Notes that are no neighbours but have one in common, with the names of what they share. */
function sharedNeighbours(node: GraphNode, graph: NoteGraph): ReadonlyMap<string, readonly string[]> {
  const near = (path: string): ReadonlySet<string> =>
    new Set([
      ...(graph.get(path)?.edges ?? []).flatMap(({ to }) => to ?? []),
      ...graph.edgesTo(path).map(({ from }) => from),
    ]);
  const neighbours = near(node.path);
  const shared = new Map<string, string[]>();
  for (const middle of [...neighbours].sort()) {
    const around = near(middle);
    // A note that everything links to says nothing about any two of them.
    if (around.size > 50) continue;
    for (const far of around)
      if (far !== node.path && !neighbours.has(far))
        shared.set(far, [...(shared.get(far) ?? []), graph.get(middle)?.name ?? middle]);
  }
  return shared;
}

function* similarNotes(
  node: GraphNode,
  text: string,
  graph: NoteGraph,
  textOf: (path: string) => string,
): Iterable<{ readonly path: string; readonly score: number; readonly words: readonly string[] }> {
  const index = createLexicalIndex({ bodyCharacters: 4000, candidates: 12 });
  for (const { path, name, note } of graph.nodes())
    if (path !== node.path)
      index.set({
        name: path,
        description: [note.title ?? name, ...note.aliases, ...note.tags].join(' '),
        triggers: [],
        sections: splitSections(bodyOf(textOf(path)).slice(0, 4000)),
        priority: 0,
        invocation: { user: true, model: true },
      });
  const { hits, query } = index.search(
    `${node.name} ${node.note.title ?? ''} ${withoutLinks(bodyOf(text)).slice(0, 600)}`,
  );
  for (const [rank, { name }] of hits.slice(0, 12).entries()) {
    const words = index
      .sharedWords(query, name, 6)
      .map(({ word }) => word)
      .filter((word) => !isCommonWord(word.toLowerCase()))
      .slice(0, 3);
    // One word in common says little: "see" is in many notes.
    if (words.length > 1) yield { path: name, score: 1 / (1 + rank / 3), words };
  }
}

/** What is linked already is no sign of anything more. */
function withoutLinks(text: string): string {
  return text.replace(/!?\[\[[^\]\n]*\]\]/g, ' ');
}

/** Frontmatter says the same words in every note. */
function bodyOf(text: string): string {
  return text.slice(splitNote(text).bodyStart);
}

function round(score: number): number {
  return Math.round(score * 100) / 100;
}
