// Everything the connections of one server share: skills, runs, and word of changes.
//
//   ServiceOptions -> McpService { createServer(connection) }
import { randomBytes } from 'node:crypto';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { OpenRuns } from '../host/open-runs.ts';
import { openRuns } from '../host/open-runs.ts';
import type { SkillLibrary } from '../host/open-skills.ts';
import type { SkillLoaded } from '../prompt/skill-loaded.ts';
import type { OnRunEvent } from '../run/events.ts';
import { Conversation } from './conversation.ts';
import type { AskedForm } from './elicit-form.ts';
import { createFormCodec } from './elicit-form.ts';
import { RunDesk } from './run-desk.ts';
import { RunsPool } from './runs-pool.ts';
import { createSkillResources } from './skill-resources.ts';
import type { OpenMatcher, SkillShelf } from './skill-shelf.ts';
import { openSkillShelf } from './skill-shelf.ts';
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
  /** After so long without a call a connection counts as a new conversation. Default: 30 min. */
  readonly conversationIdleMs?: number;
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
  readonly shelf: SkillShelf;
  readonly desk: RunDesk;
  readonly resources: SkillsExtension;
  readonly formCodec: RequestStateCodec<AskedForm>;
  /** Whether anything is executed here at all. */
  readonly runs: boolean;
  readonly relaysForms: boolean;
  readonly onBug: OnBug;
  createConversation(): Conversation;
  /** Must not throw. Returns how to stop listening. */
  onListChanged(listener: (changes: ListChanges) => void): () => void;
  close(): Promise<void>;
}

export async function openService(options: ServiceOptions): Promise<McpService> {
  const { library, onWarning, onBug, onEvent = () => {}, relaysForms = true } = options;
  const { config, broken, workspace } = library.loaded;
  const cwd = workspace ?? options.cwd;
  const runs = config.metaskills.enabled && config.execution.policy !== 'off' && broken === null;
  const shelf = await openSkillShelf({ library, openMatcher: options.openMatcher, watch: options.watch ?? true, onWarning });
  const open = (listener: OnRunEvent): Promise<OpenRuns> =>
    openRuns({
      library,
      cwd,
      homeFolder: options.homeFolder,
      variables: options.variables,
      answerer: options.answerer,
      onEvent: (event) => {
        listener(event);
        onEvent(event);
      },
    });
  const pool = new RunsPool(open);
  const desk = new RunDesk({ pool, workspace: cwd, waitMs: options.waitMs ?? 50_000, maxRuns: options.maxRuns ?? 16 });
  const createConversation = (): Conversation =>
    new Conversation({ shelf, settings: config.prompt, runs, idleMs: options.conversationIdleMs ?? 30 * 60_000, nowMs: () => performance.now(), onLoaded: onEvent });
  const listing = createConversation();
  const resources = createSkillResources({ shelf, names: () => listing.use((session) => session.list().map(({ name }) => name)), onWarning, onBug });

  const listeners = new Set<(changes: ListChanges) => void>();
  const listed = (): Promise<Listed> => listing.use((session) => ({ tools: JSON.stringify(session.runnable()), prompts: JSON.stringify(session.commands()), resources: JSON.stringify(session.list().map(({ name, description }) => [name, description])) }));
  let before = await listed();
  let telling = Promise.resolve();
  const tell = async (): Promise<void> => {
    const now = await listed();
    const changes = { tools: now.tools !== before.tools, prompts: now.prompts !== before.prompts, resources: now.resources !== before.resources };
    before = now;
    if (changes.tools || changes.prompts || changes.resources) for (const listener of listeners) listener(changes);
  };
  shelf.onChange(() => {
    pool.renew();
    telling = telling.then(tell).catch(onBug);
  });

  return {
    shelf, desk, resources, runs, relaysForms, onBug, createConversation,
    formCodec: createFormCodec(randomBytes(32)),
    onListChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await desk.close();
      await shelf.close();
      await telling;
      await pool.close();
    },
  };
}

interface Listed {
  readonly tools: string;
  readonly prompts: string;
  readonly resources: string;
}
