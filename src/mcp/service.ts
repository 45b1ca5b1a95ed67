// Everything the connections of one server share: skills, runs, and word of changes.
//
//   ServiceOptions -> McpService { createServer(connection) }
import { randomBytes } from 'node:crypto';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { LoadedConfig } from '../node/load-config.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import type { OpenMatcher, SkillStore } from '../techne/skill-store.ts';
import { openTechne } from '../techne/create-techne.ts';
import type { SkillLoaded } from '../prompt/skill-loaded.ts';
import type { OnRunEvent } from '../run/events.ts';
import { Conversation } from './conversation.ts';
import type { Asked } from './elicit-form.ts';
import { createAskedCodec } from './elicit-form.ts';
import { RunSessions } from './run-sessions.ts';
import type { ServedResources } from './skill-resources.ts';
import { createSkillResources } from './skill-resources.ts';
import type { OnBug } from './translate-error.ts';

export interface ServiceOptions {
  readonly library: SkillLibrary;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Where runs work when there is no workspace. */
  readonly cwd: string;
  readonly openMatcher: OpenMatcher;
  /** As `openRuns` has it: null is a model if there is one, else the caller. */
  readonly answerer: string | null;
  /** Whether a caller whose client cannot ask its user may pass on what the user says to a form. Default: true. */
  readonly relaysForms?: boolean;
  /** How long a call waits for its run. Default: 50 s. */
  readonly waitMs?: number;
  /** Runs under way at once. Default: 16. */
  readonly maxRuns?: number;
  /** For how long what a connection loaded counts as loaded. Default: 30 min. */
  readonly conversationWindowMs?: number;
  /** Whether the disk is watched. Default: true. */
  readonly watch?: boolean;
  /** For whoever operates the server. Must not throw. */
  readonly onWarning: (message: string) => void;
  readonly onBug: OnBug;
  readonly onEvent?: (event: SkillLoaded | Parameters<OnRunEvent>[0]) => void;
}

/** What changed for clients. */
export interface ListChanges {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
}

export interface McpService {
  readonly skills: SkillStore;
  readonly sessions: RunSessions;
  readonly resources: ServedResources;
  readonly askedCodec: RequestStateCodec<Asked>;
  /** Whether anything is executed here at all. */
  readonly runs: boolean;
  readonly relaysForms: boolean;
  readonly onBug: OnBug;
  createConversation(): Conversation;
  /** Opens what runs need, so that who cannot answer is told of before anybody asks. Throws as `openRuns` does. */
  openRuns(): Promise<void>;
  /** Must not throw. Returns how to stop listening. */
  onListChanged(listener: (changes: ListChanges) => void): () => void;
  close(): Promise<void>;
}

export async function openService(options: ServiceOptions): Promise<McpService> {
  const { library, onWarning, onBug, onEvent = () => {}, relaysForms = true } = options;
  const { config, workspace } = library.loaded;
  const techne = await openTechne({
    library,
    cwd: options.cwd,
    homeFolder: options.homeFolder,
    variables: options.variables,
    answerer: options.answerer,
    openMatcher: options.openMatcher,
    watched: options.watch ?? true,
    onEvent,
    onWarning,
  });
  const { skills, mayRun: runs } = techne;
  const sessions = new RunSessions({
    techne,
    workspace: workspace ?? options.cwd,
    waitMs: options.waitMs ?? 50_000,
    maxRuns: options.maxRuns ?? 16,
  });
  const settings = { ...config.prompt, ...unlimited(library.loaded), preload: [] };
  const createConversation = (): Conversation =>
    new Conversation({
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
  skills.onChange(() => {
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
    onBug,
    createConversation,
    openRuns: () => techne.withRuns(async () => {}),
    askedCodec: createAskedCodec(randomBytes(32)),
    onListChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await sessions.close();
      await preparing;
      await telling;
      await techne.close();
    },
  };
}

/**
 * One connection may serve many conversations, and only a conversation can have too much in it: what a model loads is
 * limited over MCP where somebody has said how much.
 */
function unlimited({ origins }: LoadedConfig): {
  readonly activations?: number;
  readonly capTokens?: number;
} {
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
