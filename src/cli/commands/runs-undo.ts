// techne runs undo
//
// JSON: {run, notes: [{path, outcome, reason}]}; the exit code is 1 when a note was refused.
import { join } from 'node:path';
import { archivePlace } from '../archive-place.ts';
import { printableLine } from '../../base/printable.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { withArchive } from '../../techne/open-archive.ts';
import type { UndoneNote } from '../../techne/undo-run.ts';
import { undoNotes } from '../../techne/undo-run.ts';

export async function runRunsUndo(context: CommandContext): Promise<number> {
  const { args, json, out, io } = context;
  const library = await openLibrary(context);
  return withArchive(archivePlace(context), async (archive) => {
    const run = await archive.find(args.positionals[0] as string);
    const notes = await undoNotes(library, archive, run, join(io.homeFolder, '.techne'));
    if (json) out.json({ run, notes });
    else if (notes.length === 0) out.line(`Run ${run} wrote no note.`);
    else for (const note of notes) out.line(sentence(note));
    return notes.some(({ outcome }) => outcome === 'refused') ? exitCodes.files : exitCodes.fine;
  });
}

function sentence({ path, outcome, reason }: UndoneNote): string {
  const shown = printableLine(path);
  switch (outcome) {
    case 'restored':
      return `${shown} is as it was before the run.`;
    case 'removed':
      return `${shown} was made by the run, and is removed.`;
    case 'gone':
      return `${shown} was taken back before.`;
    case 'refused':
      return `${shown} is left as it is: ${printableLine(reason ?? '')}.`;
  }
}
