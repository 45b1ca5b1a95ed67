// Everything a run needs of this machine, put together: journal, blobs, answerers, commands, clock.
//
//   SkillLibrary -> OpenRuns { runner, store, answerers }
//
// The command line and embedding programs both run skills through it, under the same policy. Nothing is opened before
// it is needed: listing runs loads no answerer, and a script loads no model library.
import { join } from 'node:path';
import { homedir } from 'node:os';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { RunLimits } from '../run/budget/limits.ts';
import type { HostFilters } from '../run/plan/templates.ts';
import type { PreflightReport } from '../run/plan/preflight.ts';
import type { Runner, RunnerOptions } from '../run/runner.ts';
import { createRunner } from '../run/create-runner.ts';
import { createSnapshotSkills } from '../run/start/snapshot-skills.ts';
import { createFileApprovals } from '../node/commands/approvals.ts';
import type { AnswererFact } from '../answerers/detect-answerers.ts';
import { openAnswerers } from '../answerers/open-answerers.ts';
import { createCommandHost } from '../node/commands/command-host.ts';
import { placesForFiles } from '../node/commands/places.ts';
import { createArtifacts } from '../node/files/blobs.ts';
import { createNodeIds, nodeRunClock, nodeSha256 } from '../node/environment.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { createNodeShell } from '../node/shell/shell.ts';
import type { ScriptedWorld } from '../scripted/world.ts';
import type { SkillLibrary } from './open-skills.ts';
import { heldFolder, namedRoot } from './open-skills.ts';
import type { OpenedRunStore } from './open-run-store.ts';
import { openRunStore } from './open-run-store.ts';
import type { Serving } from './serving.ts';
import type { Travelling } from './travel/travelling.ts';
import type { TravelledHosts } from '../travel/travelling-hosts.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { CommandHost } from '../ports/command-host.ts';
import type { NoteHost } from '../ports/note-host.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import { openTools } from '../tools/open-tools.ts';
import { isInside } from '../base/is-inside.ts';
import type { Root } from '../registry/types.ts';

/** Whose skills are run, where, and who answers them. */
export interface OpenRunsOptions {
  readonly library: SkillLibrary;
  /** Whose skills can be run. Default: those on disk now. */
  readonly snapshot?: Snapshot;
  /** Where commands run and what they may write to. Default: the workspace, else the current folder. */
  readonly cwd?: string;
  /** Whose `.techne` folder holds runs, blobs and approvals. Default: the user's home. */
  readonly homeFolder?: string;
  /** Default: this process's environment variables. */
  readonly variables?: { readonly [name: string]: string | undefined };
  /** `model`, `model:NAME`, `caller`, `person`, `agent-cli`, `script:FILE`, `replay:FILE`, or one of your own. Default: the first that is there. */
  readonly answerer?: string | Answerer | null;
  /** Keeps what is answered in this file, to be given again by `replay:FILE`. */
  readonly record?: string | null;
  /** Whether a person is here to be asked: then they come before the caller. The run pauses for them, and you ask. Default: false. */
  readonly terminal?: boolean;
  /** Whether a key in the usual variables is enough for a model to answer unasked; not where a host passes on its own key. Default: true. */
  readonly inheritedKeys?: boolean;
  /** How long a question waits for its answer. Default: for ever. */
  readonly questionTtlMs?: number;
  /** The world of a script that is open already. Default: that of `answerer`, where it is a script. */
  readonly scripted?: ScriptedWorld | null;
  /** Instead of commands of this machine: those of a test. */
  readonly commands?: CommandHost;
  /** Instead of the tools of this machine. */
  readonly tools?: ToolHost;
  /** Instead of the notes of the vault. */
  readonly notes?: NoteHost;
  /** Further filters of templates in plans, by name; each must give the same for the same. Default: none. */
  readonly filters?: HostFilters;
  /** Where runs are kept: `files`, or `postgres://…`. Default: `runs.store` of the configuration, else files. */
  readonly store?: string;
  /** Sync the journal to the disk before acting. Default: true. */
  readonly durable?: boolean;
  readonly defaults?: RunLimits;
  readonly onEvent?: OnRunEvent;
  /** A store that is open already, and stays so. Default: that of `store`. @internal */
  readonly opened?: OpenedRunStore;
  /** The workspace is that of a run that came from elsewhere. Default: it is a folder of this machine. @internal */
  readonly travelled?: TravelledHosts;
}

/** An MCP server: its tools, or why it cannot be used. */
export interface ServerReport {
  readonly server: string;
  readonly tools: readonly string[];
  /** Why it cannot be used. */
  readonly fault: string | null;
}

