// The façade: the one place where the parts of techne are put together.
//
//   options -> Techne { snapshot, match, index, session, tools, run, resume, watch, close }
//
// Programs, the command line, the chat, MCP and evaluations all come in here, so they have the same skills, policy, journal
// and texts. Only the skills are read at first; matching, watching and running load what they need when they are first used.
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { MatchResult, Matcher } from '../match/match.ts';
import type { PromptBudget } from '../prompt/budget.ts';
import type { RenderedIndex } from '../prompt/render-index.ts';
import type { PromptSettings } from '../prompt/settings.ts';
import type { OnSkillLoaded, SkillEvent, SkillToolFailed } from '../prompt/skill-loaded.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import type { SkillWatch } from '../registry/watch/watch.ts';
import type { RunEvent } from '../run/events.ts';
import type { RunLimits } from '../run/budget/limits.ts';
import type { RunResult } from '../run/result/result.ts';
import type { AgentSession } from './agent-session.ts';
import type { Tool, ToolCaller } from '../ports/tool.ts';
import type { AnswerFunction } from '../answerers/function-answerer.ts';
import { createFunctionAnswerer } from '../answerers/function-answerer.ts';
import type { ConversationOrigin } from './proposals/open-proposal-tools.ts';
import type { QuestionHandlers } from './question-handlers.ts';
import { createUntrustedCheck } from './untrusted-check.ts';
import { callable, checkArgument } from './check-call.ts';
import { Runs, SnapshotRuns } from './runs.ts';
import type { RunSkillOptions } from './runs.ts';
import type { OpenRuns, OpenRunsOptions } from './open-runs.ts';
import type { OpenSkillsOptions, SkillLibrary } from './open-skills.ts';
import { openSkills } from './open-skills.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { OpenMatcher, SkillStore } from './skill-store.ts';
import { openSkillStore } from './skill-store.ts';
import {
  checkBudget,
  checkMatch,
  checkResume,
  checkRun,
  checkSession,
  checkTechne,
} from './techne-options.ts';

/** Where skills are, who answers their asks, and who is notified. Everything is optional. */
export interface TechneOptions
  extends
    OpenSkillsOptions,
    Pick<OpenRunsOptions, 'record' | 'commands' | 'tools' | 'filters' | 'store' | 'durable' | 'defaults'> {
  /**
   * Who answers when a skill asks: a function of yours, an `Answerer`, or by name `model`, `model:NAME`, `caller`, `agent-cli`,
   * `script:FILE`, `replay:FILE`. Default: a model that is configured, else the calling agent (`run_answer`).
   */
  readonly answerer?: string | Answerer | AnswerFunction | null;
  /** Handlers for questions to a person, the operator or the caller. Default: none, so such runs pause. */
  readonly questions?: QuestionHandlers;
  /** Makes the matcher over a snapshot. Default: techne's own. */
  readonly openMatcher?: OpenMatcher;
  /** Called for every body that a session gives or refuses, and every event of a run. Must not throw. Default: none. */
  readonly onEvent?: (event: SkillEvent | RunEvent) => void;
  /** Called once for each skill that could not be preloaded, and for large loads. Must not throw. Default: none. */
  readonly onWarning?: (message: string) => void;
}

/** The skills of one conversation. */
export interface SessionOptions {
  /** Of the index. Default: `index.budgetTokens` of the configuration. */
  readonly budget?: PromptBudget;
  /** Instead of single values of `prompt` of the configuration: preloading, eager disclosure, limits. */
  readonly settings?: Partial<PromptSettings>;
  /** Which skills the conversation has at all. Default: every one. */
  readonly offers?: (skill: Skill) => boolean;
  /** Whether its model can run skills. Default: true, where the configuration lets anything run. */
  readonly runs?: boolean;
  /** Whether the blocks of turns stay in the history with their messages. Default: true. */
  readonly keepsBlocks?: boolean;
  /** Which conversation and model it is, for the record of proposals; a call can say more (`ToolUse.caller`). Default: not known. */
  readonly origin?: ToolCaller;
}

/** How a skill is run. */
export interface RunRequest extends RunSkillOptions {
  /** Default: those of the library. */
  readonly limits?: Partial<RunLimits>;
}

