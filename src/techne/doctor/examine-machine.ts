// What of this machine is used, and what is wrong with it: the checks of `techne doctor`, for every surface.
//
//   library + snapshot + machine -> environment, answerers, roots, skills that cannot be used
//
// It changes nothing but the folder of the cache, starts no program but the sandbox, and shows no key.
import { accessSync, constants, promises } from 'node:fs';
import { dirname } from 'node:path';
import type { AnswererFact } from '../../answerers/detect-answerers.ts';
import { detectAnswerers, factOf, firstChoice } from '../../answerers/detect-answerers.ts';
import type { Severity } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { Verdict } from '../../guard/report.ts';
import { openEmbedder } from '../../node/embed/open-embedder.ts';
import { makeFolders } from '../../node/files/durable.ts';
import { userConfigFile } from '../../node/load-config.ts';
import { packageVersion } from '../../node/package-info.ts';
import { FileFault } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Root, Skill } from '../../registry/types.ts';
import { countProblems } from '../count-problems.ts';
import { examineServers } from '../examine-servers.ts';
import type { ServerReport } from '../open-runs.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { indexFile } from '../open-skills.ts';
import { displayPath, homePath } from '../paths.ts';
import { reasonsAgainst, refusalsIn } from '../skill-limits.ts';

export interface MachineOptions {
  readonly library: SkillLibrary;
  readonly snapshot: Snapshot;
  readonly homeFolder: string;
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly platform: string;
  /** Whether a person can be asked here. */
  readonly hasTerminal: boolean;
  /** Whether the index cache is used, where the configuration allows it. */
  readonly usesCache: boolean;
  /** Starts all MCP servers; null: starts none. */
  readonly startServers: (() => Promise<readonly ServerReport[]>) | null;
}

export interface ExaminedMachine {
  readonly environment: readonly Finding[];
  readonly answerers: readonly AnswererFact[];
  readonly roots: readonly RootLine[];
  /** Skills that cannot be used by somebody. */
  readonly troubled: readonly Skill[];
  /** By strict loading. */
  readonly refused: readonly { readonly skill: Skill; readonly reasons: readonly Diagnostic[] }[];
  readonly problems: Readonly<Record<Severity, number>>;
}

/** One line; `ok` is null for something optional that is missing. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
  readonly hint: string | null;
}

export async function examineMachine(options: MachineOptions): Promise<ExaminedMachine> {
  const { library, snapshot } = options;
  return {
    environment: await examineEnvironment(options),
    answerers: findAnswerers(options),
    roots: library.roots.map((root) => describeRoot(library, snapshot, root)),
    troubled: snapshot.skills.filter((skill) => reasonsAgainst(snapshot.facts(skill)).length > 0),
    refused: snapshot.refused.map((skill) => ({
      skill,
      reasons: refusalsIn({ refused: [skill], diagnostics: snapshot.diagnostics }),
    })),
    problems: countProblems(snapshot),
  };
}

export interface RootLine {
  readonly path: string;
  readonly source: string;
  readonly host: string;
  readonly exists: boolean;
  /** Counts the chosen skills, and the shadowed ones. */
  readonly skills: number;
  readonly shadowed: number;
  /** Why the folder cannot be read. */
  readonly fault: string | null;
}

function describeRoot({ files }: SkillLibrary, snapshot: Snapshot, { path, source, host }: Root): RootLine {
  const isHere = (skill: Skill): boolean => skill.root.path === path;
  const line = {
    path,
    source,
    host,
    skills: snapshot.skills.filter(isHere).length,
    shadowed: snapshot.shadowed.filter(({ skill }) => isHere(skill)).length,
  };
  try {
    const exists = files.stat(path)?.isDirectory() === true;
    if (exists) files.list(path);
    return { ...line, exists, fault: null };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { ...line, exists: true, fault: error.message };
  }
}

