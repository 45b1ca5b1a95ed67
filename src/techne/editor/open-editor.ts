// What an editor has open -> what it is told: findings, completion, hover. The façade of `techne lsp`.
//
// E1. The texts of the editor count, saved or not (overlay-files.ts), for checks of other skills too.
// E2. A skill belongs to the innermost folder of the editor around it; outside of all, to the workspace around itself.
// E3. Skills of a workspace are loaded once and kept until `forget`: an answer while typing reads one skill, not all.
import { basename, dirname } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { isInside } from '../../base/is-inside.ts';
import { complete } from '../../language/complete.ts';
import { hover } from '../../language/hover.ts';
import type { Completions, Hover, LanguageFile, LanguageWorld } from '../../language/language.ts';
import { readOutline } from '../../language/outline.ts';
import { findTests } from '../../measure/testing/find-tests.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import type { CheckedFolder, ScanFinding } from './check-folder.ts';
import { checkFolder, scanFolder } from './check-folder.ts';
import { checkProgramAlone } from './check-program-alone.ts';
import type { EditorLibraryOptions, EditorWorkspace } from './editor-workspace.ts';
import { createWorkspace } from './editor-workspace.ts';
import type { SkillPlace } from './find-skill.ts';
import { findSkill } from './find-skill.ts';
import type { Location, NavigationPlace, NavigationWorld } from './navigate.ts';
import { findDefinitions, findReferences, findRenamed, findRenames, occurrenceAt } from './navigate.ts';
import { OpenTexts } from './open-texts.ts';
import { createOverlayFiles } from './overlay-files.ts';
import { describePlanStep, describeWholePlan } from './plan-facts.ts';
import type { QuickFix } from './quick-fixes.ts';
import { quickFixes } from './quick-fixes.ts';
import type { Plan } from '../../plan/plan.ts';
import { planOf } from '../draft-skill.ts';

/** Fields whose meaning is shown with facts of the plan. */
const wholePlan: ReadonlySet<string> = new Set([
  'composition',
  'steps',
  'chain',
  'kind',
  'risk',
  'capabilities',
  'techne.risk',
  'techne.capabilities',
]);

export class Editor {
  readonly texts: OpenTexts;
  readonly #options: EditorLibraryOptions;
  readonly #files = createOverlayFiles(createNodeFiles());
  readonly #workspaces = new Map<string, EditorWorkspace>();
  /** What is tried, over the texts of the editor; one after the other. */
  readonly #trials = createOverlayFiles(this.#files);
  readonly #trialWorkspaces = new WeakMap<EditorWorkspace, EditorWorkspace>();
  #trying: Promise<unknown> = Promise.resolve();
  #folders: readonly string[] = [];

