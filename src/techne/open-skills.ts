// The skills around a folder of this machine: configuration, roots, snapshots, trust, watching.
//
//   a folder -> SkillLibrary -> load() -> Snapshot
//
// The command line and embedding programs both use it, so they see the same skills. Trust and watching are imported
// on first use.
import { agentToolNames } from '../skill/tools/tool-fence.ts';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { countListed } from '../prompt/index-layout.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { deepFreeze } from '../base/json.ts';
import { TechneError } from '../base/error.ts';
import { defaultRoots } from '../registry/discover/roots.ts';
import { loadSnapshot } from '../registry/snapshot.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { isInside } from '../base/is-inside.ts';
import type { TrustRoot, TrustStore, TrustView } from '../registry/trust/trust-store.ts';
import type { ContentGate, Fact, InstalledSkills, Reason, Root, Skill } from '../registry/types.ts';
import type { StartedSkill } from '../registry/trust/trusted-skill.ts';
import type { SkillWatch } from '../registry/watch/watch.ts';
import type { Guard } from './guard/guard.ts';
import type { KnownNames } from '../guard/detect/name-book.ts';
import type { HeadGuard } from './guard/heads.ts';
import { flaggedFile } from './paths.ts';
import { createIndexCache } from '../node/files/index-cache.ts';
import type { Loading } from '../config/types.ts';
import type { LoadedConfig } from '../node/load-config.ts';
import { findWorkspace, loadConfig } from '../node/load-config.ts';
import { createNodeEnvironment, nodeClock, nodeSha256 } from '../node/environment.ts';
import { createNodeFiles } from '../node/files/files.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { packageFolder, packageVersion } from '../node/package-info.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Environment } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';

/** Where skills are looked for, and on whose behalf. */
export interface OpenSkillsOptions {
  /** Where relative paths start and the workspace is looked for; must exist. Default: the current folder. */
  readonly cwd?: string;
  /** The workspace. Default: the nearest folder around `cwd` with techne.json, .techne or .git. */
  readonly workspace?: string;
  /** Look at these folders only, in this order. Default: the roots of the configuration. */
  readonly roots?: readonly string[];
  /** Whose `.techne` folder holds configuration, trust and cache. Default: the user's home. */
  readonly homeFolder?: string;
  /** Folders whose local skills you trust in this process, besides those that the configuration trusts. Default: none. */
  readonly trust?: readonly string[];
  /** Whether skills that the standard rejects are loaded or skipped. Default: as configured (`loading`). */
  readonly loading?: Loading;
  /**
   * The tools that the agent offers, where `skills.tools` of the configuration does not say it: skills that need others are not
   * ready. `server__*` is every tool of a server, `*` every plain name; `techne` is what a conversation of techne has. Default:
   * not known, so not checked.
   */
  readonly hostTools?: readonly string[] | 'techne';
  /** Use the index cache, where the configuration allows it. Default: true. */
  readonly cache?: boolean;
  /** Default: this process's environment variables. */
  readonly variables?: { readonly [name: string]: string | undefined };
  /** Default: this process's platform. */
  readonly platform?: string;
  /** Judges everything read from a skill, before the guard does. Default: the guard alone. */
  readonly gate?: ContentGate;
  /** Where content that was read is pinned. Default: memory. */
  readonly blobs?: Blobs;
}

/** The skills around a folder: looks at the disk, watches it, and knows what may be executed. */
export interface SkillLibrary {
  readonly files: Files;
  readonly environment: Environment;
  /** The effective configuration, where each value came from, and what is wrong with its files. */
  readonly loaded: LoadedConfig;
  readonly roots: readonly Root[];
  /** Where the words of what may be suggested are kept for the next process; null where nothing is kept. */
  readonly wordsFile: (suggests: string) => string | null;
  /** Looks at the disk now. Other roots may be given instead; what is found there is not kept in the index cache. */
  load(roots?: readonly Root[]): Promise<Snapshot>;
  /** Loads, and reloads as files change. */
  watch(): Promise<SkillWatch>;
  openTrust(): Promise<TrustStore>;
  /** Scans skills when they are read or about to run; what its verdicts do is configured (`guard.onRead`, `guard.onRun`). */
  openGuard(): Promise<Guard>;
  /** The names of the skills that come with techne and of those that were loaded last; loads them if nothing was loaded. @internal */
  knownNames(): Promise<KnownNames>;
  /** Whether a skill may be executed now, with the reason; verifies its content. */
  isRunnable(snapshot: Snapshot, name: string): Promise<Fact>;
  /** Whether a skill that a run was started with is still trusted, and refused by neither lock nor guard, whatever is loaded now. */
  isStillTrusted(skill: StartedSkill): Promise<Fact>;
  /** Whether a skill of the snapshot is trusted now. */
  isTrusted(snapshot: Pick<Snapshot, 'manifest'>, skill: Skill): Promise<boolean>;
  /**
   * Those of them that `isTrusted` is true of. What was found out about a snapshot holds for as long as what is trusted stays
   * the same: what is read through it does, too.
   */
  findTrusted(snapshot: Pick<Snapshot, 'manifest'>, skills: readonly Skill[]): Promise<ReadonlySet<Skill>>;
}

