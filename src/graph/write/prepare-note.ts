// A NoteRequest and the vault as it is -> the text of the note, new or merged, or why it cannot be.
//
//   path -> the note that is there (also where it was moved to) -> edges to notes that exist -> frontmatter, sections -> text
//
// The name of a note is its key: a note of this name and type in another folder is the same note, so that no second one is made.
// A note of another type is never touched.
import type { NoteOutcome, NoteFault, NoteRequest, PreparedNote } from '../../ports/note-host.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { NoteGraph } from '../graph.ts';
import { edgeName, nameKey } from '../note.ts';
import { noteName } from '../note-names.ts';
import { readNote, splitNote } from '../read-note.ts';
import { mentionsIn } from '../suggest-edges.ts';
import type { WantedProperty } from './merge-properties.ts';
import { mergeProperties } from './merge-properties.ts';
import { mergeSections } from './merge-sections.ts';
import { notePathOf } from './note-path.ts';
import { applySplices } from './splice.ts';

export interface NotesThere {
  readonly graph: NoteGraph;
  /** null: there is no such file. */
  textOf(path: string): Promise<NoteOutcome<string | null>>;
  readonly parseFull: ParseFull;
}

export async function prepareNote(
  request: NoteRequest,
  there: NotesThere,
): Promise<NoteOutcome<PreparedNote>> {
  const checked = notePathOf(request.path);
  if (!checked.ok) return fault('NOTE_PATH', checked.message);
  if (request.body.trim() === '')
    return fault('NOTE_INVALID', 'the result is empty, so there is no note to write');
  const placed = placeOf(checked.path, request.type, there.graph);
  if (!placed.ok) return placed;
  const path = placed.value;
  const read = await there.textOf(path);
  if (!read.ok) return read;
  const before = read.value;
  const { links, leftOut } = linksOf(request, path, there.graph);
  const wanted: readonly WantedProperty[] = [
    { key: 'type', value: request.type, mayUpdate: false },
    ...Object.entries(request.properties).map(([key, value]) => ({
      key,
      value,
      mayUpdate: request.update.includes(key),
    })),
    ...links,
  ];
  const made =
    before === null ? newNote(request.body, wanted, there) : merged(before, request, wanted, path, there);
  if (!made.ok) return made;
  const { text, kept } = made.value;
  return {
    ok: true,
    value: {
      path,
      action: before === null ? 'created' : text === before ? 'unchanged' : 'merged',
      before,
      after: text,
      leftOut,
      proposed: proposalsFor(request, path, text, there),
      kept,
    },
  };
}

interface Made {
  readonly text: string;
  readonly kept: readonly string[];
}

function fault(
  code: NoteFault,
  message: string,
): { readonly ok: false; readonly code: NoteFault; readonly message: string } {
  return { ok: false, code, message };
}

/** Where the note is, or is to be. */
function placeOf(path: string, type: string, graph: NoteGraph): NoteOutcome<string> {
  if (graph.get(path) !== null) return { ok: true, value: path };
  const key = nameKey(noteName(path));
  const named = graph.nodes().filter(({ name }) => nameKey(name) === key);
  // On some disks two names that differ only in case are one file.
  const here = named.filter((node) => nameKey(node.path) === nameKey(path));
  const same = here.length > 0 ? here : named.filter(({ note }) => isType(note.type, type));
  const [first] = same;
  if (first === undefined) return { ok: true, value: path };
  if (same.length > 1)
    return fault(
      'NOTE_EXISTS',
      `there are ${same.length} notes "${noteName(path)}" of type ${type} (${same.map((one) => one.path).join(', ')}), and which one is meant is not guessed`,
    );
  return { ok: true, value: first.path };
}

function isType(written: string | null, type: string): boolean {
  return written !== null && nameKey(written) === nameKey(type);
}

function newNote(
  body: string,
  wanted: readonly WantedProperty[],
  { parseFull }: NotesThere,
): NoteOutcome<Made> {
  const plain = `${body
    .replace(/\r\n?/g, '\n')
    .replace(/^\ufeff/, '')
    .trimEnd()}\n`.replace(/^\n+/, '');
  const properties = mergeProperties(plain, wanted, parseFull);
  if (!properties.ok)
    return fault('NOTE_INVALID', `the note that was made cannot be written: ${properties.message}`);
  return { ok: true, value: { text: applySplices(plain, properties.splices), kept: [] } };
}