  constructor(options: EditorLibraryOptions) {
    this.#options = options;
    this.texts = new OpenTexts(createNodeFiles(), this.#files);
  }

  /** The folders of the editor; what is known of others is dropped. */
  setFolders(folders: readonly string[]): void {
    this.#folders = folders;
    for (const folder of this.#workspaces.keys())
      if (!folders.includes(folder)) this.#workspaces.delete(folder);
  }

  /** Skills were added, changed or removed. */
  forget(): void {
    for (const workspace of this.#workspaces.values()) workspace.forget();
  }

  /** The configuration changed. */
  reopen(): void {
    for (const workspace of this.#workspaces.values()) {
      workspace.reopen();
      this.#trialWorkspaces.delete(workspace);
    }
  }

  findSkill(path: string): SkillPlace | null {
    return findSkill(this.#files, path);
  }

  workspaceOf(path: string): EditorWorkspace {
    const around = this.#folders
      .filter((folder) => isInside(path, folder))
      .toSorted((a, b) => b.length - a.length)[0];
    const folder = around ?? dirname(this.findSkill(path)?.main ?? path);
    const known = this.#workspaces.get(folder);
    if (known !== undefined) return known;
    const made = createWorkspace(folder, this.#files, this.#options);
    this.#workspaces.set(folder, made);
    return made;
  }

  /** Of a whole skill. Throws TechneError where the workspace cannot be opened. */
  check({ folder, main }: SkillPlace, { strict }: { readonly strict: boolean }): Promise<CheckedFolder> {
    const { homeFolder } = this.#options;
    return checkFolder(this.workspaceOf(main), { folder, main, homeFolder, strict });
  }

  /** Of a program that belongs to no skill. */
  checkAlone(path: string): CheckedFolder {
    return { diagnostics: checkProgramAlone(this.texts.read(path) ?? '', path), fixes: [] };
  }

  scan({ folder, main }: SkillPlace): Promise<readonly ScanFinding[]> {
    return scanFolder(this.workspaceOf(main), { folder, homeFolder: this.#options.homeFolder });
  }

  /** Corrections of a finding of the skill that were tried; places are in the text that was checked (`OpenTexts.shown`). */
  quickFixes(
    skill: SkillPlace,
    diagnostic: Diagnostic,
    found: CheckedFolder,
    { strict }: { readonly strict: boolean },
  ): Promise<readonly QuickFix[]> {
    const { path } = diagnostic;
    const text = this.texts.checked(path);
    if (text === null) return Promise.resolve([]);
    const inside = this.findSkill(path)?.inside ?? path;
    const trial = this.#trialOf(this.workspaceOf(skill.main));
    const tried = this.#trying.then(() =>
      quickFixes({ diagnostic, path, text, inside }, found, {
        overlay: this.#trials,
        check: () =>
          checkFolder(trial, {
            folder: skill.folder,
            main: skill.main,
            homeFolder: this.#options.homeFolder,
            strict,
          }),
      }),
    );
    this.#trying = tried.catch(() => undefined);
    return tried;
  }

  #trialOf(workspace: EditorWorkspace): EditorWorkspace {
    const known = this.#trialWorkspaces.get(workspace);
    if (known !== undefined) return known;
    const made = createWorkspace(workspace.folder, this.#trials, this.#options, () => workspace.snapshot());
    this.#trialWorkspaces.set(workspace, made);
    return made;
  }

  definitions(path: string, offset: number): Promise<readonly Location[]> {
    return findDefinitions(this.#placeAt(path, offset), this.#navigation(path));
  }

  references(path: string, offset: number, withDefinition: boolean): Promise<readonly Location[]> {
    return findReferences(this.#placeAt(path, offset), this.#navigation(path), withDefinition);
  }

  renamed(path: string, offset: number): ReturnType<typeof findRenamed> {
    return findRenamed(this.#placeAt(path, offset));
  }

  /** Where the new name goes. Throws USAGE for one that cannot be given. */
  renames(path: string, offset: number, to: string): Promise<readonly Location[]> {
    return findRenames(this.#placeAt(path, offset), this.#navigation(path), to);
  }

  #placeAt(path: string, offset: number): NavigationPlace {
    return { path, offset, file: this.fileOf(path), skill: this.findSkill(path) };
  }

  #navigation(path: string): NavigationWorld {
    return {
      files: this.#files,
      read: (at) => this.texts.read(at),
      skillFiles: async () => {
        const { skills } = await this.workspaceOf(path).snapshot();
        return new Map(skills.map(({ name, file }) => [name, file]));
      },
    };
  }

  /** A program, laid out; `null`: it is none, or has faults. */
  async format(path: string): Promise<string | null> {
    if (!path.endsWith('.star')) return null;
    const { formatProgram } = await import('../../starlark/format/format-program.ts');
    return formatProgram(this.texts.read(path) ?? '');
  }

  /** What can be done with the skill whose SKILL.md this is; `null`: it is none. */
  async lenses(
    path: string,
  ): Promise<{ readonly skill: string; readonly runs: boolean; readonly tests: boolean } | null> {
    const skill = this.findSkill(path);
    if (skill === null || skill.inside !== 'SKILL.md') return null;
    const { entries } = readOutline(this.texts.read(path) ?? '');
    const keys = new Set(entries.filter((one) => one.path.length === 1).map((one) => one.path[0]));
    const runs = ['metaskill', 'composition', 'steps', 'chain', 'entrypoint'].some((key) => keys.has(key));
    const { tests } = await findTests(this.#files, skill.folder);
    return { skill: basename(skill.folder), runs, tests: tests.length > 0 };
  }

  async complete(path: string, offset: number): Promise<Completions> {
    const { file, world } = await this.#around(path);
    return complete(file, offset, world);
  }

  /** With what the engine worked out about a step or the whole plan. */
  async hover(path: string, offset: number): Promise<Hover | null> {
    const { file, world } = await this.#around(path);
    const found = hover(file, offset, world);
    const named = occurrenceAt(file, offset);
    const isWhole = found !== null && file.path === 'SKILL.md' && wholePlan.has(found.title);
    if (named?.kind !== 'step' && !isWhole) return found;
    const plan = await this.#planOf(path);
    const facts =
      plan === null
        ? []
        : named?.kind === 'step'
          ? describePlanStep(plan, named.name)
          : describeWholePlan(plan);
    if (named?.kind === 'step') {
      const { start, end, name } = named;
      const text = [found?.text ?? '', ...facts].filter((line) => line !== '').join('\n');
      return text === '' ? null : { span: { start, end }, title: `step ${name}`, text };
    }
    return found === null || facts.length === 0
      ? found
      : { ...found, text: [found.text, ...facts].join('\n') };
  }

  async #planOf(path: string): Promise<Plan | null> {
    const skill = this.findSkill(path);
    if (skill === null) return null;
    return planOf(await this.workspaceOf(path).library(), skill.folder);
  }

  /** Also of a file without a skill, as if it was one of its own. */
  fileOf(path: string): LanguageFile {
    const text = this.texts.read(path) ?? '';
    const skill = this.findSkill(path);
    if (skill === null) return { path, text, main: '' };
    return {
      path: skill.inside,
      text,
      main: skill.inside === 'SKILL.md' ? text : (this.texts.read(skill.main) ?? ''),
      folder: basename(skill.folder),
    };
  }

  async #around(path: string): Promise<{ readonly file: LanguageFile; readonly world: LanguageWorld }> {
    const file = this.fileOf(path);
    return { file, world: await this.workspaceOf(path).world() };
  }
}