/**
 * Throws FILE_MISSING when a folder that was named is not there. `trustStore` says what may be executed, for runs that came from
 * elsewhere; default: the user's trust file. `files`: instead of the disk, such as with the texts of an editor over it.
 */
export async function openSkills(
  options: OpenSkillsOptions & { readonly trustStore?: TrustStore; readonly files?: Files } = {},
): Promise<SkillLibrary> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const homeFolder = options.homeFolder ?? homedir();
  const files = options.files ?? createNodeFiles();
  const environment = createNodeEnvironment({
    platform: options.platform ?? process.platform,
    variables: options.variables ?? process.env,
    homeFolder,
  });

  const openTrust = async (): Promise<TrustStore> => {
    if (options.trustStore !== undefined) return options.trustStore;
    const { createTrustStore } = await import('../registry/trust/trust-store.ts');
    return createTrustStore({
      file: join(homeFolder, '.techne', 'trust.json'),
      files,
      environment,
      clock: nodeClock,
    });
  };
  /** A trust file that cannot be used grants nothing; opening it reports the fault. */
  const isTrusted = async (folder: string, folders: readonly string[]): Promise<boolean> => {
    try {
      return await (await openTrust()).isTrustedWorkspace(folder, folders);
    } catch (error) {
      if (error instanceof TechneError) return false;
      throw error;
    }
  };

  // Before anything is read: what a killed process left behind looks like files of a workspace.
  if (hasEntries(files, heldFolder(homeFolder)))
    (await import('../node/sandbox/leftovers.ts')).clearLeftovers(heldFolder(homeFolder));
  if (options.cwd !== undefined) requireFolder(files, cwd, `the folder "${options.cwd}"`);
  if (options.workspace !== undefined)
    requireFolder(files, resolve(cwd, options.workspace), `the workspace "${options.workspace}"`);
  const configured = await loadConfig({
    files,
    homeFolder,
    cwd,
    isTrusted,
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  });
  const { hostTools = null } = options;
  const loaded = withOptions(
    {
      trust: options.trust?.map((folder) => resolve(cwd, folder)) ?? [],
      loading: options.loading ?? null,
      tools: hostTools === 'techne' ? await ownTools({ files, loaded: configured, openTrust }) : hostTools,
    },
    configured,
  );
  const { config } = loaded;
  /** The trust store, read again when it may have changed, and the trusted skills of each snapshot. */
  let trustNow: {
    readonly state: string | null;
    readonly view: TrustView;
    readonly answers: WeakMap<object, Map<Skill, boolean>>;
  } | null = null;
  const viewTrust = async (): Promise<NonNullable<typeof trustNow>> => {
    const store = await openTrust();
    const state = store.state(config.trust.folders);
    if (trustNow === null || state === null || trustNow.state !== state)
      trustNow = { state, view: store.view(config.trust.folders), answers: new WeakMap() };
    return trustNow;
  };
  const packageSkills = join(packageFolder(), 'skills');
  const roots = deepFreeze(
    options.roots === undefined
      ? defaultRoots({ homeFolder, workspace: loaded.workspace, packageSkills, config })
      : options.roots.map((folder) => {
          requireFolder(files, resolve(cwd, folder), `the root "${folder}"`);
          return namedRoot(resolve(cwd, folder));
        }),
  );

  /** What the locks say; nothing of the hub is loaded where nothing was installed. */
  const findInstalled = async (among: readonly Root[]): Promise<InstalledSkills | null> => {
    const folders = among.map(({ path }) => path).filter((path) => path.endsWith('/.techne/skills'));
    const isInstalled = folders.some(
      (folder) =>
        files.lstat(join(dirname(dirname(folder)), 'techne-lock.json')) !== null ||
        files.lstat(join(dirname(folder), 'techne-lock.json')) !== null,
    );
    if (!isInstalled && files.lstat(join(homeFolder, '.techne', 'hub')) === null) return null;
    const { openInstalled } = await import('../hub/drift/open-installed.ts');
    return openInstalled(folders, homeFolder, config.limits);
  };

  /** Of the roots of the library, or of whatever else was loaded last. */
  let lastLoaded: { readonly snapshot: Snapshot; readonly isOwn: boolean } | null = null;
  let names: { readonly of: Snapshot | null; readonly known: KnownNames } | null = null;
  const namesNow = (): KnownNames => {
    const snapshot = lastLoaded?.snapshot ?? null;
    if (names === null || names.of !== snapshot) names = { of: snapshot, known: namesOf(snapshot) };
    return names.known;
  };
  const namesOf = (snapshot: Snapshot | null): KnownNames => ({
    shipped: (files.list(packageSkills) ?? []).map(({ name }) => name),
    others: [...(snapshot?.skills ?? []), ...(snapshot?.shadowed.map(({ skill }) => skill) ?? [])].map(
      ({ name }) => name,
    ),
  });

  let opened: Guard | null = null;
  const openGuard = async (): Promise<Guard> => {
    if (opened !== null) return opened;
    const { createGuard } = await import('./guard/guard.ts');
    opened ??= createGuard({
      files,
      config,
      homeFolder,
      keeps: options.cache !== false,
      clock: nodeClock,
      knownNames: namesNow,
      isOwnWork: async (skill) => {
        try {
          const { view } = await viewTrust();
          // A trusted digest is not asked for: it does not make a skill one's own work.
          return (await view.decide(skill, async () => '')).kind === 'folder';
        } catch (error) {
          if (error instanceof TechneError) return false;
          throw error;
        }
      },
    });
    return opened;
  };
  const guarding: ContentGate = {
    passesIndex: true,
    judge: async (content) => {
      if (config.guard.onRead === 'off' || content.found.origin.kind === 'builtin') return null;
      return (opened ?? (await openGuard())).gate.judge(content);
    },
    noteOf: (skill) => opened?.gate.noteOf?.(skill) ?? null,
  };
  const gate = options.gate === undefined ? guarding : bothGates(options.gate, guarding);

  let heads: HeadGuard | null = null;
  /** What is not to be shown, since its head alone says so; the verdict on the whole skill decides, with what was accepted. */
  const refusedHeads = async (
    snapshot: Snapshot,
    among: readonly Root[],
  ): Promise<ReadonlyMap<string, Reason>> => {
    const { skills } = snapshot;
    const fingerprint = snapshot.fingerprint();
    const set =
      fingerprint === null ? null : { roots: among.map(({ path }) => path).join('\n'), fingerprint };
    const refused = new Map<string, Reason>();
    if (config.guard.onRead === 'off' || skills.every(({ origin }) => origin.kind === 'builtin'))
      return refused;
    heads ??= (await import('./guard/heads.ts')).createHeadGuard({
      config,
      homeFolder,
      keeps: options.cache !== false,
      clock: nodeClock,
    });
    for (const skill of await heads.suspicious(skills, set)) {
      const reason = await (await openGuard()).reasonOn('onRead', skill);
      if (reason?.code === 'GUARD_REFUSED') refused.set(skill.realFolder, reason);
    }
    return refused;
  };

  const load = async (other: readonly Root[] = roots): Promise<Snapshot> => {
    // Where everything was clean so far, the guard need not be there to list skills.
    const guard = files.stat(flaggedFile(homeFolder)) === null ? null : await openGuard();
    // Facts are asked for when the snapshot is there.
    let refused: ReadonlyMap<string, Reason> = new Map();
    const snapshot = await loadSnapshot({
      installed: await findInstalled(other),
      roots: other,
      files,
      environment,
      clock: nodeClock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      judge: async (skill) => (await import('./judge-form.ts')).judgeForm(skill),
      config,
      index:
        options.cache === false || other !== roots
          ? null
          : createIndexCache({ path: indexFile(homeFolder), files, version: packageVersion() }),
      gate,
      barOf: (skill: Skill) =>
        (refused.size === 0 ? null : refused.get(skill.realFolder)) ?? guard?.known(skill) ?? null,
      ...(options.blobs === undefined ? {} : { blobs: options.blobs }),
    });
    if (other === roots || lastLoaded?.isOwn !== true) lastLoaded = { snapshot, isOwn: other === roots };
    await guard?.lookAt(snapshot.skills);
    refused = await refusedHeads(snapshot, other);
    return snapshot;
  };

  /** The root that a skill lies in: one of these, else one of the workspace around it. `null`: it lies in none. */
  const rootAround = async (folder: string): Promise<TrustRoot | null> => {
    const here = innermost(roots, folder);
    if (here !== null) return here;
    const workspace = workspaceAround(files, dirname(folder), homeFolder);
    if (workspace === null) return null;
    const there = await loadConfig({
      files,
      homeFolder,
      cwd: workspace,
      workspace,
      isTrusted,
    });
    return (
      innermost(defaultRoots({ homeFolder, workspace, packageSkills, config: there.config }), folder) ?? {
        path: folder,
        within: workspace,
      }
    );
  };

  /** Why the skill in this folder may not be executed as it is now: its lock or the guard says so. `null` also where it is gone. */
  const barNow = async (folder: string, root: TrustRoot | null): Promise<Reason | null> => {
    const path = root === null || root.path === folder ? dirname(folder) : root.path;
    const snapshot = await load([{ ...namedRoot(path), ...root, path }]);
    const all = [...snapshot.skills, ...snapshot.shadowed.map((one) => one.skill)];
    const skill = all.find((one) => one.folder === folder || one.realFolder === folder);
    if (skill === undefined) return null;
    const drift = snapshot.skills.includes(skill) ? await snapshot.drift(skill.name) : null;
    if (drift !== null) return drift;
    const said = await (await openGuard()).reasonOn('onRun', skill);
    return said?.code === 'GUARD_REFUSED' ? said : null;
  };

  return {
    files,
    environment,
    loaded,
    roots,
    // What a gate of the program refuses is in no index, and what it refuses may change.
    wordsFile: (suggests) =>
      options.cache === false || !config.cache.enabled || options.gate !== undefined
        ? null
        : wordsFile(homeFolder, [suggests, ...roots.map(({ path }) => path)]),
    load,
    openTrust,
    openGuard,
    async knownNames() {
      if (lastLoaded?.isOwn !== true) await load();
      return namesNow();
    },
    async watch() {
      const [{ watchSkills }, { createNodeWatching }] = await Promise.all([
        import('../registry/watch/watch.ts'),
        import('../node/watching.ts'),
      ]);
      const { debounceMs, pollMs } = config.watch;
      return watchSkills({
        load,
        roots: roots.map(({ path }) => path),
        files,
        watching: createNodeWatching(),
        clock: nodeClock,
        debounceMs,
        pollMs,
        depth: config.limits.depth + 2,
      });
    },
    async isRunnable(snapshot, name) {
      const { isRunnable } = await import('../registry/facts/runnable.ts');
      const fact = await isRunnable(snapshot, name, await openTrust(), config, async (skill) =>
        // The guard need not be there for what it does not judge.
        skill.origin.kind === 'builtin' ? null : (await openGuard()).reasonOn('onRun', skill),
      );
      return loaded.broken === null ? fact : { ok: false, reasons: [offBecauseOf(loaded, loaded.broken)] };
    },
    async isStillTrusted(skill) {
      if (loaded.broken !== null) return { ok: false, reasons: [offBecauseOf(loaded, loaded.broken)] };
      const { isStillTrusted } = await import('../registry/trust/trusted-skill.ts');
      const root = skill.folder === null ? null : await rootAround(skill.folder);
      const fact = await isStillTrusted(skill, await openTrust(), config, root);
      const bar = fact.ok && skill.folder !== null ? await barNow(skill.folder, root) : null;
      return bar === null ? fact : { ok: false, reasons: [bar] };
    },
    async isTrusted(snapshot, skill) {
      const { isTrustedSkill } = await import('../registry/trust/trusted-skill.ts');
      return isTrustedSkill(skill, snapshot, (await viewTrust()).view);
    },
    async findTrusted(snapshot, skills) {
      const { isTrustedSkill } = await import('../registry/trust/trusted-skill.ts');
      const { view, answers } = await viewTrust();
      const known = answers.get(snapshot) ?? new Map<Skill, boolean>();
      answers.set(snapshot, known);
      const found = new Set<Skill>();
      for (const skill of skills) {
        const trusted = known.get(skill) ?? (await isTrustedSkill(skill, snapshot, view));
        known.set(skill, trusted);
        if (trusted) found.add(skill);
      }
      return found;
    },
  };
}

