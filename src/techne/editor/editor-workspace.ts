// A folder of an editor -> the skills in it and those that are configured, as they are on disk and in the editor: kept until
// something changes.
import { TechneError } from '../../base/error.ts';
import type { LanguageWorld } from '../../language/language.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { worldOf } from '../draft-language.ts';
import type { OpenSkillsOptions, SkillLibrary } from '../open-skills.ts';
import { openSkills } from '../open-skills.ts';
import { rootsOfFolder } from '../roots-of-folder.ts';
import type { OverlayFiles } from './overlay-files.ts';

export interface EditorWorkspace {
  readonly folder: string;
  /** Every load without roots gives the skills that were loaded last. Throws where the folder or its configuration cannot be used. */
  library(): Promise<SkillLibrary>;
  snapshot(): Promise<Snapshot>;
  /** Of the skills that were loaded last; empty until then, so that typing never waits for a load. */
  world(): Promise<LanguageWorld>;
  /** Skills changed. */
  forget(): void;
  /** The configuration changed. */
  reopen(): void;
}

export type EditorLibraryOptions = Pick<
  OpenSkillsOptions,
  'variables' | 'platform' | 'roots' | 'workspace'
> & { readonly homeFolder: string };

export function createWorkspace(
  folder: string,
  files: OverlayFiles,
  options: EditorLibraryOptions,
  /** Instead of loading them. */
  loadAll?: () => Promise<Snapshot>,
): EditorWorkspace {
  const { homeFolder } = options;
  let opened: Promise<{ readonly own: SkillLibrary; readonly kept: SkillLibrary }> | null = null;
  let loaded: Promise<Snapshot> | null = null;
  const open = (): NonNullable<typeof opened> =>
    (opened ??= openSkills({ ...options, cwd: folder, cache: false, files }).then(
      (own) => ({
        own,
        kept: { ...own, load: (roots) => (roots === undefined ? snapshot() : own.load(roots)) },
      }),
      (error: unknown) => {
        opened = null;
        throw error;
      },
    ));
  const snapshot = (): Promise<Snapshot> =>
    loadAll?.() ??
    (loaded ??= open()
      // Those of the folder first: of two with one name, the one that is edited counts.
      .then(({ own }) => own.load([...rootsOfFolder(folder, own, homeFolder), ...own.roots]))
      .catch((error: unknown) => {
        loaded = null;
        throw error;
      }));
  return {
    folder,
    library: async () => (await open()).kept,
    snapshot,
    async world() {
      try {
        return worldOf(await snapshot());
      } catch (error) {
        if (error instanceof TechneError) return { skills: [], tools: [], capabilities: [] };
        throw error;
      }
    },
    forget() {
      loaded = null;
    },
    reopen() {
      opened = null;
      loaded = null;
    },
  };
}
