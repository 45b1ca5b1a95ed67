// Skills that were named -> their reports.
//
//   paths and names -> targets -> one report each
//
// This is what `techne scan` and programs use; the guard at read and run time (guard/guard.ts) scans the same way. What a person
// accepted is moved aside. Sources that have to be fetched first are scanned by the hub (hub/open-hub.ts, scanSource).
import { basename, dirname, resolve } from 'node:path';
import { userInfo } from 'node:os';
import { TechneError } from '../base/error.ts';
import { isInside } from '../base/is-inside.ts';
import { nearest } from '../base/nearest.ts';
import type { Finding, Report, Verdict } from '../guard/report.ts';
import type { NameBook } from '../guard/detect/name-book.ts';
import { createNameBook } from '../guard/detect/name-book.ts';
import { allRules } from '../guard/all-rules.ts';
import type { Rule } from '../guard/rule.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { addAccepted } from './guard/accepted.ts';
import { judgeRules, judgeSkill } from './guard/judge.ts';
import { readTree } from '../guard/read-tree.ts';
import { rulesVersion } from '../guard/version.ts';
import type { ChatModel } from '../ports/model.ts';
import type { Files } from '../ports/files.ts';
import { acceptedFile } from './paths.ts';
import type { ScanProgress } from '../guard/scan.ts';
import { scanTree } from './guard/scan-tree.ts';
import type { SkillLibrary } from './open-skills.ts';

import { rootsOfFolder } from './roots-of-folder.ts';

/** A folder to scan. */
export interface ScanTarget {
  readonly name: string;
  /** Absolute, as named or found. */
  readonly folder: string;
  /** With every link resolved. */
  readonly real: string;
}

export interface ScannedTarget extends ScanTarget {
  readonly report: Report;
}

export interface ScanRequest {
  /** Paths and names of skills; none: every skill of the library. */
  readonly given: readonly string[];
  readonly cwd: string;
  readonly homeFolder: string;
}

