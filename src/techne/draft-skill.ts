// A draft of a skill, nothing of it saved -> its diagnostics and its plan, as the same files on disk would have them.
//
// The files of the skill are laid out in a new folder outside of every root, with the text of the draft in its place, and go through
// `gatherFindings` and `planSkill`. So an editor shows what the engine says, not a copy of its rules.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { compareDiagnostics } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import type { Fix } from '../base/fix.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Findings } from './check/gather-findings.ts';
import { gatherFindings } from './check/gather-findings.ts';
import type { SkillLibrary } from './open-skills.ts';
import { namedRoot } from './open-skills.ts';
import { planSkill } from './plan-skill.ts';
import { resolveSkill } from './resolve-skill.ts';

export interface Draft {
  /** The skill that is edited; also one that is not there yet. */
  readonly skill: string;
  /** Inside of the skill, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Other files that are not saved either; `null`: it is removed. Default: they are as on disk. */
  readonly files?: readonly DraftFile[];
}

export interface DraftFile {
  readonly path: string;
  readonly text: string | null;
}

/** What corrects a file mechanically, as `techne check --fix` does. */
export interface DraftFix extends Fix {
  /** Inside of the skill. */
  readonly path: string;
}

export interface AnalysedDraft {
  /** Paths are inside of the skill. */
  readonly diagnostics: readonly Diagnostic[];
  readonly textAt: (path: string) => string | null;
  /** Edits that belong together have the same `why`. */
  readonly fixes: readonly DraftFix[];
  /** `null`: it has none, or an error keeps it from running. */
  readonly plan: Plan | null;
}

const mostFiles = 500;
const mostBytes = 8 * 1024 * 1024;

/** Throws PATH_UNSAFE for a path that leaves the skill, FILE_INVALID for a skill that is too large to be copied. */
export async function analyseDraft(
  library: SkillLibrary,
  snapshot: Snapshot,
  { skill, path, text, files = [] }: Draft,
  { homeFolder, strict = false }: { readonly homeFolder: string; readonly strict?: boolean },
): Promise<AnalysedDraft> {
  const drafted = new Map([...files.map((one) => [one.path, one.text] as const), [path, text]]);
  for (const one of drafted.keys()) mustBeInside(one);
  if (!/^[\w][\w.-]{0,127}$/.test(skill))
    throw new TechneError('PATH_UNSAFE', `"${skill}" cannot be the name of a folder`);
  const outer = await mkdtemp(join(tmpdir(), 'techne-draft-'));
  try {
    const folder = join(outer, skill);
    await mkdir(folder);
    if (snapshot.has(skill)) await copyFiles(snapshot, skill, folder, drafted);
    for (const [at, given] of drafted)
      if (given !== null) await write(folder, at, new TextEncoder().encode(given));
    const inside = (given: string): string => relative(folder, given).split(sep).join('/');
    const found = await gatherFindings(
      { paths: [folder], cwd: outer, homeFolder, strict, all: false },
      library,
      () => ({ step: () => undefined, end: () => undefined }),
    );
    const texts = new Map([...found.texts].map(([at, one]) => [inside(at), one]));
    return {
      diagnostics: found.diagnostics
        .toSorted(compareDiagnostics)
        .map((one) => ({ ...one, path: inside(one.path) })),
      textAt: (at) => texts.get(at) ?? drafted.get(at) ?? null,
      fixes: fixesOf(found, folder),
      plan: await planOf(library, folder),
    };
  } finally {
    await rm(outer, { recursive: true, force: true });
  }
}

export function fixesOf({ fixable }: Pick<Findings, 'fixable'>, folder: string): readonly DraftFix[] {
  return fixable.flatMap(({ file, fixes, fileFixes }) => [
    ...fixes.map((fix) => ({ ...fix, path: relative(folder, file).split(sep).join('/') })),
    ...fileFixes.flatMap((one) => one.fixes.map((fix) => ({ ...fix, path: one.path }))),
  ]);
}

/** `null`: it has none, or an error keeps it from running. */
export async function planOf(library: SkillLibrary, folder: string): Promise<Plan | null> {
  const drafted = await library.load([namedRoot(folder)]);
  const [first] = drafted.skills;
  if (first === undefined || ['instructions', 'program'].includes(first.head.form)) return null;
  try {
    return (await planSkill(library, drafted, resolveSkill(drafted, first.name))).plan;
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

async function copyFiles(
  snapshot: Snapshot,
  skill: string,
  folder: string,
  except: ReadonlyMap<string, unknown>,
): Promise<void> {
  const files = (await snapshot.manifest(skill)).files.filter(({ path }) => !except.has(path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > mostFiles || bytes > mostBytes)
    throw new TechneError('FILE_INVALID', `"${skill}" has too many or too large files for a draft`, {
      hint: 'techne check looks at it on disk',
    });
  for (const { path } of files) await write(folder, path, await snapshot.readFile(skill, path));
}

async function write(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  mustBeInside(path);
  const at = join(folder, path);
  try {
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A file where another one needs a folder, or a name that is longer than the disk takes.
    if (code !== undefined && ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(code))
      throw new TechneError('PATH_UNSAFE', `"${path}" cannot be a file of the skill: ${code}`, {
        hint: 'choose another name',
        cause: error,
      });
    throw error;
  }
}

/** Throws PATH_UNSAFE. */
export function mustBeInside(path: string): void {
  const parts = path.split('/');
  if (
    path.includes('\\') ||
    path.includes('\0') ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  )
    throw new TechneError('PATH_UNSAFE', `"${path}" is not a path inside of the skill`, {
      hint: 'write a relative path, such as SKILL.md',
    });
}