/** Runs on this machine. Must be closed. */
export interface OpenRuns {
  readonly runner: Runner;
  readonly store: RunStore;
  /** The large values of runs. */
  readonly blobs: SweptBlobs;
  /** Finds runs, and says where their journals are. */
  readonly index: RunIndex;
  /** What workers need; null for runs in files. */
  readonly serving: Serving | null;
  /** Makes runs for workers; null for runs in files. */
  readonly travelling: Travelling | null;
  /** The skills of every run that is started here. */
  readonly snapshot: Snapshot;
  /** The policy of runs, for callers outside of a run. */
  readonly commands: CommandHost;
  readonly tools: ToolHost;
  readonly workspace: string;
  /** The scripted world, if a script answers. */
  readonly scripted: ScriptedWorld | null;
  /** All answerers, which one is used, and why. */
  readonly answerers: readonly AnswererFact[];
  /** The faults of a plan, as a start would report them; null if it is not a plan, or may not be executed at all. Starts the servers it needs. */
  preflight(name: string): Promise<PreflightReport | null>;
  /** Starts every MCP server and lists its tools. */
  checkServers(): Promise<readonly ServerReport[]>;
  /** Closes everything; runs under way are not waited for. */
  close(): Promise<void>;
}

/** Throws ENVIRONMENT when the answerer that was asked for is not there. */
export async function openRuns(options: OpenRunsOptions): Promise<OpenRuns> {
  const {
    library,
    homeFolder = homedir(),
    variables = process.env,
    record = null,
    terminal = false,
    inheritedKeys = true,
  } = options;
  const { files, loaded } = library;
  const { config } = loaded;
  const cwd = options.cwd ?? loaded.workspace ?? process.cwd();
  const techneFolder = join(homeFolder, '.techne');

  const snapshot = options.snapshot ?? (await library.load());
  const scripted = options.scripted ?? (await openScript(options));
  const places = skillPlaces(library.roots, snapshot, cwd);
  const fileRoots = placesForFiles({
    workspace: cwd,
    homeFolder,
    sandbox: config.sandbox,
    skillPlaces: places,
  });
  const travelled = options.travelled ?? null;
  const approvals =
    travelled?.approvals ?? createFileApprovals({ file: join(techneFolder, 'approvals.json'), files });
  const contentOf = async (place: string): Promise<string | null> => contentDigest(library, place);
  const plainCommands =
    options.commands ??
    scripted?.commands ??
    createCommandHost({
      shell: createNodeShell({ recordFolder: heldFolder(homeFolder) }),
      workspace: cwd,
      config,
      approvals,
      variables,
      homeFolder,
      contentOf,
      skillPlaces: places,
    });
  const commands = travelled?.commands(plainCommands) ?? plainCommands;
  const plainTools =
    options.tools ??
    scripted?.tools ??
    (await openTools({
      library,
      snapshot,
      workspace: cwd,
      fileRoots,
      commands: plainCommands,
      approvals,
      variables,
      more: async () => [
        ...(await import('./open-notes.ts')).noteTools(library, () => snapshot),
        ...(config.proposals.enabled
          ? (await import('./proposals/open-proposal-tools.ts')).proposalTools(library, homeFolder, {
              surface: 'cli',
            })
          : []),
      ],
    }));
  const tools = travelled?.tools(plainTools) ?? plainTools;
  const { answerers, facts } = await openAnswerers({
    wanted: scripted?.answerer ?? options.answerer ?? null,
    record,
    config,
    variables,
    cwd,
    files,
    snapshot,
    terminal,
    inheritedKeys,
    fileRoots,
    isTrusted: (skill) => library.isTrusted(snapshot, skill),
    tools,
  });
  const { store, blobs, index, serving } =
    options.opened ??
    (await openRunStore({
      homeFolder,
      at: options.store ?? config.runs.store ?? 'files',
      durable: options.durable ?? true,
      files,
    }));
  const folderOf = (name: string): string | null => (snapshot.has(name) ? snapshot.get(name).folder : null);
  const plainSkills = createSnapshotSkills({
    snapshot,
    policy: config.execution.policy,
    metaskills: config.metaskills.enabled,
    isRunnable: (name) => library.isRunnable(snapshot, name),
    isStillTrusted: (skill) => library.isStillTrusted(skill),
    sha256: nodeSha256,
  });
  const skills = travelled?.skills(plainSkills, folderOf) ?? plainSkills;
  const plainNotes =
    options.notes ??
    lazyNotes(async () => {
      const { openNoteHost } = await import('./open-note-host.ts');
      return openNoteHost({ library, snapshot, workspace: cwd, config, fileRoots, techneFolder });
    });
  const notes = travelled?.notes(plainNotes) ?? plainNotes;
  const artifacts = createArtifacts(cwd);
  const parts: RunnerOptions = {
    store,
    blobs,
    skills,
    commands,
    tools,
    answerers,
    clock: nodeRunClock,
    ids: createNodeIds(),
    sha256: nodeSha256,
    workspace: travelled?.workspace ?? cwd,
    parseFull: nodeParseFull,
    artifacts: travelled?.artifacts(artifacts) ?? artifacts,
    notes,
    ...(options.filters === undefined ? {} : { filters: options.filters }),
    ...(options.defaults === undefined ? {} : { defaults: options.defaults }),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
    ...(options.questionTtlMs === undefined ? {} : { questionTtlMs: options.questionTtlMs }),
  };
  const runner = createRunner(parts);
  const travelling =
    serving === null
      ? null
      : (await import('./travel/travelling.ts')).createTravelling({
          library,
          snapshot,
          serving,
          parts: { ...parts, skills: plainSkills },
          folderOf,
        });
  const { expireDays } = config.runs;
  const expired =
    expireDays === 0 || options.opened !== undefined
      ? null
      : import('./expire-runs.ts').then(({ expireRuns }) =>
          expireRuns({ index, store, blobs, days: expireDays, nowMs: nodeRunClock.nowMs() }),
        );
  const close = async (): Promise<void> => {
    await expired;
    await Promise.all([options.opened === undefined ? store.close() : null, tools.close()]);
  };
  const preflight: OpenRuns['preflight'] = async (name) => {
    const skill = await skills.find(name);
    const [answerer] = answerers;
    if (
      skill === null ||
      answerer === undefined ||
      !skill.runnable.ok ||
      skill.form === 'program' ||
      skill.form === 'instructions'
    )
      return null;
    const { preflight: look } = await import('../run/plan/preflight.ts');
    return look({ skills, tools, answerer, parseFull: nodeParseFull }, skill);
  };
  return {
    runner,
    store,
    blobs,
    index,
    serving,
    travelling,
    snapshot,
    commands,
    tools,
    workspace: cwd,
    scripted,
    answerers: facts,
    preflight,
    checkServers: () => checkServers(tools),
    close,
  };
}

