// The skills of a repository and a base -> what is wrong with those that a change concerns.
//
//   base -> changed files -> concerned skills -> check, scan, test, triggers (or the cache) -> findings -> baseline -> CiReport
//
// C1. Without git, without a base, or after a change of the configuration, every skill is concerned; the report says why.
// C2. What was found for the same content under the same policy is taken from the cache; test prompts depend on every skill, and
//     are always judged.
// C3. A stop (what `pause` throws) leaves the cache with what was done, and everything else untouched.
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { NameBook } from '../../guard/detect/name-book.ts';
import { testSkills } from '../../measure/testing/test-skills.ts';
import type { Files } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { Findings } from '../check/gather-findings.ts';
import { gatherFindings } from '../check/gather-findings.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { displayPath } from '../paths.ts';
import { rootsOfFolder } from '../roots-of-folder.ts';
import { bookOfNames, scanTarget } from '../scan-skills.ts';
import type { ChangedFiles } from './affected.ts';
import { findAffected } from './affected.ts';
import type { Base } from './choose-base.ts';
import { chooseBase } from './choose-base.ts';
import type { CacheKeys } from './ci-cache-keys.ts';
import { createCacheKeys } from './ci-cache-keys.ts';
import { evaluatePrompts } from './evaluate-prompts.ts';
import type { CiFinding, CiKind, KeyedFinding } from './finding.ts';
import {
  findingOfDiagnostic,
  findingOfScan,
  findingOfUnscanned,
  findingsOfTests,
  withKeys,
} from './finding.ts';
import type { Git } from './git.ts';
import { openGit } from './git.ts';
import type { CiResult, ResultCache } from './result-cache.ts';

export interface CiRequest {
  /** Files and folders; none is the workspace. */
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** The commit to compare with. `null`: what the pipeline says, or the default branch. */
  readonly base: string | null;
  /** Every skill, whatever changed. */
  readonly all: boolean;
  readonly kinds: ReadonlySet<CiKind>;
  readonly strict: boolean;
  readonly cache: ResultCache;
  /** Called often; what it throws stops the work. */
  readonly pause: (doing: string) => Promise<void>;
}

export interface CiSkill {
  readonly skill: Skill;
  /** From the repository, with `/`. */
  readonly path: string;
  /** Why it is concerned. */
  readonly why: string;
  /** What was taken from the cache. */
  readonly cached: readonly CiKind[];
  readonly tests: number;
  readonly prompts: number;
}

export interface CiReport {
  /** Paths are relative to it: the top folder of the repository, or the workspace. */
  readonly root: string;
  readonly base: Base | null;
  /** Why every skill is concerned; `null`: only what changed. */
  readonly everything: string | null;
  /** How many skills are there. */
  readonly found: number;
  /** By path. */
  readonly skills: readonly CiSkill[];
  readonly findings: readonly KeyedFinding[];
  /** How many of the paths that were named have no skill. */
  readonly without: number;
  /** Where skills were looked for, where no path was named and the workspace has none; otherwise `null`. */
  readonly searched: readonly string[] | null;
}

