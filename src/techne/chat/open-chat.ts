// Opens a conversation over the façade: model, skills, tools, runs and log. What people see and are asked is the surface's.
//
// The prompt and the runs use the same snapshot. When skills change, both move to the new snapshot between turns: what runs may do
// and which tools exist depends on where skills are, so runs are opened again then. A conversation continues in the workspace in
// which it began.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { Chat, defaultChatLimits } from '../../chat/chat.ts';
import type { ChatLimits, ChatOptions } from '../../chat/chat.ts';
import type { Tool } from '../../ports/tool.ts';
import type { OnChatEvent } from '../../chat/events.ts';
import { hostTools } from '../../chat/host-tools.ts';
import type { AskApproval, GivenApproval, Permits } from '../../chat/permit.ts';
import { chatSkillTools } from '../../chat/chat-skill-tools.ts';
import { systemPrompt } from '../../chat/system-prompt.ts';
import type { OpenLog } from '../../node/chat/chat-files.ts';
import { openChatModel } from '../../answerers/open-chat-model.ts';
import type { OpenTechne } from '../create-techne.ts';
import type { OpenRuns } from '../open-runs.ts';
import type { HeldRuns } from '../runs.ts';
import type { ChatModel } from '../../ports/model.ts';
import { denialOf } from '../../tools/tool-policy.ts';
import type { SkillEvent, SkillLoaded } from '../../prompt/skill-loaded.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import type { RunResult } from '../../run/result/result.ts';
import { estimateTokens } from '../../skill/code-points.ts';
import { SkillFollower, describeNews } from './follow-skills.ts';
import type { SkillTrace } from './open-trace.ts';
import { createKnownTexts, nameDoubted, openTrace, realOf, skillsOfRun } from './open-trace.ts';
import type { ChatRuns, WatchRun } from './run-here.ts';
import { createChatRuns } from './run-here.ts';

export interface OpenChat {
  readonly chat: Chat;
  readonly skills: SkillSession;
  readonly runs: OpenRuns;
  readonly chatRuns: ChatRuns;
  readonly tools: readonly Tool[];
  /** The skills whose text may be in the result of a run: its own, and those whose files it may pass on. */
  readonly skillsOf: (result: RunResult) => Promise<readonly string[]>;
  /** For a sub-agent: the current skills, which then stay fixed, with tools and a prompt of its own. */
  fork(): Promise<ForkedChat>;
  /** The model that a called skill names; the model of the conversation, with a warning, if that one is not configured. */
  modelFor(skill: string, wanted: string | null): Promise<ChatModel>;
  /** Between turns: loads the skills that changed on disk, and reports the changes. */
  refreshSkills(): Promise<void>;
  close(): Promise<void>;
}

interface ForkedChat {
  readonly parts: Pick<ChatOptions, 'skills' | 'isTrusted' | 'tools' | 'system' | 'limits' | 'onEvent'>;
  /** Connects the loaded skills to the conversation of the sub-agent. */
  readonly hear: (own: Chat) => void;
}

/** What a surface does for a conversation: it shows what happens, and asks the person. */
export interface ChatSurface {
  readonly onEvent: OnChatEvent;
  /** Output of a command as it comes. Must not throw. */
  readonly onOutput: (text: string) => void;
  readonly onWarning: (message: string) => void;
  /** Something that the person should know, in a line. */
  readonly onNote: (message: string) => void;
  /** Asks whether a call may be made, in this workspace; null: there is no person to ask. */
  readonly ask:
    | ((
        question: JsonObject,
        at: { readonly workspace: string; readonly call: string | null },
        signal: Abort,
      ) => Promise<GivenApproval | null>)
    | null;
  readonly watchRun: WatchRun;
  /** Gets every body that is given to a model or refused, including a sub-agent's. Default: none. */
  readonly onSkillEvent?: (event: SkillEvent) => void;
}

export interface OpenChatOptions {
  /** Opened for conversations; it stays open. */
  readonly techne: OpenTechne;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly id: string;
  readonly model: ChatModel;
  readonly log: Pick<OpenLog, 'entries' | 'append'>;
  readonly limits: Partial<ChatLimits>;
  readonly surface: ChatSurface;
  /** Whether skills that change on disk are loaded between turns. */
  readonly follows: boolean;
}