/** Opened by the first run that writes a note. */
function lazyNotes(open: () => Promise<NoteHost>): NoteHost {
  let opened: Promise<NoteHost> | null = null;
  const host = (): Promise<NoteHost> => (opened ??= open());
  return {
    judge: async (caller) => (await host()).judge(caller),
    prepare: async (request, pathFault) => (await host()).prepare(request, pathFault),
    read: async (path) => (await host()).read(path),
    replace: async (path, before, after) => (await host()).replace(path, before, after),
  };
}

/** The world of the script that answers; `null` where something else does. */
export async function openScript({ answerer, library, cwd }: OpenRunsOptions): Promise<ScriptedWorld | null> {
  if (typeof answerer !== 'string' || !answerer.startsWith('script:')) return null;
  const { openScriptedWorld } = await import('../scripted/world.ts');
  return openScriptedWorld(answerer, cwd ?? library.loaded.workspace ?? process.cwd(), library.files);
}

async function checkServers(tools: ToolHost): Promise<readonly ServerReport[]> {
  const { tools: known, faults } = await tools.list();
  const servers = [...new Set(known.map(({ from }) => from))].filter((from) => from !== 'built-in');
  return [
    ...servers.map((server) => ({
      server,
      tools: known.filter(({ from }) => from === server).map(({ name }) => name),
      fault: null,
    })),
    ...faults.map(({ server, message }) => ({ server, tools: [], fault: message })),
  ];
}

/** The digest of the folder of a skill now; `null` if there is no skill. */
async function contentDigest(library: SkillLibrary, folder: string): Promise<string | null> {
  const snapshot = await library.load([namedRoot(folder)]);
  const [skill] = snapshot.skills;
  return skill === undefined ? null : (await snapshot.manifest(skill.name)).digest;
}

// Where skills are and are looked for: commands and file tools of skills must not write there.
//
// A skill that is put there would count as local work in a trusted folder, and so run as trusted. Roots count also
// before they exist, and so does the folder of a skill behind a link. For a skill that contains the whole workspace
// only its executable files count, because the workspace would otherwise be read-only.

function skillPlaces(
  roots: readonly Root[],
  { skills, shadowed }: Pick<Snapshot, 'skills' | 'shadowed'>,
  workspace: string,
): readonly string[] {
  const found = [...skills, ...shadowed.map(({ skill }) => skill)];
  const elsewhere = found
    .filter(({ realFolder }) => !roots.some(({ path }) => isInside(realFolder, path)))
    .map(({ realFolder }) => realFolder);
  const around = found
    .filter(({ realFolder }) => isInside(workspace, realFolder))
    .flatMap(({ realFolder, head: { program } }) => [
      join(realFolder, 'SKILL.md'),
      ...(program === null ? [] : [join(realFolder, program)]),
    ]);
  return [...new Set([...roots.map(({ path }) => path), ...elsewhere, ...around])];
}