/** Looks at names only: prints no key, starts nothing and uses no network. */
function findAnswerers({ library, variables, hasTerminal }: MachineOptions): readonly AnswererFact[] {
  const { loaded, environment } = library;
  const candidates = detectAnswerers({
    config: loaded.config,
    variables,
    hasTerminal,
    findProgram: (name) => environment.findProgram(name),
  });
  const chosen = firstChoice(candidates);
  return candidates.map((candidate) => factOf(candidate, chosen));
}

async function examineEnvironment(options: MachineOptions): Promise<readonly Finding[]> {
  const { library, snapshot, variables } = options;
  const { loaded, environment } = library;
  const { config } = loaded;
  const findings: Finding[] = [];
  const add = (name: string, ok: boolean | null, detail: string, hint: string | null = null): void => {
    findings.push({ name, ok, detail, hint });
  };
  const program = (name: string, label: string, use: string): void => {
    const path = environment.findProgram(name);
    add(label, path === null ? null : true, path ?? 'not found', path === null ? use : null);
  };

  add('techne', true, packageVersion());
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const recent = major > 20 || (major === 20 && minor >= 19);
  add('node', recent, process.versions.node, recent ? null : 'techne needs 20.19 or newer');
  program('git', 'git', 'needed to install skills from repositories');
  if (options.platform === 'linux') {
    const required = config.sandbox.mode === 'required';
    const path = environment.findProgram('bwrap');
    const use = required
      ? 'sandbox.mode is "required", so no command of a skill can run: install bubblewrap'
      : 'install bubblewrap, so that commands of skills run in a sandbox';
    // Being installed is not enough: a kernel can forbid what it needs, so it is tried.
    const sandbox =
      path === null ? null : (await import('../../node/sandbox/detect.ts')).detectSandbox(undefined);
    const works = sandbox?.available === true;
    add(
      'sandbox',
      works ? true : required ? false : null,
      sandbox?.detail ?? 'bubblewrap is not installed',
      works ? null : use,
    );
  }
  program('rg', 'ripgrep', 'optional; makes file search faster');
  findings.push(
    ...(await examineServers({
      library,
      variables,
      start: options.startServers,
    })),
  );

  const userFile = userConfigFile(options.homeFolder);
  for (const [label, layer, none] of [
    ['user config', 'user', userFile],
    ['workspace config', 'workspace', 'techne.json'],
  ] as const) {
    const file = loaded.files.find((each) => each.layer === layer);
    const faults = loaded.diagnostics.filter(
      ({ path, severity }) => path === file?.path && severity === 'error',
    ).length;
    add(
      label,
      file === undefined ? null : faults === 0,
      file === undefined ? `none (${displayPath(none, options)})` : homePath(file.path, options),
      faults === 0 ? null : `${counted(faults, 'error')}, see "techne config"`,
    );
  }
  add('workspace', true, homePath(loaded.workspace, options));
  await examineTrust(options, add);
  await examineGuard(library, snapshot, add);
  examineDisabled(library, snapshot, add);
  await examineCache(options, add);
  examineEmbeddings(options, add);
  add(
    'watch',
    true,
    `reloads ${config.watch.debounceMs} ms after a change; polls every ${config.watch.pollMs} ms where the system cannot notify`,
  );
  return findings;
}

type Add = (name: string, ok: boolean | null, detail: string, hint?: string | null) => void;

/** Names under skills.disabled that no skill has. */
function examineDisabled({ loaded }: SkillLibrary, snapshot: Snapshot, add: Add): void {
  for (const name of loaded.config.skills.disabled) {
    if (snapshot.has(name)) continue;
    const meant = nearest(
      name,
      snapshot.skills.map((skill) => skill.name),
    );
    add(
      'disabled',
      null,
      `skills.disabled names "${name}", which is not a skill`,
      meant === null ? null : `did you mean "${meant}"?`,
    );
  }
}

