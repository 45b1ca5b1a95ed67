// Notes and the edges between them: an index over files that follows each change.
//
//   put(path, note) | putFile(path) | remove(path)  ->  nodes, edges in both directions
//
// Any sequence of changes leaves the graph that a rebuild from the files gives (a property test). A change looks again only at
// links whose target has the name of a file that came or went, so one edit costs what the note costs, not what the vault does.
import type { Note, NoteLink } from './note.ts';
import { NoteNames, noteName, targetKey } from './note-names.ts';

/** Where a link leads. `missing`, `ambiguous` and the like are facts about the vault, not errors. */
export interface Edge {
  readonly from: string;
  /** `null`: it leads to no note. */
  readonly to: string | null;
  /** `null`: a plain link. */
  readonly type: string | null;
  readonly link: NoteLink;
  readonly problem: EdgeProblem | null;
  /** Notes that were meant, perhaps: those that fit an ambiguous name, or have it as an alias. */
  readonly candidates: readonly string[];
}

/** `heading` and `block`: the note is there, the place in it is not. `outside`: the path leaves the vault. */
export type EdgeProblem = 'missing' | 'ambiguous' | 'outside' | 'heading' | 'block';

export interface GraphNode {
  /** Relative to the vault, with `/`. */
  readonly path: string;
  readonly name: string;
  readonly note: Note;
  /** In the order of the text. */
  readonly edges: readonly Edge[];
}

export interface GraphChanges {
  readonly removed?: Iterable<string>;
  /** Files that are no notes. */
  readonly files?: Iterable<string>;
  readonly notes?: Iterable<readonly [string, Note]>;
}

export class NoteGraph {
  readonly #names = new NoteNames();
  readonly #nodes = new Map<string, GraphNode>();
  /** Target of edges -> notes that have them. */
  readonly #linkedFrom = new Map<string, Set<string>>();
  /** Key of the written target -> notes with such a link, wherever it leads. */
  readonly #written = new Map<string, Set<string>>();

  get size(): number {
    return this.#nodes.size;
  }