/** The skills of a program, and all that can be done with them. */
export interface Techne {
  /** Configuration, roots and trust. */
  readonly library: SkillLibrary;
  /** The skills as they were when the disk was last looked at. It never changes; a later look gives another one. */
  readonly snapshot: Snapshot;
  /** Looks at the disk now. */
  refresh(): Promise<Snapshot>;
  /** From now on `snapshot` follows the disk, with notice of every change. The same watch each time; `close` ends it. */
  watch(): Promise<SkillWatch>;
  /** Which skills a message asks for, best first, each with its reason. Only those that a model may see, or that the message names. */
  match(message: string, options?: { readonly limit?: number }): Promise<MatchResult>;
  /** The list of skills for a prompt, within a budget, and what it costs. */
  index(budget?: PromptBudget): Promise<RenderedIndex>;
  /** A conversation: prompt, tools, what each turn adds. One for each, since it counts what was loaded. */
  session(options?: SessionOptions): Promise<AgentSession>;
  /** The tools of a new conversation, for programs that need nothing else of it. */
  tools(options?: SessionOptions): Promise<readonly Tool[]>;
  /** Runs a skill to its end, or until it waits for an answer that no handler gives. Throws `RunDetachedError` when it is closed meanwhile. */
  run(skill: string, input?: Json, request?: RunRequest): Promise<RunResult>;
  /** Continues a run that was paused or detached, also one of another process. */
  resume(run: string, options?: RunSkillOptions): Promise<RunResult>;
  /** Everything else there is to runs: replay, fork, inspect, cancel, the journals. It is open while `work` is under way. */
  withRuns<T>(work: (runs: OpenRuns) => Promise<T>): Promise<T>;
  /** Detaches from all runs and closes everything. Nothing works afterwards. */
  close(): Promise<void>;
}

/** Further options of our own surfaces. */
export interface OpenTechneOptions
  extends TechneOptions, Pick<OpenRunsOptions, 'terminal' | 'inheritedKeys' | 'questionTtlMs'> {
  /** A library that is open already, instead of the options that open one. */
  readonly library?: SkillLibrary;
  /** The snapshot, if it is known already. Default: the disk is read. */
  readonly snapshot?: Snapshot;
  /** Whether the disk is watched from the start. Default: false. */
  readonly watched?: boolean;
  /** Which surface it is, for the record of proposals; `null`: its conversations propose nothing. Default: the library. */
  readonly origin?: ConversationOrigin | null;
}

/** The parts behind the façade, for our own surfaces. */
export interface OpenTechne extends Techne {
  readonly skills: SkillStore;
  readonly runs: Runs;
  /** Whether the configuration lets anything run. */
  readonly mayRun: boolean;
  /** A conversation without the tools that run skills, over the newest skills. */
  openSession(options?: OpenSessionOptions): Promise<SkillSession>;
}

interface OpenSessionOptions extends Omit<SessionOptions, 'origin'> {
  /** Default: the newest. */
  readonly snapshot?: Snapshot;
  /** Whether the skills are kept as they are; not for looking only. Default: true. */
  readonly holds?: boolean;
  /** Instead of the matcher over all skills; `null` never matches. */
  readonly matcher?: Matcher | null;
  readonly onLoaded?: OnSkillLoaded;
  readonly onToolFailed?: (event: SkillToolFailed) => void;
  /** Besides what `OpenTechneOptions` says. */
  readonly origin?: ConversationOrigin;
}

/**
 * Reads the skills around a folder, or those of `roots`. Throws FILE_MISSING when a folder that was named is not there,
 * USAGE for an option that is not what it must be.
 */
export async function createTechne(options: TechneOptions = {}): Promise<Techne> {
  checkTechne(options);
  return openTechne(options);
}