/** What depends on the snapshot. */
interface ForSnapshot {
  readonly runs: OpenRuns;
  readonly tools: readonly Tool[];
  readonly system: string;
  readonly trace: SkillTrace;
}

/** Throws ENVIRONMENT, CONTENT_REFUSED, and faults of files. */
export async function openChat({
  techne,
  variables,
  id,
  model,
  log,
  limits: given,
  surface,
  follows,
}: OpenChatOptions): Promise<OpenChat> {
  const { library } = techne;
  const { config } = library.loaded;
  const { onEvent, onWarning: warn, onSkillEvent = () => undefined } = surface;
  const { skills: store, mayRun } = techne;
  const here: { held: HeldRuns | null; chat: Chat | null; now: ForSnapshot | null; snapshot: Snapshot } = {
    held: null,
    chat: null,
    now: null,
    snapshot: store.snapshot,
  };
  // Before anything is opened over the snapshot: what changes meanwhile is reported with the first message.
  const follower = follows ? new SkillFollower(await store.watch()) : null;
  const now = (): ForSnapshot => here.now as ForSnapshot;
  const heldRuns = (): OpenRuns => (here.held as HeldRuns).runs;
  const chatRuns = createChatRuns({
    watch: surface.watchRun,
    prepare: () => now().trace.prepare(),
    runs: techne.runs,
    open: heldRuns,
  });
  const askPerson = surface.ask;
  const ask: AskApproval | null =
    askPerson === null
      ? null
      : async (question, signal, call) => {
          const answer = await askPerson(question, { workspace: heldRuns().workspace, call }, signal);
          if (answer !== null) await here.chat?.approvalAnswered(call, question, answer);
          return answer;
        };
  const isTrusted = async (name: string): Promise<boolean> =>
    here.snapshot.has(name) && library.isTrusted(here.snapshot, here.snapshot.get(name));
  const known = createKnownTexts();
  const begunMs = log.entries[0]?.at ?? Date.now();
  const traceOver = ({ snapshot, workspace }: OpenRuns): Promise<SkillTrace> =>
    openTrace({ library, snapshot, workspace, known, begunMs });
  /** `skills` is a session over the snapshot of `runs`. */
  const prepareFor = async (
    skills: SkillSession,
    runs: OpenRuns,
    trace: SkillTrace,
  ): Promise<ForSnapshot> => {
    const { snapshot, workspace } = runs;
    // A preloaded skill may deny tools but grants none: a grant holds only while a skill is in use.
    const preloaded = () =>
      skills.ledger
        .state()
        .preloaded.filter((name) => snapshot.has(name))
        .map((skill) => ({
          skill,
          allowedTools: null,
          disallowedTools: snapshot.get(skill).head.disallowedTools,
        }));
    const declarations = async () =>
      Promise.all(
        [...preloaded(), ...skills.toolWishes()].map(async ({ skill, allowedTools, disallowedTools }) => ({
          allowedTools,
          disallowedTools,
          trusted: await isTrusted(skill),
        })),
      );
    const doubted = async (): Promise<readonly string[]> => {
      const names = here.chat?.history.doubted ?? [];
      // After a resume, the unreadable texts are not known yet.
      if (names.length > 0) await trace.prepare();
      return names.map((name) => nameDoubted(known, name));
    };
    const permits: Permits = { declarations, doubted, ask };
    const ofHost = await hostTools(
      {
        chat: id,
        commands: runs.commands,
        tools: runs.tools,
        limits: defaultLimits,
        resolvePath: (path) => inWorkspace(workspace, path),
        isWorkspace: (path) => realOf(resolve(workspace, path)) === realOf(workspace),
        prepare: trace.prepare,
        trace: trace.find,
        onOutput: surface.onOutput,
        ...permits,
      },
      warn,
    );
    const ofSkills = chatSkillTools(
      skills,
      mayRun
        ? {
            runs: chatRuns,
            permits,
            denial: denialOf({ name: 'run_metaskill' }, config),
            skillsOf: (result) => skillsOfRun(runs.runner, result, trace.find),
          }
        : null,
    );
    return {
      runs,
      trace,
      tools: [...ofSkills, ...ofHost.filter(({ name }) => !ofSkills.some((own) => own.name === name))],
      system: systemPrompt({ workspace, runs: mayRun, skills: skills.prefix }),
    };
  };
  const close = async (): Promise<void> => {
    follower?.close();
    await here.held?.release();
  };
  try {
    const { snapshot } = here;
    here.held = await techne.runs.hold(snapshot);
    const skills = await techne.openSession({
      snapshot,
      origin: { surface: 'chat', conversation: id, model: model.name },
      onLoaded: (event) => {
        here.chat?.onLoaded(event);
        onSkillEvent(event);
      },
    });
    here.now = await prepareFor(skills, heldRuns(), await traceOver(heldRuns()));
    const limits = { ...defaultChatLimits, ...given };
    const systemTokens = estimateTokens(now().system);
    if (systemTokens > limits.contextTokens / 2)
      warn(
        `the prompt takes about ${systemTokens} of ${limits.contextTokens} tokens before the first message: lower index.budgetTokens or prompt.preloadTokens, or raise --context`,
      );
    const chat = new Chat({
      model,
      skills,
      isTrusted,
      tools: () => now().tools,
      system: () => now().system,
      log,
      entries: log.entries,
      nowMs: () => Date.now(),
      limits,
      onEvent,
    });
    await skills.restore(chat.history.given);
    here.chat = chat;
    const refreshSkills = async (): Promise<void> => {
      if (follower === null) return;
      const news = await follower.look();
      if (news === null) return;
      const before = here.held;
      const after = await techne.runs.hold(news.snapshot).catch((error: unknown) => {
        follower.putBack(news);
        throw error;
      });
      here.snapshot = news.snapshot;
      try {
        await skills.moveTo(news.snapshot, store.matcher(news.snapshot));
        here.now = await prepareFor(skills, after.runs, await traceOver(after.runs));
        here.held = after;
      } finally {
        await (here.held === after ? before : after)?.release();
      }
      for (const { skill, reason } of news.kept) warn(`the skill "${skill}" stays as it was: ${reason}`);
      for (const { skill, reason } of news.faulty)
        warn(`the file of "${skill}" has problems: ${reason} (techne check ${skill})`);
      const line = describeNews(news);
      if (line !== null) surface.onNote(line);
    };
    return {
      chat,
      skills,
      chatRuns,
      close,
      get runs() {
        return now().runs;
      },
      get tools() {
        return now().tools;
      },
      skillsOf: (result) => skillsOfRun(now().runs.runner, result, now().trace.find),
      async fork() {
        // The body of the called skill is loaded before the conversation of the sub-agent exists.
        const early: SkillLoaded[] = [];
        let hears = (event: SkillLoaded): void => void early.push(event);
        const forked = await skills.fork({
          onLoaded: (event) => {
            hears(event);
            onSkillEvent(event);
          },
        });
        const { tools, system } = await prepareFor(forked, now().runs, now().trace);
        const hear = (own: Chat): void => {
          for (const event of early) own.onLoaded(event);
          hears = own.onLoaded;
        };
        return {
          parts: { skills: forked, isTrusted, tools: () => tools, system: () => system, limits, onEvent },
          hear,
        };
      },
      async modelFor(skill, wanted) {
        // A script answers for every model.
        if (
          wanted === null ||
          wanted === 'inherit' ||
          !model.name.startsWith('model:') ||
          model.name === `model:${wanted}`
        )
          return model;
        if (Object.hasOwn(config.models, wanted))
          return openChatModel({
            wanted: `model:${wanted}`,
            config,
            variables,
            files: library.files,
          });
        warn(
          `the skill "${skill}" asks for the model "${wanted}", which is not configured: ${model.name} answers`,
        );
        return model;
      },
      async refreshSkills() {
        try {
          await refreshSkills();
        } catch (error) {
          if (!(error instanceof TechneError)) throw error;
          warn(`the skills cannot be read again: ${error.message}`);
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws USAGE if the conversation began in another workspace. */
export function requireWorkspace(id: string, begun: string, here: string): void {
  if (begun === here) return;
  throw new TechneError(
    'USAGE',
    `the conversation ${id} began in "${printableLine(begun)}", but this is "${printableLine(here)}"`,
    { hint: `go there, or add --workspace ${JSON.stringify(begun)}` },
  );
}

/** Relative to the workspace, with links resolved; null if outside. The file need not exist yet. */
function inWorkspace(workspace: string, path: string): string | null {
  const root = realOf(workspace);
  const real = realOf(resolve(workspace, path));
  if (root === null || real === null) return null;
  const inside = relative(root, real);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : inside.split(sep).join('/');
}
