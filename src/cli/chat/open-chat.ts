// Everything a conversation needs of this machine, put together: model, skills, tools, runs, and the file it is kept in.
//
// O1. One snapshot for what the model is told and for what is run.
// O2. A conversation goes on in the workspace it was begun in.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { Chat, defaultChatLimits } from '../../chat/chat.ts';
import type { ChatLimits } from '../../chat/chat.ts';
import type { ChatTool } from '../../chat/chat-tool.ts';
import type { OnChatEvent } from '../../chat/events.ts';
import { hostTools } from '../../chat/host-tools.ts';
import type { AskApproval } from '../../chat/permit.ts';
import { skillTools } from '../../chat/skill-tools.ts';
import { systemPrompt } from '../../chat/system-prompt.ts';
import type { OpenLog } from '../../host/chat/chat-files.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import type { OpenRuns } from '../../host/open-runs.ts';
import { openRuns } from '../../host/open-runs.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { ChatModel } from '../../host/ports/model.ts';
import type { SkillLoaded } from '../../prompt/skill-loaded.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import { isAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { openMatcher } from '../open-matcher.ts';
import { scriptedWorldOf } from '../run/answerer-spec.ts';
import { askChatApproval } from './ask-approval.ts';
import type { ChatRuns } from './run-here.ts';
import { createChatRuns } from './run-here.ts';
import type { ShowChat } from './show-chat.ts';

export interface OpenChat {
  readonly chat: Chat;
  readonly skills: SkillSession;
  readonly runs: OpenRuns;
  readonly chatRuns: ChatRuns;
  readonly tools: readonly ChatTool[];
  close(): Promise<void>;
}

export interface OpenChatOptions {
  readonly context: CommandContext;
  readonly library: SkillLibrary;
  readonly id: string;
  readonly model: ChatModel;
  readonly log: OpenLog;
  readonly limits: Partial<ChatLimits>;
  readonly show: ShowChat;
  readonly onEvent: OnChatEvent;
}

export async function openChat({ context, library, id, model, log, limits: given, show, onEvent }: OpenChatOptions): Promise<OpenChat> {
  const { io } = context;
  const { config, broken } = library.loaded;
  const scripted = await scriptedWorldOf(model.name, library.files, null);
  const here: { runs: OpenRuns | null; chat: Chat | null } = { runs: null, chat: null };
  const chatRuns = createChatRuns({ context, runs: () => here.runs as OpenRuns, inputs: scripted.inputs, answerer: model.name });
  const runs = await openRuns({
    library, homeFolder: io.homeFolder, variables: io.env, answerer: model.name, terminal: isAtTerminal(io), onEvent: chatRuns.onEvent,
    ...(scripted.commands === null ? {} : { commands: scripted.commands }),
    ...(scripted.tools === null ? {} : { tools: scripted.tools }),
  });
  here.runs = runs;
  try {
    const { snapshot, workspace } = runs;
    const mayRun = config.metaskills.enabled && config.execution.policy !== 'off' && broken === null;
    const skills = await createSkillSession({
      snapshot, decodeUtf8: nodeDecodeUtf8, matcher: await openMatcher(snapshot), budget: { tokens: config.index.budgetTokens }, settings: config.prompt, runs: mayRun,
      onLoaded: (event: SkillLoaded) => here.chat?.onLoaded(event),
      onWarning: (message) => show.warn(message),
    });
    const ask: AskApproval | null = isAtTerminal(io)
      ? async (question, signal) => {
          show.endText();
          const said = await askChatApproval(context, question, signal);
          show.wait('running');
          return said;
        }
      : null;
    const declarations = async () => Promise.all(skills.toolWishes().map(async ({ skill, allowedTools, disallowedTools }) => ({ allowedTools, disallowedTools, trusted: snapshot.has(skill) && (await library.isTrusted(snapshot, snapshot.get(skill))) })));
    const ofHost = await hostTools({ chat: id, commands: runs.commands, tools: runs.tools, limits: defaultLimits, resolvePath: (path) => inWorkspace(workspace, path), onOutput: () => undefined, declarations, ask }, (message) => show.warn(message));
    const ofSkills = skillTools(skills, mayRun ? chatRuns : null);
    const tools = [...ofSkills, ...ofHost.filter(({ name }) => !ofSkills.some((own) => own.name === name))];
    const system = systemPrompt({ workspace, runs: mayRun, skills: skills.prefix });
    const chat = new Chat({ model, skills, tools: () => tools, system: () => system, log, entries: log.entries, nowMs: () => Date.now(), limits: { ...defaultChatLimits, ...given }, onEvent });
    await skills.restore(chat.history.given);
    here.chat = chat;
    return { chat, skills, runs, chatRuns, tools, close: () => runs.close() };
  } catch (error) {
    await runs.close();
    throw error;
  }
}

/** Throws USAGE when another workspace is meant than the conversation was begun in (O2). */
export function requireWorkspace(id: string, begun: string, here: string): void {
  if (begun === here) return;
  throw new TechneError('USAGE', `the conversation ${id} was begun in "${printableLine(begun)}", and this is "${printableLine(here)}"`, { hint: `go there, or add --workspace ${JSON.stringify(begun)}` });
}

/** Relative to the workspace, links resolved; `null` when it lies outside. A file that is not there yet counts where it would be. */
function inWorkspace(workspace: string, path: string): string | null {
  const root = realOf(workspace);
  const real = realOf(resolve(workspace, path));
  if (root === null || real === null) return null;
  const inside = relative(root, real);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : inside.split(sep).join('/');
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there: then it is where its folder is.
    const parent = dirname(path);
    if (parent === path) return null;
    const real = realOf(parent);
    return real === null ? null : join(real, basename(path));
  }
}