/** The same for our own surfaces; it does not check the options. */
export async function openTechne(options: OpenTechneOptions): Promise<OpenTechne> {
  const library = options.library ?? (await openSkills(options));
  const { config, broken } = library.loaded;
  const mayRun = config.metaskills.enabled && config.execution.policy !== 'off' && broken === null;
  await enableProposals(library, options);
  const store = await openSkillStore({
    library,
    openMatcher: options.openMatcher ?? ownMatcher(library, options.onWarning),
    watch: options.watched ?? false,
    ...(options.snapshot === undefined ? {} : { snapshot: options.snapshot }),
    ...(options.onWarning === undefined ? {} : { onWarning: options.onWarning }),
  });
  const runs = new Runs(
    new SnapshotRuns(runsOptions(options, library), () => store.snapshot),
    options.questions ?? {},
  );
  let closed = false;
  const open = (): void => {
    if (closed)
      throw new TechneError('USAGE', 'techne is closed', {
        hint: 'call close() only after the last use',
      });
  };

  const openSession = async ({
    budget = { tokens: config.index.budgetTokens },
    settings,
    offers,
    runs: wants = true,
    keepsBlocks,
    holds,
    snapshot = store.snapshot,
    matcher = store.matcher(snapshot),
    onLoaded = options.onEvent,
    onToolFailed = options.onEvent,
    origin,
  }: OpenSessionOptions = {}): Promise<SkillSession> => {
    const { createSkillSession } = await import('../prompt/skill-session.ts');
    return createSkillSession({
      snapshot,
      matcher,
      budget,
      settings: { ...config.prompt, ...settings },
      runs: mayRun && wants,
      isUntrusted: createUntrustedCheck(library),
      isTrustedToRun: (skill, among) => library.isTrusted(among, skill),
      moreTools: [
        ...(await notesFor(library, () => store.snapshot)),
        ...(await proposalsFor(library, options.origin === null ? null : { ...options.origin, ...origin })),
      ],
      ...(offers === undefined ? {} : { offers }),
      ...(keepsBlocks === undefined ? {} : { keepsBlocks }),
      ...(holds === undefined ? {} : { holds }),
      ...(onLoaded === undefined ? {} : { onLoaded }),
      ...(onToolFailed === undefined ? {} : { onToolFailed }),
      ...(options.onWarning === undefined ? {} : { onWarning: options.onWarning }),
    });
  };
  /** For looking only: it gives no bodies. */
  let browsing: { readonly snapshot: Snapshot; readonly session: Promise<SkillSession> } | null = null;
  const browse = (): Promise<SkillSession> => {
    if (browsing?.snapshot !== store.snapshot)
      browsing = {
        snapshot: store.snapshot,
        session: openSession({ settings: { preload: [] }, holds: false }),
      };
    return browsing.session;
  };
  const session = async (wanted: SessionOptions = {}): Promise<AgentSession> => {
    open();
    checkSession('session', wanted);
    const snapshot = await heldSnapshot(store, wanted.offers);
    const { createAgentSession } = await import('./agent-session.ts');
    return createAgentSession({
      skills: await openSession({ ...wanted, snapshot }),
      snapshot,
      store,
      runs: mayRun && wanted.runs !== false ? runs : null,
    });
  };

  return {
    library,
    skills: store,
    runs,
    mayRun,
    openSession,
    get snapshot() {
      return store.snapshot;
    },
    session,
    async refresh() {
      open();
      return store.refresh();
    },
    async watch() {
      open();
      return store.watch();
    },
    async match(message, limits = {}) {
      open();
      checkMatch(message, limits);
      return (await browse()).match(message, limits);
    },
    async index(budget) {
      open();
      if (budget !== undefined) checkBudget('index', budget);
      return (
        await openSession({
          settings: { preload: [] },
          holds: false,
          ...(budget === undefined ? {} : { budget }),
        })
      ).index;
    },
    async tools(wanted) {
      return (await session(wanted)).tools;
    },
    async run(skill, input = null, wanted = {}) {
      open();
      checkRun(skill, wanted);
      const { limits, ...request } = wanted;
      return runs.start(
        store.snapshot,
        { skill, input, ...(limits === undefined ? {} : { limits }) },
        request,
      );
    },
    async resume(run, request = {}) {
      open();
      checkResume(run, request);
      return runs.resume(store.snapshot, run, request);
    },
    async withRuns(work) {
      open();
      checkArgument('withRuns', 'the work', work, callable, 'write withRuns(async ({ runner }) => …)');
      return runs.use(store.snapshot, work);
    },
    async close() {
      closed = true;
      await runs.close();
      await store.close();
    },
  };
}