  /** By path, in code units. */
  nodes(): readonly GraphNode[] {
    return [...this.#nodes.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  get(path: string): GraphNode | null {
    return this.#nodes.get(path) ?? null;
  }

  /** Edges that lead to this note, by the path and place they come from. */
  edgesTo(path: string): readonly Edge[] {
    const sources = [...(this.#linkedFrom.get(path) ?? [])].sort();
    return sources.flatMap((from) => (this.#nodes.get(from)?.edges ?? []).filter(({ to }) => to === path));
  }

  /** A note that is new, or changed. */
  put(path: string, note: Note): void {
    this.change({ notes: [[path, note]] });
  }

  /** A file that is no note, so that links to it are not missing. */
  putFile(path: string): void {
    this.change({ files: [path] });
  }

  remove(path: string): void {
    this.change({ removed: [path] });
  }

  /** Any number of changes at once: a link that several of them concern is looked at once. */
  change({ removed = [], files = [], notes = [] }: GraphChanges): void {
    const again = new Set<string>();
    const addAll = (paths: Iterable<string>): void => {
      for (const path of paths) again.add(path);
    };
    const concerns = (key: string): void => addAll(this.#written.get(key) ?? []);
    for (const path of removed) {
      const node = this.#nodes.get(path);
      if (node === undefined && !this.#names.has(path)) continue;
      if (node !== undefined) this.#forget(node);
      this.#nodes.delete(path);
      this.#names.remove(path);
      concerns(targetKey(path));
      for (const alias of node?.note.aliases ?? []) concerns(targetKey(alias));
    }
    for (const path of files) {
      if (this.#names.has(path)) continue;
      this.#names.add(path);
      concerns(targetKey(path));
    }
    for (const [path, note] of notes) {
      const before = this.#nodes.get(path);
      if (before !== undefined) this.#forget(before);
      this.#nodes.set(path, { path, name: noteName(path), note, edges: [] });
      for (const alias of note.aliases) this.#names.addAlias(alias, path);
      for (const { target } of note.links) addTo(this.#written, targetKey(target), path);
      this.#names.add(path);
      again.add(path);
      if (before === undefined) concerns(targetKey(path));
      else if (anchorsOf(before.note) !== anchorsOf(note)) addAll(this.#linkedFrom.get(path) ?? []);
      // A missing link names the notes that have its target as an alias.
      for (const alias of differing(before?.note.aliases ?? [], note.aliases)) concerns(targetKey(alias));
    }
    for (const path of again) this.#resolve(path);
  }

  /** A note by what a person types: a path, a name or an alias. Several that fit are given, never one of them guessed. */
  find(written: string): readonly GraphNode[] {
    const found = this.#names.resolve(written, '', false);
    const paths =
      found.kind === 'note'
        ? [found.path]
        : found.kind === 'ambiguous' || found.kind === 'missing'
          ? found.candidates
          : [];
    return paths.flatMap((path) => this.#nodes.get(path) ?? []);
  }

  #forget({ path, note, edges }: GraphNode): void {
    for (const alias of note.aliases) this.#names.removeAlias(alias, path);
    for (const { target } of note.links) removeFrom(this.#written, targetKey(target), path);
    for (const { to } of edges) if (to !== null) removeFrom(this.#linkedFrom, to, path);
  }

  #resolve(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    for (const { to } of node.edges) if (to !== null) removeFrom(this.#linkedFrom, to, path);
    const edges: Edge[] = [];
    for (const link of node.note.links) {
      const edge = this.#edgeOf(path, link);
      if (edge === null) continue;
      edges.push(edge);
      if (edge.to !== null) addTo(this.#linkedFrom, edge.to, path);
    }
    this.#nodes.set(path, { ...node, edges });
  }

  /** `null`: it is no edge of the graph: a link to a file that is no note, or a day without a note. */
  #edgeOf(from: string, link: NoteLink): Edge | null {
    const found = this.#names.resolve(link.target, from, link.form === 'markdown');
    switch (found.kind) {
      case 'file':
        return null;
      case 'note': {
        const to = this.#nodes.get(found.path);
        if (to === undefined) return null;
        return {
          from,
          to: to.path,
          type: link.edge,
          link,
          problem: placeProblem(to.note, link),
          candidates: none,
        };
      }
      case 'outside':
        return { from, to: null, type: link.edge, link, problem: 'outside', candidates: none };
      case 'missing':
      case 'ambiguous':
        if (link.form === 'date') return null;
        return { from, to: null, type: link.edge, link, problem: found.kind, candidates: found.candidates };
    }
  }
}

const none: readonly string[] = [];

/** What one list has and the other lacks. */
function differing(before: readonly string[], now: readonly string[]): readonly string[] {
  return [...before, ...now].filter((one) => before.includes(one) !== now.includes(one));
}

function placeProblem(note: Note, { heading, block }: NoteLink): EdgeProblem | null {
  if (block !== null) return note.blocks.includes(block) ? null : 'block';
  return heading === null || hasHeading(note, heading) ? null : 'heading';
}

/** `A#B`: a heading B below a heading A. */
function hasHeading({ headings }: Note, written: string): boolean {
  let from = 0;
  let level = 0;
  for (const part of written.split('#').map(headingKey)) {
    let at = from;
    while (at < headings.length && headingKey(headings[at]?.text ?? '') !== part) {
      at += 1;
      // The section of the heading before has ended.
      if (level > 0 && (headings[at]?.level ?? 0) <= level) return false;
    }
    const found = headings[at];
    if (found === undefined) return false;
    level = found.level;
    from = at + 1;
  }
  return true;
}

/** Links leave out the characters that have a meaning in a link. */
function headingKey(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/%%|\[\[|\]\]|[#|^:\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function anchorsOf({ headings, blocks }: Note): string {
  return JSON.stringify([headings.map(({ level, text }) => [level, text]), blocks]);
}

function addTo(sets: Map<string, Set<string>>, key: string, path: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([path]));
  else set.add(path);
}

function removeFrom(sets: Map<string, Set<string>>, key: string, path: string): void {
  const set = sets.get(key);
  set?.delete(path);
  if (set?.size === 0) sets.delete(key);
}
