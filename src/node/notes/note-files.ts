// The files of the notes of a vault, as runs read and change them.
//
//   path in the vault -> ConfinedFiles (no way out, no protected names, no skills) -> text, or a change from one text to another
//
// One change at a time among all processes of techne. A note is text in UTF-8; anything else is left alone.
import type { FileRoots } from '../confined/confined-files.ts';
import { ConfinedFiles } from '../confined/confined-files.ts';
import type { AsyncCalls } from '../files/durable.ts';
import type { NoteHost, NoteOutcome } from '../../ports/note-host.ts';
import { ToolFault } from '../../ports/tool.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

interface NoteFilesOptions {
  /** Absolute. */
  readonly vault: string;
  /** Folders and files that are never written to, such as those of skills. */
  readonly guarded: readonly string[];
  /** Why nothing may be touched. Default: it may. */
  readonly refusal?: string;
  /** A file that processes lock while they change a note. */
  readonly lock: string;
  readonly files: Pick<Files, 'withLock'>;
  /** What changes files; tests fail one of them. Default: those of Node. */
  readonly calls?: AsyncCalls;
}

/** Of one note; the graph reads as much. */
const maxBytes = 1024 * 1024;

export function createNoteFiles({
  vault,
  guarded,
  refusal,
  lock,
  files,
  calls,
}: NoteFilesOptions): Pick<NoteHost, 'read' | 'replace'> {
  const roots: FileRoots = {
    read: [vault],
    write: [vault],
    ...(refusal === undefined ? {} : { refusal }),
  };
  const confined = new ConfinedFiles({ roots, guarded, maxBytes, ...(calls === undefined ? {} : { calls }) });
  return {
    read: (path) => translated('NOTE_DENIED', () => confined.readTextOrNull(path, 'write')),
    replace: (path, before, after) =>
      translated('NOTE_FAILED', () =>
        files.withLock(lock, async () =>
          (await confined.replaceText(path, before, after)) ? ('done' as const) : ('changed' as const),
        ),
      ),
  };
}

async function translated<T>(
  code: 'NOTE_DENIED' | 'NOTE_FAILED',
  work: () => Promise<T>,
): Promise<NoteOutcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof ToolFault) && !(error instanceof FileFault)) throw error;
    return { ok: false, code, message: error.message };
  }
}
