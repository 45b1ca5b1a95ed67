// The paths given to `techne check` -> every skill file there, checked.
//
// A path is searched by the same walk as a root, so a fault reads the same however its file was named, and no link is
// followed out of the path. A path without a skill is counted in `without` and reported, by its fault or by
// SKILLS_NONE. Faults of the configuration are reported only for a check of the workspace.
import { basename, dirname, join, resolve } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { append } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { namedRoot } from '../open-skills.ts';
import { FileFault } from '../../ports/files.ts';
import { isInside } from '../../base/is-inside.ts';
import { nearest } from '../../base/nearest.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { TriggerOwner } from '../../plan/trigger-collisions.ts';
import { triggerCollisions } from '../../plan/trigger-collisions.ts';
import type { CheckedSkill } from './check-skill.ts';
import { checkLimits, checkSkill } from './check-skill.ts';
import { displayPath } from '../paths.ts';
import { rootsOfFolder } from '../roots-of-folder.ts';

export interface Findings {
  readonly skills: number;
  /** How many of the paths gave no skill. */
  readonly without: number;
  readonly diagnostics: Diagnostic[];
  readonly texts: Map<string, string>;
  /** The skills that are there, and the snapshot that they are of. */
  readonly found: readonly Skill[];
  /** Those that were checked, with what is wrong with each alone. */
  readonly bySkill: ReadonlyMap<Skill, readonly Diagnostic[]>;
  readonly snapshot: Snapshot;
  /** Files with corrections. */
  readonly fixable: readonly CheckedSkill[];
}

export interface CheckProgress {
  /** After each skill; what it throws stops the check. */
  step(): void | Promise<void>;
  end(): void;
}

/** `skill`: this folder alone. `tree`: everything below. `workspace`: the same, and the roots it is configured to have elsewhere. */
interface Target {
  readonly kind: 'skill' | 'tree' | 'workspace';
  readonly folder: string;
  readonly real: string;
}

/** The paths to check, and the folder from which they are shown. */
export interface CheckRequest {
  /** Files and folders; none is the whole workspace. */
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly homeFolder: string;
  /** Also what the standard asks for. */
  readonly strict: boolean;
  /** Also folders that were skipped. */
  readonly all: boolean;
  /** Which of the skills that were found are checked. Default: all. */
  readonly choose?: (found: readonly Skill[], snapshot: Snapshot) => Promise<ReadonlySet<Skill>>;
}

export function isWholeWorkspace(
  { paths, cwd }: Pick<CheckRequest, 'paths' | 'cwd'>,
  { loaded }: SkillLibrary,
): boolean {
  return (
    paths.length === 0 || paths.some((given) => given !== '' && resolve(cwd, given) === loaded.workspace)
  );
}

export async function gatherFindings(
  request: CheckRequest,
  library: SkillLibrary,
  createProgress: (total: number) => CheckProgress,
): Promise<Findings> {
  const targets: Target[] = [];
  for (const given of request.paths)
    targets.push(await targetOf(given, resolve(request.cwd, given), library));
  const snapshot = await library.load(
    request.paths.length === 0
      ? library.roots
      : targets.flatMap(({ kind, folder }) =>
          kind === 'skill' ? [namedRoot(folder)] : rootsOfFolder(folder, library, request.homeFolder),
        ),
  );
  const found = foundIn(snapshot).filter(
    (skill) => targets.length === 0 || targets.some((target) => covers(target, skill)),
  );
  const skillFiles = new Set(found.map(({ file }) => file));
  // The faults of each skill file are found again below, with more.
  const diagnostics = snapshot.diagnostics.filter(
    ({ path, code }) =>
      (!skillFiles.has(path) || code === 'SKILL_WINNER_UNUSABLE' || code === 'SKILL_REFUSED') &&
      (request.all || code !== 'FOLDER_SKIPPED') &&
      (targets.length === 0 || targets.some((target) => isAbout(target, path))),
  );

  let without = 0;
  for (const target of targets) {
    if (found.some((skill) => covers(target, skill))) continue;
    without += 1;
    if (diagnostics.some(({ path, severity }) => severity !== 'info' && isAbout(target, path))) continue;
    collectInto(diagnostics, target.folder)(
      'SKILLS_NONE',
      null,
      'there is no skill in this folder',
      whereSkillsAre(target, library, request),
    );
  }

  const texts = new Map<string, string>();
  const progress = createProgress(skillFiles.size);
  const all: CheckedSkill[] = [];
  let known: Promise<Pick<Snapshot, 'skills'>> | null = null;
  // A plan may name checked skills or configured ones.
  const loadSnapshot = (): Promise<Pick<Snapshot, 'skills'>> =>
    (known ??= library.load().then(({ skills }) => ({ skills: [...snapshot.skills, ...skills] })));
  const wanted = (await request.choose?.(found, snapshot)) ?? new Set(found);
  const bySkill = new Map<Skill, readonly Diagnostic[]>();
  const notChecked: TriggerOwner[] = [];
  for (const [file, skill] of new Map(found.map((one) => [one.file, one]))) {
    if (!wanted.has(skill)) {
      notChecked.push(triggersOf(skill));
      continue;
    }
    const checked = await checkSkill(library.files, file, { strict: request.strict, loadSnapshot });
    bySkill.set(skill, checked.diagnostics);
    append(diagnostics, checked.diagnostics);
    all.push({ ...checked, text: isFixable(checked) ? checked.text : null, diagnostics: [] });
    // Texts are kept only where an excerpt will be drawn.
    if (checked.text !== null && checked.diagnostics.some(({ path, span }) => path === file && span !== null))
      texts.set(file, checked.text);
    await progress.step();
  }
  progress.end();
  const winners = new Set(snapshot.skills.map((skill) => skill.file));
  for (const { file, span, message, hint } of triggerCollisions(
    [...all.flatMap(({ triggers }) => triggers ?? []), ...notChecked].filter((owner) =>
      winners.has(owner.file),
    ),
  )) {
    collectInto(diagnostics, file)('TRIGGER_COLLISION', span, message, hint);
  }
  if (isWholeWorkspace(request, library)) {
    append(diagnostics, library.loaded.diagnostics);
    for (const { path, text } of library.loaded.files) texts.set(path, text);
  }
  for (const { path, span } of diagnostics)
    if (span !== null && !texts.has(path)) await keepText(library, path, texts);
  return {
    skills: skillFiles.size,
    without,
    diagnostics,
    texts,
    found,
    bySkill,
    snapshot,
    fixable: all.filter(isFixable),
  };
}

