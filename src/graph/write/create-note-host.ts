// The vault and its files -> NoteHost: what a run needs to write notes.
import type { NoteHost, NoteOutcome } from '../../ports/note-host.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { NoteGraph } from '../graph.ts';
import { nameKey } from '../note.ts';
import { readNote } from '../read-note.ts';
import { prepareNote } from './prepare-note.ts';

export interface NoteHostParts extends Pick<NoteHost, 'judge' | 'read' | 'replace'> {
  /** The notes as they are now. */
  graph(): Promise<NoteOutcome<NoteGraph>>;
  /** `TYPE=FOLDER`: where new notes of a type go, unless their skill names a folder. Default: into the vault itself. */
  readonly folders?: readonly string[];
  /** The same path, relative to the workspace. */
  inWorkspace(path: string): string;
  readonly parseFull: ParseFull;
}

export function createNoteHost(parts: NoteHostParts): NoteHost {
  const { parseFull } = parts;
  return {
    judge: (caller) => parts.judge(caller),
    read: (path) => parts.read(path),
    replace: (path, before, after) => parts.replace(path, before, after),
    async prepare(request, pathFault) {
      const notes = await parts.graph();
      if (!notes.ok) return notes;
      const textOf: NoteHost['read'] = (path) => parts.read(path);
      const placed = { ...request, path: inFolder(request.path, request.type, parts.folders ?? []) };
      const prepared = await prepareNote(placed, { graph: notes.value, textOf, parseFull });
      if (!prepared.ok) return prepared;
      const outside = pathFault(parts.inWorkspace(prepared.value.path));
      return outside === null ? prepared : { ok: false, code: 'NOTE_DENIED', message: outside };
    },
  };
}

/** `Entropy.md` of type concept -> `Concepts/Entropy.md`, where the folders say so. */
function inFolder(path: string, type: string, folders: readonly string[]): string {
  if (path.includes('/')) return path;
  const own = folders.findLast((one) => nameKey(one.slice(0, one.indexOf('=')).trim()) === nameKey(type));
  return own === undefined
    ? path
    : `${own
        .slice(own.indexOf('=') + 1)
        .trim()
        .replace(/\/+$/, '')}/${path}`;
}

/** Notes that exist only here, for tests and scripts. They can be read back. */
export function createMemoryNotes(
  texts: Map<string, string>,
  parseFull: ParseFull,
  folders: readonly string[] = [],
): NoteHost {
  return createNoteHost({
    folders,
    judge: async () => null,
    inWorkspace: (path) => path,
    parseFull,
    read: async (path) => ({ ok: true, value: texts.get(path) ?? null }),
    async graph() {
      const graph = new NoteGraph();
      graph.change({
        notes: [...texts].map(([path, text]) => [
          path,
          readNote(path, text, { parseFull, edges: new Set() }),
        ]),
      });
      return { ok: true, value: graph };
    },
    async replace(path, before, after) {
      if ((texts.get(path) ?? null) !== before) return { ok: true, value: 'changed' };
      if (after === null) texts.delete(path);
      else texts.set(path, after);
      return { ok: true, value: 'done' };
    },
  });
}