export async function runCi(request: CiRequest, library: SkillLibrary): Promise<CiReport> {
  const { workspace } = library.loaded;
  const comparison = await compare(request, workspace, library.files);
  const { root, changed } = comparison;
  let everything = comparison.everything;
  let reasons: ReadonlyMap<Skill, string> = new Map();
  let keys: CacheKeys | null = null;
  const results = new Map<Skill, Map<CiKind, { readonly result: CiResult; readonly isOld: boolean }>>();
  const keep = async (skill: Skill, kind: CiKind, result: CiResult): Promise<void> => {
    results.set(skill, (results.get(skill) ?? new Map()).set(kind, { result, isOld: false }));
    const key = (await keys?.keyOf(kind, skill)) ?? null;
    const isWithin = result.findings.every(({ path }) => isInside(path, skill.folder));
    if (key !== null && isWithin) request.cache.put(key, kind, relocated(result, skill, 'within'));
  };
  /** Whether it has to be found out. */
  const isNew = async (
    skill: Skill,
    kind: CiKind,
    holds: (result: CiResult) => boolean,
  ): Promise<boolean> => {
    const key = (await keys?.keyOf(kind, skill)) ?? null;
    const known = key === null ? null : request.cache.get(key);
    if (known === null || !holds(known)) return true;
    const result = relocated(known, skill, 'whole');
    results.set(skill, (results.get(skill) ?? new Map()).set(kind, { result, isOld: true }));
    return false;
  };

  const gathered = await gatherFindings(
    {
      paths: request.paths.length === 0 ? [workspace] : request.paths,
      cwd: request.cwd,
      homeFolder: request.homeFolder,
      strict: request.strict,
      all: false,
      choose: async (found, snapshot) => {
        if (everything === null && isConfigChanged(library, changed.paths, changed.realPath))
          everything = 'the configuration changed';
        reasons =
          everything === null
            ? await findAffected(found, snapshot, changed)
            : new Map(found.map((skill) => [skill, everything as string]));
        keys = await createCacheKeys(library, snapshot, found, request);
        const checked = new Set<Skill>();
        if (!request.kinds.has('check')) return checked;
        for (const skill of reasons.keys()) {
          await request.pause(`looking at ${skill.name}`);
          if (await isNew(skill, 'check', () => true)) checked.add(skill);
        }
        return checked;
      },
    },
    library,
    () => ({ step: () => request.pause('checking'), end: () => undefined }),
  );
  const { found, snapshot, bySkill, texts } = gathered;
  // A workspace may have no skill yet. One whose skills cannot be read has other findings, and no SKILLS_NONE.
  const isEmpty =
    request.paths.length === 0 && gathered.diagnostics.some(({ code }) => code === 'SKILLS_NONE');
  const concerned = new Set(reasons.keys());
  for (const [skill, diagnostics] of bySkill)
    await keep(skill, 'check', {
      ...nothing,
      findings: diagnostics.map((one) =>
        findingOfDiagnostic(one, texts.get(one.path) ?? null, 'check', skill.name),
      ),
    });

  const names = await bookOfNames(
    library,
    found.map(({ name }) => name),
  );
  if (request.kinds.has('scan'))
    for (const skill of concerned) {
      await request.pause(`scanning ${skill.name}`);
      const isSame = (old: CiResult): boolean =>
        old.names.every(({ name, takenFor }) => names.lookAlike(name) === takenFor);
      if (await isNew(skill, 'scan', isSame))
        await keep(skill, 'scan', await scan(skill, library, names, request));
    }
  if (request.kinds.has('test'))
    for (const skill of snapshot.skills) {
      if (!concerned.has(skill)) continue;
      await request.pause(`testing ${skill.name}`);
      if (await isNew(skill, 'test', () => true))
        await keep(skill, 'test', await test(skill, snapshot, library));
    }
  const judged = request.kinds.has('triggers')
    ? await evaluatePrompts(library, snapshot, concerned, () => request.pause('matching test prompts'))
    : { findings: [], prompts: new Map<Skill, number>() };

  const findings: CiFinding[] = [
    ...(request.kinds.has('check')
      ? besides(gathered, concerned, everything !== null, changed).filter(
          ({ code }) => !isEmpty || code !== 'SKILLS_NONE',
        )
      : []),
    ...[...results.values()].flatMap((ofSkill) =>
      [...ofSkill.values()].flatMap(({ result }) => result.findings),
    ),
    ...judged.findings,
  ];
  return {
    root,
    base: comparison.base,
    everything,
    found: found.length,
    skills: [...reasons]
      .map(([skill, why]): CiSkill => {
        const ofSkill = results.get(skill) ?? new Map();
        return {
          skill,
          path: shownIn(root, skill.folder),
          why,
          cached: [...ofSkill].filter(([, { isOld }]) => isOld).map(([kind]) => kind),
          tests: ofSkill.get('test')?.result.tests ?? 0,
          prompts: judged.prompts.get(skill) ?? 0,
        };
      })
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    findings: withKeys(findings, root),
    without: isEmpty ? 0 : gathered.without,
    searched: isEmpty
      ? rootsOfFolder(workspace, library, request.homeFolder).map(({ path }) => displayPath(path, request))
      : null,
  };
}

const nothing: CiResult = { findings: [], tests: 0, names: [] };

interface Comparison {
  readonly root: string;
  readonly base: Base | null;
  readonly everything: string | null;
  readonly changed: ChangedFiles;
}

