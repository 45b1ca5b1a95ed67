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
    const before = this.#nodes.get(path);
    if (before !== undefined) this.#forget(before);
    this.#nodes.set(path, { path, name: noteName(path), note, edges: [] });
    for (const alias of note.aliases) this.#names.addAlias(alias, path);
    for (const { target } of note.links) addTo(this.#written, targetKey(target), path);
    this.#names.add(path);
    this.#resolve(path);
    const headingsDiffer = before !== undefined && anchorsOf(before.note) !== anchorsOf(note);
    if (before === undefined) this.#resolveWritten(targetKey(path));
    else if (headingsDiffer) for (const from of [...(this.#linkedFrom.get(path) ?? [])]) this.#resolve(from);
    this.#resolveAliases(before?.note.aliases ?? [], note.aliases);
  }

  /** A file that is no note, so that links to it are not missing. */
  putFile(path: string): void {
    if (this.#names.has(path)) return;
    this.#names.add(path);
    this.#resolveWritten(targetKey(path));
  }

  remove(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined && !this.#names.has(path)) return;
    if (node !== undefined) this.#forget(node);
    this.#nodes.delete(path);
    this.#names.remove(path);
    this.#resolveWritten(targetKey(path));
    this.#resolveAliases(node?.note.aliases ?? [], []);
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

  /** Looks again where links with this key lead. */
  #resolveWritten(key: string): void {
    for (const path of this.#written.get(key) ?? []) this.#resolve(path);
  }

  /** A missing link names the notes that have its target as an alias. */
  #resolveAliases(before: readonly string[], now: readonly string[]): void {
    const changed = [...before, ...now].filter((alias) => before.includes(alias) !== now.includes(alias));
    for (const alias of changed) this.#resolveWritten(targetKey(alias));
  }

  #resolve(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    for (const { to } of node.edges) if (to !== null) removeFrom(this.#linkedFrom, to, path);
    const edges = node.note.links.flatMap((link) => this.#edgeOf(path, link) ?? []);
    for (const { to } of edges) if (to !== null) addTo(this.#linkedFrom, to, path);
    this.#nodes.set(path, { ...node, edges });
  }

  /** `null`: it is no edge of the graph: a link to a file that is no note, or a day without a note. */
  #edgeOf(from: string, link: NoteLink): Edge | null {
    const found = this.#names.resolve(link.target, from, link.form === 'markdown');
    const edge = { from, type: link.edge, link, candidates: [] };
    switch (found.kind) {
      case 'file':
        return null;
      case 'note': {
        const to = this.#nodes.get(found.path);
        return to === undefined ? null : { ...edge, to: to.path, problem: placeProblem(to.note, link) };
      }
      case 'outside':
        return { ...edge, to: null, problem: 'outside' };
      case 'missing':
      case 'ambiguous':
        return link.form === 'date'
          ? null
          : { ...edge, to: null, problem: found.kind, candidates: found.candidates };
    }
  }
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