/** Which embeddings are used for matching, or why none are. Computes no embedding. */
function examineEmbeddings({ library, variables }: MachineOptions, add: Add): void {
  const { embeddings } = library.loaded.config.match;
  if (Object.keys(embeddings).length === 0)
    return add(
      'embeddings',
      null,
      'none; skills are matched by words',
      'set match.embeddings to also match by meaning',
    );
  const { embedder, notices } = openEmbedder(embeddings, { variables });
  add(
    'embeddings',
    embedder === null ? null : true,
    embedder === null
      ? 'none can be used; skills are matched by words'
      : `skills are also matched by ${embedder.name}`,
    notices.length === 0 ? null : notices.join('; '),
  );
}

async function examineCache(options: MachineOptions, add: Add): Promise<void> {
  const { loaded, files } = options.library;
  const file = indexFile(options.homeFolder);
  const shown = homePath(file, options);
  if (!loaded.config.cache.enabled || !options.usesCache) return add('cache', null, 'off');
  try {
    const size = Number(files.stat(file)?.size ?? -1);
    // Creating the folder as a load does is the only way to find out whether that works.
    await makeFolders(promises, dirname(file), 0o700);
    accessSync(dirname(file), constants.W_OK);
    add(
      'cache',
      true,
      `${shown}, ${size < 0 ? 'empty' : size < 1_000 ? `${size} bytes` : `${Math.ceil(size / 1_000)} KB`}`,
    );
  } catch (error) {
    if (!(error instanceof Error && (error instanceof FileFault || 'code' in error))) throw error;
    add('cache', null, `${shown} cannot be written: ${error.message}`, 'every start reads all skills again');
  }
}

/** Scans what was not scanned before. */
async function examineGuard(library: SkillLibrary, snapshot: Snapshot, add: Add): Promise<void> {
  const { onRead, onRun } = library.loaded.config.guard;
  const policy = `onRead ${onRead}, onRun ${onRun}`;
  if (onRead === 'off' && onRun === 'off') return add('guard', null, policy, 'skills are not scanned');
  const guard = await library.openGuard();
  const names: Record<Verdict, string[]> = { clean: [], caution: [], incomplete: [], dangerous: [] };
  for (const skill of snapshot.skills)
    if (skill.origin.kind !== 'builtin') names[(await guard.verdict(skill)).verdict].push(skill.name);
  const found = (['dangerous', 'incomplete', 'caution', 'clean'] as const)
    .filter((verdict) => names[verdict].length > 0)
    .map((verdict) =>
      verdict === 'clean'
        ? `${names.clean.length} clean`
        : `${names[verdict].length} ${verdict} (${shortList(names[verdict])})`,
    );
  const isFine = names.dangerous.length === 0;
  add(
    'guard',
    isFine ? true : null,
    `${policy}${found.length === 0 ? '' : `; ${found.join(', ')}`}`,
    found.length === 0 || names.clean.length === snapshot.skills.length
      ? null
      : 'techne scan shows the findings',
  );
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(printableLine).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Names a trusted folder around this workspace, because its trust does not cover this one (trust-reach.ts). */
async function examineTrust(options: MachineOptions, add: Add): Promise<void> {
  const { library } = options;
  const {
    workspace,
    trusted,
    config: { trust },
  } = library.loaded;
  try {
    const store = await library.openTrust();
    const { folders, digests } = await store.list();
    const detail = `${counted(folders.length + trust.folders.length, 'folder')} and ${counted(digests.length, 'skill')} trusted`;
    const around = (await store.isTrustedWorkspace(workspace, trust.folders))
      ? null
      : await store.folderAround(workspace, trust.folders);
    if (around === null)
      return add('trust', true, trusted === false ? `${detail}; this workspace is not` : detail);
    add(
      'trust',
      true,
      `${detail}; this workspace is not: ${homePath(around, options)} is trusted as one workspace, without the workspaces below it`,
      `if everything in this workspace is your own work: techne trust "${workspace}", or add it to trust.folders`,
    );
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    add('trust', false, error.message, error.hint);
  }
}
