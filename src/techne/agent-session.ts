// One conversation of an embedding agent: its prompt, its tools, and what each turn adds.
//
//   SkillSession + runs -> prompt · tools · enrich
//
// A session sees one snapshot until `moveOn`, and runs the skills of that snapshot. The prompt stays the same text
// until then, so that it can be cached.
import type { Json, JsonObject } from '../base/json.ts';
import type { MatchResult } from '../match/match.ts';
import { skillGuidelines } from '../prompt/guidelines.ts';
import type { Enrichment, ListedSkill, SkillProvider, Turn } from '../prompt/skill-provider.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { createRunTools } from './agent-run-tools.ts';
import type { Tool, ToolResult, ToolUse } from '../ports/tool.ts';
import { callTool, failedResult, findTool, unknownTool } from '../ports/tool.ts';
import { checkArgument, text } from './check-call.ts';
import type { Runs } from './runs.ts';
import { OwnRuns } from './own-runs.ts';
import type { SkillStore } from './skill-store.ts';
import { checkMatch, checkTurn } from './techne-options.ts';

/** One conversation: a `SkillProvider` with the prompt and the tools that go with it. */
export interface AgentSession extends SkillProvider {
  /** Everything else there is to a conversation: slash commands, what is loaded, compaction. */
  readonly skills: SkillSession;
  /** For the system prompt: how to use skills, the index, and preloaded bodies. '' when the model sees no skill. */
  readonly prompt: string;
  readonly tools: readonly Tool[];
  /** Calls a tool by name, as a model asks for it. */
  call(tool: string, args: Json, use?: ToolUse): Promise<ToolResult>;
  /** Between turns: moves to the newest skills. Returns whether they changed, so that `prompt` and `tools` may have changed. */
  moveOn(): Promise<boolean>;
  /** For a sub-agent: the same skills until its end, and a ledger of its own. */
  fork(): Promise<AgentSession>;
}

interface AgentSessionParts {
  readonly skills: SkillSession;
  readonly snapshot: Snapshot;
  readonly store: SkillStore;
  /** `null` where nothing is executed. */
  readonly runs: Runs | null;
}

export function createAgentSession(parts: AgentSessionParts): AgentSession {
  return new LibrarySession(parts, false);
}

class LibrarySession implements AgentSession {
  readonly skills: SkillSession;
  readonly #store: SkillStore;
  readonly #runs: Runs | null;
  readonly #isFork: boolean;
  readonly #own = new OwnRuns();
  #snapshot: Snapshot;
  #tools: readonly Tool[];

  constructor({ skills, snapshot, store, runs }: AgentSessionParts, isFork: boolean) {
    this.skills = skills;
    this.#snapshot = snapshot;
    this.#store = store;
    this.#runs = runs;
    this.#isFork = isFork;
    this.#tools = this.#makeTools();
  }

  get prompt(): string {
    const { prefix } = this.skills;
    const runs = this.#tools.some(({ name }) => name === 'run_metaskill');
    return prefix === '' ? '' : `${skillGuidelines({ runs, listed: true })}\n\n${prefix}`;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  list(): readonly ListedSkill[] {
    return this.skills.list();
  }

  async match(message: string, options: { readonly limit?: number } = {}): Promise<MatchResult> {
    checkMatch(message, options);
    return this.skills.match(message, options);
  }

  async enrich(turn: Turn): Promise<Enrichment> {
    checkTurn(turn);
    return this.skills.enrich(turn);
  }

  async call(name: string, args: Json, use: ToolUse = {}): Promise<ToolResult> {
    checkArgument('call', 'the tool', name, text, 'write call("skill_load", { name: "its-name" })');
    const tool = findTool(this.#tools, name);
    return tool === undefined
      ? failedResult(unknownTool(name, this.#tools))
      : tool.call(args as JsonObject, use);
  }

  async moveOn(): Promise<boolean> {
    const { snapshot } = this.#store;
    if (this.#isFork || snapshot === this.#snapshot) return false;
    await this.skills.moveTo(snapshot, this.#store.matcher(snapshot));
    this.#snapshot = snapshot;
    this.#tools = this.#makeTools();
    return true;
  }

  async fork(): Promise<AgentSession> {
    return new LibrarySession(
      { skills: await this.skills.fork(), snapshot: this.#snapshot, store: this.#store, runs: this.#runs },
      true,
    );
  }

  #makeTools(): readonly Tool[] {
    const running =
      this.#runs === null
        ? []
        : createRunTools({ skills: this.skills, snapshot: this.#snapshot, runs: this.#runs, own: this.#own });
    return [...this.skills.tools, ...running].map(withoutFaults);
  }
}

/** For programs that call the tool directly: a fault is a failed result. */
function withoutFaults(tool: Tool): Tool {
  return { ...tool, call: (args, use) => callTool(tool, args, use).catch(failedResult) };
}