/** What either refuses is refused. The first one may want to be asked about words, too. */
function bothGates(first: ContentGate, second: ContentGate): ContentGate {
  return {
    judge: async (content) => (await first.judge(content)) ?? (await second.judge(content)),
    noteOf: (skill) => first.noteOf?.(skill) ?? second.noteOf?.(skill) ?? null,
    passesIndex: first.passesIndex === true && second.passesIndex === true,
  };
}

/** The workspace that a folder is or lies in; `null` where nothing marks one. */
export function workspaceAround(files: Files, folder: string, homeFolder: string): string | null {
  // From a name that holds nothing, so that it comes back where there is no workspace.
  const start = join(folder, 'SKILL.md');
  const found = findWorkspace(files, start, homeFolder);
  return found === start ? null : found;
}

function innermost(roots: readonly Root[], folder: string): Root | null {
  return (
    roots.filter(({ path }) => isInside(folder, path)).toSorted((a, b) => b.path.length - a.path.length)[0] ??
    null
  );
}

/** What the embedding program trusts counts as trusted by the user; a folder that is too wide is ignored (trust-store.ts). */
/** Which tools a server has is known when it runs, and a plain name may be one of them. */
async function ownTools(
  library: Pick<SkillLibrary, 'files' | 'loaded' | 'openTrust'>,
): Promise<readonly string[]> {
  const { findServers } = await import('../tools/open-tools.ts');
  const servers = Object.keys((await findServers(library, library.loaded.workspace)).servers);
  return [
    ...agentToolNames,
    ...servers.map((server) => `${server}__*`),
    ...(servers.length === 0 ? [] : ['*']),
  ];
}

