// Takes back the notes that a run wrote into the vault of this workspace.
import { TechneError } from '../base/error.ts';
import { foldRun } from '../journal/run-state.ts';
import { createNoteFiles } from '../node/notes/note-files.ts';
import { readFacts, StoredValues } from '../run/run-facts.ts';
import type { UndoneNote } from '../run/history/undo.ts';
import { undoRun } from '../run/history/undo.ts';
import type { RunArchive } from './open-archive.ts';
import { lockOfNotes } from './open-note-host.ts';
import { vaultFolder } from './open-notes.ts';
import type { SkillLibrary } from './open-skills.ts';

export type { UndoneNote };

/** Throws as `undoRun`, and USAGE for a run of another workspace. */
export async function undoNotes(
  library: SkillLibrary,
  { store, blobs, workspace }: Pick<RunArchive, 'store' | 'blobs' | 'workspace'>,
  run: string,
  techneFolder: string,
): Promise<readonly UndoneNote[]> {
  const { settings } = readFacts(foldRun(await store.read(run)).meta);
  if (settings.workspace !== '' && settings.workspace !== workspace)
    throw new TechneError('USAGE', `run ${run} worked in "${settings.workspace}", not here`, {
      hint: 'undo it there',
    });
  return undoRun(run, {
    store,
    values: new StoredValues(blobs),
    notes: createNoteFiles({
      vault: vaultFolder(library, workspace),
      guarded: [...library.roots.map(({ path }) => path), techneFolder],
      lock: lockOfNotes(techneFolder),
      files: library.files,
    }),
  });
}