/** Of a skill that is not checked: its phrases, without their places. */
function triggersOf({ name, file, head }: Skill): TriggerOwner {
  const { priority, triggers, invocation } = head;
  const offered = invocation.model || invocation.user;
  return {
    name,
    file,
    priority,
    triggers: offered ? triggers.map(({ phrase }) => ({ phrase, span: null })) : [],
  };
}

function isFixable({ fixes, fileFixes }: CheckedSkill): boolean {
  return fixes.length > 0 || fileFixes.length > 0;
}

function foundIn(snapshot: Snapshot): readonly Skill[] {
  return [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill), ...snapshot.refused];
}

/** A word that leads nowhere may be the name of a skill. */
async function targetOf(given: string, asked: string, library: SkillLibrary): Promise<Target> {
  const { files } = library;
  const isWord = given !== '' && !/[\\/]/.test(given) && files.lstat(asked) === null;
  const snapshot = isWord ? await library.load() : null;
  const named = snapshot === null ? [] : foundIn(snapshot);
  const path = named.find(({ name }) => name === given)?.folder ?? asked;
  if (given === '')
    throw new TechneError('USAGE', 'PATH is empty', {
      hint: 'leave it out to check every configured folder',
    });
  const stat = files.stat(path);
  const real = stat === null ? null : files.realPath(path);
  if (stat === null || real === null) {
    if (files.lstat(path) !== null)
      throw new TechneError('FILE_MISSING', `"${given}" is a link that leads nowhere`, {
        hint: 'remove it or point it at a skill folder',
      });
    const meant = nearest(
      given,
      named.map(({ name }) => name),
    );
    const none = `neither a file "${path}" nor a skill of this name exists`;
    throw new TechneError('FILE_MISSING', `"${given}" does not exist`, {
      hint: meant === null ? none : `did you mean the skill "${meant}"?`,
    });
  }
  if (basename(path).toLowerCase() === 'skill.md' && (!stat.isDirectory() || basename(path) === 'SKILL.md')) {
    const folder = dirname(path);
    return { kind: 'skill', folder, real: files.realPath(folder) ?? folder };
  }
  if (!stat.isDirectory())
    throw new TechneError('USAGE', `"${given}" is not a skill: give a folder or a SKILL.md`);
  const kind = holdsSkillFile(files, path)
    ? 'skill'
    : path === library.loaded.workspace
      ? 'workspace'
      : 'tree';
  return { kind, folder: path, real };
}

/** A folder that cannot be listed is left to the walk, which reports why. */
function holdsSkillFile(files: SkillLibrary['files'], folder: string): boolean {
  try {
    return (files.list(folder) ?? []).some(({ name }) => name.toLowerCase() === 'skill.md');
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function covers(target: Target, { realFolder, root }: Skill): boolean {
  if (target.kind === 'skill') return realFolder === target.real;
  return isInside(realFolder, target.real) || (target.kind === 'workspace' && root.host === 'config');
}

function isAbout(target: Target, path: string): boolean {
  if (target.kind === 'workspace') return true;
  if (target.kind === 'tree') return isInside(path, target.folder);
  return (
    path === target.folder || (dirname(path) === target.folder && basename(path).toLowerCase() === 'skill.md')
  );
}

function whereSkillsAre(
  { kind }: Target,
  { roots, files, loaded }: SkillLibrary,
  from: CheckRequest,
): string {
  const there = roots
    .filter(({ source, path }) => (source === 'workspace' || source === 'user') && isFolder(files, path))
    .map(({ path }) => displayPath(path, from));
  const about = 'a skill is a folder with a SKILL.md; dot folders are not entered';
  if (there.length === 0)
    return `${about}; "techne new" makes a skill in ${displayPath(join(loaded.workspace, '.techne', 'skills'), from)}`;
  return kind === 'workspace' ? about : `${about}; skills are looked for in ${there.slice(0, 3).join(', ')}`;
}

function isFolder(files: SkillLibrary['files'], path: string): boolean {
  try {
    return files.stat(path)?.isDirectory() === true;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

async function keepText({ files }: SkillLibrary, path: string, texts: Map<string, string>): Promise<void> {
  try {
    const read = await files.read(path, checkLimits.fileBytes);
    if (read !== null) texts.set(path, decodeUtf8(read.bytes).text);
  } catch (error) {
    // Without its text a diagnostic has no excerpt; what is wrong with the file is a diagnostic of its own.
    if (!(error instanceof FileFault)) throw error;
  }
}
