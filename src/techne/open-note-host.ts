// What runs write notes with: the vault of the configuration, its files, and the policy about writing.
//
// A trusted skill may write the note that it declares: that is shown before it is trusted and before it runs, nothing is
// overwritten, and it can be taken back. An untrusted one may not, and neither may any when tools.deny has write_file.
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Config } from '../config/types.ts';
import { createNoteHost } from '../graph/write/create-note-host.ts';
import type { FileRoots } from '../node/confined/confined-files.ts';
import { createNoteFiles } from '../node/notes/note-files.ts';
import { nodeParseFull } from '../node/yaml.ts';
import type { NoteHost } from '../ports/note-host.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { denialOf } from '../tools/tool-policy.ts';
import { TechneError } from '../base/error.ts';
import { openNotes, vaultFolder } from './open-notes.ts';
import type { SkillLibrary } from './open-skills.ts';

interface OpenNoteHostOptions {
  readonly library: SkillLibrary;
  readonly snapshot: Snapshot;
  readonly workspace: string;
  readonly config: Pick<Config, 'tools' | 'graph'>;
  /** What may be touched in the workspace. */
  readonly fileRoots: FileRoots;
  readonly techneFolder: string;
}

export function openNoteHost({
  library,
  snapshot,
  workspace,
  config,
  fileRoots,
  techneFolder,
}: OpenNoteHostOptions): NoteHost {
  const vault = vaultFolder(library, workspace);
  return createNoteHost({
    ...createNoteFiles({
      vault,
      guarded: [...(fileRoots.guarded ?? []), techneFolder],
      // A vault that the configuration names was chosen by the user.
      ...(fileRoots.refusal === undefined || config.graph.vault !== null
        ? {}
        : { refusal: fileRoots.refusal }),
      lock: lockOfNotes(techneFolder),
      files: library.files,
    }),
    judge: async ({ skill, trusted }) =>
      denialOf({ name: 'write_file' }, config) ??
      (trusted ? null : `"${skill}" is not trusted, so it writes no notes`),
    async graph() {
      try {
        return { ok: true, value: openNotes(library, snapshot, vault).graph };
      } catch (error) {
        if (!(error instanceof TechneError)) throw error;
        return { ok: false, code: 'NOTE_FAILED', message: error.message };
      }
    },
    folders: config.graph.folders,
    inWorkspace: (path) => {
      const inside = relative(workspace, join(vault, path));
      return isAbsolute(inside) ? inside : inside.split(sep).join('/');
    },
    parseFull: nodeParseFull,
  });
}

/** Held while a note is changed. */
export function lockOfNotes(techneFolder: string): string {
  return join(techneFolder, 'locks', 'notes.lock');
}
