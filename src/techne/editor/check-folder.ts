// The folder of a skill, as an editor has it -> what `techne check`, `techne test` and `techne scan` say about it.
//
// Checks are those of `techne check` (gather-findings.ts); triggers are compared with the other skills of the workspace, as in a
// check of all of it. Faults of tests are those that `techne test` reports before it runs anything.
import { basename, join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { isInside } from '../../base/is-inside.ts';
import { findTests } from '../../measure/testing/find-tests.ts';
import { nodeFrontmatter } from '../../node/yaml.ts';
import { triggerCollisions } from '../../plan/trigger-collisions.ts';
import type { Skill } from '../../registry/types.ts';
import { ownerOf } from '../check/check-skill.ts';
import type { Findings } from '../check/gather-findings.ts';
import { gatherFindings } from '../check/gather-findings.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { DraftFix } from '../draft-skill.ts';
import { fixesOf } from '../draft-skill.ts';
import type { EditorWorkspace } from './editor-workspace.ts';

export interface CheckedFolder {
  /** By path and place; paths are absolute, and those of files. */
  readonly diagnostics: readonly Diagnostic[];
  /** What `techne check --fix` does. */
  readonly fixes: readonly DraftFix[];
}

export interface FolderRequest {
  readonly folder: string;
  /** Its SKILL.md, as it is called there. */
  readonly main: string;
  readonly homeFolder: string;
  readonly strict: boolean;
}

/** Throws what opening the workspace throws. */
export async function checkFolder(
  workspace: EditorWorkspace,
  { folder, main, homeFolder, strict }: FolderRequest,
): Promise<CheckedFolder> {
  const library = await workspace.library();
  const found = await gatherFindings(
    { paths: [folder], cwd: workspace.folder, homeFolder, strict, all: false },
    library,
    () => ({ step: () => undefined, end: () => undefined }),
  );
  const tests = await findTests(library.files, folder);
  const diagnostics = [
    ...found.diagnostics,
    ...tests.diagnostics,
    ...(await collisions(workspace, library, found, main)),
  ].map((one) => (one.path === folder ? { ...one, path: main, span: null } : one));
  return { diagnostics: diagnostics.sort(compareDiagnostics), fixes: fixesOf(found, folder) };
}

/** With skills of the workspace that are not in this folder. */
async function collisions(
  workspace: EditorWorkspace,
  { loaded }: SkillLibrary,
  { found, texts, snapshot }: Findings,
  main: string,
): Promise<readonly Diagnostic[]> {
  const own = found.find(({ file }) => file === main);
  if (own === undefined || own.head.triggers.length === 0) return [];
  const { skills } = await workspace.snapshot();
  // One that another skill of the same name hides is not started by its triggers.
  if (!skills.some(({ realFolder }) => realFolder === own.realFolder)) return [];
  const text = texts.get(main) ?? (await snapshot.readText(own.name)).text;
  const others = skills
    .filter(
      ({ realFolder, root }) =>
        realFolder !== own.realFolder && (isInside(realFolder, loaded.workspace) || root.host === 'config'),
    )
    .flatMap((skill) => ownerOfHead(skill));
  const mine = ownerOf(own.head, main, nodeFrontmatter(text));
  const diagnostics: Diagnostic[] = [];
  if (mine === null) return [];
  for (const { file, span, message, hint } of triggerCollisions([mine, ...others]))
    if (file === main) collectInto(diagnostics, file)('TRIGGER_COLLISION', span, message, hint);
  return diagnostics;
}

/** Without places: those are shown where that skill is open. */
function ownerOfHead({ head, file }: Skill): readonly NonNullable<ReturnType<typeof ownerOf>>[] {
  const { name, priority, triggers, invocation } = head;
  if (triggers.length === 0 || (!invocation.model && !invocation.user)) return [];
  return [{ name, file, priority, triggers: triggers.map(({ phrase }) => ({ phrase, span: null })) }];
}

export interface ScanFinding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly rule: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  readonly message: string;
  readonly hint: string;
}

/** What a person accepted is left out, as everywhere. */
export async function scanFolder(
  workspace: EditorWorkspace,
  { folder, homeFolder }: Pick<FolderRequest, 'folder' | 'homeFolder'>,
): Promise<readonly ScanFinding[]> {
  const library = await workspace.library();
  const { scanTargets } = await import('../scan-skills.ts');
  const real = library.files.realPath(folder) ?? folder;
  const [scanned] = await scanTargets([{ name: basename(folder), folder, real }], library, homeFolder);
  return (scanned?.report.findings ?? []).map(
    ({ file, line, column, excerpt, rule, severity, message, hint }) => ({
      path: join(folder, file),
      line,
      column,
      // Of what is in plain sight, on its line.
      length: excerpt.split('\n', 1)[0]?.length ?? 0,
      rule,
      severity,
      message,
      hint,
    }),
  );
}