async function compare(request: CiRequest, workspace: string, files: Files): Promise<Comparison> {
  const git = await openGit(workspace, request.variables);
  // Paths are shown below the workspace as it was named, also where that is a link.
  const root =
    'fault' in git
      ? workspace
      : resolve(workspace, relative(files.realPath(workspace) ?? workspace, git.root));
  const all = (everything: string): Comparison => ({
    root,
    base: null,
    everything,
    changed: changesOf(null, null, [], files),
  });
  if ('fault' in git) {
    if (request.base !== null)
      throw new TechneError('ENVIRONMENT', `--base needs git, and ${git.fault}`, {
        hint: 'run it in a clone of the repository, or leave --base out',
      });
    return all(request.all ? 'all were asked for' : git.fault);
  }
  if (request.all) return all('all were asked for');
  const base = await chooseBase(git, request.base, request.variables);
  if ('everything' in base) return all(base.everything);
  const paths = await git.changedSince(base.commit);
  if ('fault' in paths) return all(`git could not compare with ${base.name}: ${paths.fault}`);
  return { root, base, everything: null, changed: changesOf(git, base.commit, paths, files) };
}

function changesOf(
  git: Git | null,
  commit: string | null,
  paths: readonly string[],
  files: Files,
): ChangedFiles {
  const maxBytes = 64 * 1024 * 1024;
  return {
    paths,
    realPath: (path) => files.realPath(path),
    isThere: (path) => files.lstat(path) !== null,
    now: async (path) => {
      const read = await files.read(path, maxBytes);
      return read === null ? null : decodeUtf8(read.bytes).text;
    },
    before: async (path) =>
      git === null || commit === null ? null : git.fileAt(commit, relative(git.root, path)),
  };
}

/** Also a file that is gone. */
function isConfigChanged(
  { loaded: { workspace } }: SkillLibrary,
  paths: readonly string[],
  realPath: (path: string) => string | null,
): boolean {
  const real = realPath(workspace) ?? workspace;
  const files = [join(real, 'techne.json'), join(real, '.techne', 'config.json')];
  return paths.some((path) => files.includes(path));
}

async function scan(
  { name, folder, realFolder }: Skill,
  library: SkillLibrary,
  names: NameBook,
  { homeFolder, pause }: CiRequest,
): Promise<CiResult> {
  const { report } = await scanTarget(
    { name, folder, real: realFolder },
    { library, homeFolder, names, pause: () => pause(`scanning ${name}`) },
  );
  return {
    findings: [
      ...report.findings.map((one) => findingOfScan(one, name, folder)),
      ...report.notScanned.map((one) => findingOfUnscanned(one, name, folder)),
    ],
    tests: 0,
    names: report.names,
  };
}

async function test(skill: Skill, snapshot: Snapshot, library: SkillLibrary): Promise<CiResult> {
  const [tested] = await testSkills({
    snapshot,
    files: library.files,
    skills: [skill],
    elsewhere: () => library.load(),
  });
  return tested === undefined
    ? nothing
    : { findings: findingsOfTests(tested), tests: tested.outcomes.length, names: [] };
}

/** What a check found besides the faults of each skill: files that are no skill, names, triggers of several skills. */
function besides(
  { diagnostics, bySkill, texts, found }: Findings,
  concerned: ReadonlySet<Skill>,
  isEverything: boolean,
  { paths, realPath }: ChangedFiles,
): readonly CiFinding[] {
  const ofOne = new Set([...bySkill.values()].flat());
  const owners = found.toSorted((a, b) => b.folder.length - a.folder.length);
  const ownerOf = ({ path }: Diagnostic): Skill | null =>
    owners.find(({ folder }) => isInside(path, folder)) ?? null;
  const isChanged = (path: string): boolean => {
    const real =
      realPath(path) ?? join(realPath(dirname(path)) ?? dirname(path), path.slice(dirname(path).length));
    return paths.some((one) => isInside(one, real));
  };
  return diagnostics
    .filter((one) => !ofOne.has(one))
    .map((one) => ({ one, owner: ownerOf(one) }))
    .filter(
      ({ one, owner }) =>
        isEverything ||
        one.code === 'SKILLS_NONE' ||
        (owner === null ? isChanged(one.path) : concerned.has(owner)),
    )
    .map(({ one, owner }) =>
      findingOfDiagnostic(one, texts.get(one.path) ?? null, 'check', owner?.name ?? null),
    );
}

/** `within`: paths from the folder of the skill; `whole`: absolute ones. A path elsewhere stays. */
function relocated(result: CiResult, { folder, name }: Skill, to: 'within' | 'whole'): CiResult {
  return {
    ...result,
    findings: result.findings.map((one) => ({
      ...one,
      skill: name,
      path: to === 'within' ? relative(folder, one.path) : join(folder, one.path),
    })),
  };
}

function shownIn(root: string, path: string): string {
  const from = relative(root, path);
  return from === '' ? '.' : isAbsolute(from) || from.startsWith('..') ? path : from;
}
