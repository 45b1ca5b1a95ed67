// Everything that the connections of one server share: skills, runs and change notifications.
//
//   ServiceOptions -> McpService { createServer(connection) }
import { randomBytes } from 'node:crypto';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { LoadedConfig } from '../node/load-config.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import type { OpenMatcher, SkillStore } from '../techne/skill-store.ts';
import { openTechne } from '../techne/create-techne.ts';
import { createUseLog } from '../techne/history/use-log.ts';
import type { SkillEvent } from '../prompt/skill-loaded.ts';
import type { OnRunEvent } from '../run/events.ts';
import { pauseUnits } from '../run/result/failed-or-paused-text.ts';
import { Conversation } from './conversation.ts';
import type { ElicitedQuestion } from './elicit-form.ts';
import { createAskedCodec } from './elicit-form.ts';
import { RunSessions } from './run-sessions.ts';
import type { ServedResources } from './skill-resources.ts';
import { createSkillResources } from './skill-resources.ts';
import type { OnBug } from './translate-error.ts';

export interface ServiceOptions {
  readonly library: SkillLibrary;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** The folder of runs without a workspace. */
  readonly cwd: string;
  readonly openMatcher: OpenMatcher;
  /** As in `openRuns`: null is a model if the configuration names one, else the caller. The key of the host is not enough. */
  readonly answerer: string | null;
  /** Where runs are kept. Default: as configured. */
  readonly store?: string;
  /** Whether a caller whose client cannot ask its user may relay the user's answers to forms. Default: true. */
  readonly relaysForms?: boolean;
  /** Whether clients may ask their users for the answers to forms and for decisions. Default: true. */
  readonly asksPeople?: boolean;
  /** How long a call waits for its run. Default: 50 s. */
  readonly waitMs?: number;
  /** The most concurrent runs. Default: 16. */
  readonly maxRuns?: number;
  /** The characters of open questions that a result shows. Default: as many as the hosts that show most of a result. */
  readonly pageUnits?: number;
  /** How long a question waits for its answer. Default: `mcp.questionDays` of the configuration. */
  readonly questionTtlMs?: number;
  /** Whether a connection serves one conversation, so that the limits of a session hold for it. Default: true. */
  readonly oneConversation?: boolean;
  /** How long a loaded skill counts as loaded. Default: 30 min. */
  readonly conversationWindowMs?: number;
  /** Whether the disk is watched. Default: true. */
  readonly watch?: boolean;
  /** Warnings for the operator of the server. Must not throw. */
  readonly onWarning: (message: string) => void;
  readonly onBug: OnBug;
  readonly onEvent?: (event: SkillEvent | Parameters<OnRunEvent>[0]) => void;
}

/** What changed. */
export interface ListChanges {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
}