/** The skills for a new conversation. Where a file is no longer as it was found, the disk is looked at again first. */
async function heldSnapshot(store: SkillStore, offers: SessionOptions['offers']): Promise<Snapshot> {
  const { snapshot } = store;
  const { openedFiles } = await import('../prompt/skill-session.ts');
  const skills = offers === undefined ? snapshot.skills : snapshot.skills.filter(offers);
  const stale = await snapshot.hold(skills, { maxFiles: openedFiles });
  return stale.length === 0 ? snapshot : store.refresh();
}

/** Loads the graph only where there are notes to ask about. */
async function notesFor(library: SkillLibrary, snapshot: () => Snapshot): Promise<readonly Tool[]> {
  const { config, workspace } = library.loaded;
  const isVault = workspace !== null && library.files.stat(join(workspace, '.obsidian')) !== null;
  if (config.graph.vault === null && !isVault) return [];
  return (await import('./open-notes.ts')).noteTools(library, snapshot);
}

/** At the start of a conversation with a person or a client, where the configuration switched it on. What fails is only told. */
async function enableProposals(
  library: SkillLibrary,
  { origin, onEvent, onWarning }: OpenTechneOptions,
): Promise<void> {
  const { homeFolder } = library.environment;
  const isSession = origin?.surface === 'chat' || origin?.surface === 'mcp';
  if (!isSession || homeFolder === null || !library.loaded.config.proposals.autoEnable.enabled) return;
  const [{ autoEnable }, { Proposals }] = await Promise.all([
    import('./proposals/auto-enable.ts'),
    import('./proposals/proposals.ts'),
  ]);
  try {
    await autoEnable(new Proposals({ library, homeFolder, ...(onEvent === undefined ? {} : { onEvent }) }));
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    onWarning?.(`proposals were not judged: ${error.message}`);
  }
}

/** Loaded with the first conversation that may propose anything. */
async function proposalsFor(
  library: SkillLibrary,
  origin: ConversationOrigin | null,
): Promise<readonly Tool[]> {
  const { homeFolder } = library.environment;
  if (!library.loaded.config.proposals.enabled || homeFolder === null || origin === null) return [];
  return (await import('./proposals/open-proposal-tools.ts')).proposalTools(library, homeFolder, origin);
}

/** One opener for all snapshots: after a reload the matcher differs by the skills that do. */
function ownMatcher(
  { environment, wordsFile }: SkillLibrary,
  onNotice: TechneOptions['onWarning'] = () => undefined,
): OpenMatcher {
  let opener: Promise<OpenMatcher> | null = null;
  const open = async (snapshot: Snapshot): Promise<Matcher | null> => {
    opener ??= import('./open-matcher.ts').then(({ createMatcherOpener }) =>
      createMatcherOpener({ environment, onNotice, wordsFile: wordsFile('offered') }),
    );
    return (await opener)(snapshot);
  };
  return Object.assign(open, { close: async () => (await opener)?.close?.() });
}

function runsOptions(options: OpenTechneOptions, library: SkillLibrary): OpenRunsOptions {
  const {
    answerer = null,
    record = null,
    terminal,
    questionTtlMs,
    inheritedKeys,
    commands,
    tools,
    filters,
    store,
    durable,
  } = options;
  const { cwd, defaults, onEvent, homeFolder, variables } = options;
  return {
    library,
    ...(cwd === undefined ? {} : { cwd: library.loaded.workspace ?? cwd }),
    answerer: typeof answerer === 'function' ? createFunctionAnswerer(answerer) : answerer,
    record,
    ...(terminal === undefined ? {} : { terminal }),
    ...(questionTtlMs === undefined ? {} : { questionTtlMs }),
    ...(inheritedKeys === undefined ? {} : { inheritedKeys }),
    ...(commands === undefined ? {} : { commands }),
    ...(tools === undefined ? {} : { tools }),
    ...(filters === undefined ? {} : { filters }),
    ...(store === undefined ? {} : { store }),
    ...(durable === undefined ? {} : { durable }),
    ...(defaults === undefined ? {} : { defaults }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(homeFolder === undefined ? {} : { homeFolder }),
    ...(variables === undefined ? {} : { variables }),
  };
}