function merged(
  before: string,
  { body, existing, type }: NoteRequest,
  wanted: readonly WantedProperty[],
  path: string,
  { parseFull }: NotesThere,
): NoteOutcome<Made> {
  const { type: written } = readNote(path, before, { parseFull, edges: new Set() });
  if (written !== null && !isType(written, type))
    return fault('NOTE_TYPE', `the note "${path}" has the type ${written}, not ${type}; it is left as it is`);
  const properties = mergeProperties(before, wanted, parseFull);
  if (!properties.ok)
    return fault('NOTE_INVALID', `the note "${path}" is left as it is: ${properties.message}`);
  const sections = mergeSections(before, body);
  const splices = sections.ok ? [...properties.splices, ...sections.splices] : [];
  const text = applySplices(before, splices);
  if (sections.ok && text === before) return { ok: true, value: { text, kept: properties.kept } };
  if (existing === 'refuse')
    return fault('NOTE_EXISTS', `the note "${path}" exists, and the skill does not add to notes that exist`);
  if (!sections.ok) return fault('NOTE_HEADING', `the note "${path}" is left as it is: ${sections.message}`);
  return { ok: true, value: { text, kept: properties.kept } };
}

const mostProposed = 5;

/** The graph is that of this request: the note is put into it as it will be. */
function proposalsFor(
  { usual }: NoteRequest,
  path: string,
  text: string,
  { graph, parseFull }: NotesThere,
): PreparedNote['proposed'] {
  if (usual.length === 0) return [];
  graph.put(path, readNote(path, text, { parseFull, edges: new Set() }));
  const node = graph.get(path);
  if (node === null) return [];
  const has = new Set(node.edges.map(({ type }) => type));
  const edges = usual.filter((edge) => !has.has(edgeName(edge)));
  if (edges.length === 0) return [];
  return [...mentionsIn(text.slice(splitNote(text).bodyStart), node, graph)]
    .slice(0, mostProposed)
    .map(([target, name]) => ({
      target: shortest(target, graph),
      edges,
      because: `its name "${name}" is in the text`,
    }));
}

/** Edges to notes that exist, in their shortest unambiguous spelling. */
function linksOf(
  { edges, dangling }: NoteRequest,
  from: string,
  graph: NoteGraph,
): { readonly links: readonly WantedProperty[]; readonly leftOut: PreparedNote['leftOut'] } {
  const leftOut: { edge: string; target: string; reason: string }[] = [];
  const links = Object.entries(edges).map(([edge, targets]) => {
    const found: string[] = [];
    for (const written of targets.map(targetOf).filter((one) => one !== '')) {
      const notes = graph.find(written);
      const [note] = notes;
      const leaveOut = (reason: string): void => void leftOut.push({ edge, target: written, reason });
      if (note === undefined) {
        if (!dangling.includes(edge)) leaveOut('there is no such note');
        else if (/[[\]#^|]|%%/.test(written)) leaveOut('it cannot be the name of a note');
        else found.push(written);
      } else if (notes.length > 1)
        leaveOut(`it could be ${notes.map(({ path }) => path).join(' or ')}; write the path`);
      else if (note.path === from) leaveOut('it is the note itself');
      else found.push(shortest(note.path, graph));
    }
    return { key: edgeName(edge), links: [...new Set(found)] };
  });
  return { links: links.filter((one) => one.links.length > 0), leftOut };
}

function shortest(path: string, graph: NoteGraph): string {
  const name = noteName(path);
  const [one, ...more] = graph.find(name);
  return one?.path === path && more.length === 0 ? name : path.replace(/\.md$/i, '');
}

/** `[[Name#Heading|shown]]`, `Name.md` -> `Name`. */
function targetOf(written: string): string {
  const [, inner = written] = /^\s*\[\[([^\]]*)\]\]\s*$/.exec(written) ?? [];
  return (inner.split(/[|#]/, 1)[0] as string).replace(/\.md$/i, '').trim();
}