export interface McpService {
  readonly skills: SkillStore;
  readonly sessions: RunSessions;
  readonly resources: ServedResources;
  readonly askedCodec: RequestStateCodec<ElicitedQuestion>;
  /** Whether skills can be executed. */
  readonly runs: boolean;
  readonly relaysForms: boolean;
  readonly asksPeople: boolean;
  readonly pageUnits: number;
  readonly onBug: OnBug;
  /** `id`: where the connection is one conversation and has a name of its own. */
  createConversation(id?: string): Conversation;
  /** Opens the runs, so that an unusable answerer is reported at the start. Throws as `openRuns` does. */
  openRuns(): Promise<void>;
  /** Must not throw. Returns a function that stops listening. */
  onListChanged(listener: (changes: ListChanges) => void): () => void;
  /** Begins nothing more in runs; resolves when the effects under way have ended, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function openService(options: ServiceOptions): Promise<McpService> {
  const { library, onWarning, onBug, onEvent = () => {}, relaysForms = true, asksPeople = true } = options;
  const { config, workspace } = library.loaded;
  const recordUse = createUseLog(options.homeFolder, onWarning);
  const techne = await openTechne({
    origin: { surface: 'mcp' },
    library,
    cwd: options.cwd,
    homeFolder: options.homeFolder,
    variables: options.variables,
    answerer: options.answerer,
    inheritedKeys: false,
    questionTtlMs: options.questionTtlMs ?? config.mcp.questionDays * dayMs,
    openMatcher: options.openMatcher,
    watched: options.watch ?? true,
    onEvent: (event) => {
      if (event.type === 'skill.loaded' && !('run' in event)) recordUse(event);
      onEvent(event);
    },
    onWarning,
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  const { skills, mayRun: runs } = techne;
  const sessions = new RunSessions({
    techne,
    workspace: workspace ?? options.cwd,
    waitMs: options.waitMs ?? 50_000,
    maxRuns: options.maxRuns ?? 16,
  });
  const settings = {
    ...config.prompt,
    ...unlimited(library.loaded, options.oneConversation ?? true),
    preload: [],
  };
  const createConversation = (id?: string): Conversation =>
    new Conversation({
      ...(id === undefined ? {} : { id }),
      skills,
      openSession: () => techne.openSession({ settings }),
      runs,
      windowMs: options.conversationWindowMs ?? 30 * 60_000,
      nowMs: () => performance.now(),
    });
  const listing = createConversation();
  const resources = createSkillResources({
    served: () =>
      listing.use((session) => ({
        snapshot: session.snapshot,
        skills: new Map(
          session
            .list()
            .map(({ name, description }) => [name, { description, isUntrusted: session.isUntrusted(name) }]),
        ),
      })),
    onWarning,
    onBug,
  });

  const listeners = new Set<(changes: ListChanges) => void>();
  const listed = (): Promise<Listed> =>
    listing.use((session) => ({
      tools: JSON.stringify(session.runnable()),
      prompts: JSON.stringify(session.commands()),
      resources: JSON.stringify(session.list().map(({ name, description }) => [name, description])),
    }));
  let before = await listed();
  let telling = Promise.resolve();
  const tell = async (): Promise<void> => {
    const now = await listed();
    const changes = {
      tools: now.tools !== before.tools,
      prompts: now.prompts !== before.prompts,
      resources: now.resources !== before.resources,
    };
    before = now;
    if (changes.tools || changes.prompts || changes.resources)
      for (const listener of listeners) listener(changes);
  };
  const prepare = (): Promise<void> =>
    skills.prepare().catch((error: unknown) => onWarning(`the skills cannot be indexed: ${String(error)}`));
  let preparing = prepare();
  const stopFollowing = skills.onChange(() => {
    preparing = preparing.then(prepare);
    telling = telling
      .then(() => techne.runs.renew())
      .then(tell)
      .catch(onBug);
  });

  return {
    skills,
    sessions,
    resources,
    runs,
    relaysForms,
    asksPeople,
    pageUnits: options.pageUnits ?? pauseUnits,
    onBug,
    createConversation,
    openRuns: () => techne.withRuns(async () => {}),
    askedCodec: createAskedCodec(randomBytes(32)),
    onListChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: (graceMs) => techne.runs.drain(graceMs),
    async close() {
      listeners.clear();
      stopFollowing();
      await sessions.close();
      await preparing;
      await telling;
      await techne.close();
    },
  };
}

const dayMs = 86_400_000;

/** The limits are per conversation. A connection that can serve many has them only if they are configured. */
function unlimited(
  { origins, config: { mcp } }: LoadedConfig,
  oneConversation: boolean,
): {
  readonly activations?: number;
  readonly capTokens?: number;
} {
  if (mcp.activationLimits === 'always') return {};
  if (mcp.activationLimits === 'never') return { activations: Infinity, capTokens: Infinity };
  if (oneConversation) return {};
  const isSet = (key: string): boolean => (origins.get(key)?.layer ?? 'default') !== 'default';
  return {
    ...(isSet('prompt.activations') ? {} : { activations: Infinity }),
    ...(isSet('prompt.capTokens') ? {} : { capTokens: Infinity }),
  };
}

interface Listed {
  readonly tools: string;
  readonly prompts: string;
  readonly resources: string;
}