/** Whether an argument names something that has to be fetched: an address, a repository with a ref or a skill, an archive. */
export function isSource(given: string, cwd: string, files: Files): boolean {
  if (/^(?:https?|git|ssh|file|npm|mcp|github|gitlab):/i.test(given) || given.startsWith('git@')) return true;
  const stat = files.stat(resolve(cwd, given));
  if (stat !== null) return stat.isFile() && /\.(?:zip|tgz|tar\.gz|tar)$/i.test(given);
  return (
    /^[\w.-]+\/[\w./-]+[@#]/.test(given) ||
    (given.includes('#') && files.stat(resolve(cwd, given.replace(/#.*$/s, ''))) !== null)
  );
}

/** By name, then folder. Throws SKILL_UNKNOWN, FILE_MISSING. */
export async function resolveTargets(
  request: ScanRequest,
  library: SkillLibrary,
): Promise<readonly ScanTarget[]> {
  let known: Promise<Snapshot> | null = null;
  const load = (): Promise<Snapshot> => (known ??= library.load());
  const found = new Map<string, ScanTarget>();
  const named =
    request.given.length === 0
      ? everySkill(await load())
      : (await Promise.all(request.given.map((one) => resolveTarget(one, request, library, load)))).flat();
  for (const target of named) if (!found.has(target.real)) found.set(target.real, target);
  return [...found.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.folder, b.folder));
}

/** One argument: a path counts as a path where something is there, else it is the name of a skill. */
async function resolveTarget(
  given: string,
  { cwd, homeFolder }: ScanRequest,
  library: SkillLibrary,
  load: () => Promise<Snapshot>,
): Promise<readonly ScanTarget[]> {
  const { files } = library;
  const path = resolve(cwd, given);
  const isPath = /[\\/]|^\.{1,2}$/.test(given);
  const stat = given === '' ? null : files.stat(path);
  if (stat === null || (!isPath && (await load()).has(given))) {
    if (isPath)
      throw new TechneError('FILE_MISSING', `"${given}" is not there`, {
        hint: /^[\w.-]+\/[\w.-]+$/.test(given)
          ? `for a repository of GitHub write: techne scan github:${given}`
          : 'name a folder, a skill or a source',
      });
    const snapshot = await load();
    if (snapshot.has(given)) return [targetOf(snapshot.get(given))];
    const close = nearest(
      given,
      snapshot.skills.map(({ name }) => name),
    );
    throw new TechneError('SKILL_UNKNOWN', `"${given}" is neither a path nor a skill`, {
      hint: close === null ? '"techne list" shows every skill' : `did you mean "${close}"?`,
    });
  }
  const folder = stat.isDirectory() ? path : dirname(path);
  const real = files.realPath(folder) ?? folder;
  const isSkill = (files.list(real) ?? []).some(({ name }) => name.toLowerCase() === 'skill.md');
  if (!stat.isDirectory() && !isSkill)
    throw new TechneError('FILE_INVALID', `"${given}" is not part of a skill`, {
      hint: 'name the folder with a SKILL.md in it',
    });
  if (isSkill) return [{ name: basename(folder), folder, real }];
  const snapshot = await library.load(rootsOfFolder(folder, library, homeFolder));
  const below = everySkill(snapshot).filter((target) => isInside(target.folder, folder));
  if (below.length === 0)
    throw new TechneError('FILE_INVALID', `there is no skill in "${given}"`, {
      hint: 'a skill is a folder with a SKILL.md',
    });
  return below;
}

function everySkill(snapshot: Snapshot): readonly ScanTarget[] {
  return [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill), ...snapshot.refused].map(
    targetOf,
  );
}

function targetOf({
  name,
  folder,
  realFolder,
}: {
  name: string;
  folder: string;
  realFolder: string;
}): ScanTarget {
  return { name, folder, real: realFolder };
}

/** `pause` is called before each file; what it throws stops the scan. */
export async function scanTargets(
  targets: readonly ScanTarget[],
  library: SkillLibrary,
  homeFolder: string,
  pause?: (target: ScanTarget, progress: ScanProgress) => Promise<void>,
): Promise<readonly ScannedTarget[]> {
  const scanned: ScannedTarget[] = [];
  const names = await bookOfNames(
    library,
    targets.map(({ name }) => name),
  );
  for (const target of targets) scanned.push(await scanTarget(target, { library, homeFolder, names, pause }));
  return scanned;
}

/** The names that skills must not be taken for: those of the library, and these. */
export async function bookOfNames(library: SkillLibrary, besides: readonly string[]): Promise<NameBook> {
  const { shipped, others } = await library.knownNames();
  return createNameBook({ shipped, others: [...others, ...besides] });
}

interface ScanWith {
  readonly library: Pick<SkillLibrary, 'files'>;
  readonly homeFolder: string;
  readonly names: NameBook;
  /** Called before each file; what it throws stops the scan. */
  readonly pause: ((target: ScanTarget, progress: ScanProgress) => Promise<void>) | undefined;
}

export async function scanTarget(
  target: ScanTarget,
  { library, homeFolder, names, pause }: ScanWith,
): Promise<ScannedTarget> {
  const { report } = await scanTree({
    files: library.files,
    folder: target.real,
    name: target.name,
    acceptedFile: acceptedFile(homeFolder),
    names,
    ...(pause === undefined ? {} : { pause: (progress) => pause(target, progress) }),
  });
  return { ...target, report };
}

/** The same with a model as a second reader. */
export async function judgeTarget(
  target: ScannedTarget,
  model: ChatModel,
  files: Files,
): Promise<ScannedTarget> {
  const { files: contents } = await readTree(files, target.real);
  return {
    ...target,
    report: await judgeSkill({ name: target.name, report: target.report, files: contents, model }),
  };
}

export { rulesVersion };

const order: readonly Verdict[] = ['clean', 'caution', 'incomplete', 'dangerous'];

export function worstVerdict(scanned: readonly Pick<ScannedTarget, 'report'>[]): Verdict {
  return order[Math.max(0, ...scanned.map(({ report }) => order.indexOf(report.verdict)))] as Verdict;
}

/** Whether a verdict is as bad as `limit`, or worse. */
export function isAsBadAs(verdict: Verdict, limit: Verdict): boolean {
  return order.indexOf(verdict) >= order.indexOf(limit);
}

/** Every rule that a report can name, by code. */
export function scanRules(): readonly Rule[] {
  return [...allRules, ...judgeRules].toSorted((a, b) => compare(a.code, b.code));
}

export interface FoundFinding {
  readonly target: ScannedTarget;
  readonly finding: Finding;
}

const leastPrefix = 8;

/** The findings with these fingerprints, or beginnings of them. Throws FINDING_UNKNOWN. */
export function findFindings(
  scanned: readonly ScannedTarget[],
  fingerprints: readonly string[],
): readonly FoundFinding[] {
  const all = scanned.flatMap((target) => target.report.findings.map((finding) => ({ target, finding })));
  return fingerprints.flatMap((wanted) => {
    const found = all.filter(
      ({ finding: { fingerprint } }) =>
        fingerprint === wanted || (wanted.length >= leastPrefix && fingerprint.startsWith(wanted)),
    );
    const different = new Set(found.map(({ finding }) => finding.fingerprint));
    if (different.size === 1) return found;
    throw new TechneError(
      'FINDING_UNKNOWN',
      different.size === 0
        ? `no finding has the fingerprint "${wanted}"`
        : `${different.size} findings begin with "${wanted}"`,
      { hint: '"techne scan" shows the fingerprints; for a skill elsewhere add --in PATH' },
    );
  });
}

/** Remembers that a person accepted these findings of this content. Throws ACCEPTED_FILE, LOCKED. */
export async function acceptFindings(
  found: readonly FoundFinding[],
  {
    library,
    homeFolder,
    reason,
    now,
    by = userName(),
  }: {
    library: SkillLibrary;
    homeFolder: string;
    reason: string;
    now: Date;
    /** Default: the user of the system. */
    by?: string;
  },
): Promise<void> {
  await addAccepted(
    library.files,
    acceptedFile(homeFolder),
    found.map(({ target, finding }) => ({
      fingerprint: finding.fingerprint,
      digest: target.report.digest,
      rulesVersion: target.report.rulesVersion,
      reason,
      by,
      at: now.toISOString(),
      skill: target.name,
    })),
  );
}

function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A user without a name in the system.
    if (error instanceof Error) return 'unknown';
    throw error;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