function withOptions(
  {
    trust,
    loading,
    tools,
  }: {
    readonly trust: readonly string[];
    readonly loading: Loading | null;
    readonly tools: readonly string[] | null;
  },
  loaded: LoadedConfig,
): LoadedConfig {
  const { config } = loaded;
  return {
    ...loaded,
    config: {
      ...config,
      loading: loading ?? config.loading,
      skills: { ...config.skills, tools: config.skills.tools ?? tools },
      trust: { ...config.trust, folders: [...config.trust.folders, ...trust] },
    },
  };
}

/** Why nothing is executed while the configuration has errors. */
function offBecauseOf(loaded: LoadedConfig, { path, code, message }: Diagnostic): Reason {
  const line = loaded.origins.get('execution.policy')?.line ?? null;
  return {
    code: 'EXECUTION_OFF',
    message: `execution is off because the configuration file "${path}" has errors: ${line === null ? '' : `line ${line}, `}${code} ${message}`,
    hint: 'fix the file; "techne config" shows all its errors',
  };
}

/** A folder that was named by the caller, as a root. */
export function namedRoot(path: string): Root {
  return { source: 'workspace', path, host: 'option', origin: { kind: 'local', from: null } };
}

/** Each set of roots has its own, so that no process overwrites what another one keeps. */
function wordsFile(homeFolder: string, key: readonly string[]): string {
  const name = nodeSha256(encodeUtf8(JSON.stringify(key))).slice(0, 24);
  return join(homeFolder, '.techne', 'cache', 'words', `${name}.words`);
}

export function indexFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'skills.index');
}

/** The folder of the records of the names that sandboxes hold. */
export function heldFolder(homeFolder: string): string {
  return join(homeFolder, '.techne', 'held');
}

/** Not where it cannot be looked at. */
function hasEntries(files: Files, folder: string): boolean {
  try {
    return (files.list(folder)?.length ?? 0) > 0;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function requireFolder(files: Files, path: string, what: string): void {
  if (files.stat(path)?.isDirectory() !== true)
    throw new TechneError('FILE_MISSING', `${what} is not a folder`, {
      hint: `techne looked for it at "${path}"`,
    });
}
