// The port for whoever answers an `ask`, `chat` or `classify`.
//
// Everything that an answerer does to the outside goes through `context.child`, `command` or `runSkill`, so that it is
// journaled, counted and not repeated: each model turn, tool call and command of a nested agent. After a crash it starts
// again and makes the same calls in the same order; each gives its recorded outcome, failures too. An answerer stops
// soon after `context.signal` aborts and leaves nothing running. Text from a model, a command or a file is data: it
// never activates a skill.
import type { Abort } from '../base/abort.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ScopedCall } from './tool.ts';

/** What a skill asks. */
export interface AskRequest {
  readonly kind: 'ask' | 'chat' | 'classify';
  readonly prompt: string;
  readonly purpose: string | null;
  readonly maxTurns: number;
  /** `classify`: one of these, or the step fails. */
  readonly choices: readonly string[] | null;
  /** JSON Schema of the answer; the engine validates and asks again. */
  readonly schema: Json;
  readonly model: string | null;
  /** Tools the nested agent is fenced to; null means the host's normal ones. */
  readonly tools: readonly string[] | null;
}

/** The outcome of an ask. */
export interface AskOutcome {
  readonly answer: string;
  readonly exhausted: boolean;
  readonly turns: number;
  readonly usage: Usage;
}

/** What an answer has cost. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In millionths of a dollar; 0 when unknown. */
  readonly costMicros: number;
}

/** An answerer that cannot answer now: the run pauses with a question for `audience`. Thrown by `answer`, not within a part. */
export class AnswerLater extends Error {
  readonly audience: 'caller' | 'person';
  constructor(audience: 'caller' | 'person') {
    super(`waits for the ${audience}`);
    this.name = 'AnswerLater';
    this.audience = audience;
  }
}

/** What an answerer may do, and how it reports it. */
export interface AskContext {
  readonly signal: Abort;
  readonly run: string;
  /** The run that all of it is part of. Default: `run`. */
  readonly outermost?: string;
  readonly key: string;
  /** 1 for the first ask of the run, in the order in which they were proposed; the same after a resume. */
  readonly ordinal: number;
  /** How often this ask was answered with something unusable: 0 at first. */
  readonly retry: number;
  /** Performs a part of the ask once: journaled, counted, and answered from the journal after a crash. */
  readonly child: (
    kind: 'turn' | 'tool',
    request: JsonObject,
    repeatable: boolean,
    perform: () => Promise<{ value: Json; usage?: Usage }>,
  ) => Promise<Json>;
  /**
   * A command of the nested agent: judged, journaled and carried out like one of the program. Gives the same dict (S0 §7),
   * with `denied` when the policy, the operator or the fence (the tool `command`) says no. Rejects while an operator is to
   * approve it: the ask waits, and is entered again after the answer.
   */
  readonly command: (call: NestedCommand) => Promise<JsonObject>;
  /**
   * Another skill as a run inside this one, within the depth limit, the tokens, the cost and the time of this run. Gives the
   * text of its result, or "error: …" when it is refused, also by the fence (the tool `run_metaskill`). Rejects while the
   * inner run waits: the ask waits with it.
   */
  readonly runSkill: (name: string, input: Json) => Promise<string>;
  /**
   * A tool of the host (ports/tool-host.ts), such as one of an MCP server: judged, journaled and called like one of a plan.
   * Gives {ok, text, value, truncated}; `ok: false` with the reason when it failed, was denied or the fence says no. Rejects
   * while an operator is to approve it: the ask waits, and is entered again after the answer.
   */
  readonly tool: (call: {
    readonly tool: string;
    readonly args: JsonObject;
    readonly timeoutMs?: number;
  }) => Promise<JsonObject>;
  /**
   * Why a tool of the nested agent would be refused whatever it is given, by the boundary of the skill or by its capabilities;
   * `null` when it would not. With a path: why this path would be. A tool that is refused is not offered to a model.
   */
  readonly refusal: (call: ScopedCall & { readonly readOnly: boolean }) => string | null;
  /** Whether the agent may run compositions; not inside of one. */
  readonly runsCompositions: boolean;
  /** Text as it streams in, for people to watch. */
  readonly onText: (text: string) => void;
  /** A body that the nested agent was given. Reported once: not again when its call is answered from the journal. */
  readonly onLoaded: (loaded: LoadedBody) => void;
}

/** `always`: preloaded. `on_demand`: the model or a person asked for it. `auto_suggested`: the host gave it with a message. */
export type LoadReason = 'always' | 'on_demand' | 'auto_suggested';

/** S2's two places: where a skill is used, and everywhere else. */
export type SkillPlace = 'global' | 'workspace';

/** A body of a skill that a model was given: names, sizes and hashes, never its text. */
export interface LoadedBody {
  readonly skill_id: string;
  /** The first 16 hex digits of the body's SHA-256. */
  readonly skill_version: string;
  readonly load_reason: LoadReason;
  readonly load_size_tokens: number;
  readonly source: SkillPlace;
  /** The call that asked for it; `null` when no call did. */
  readonly triggered_by_tool_use_id: string | null;
}

/** A command of a nested agent. */
export interface NestedCommand {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

/** Who answers: a model, a person, the caller, a script. */
export interface Answerer {
  /** How it is asked for, also by a process that resumes the run: `person`, `model:fast`, `script:/path/answers.yaml`. */
  readonly name: string;
  /** One line for `techne doctor`: what it would use. */
  readonly description: string;
  /** Whether nested tools are confined by us; a caller or an opaque agent is not. */
  readonly fenced: boolean;
  /**
   * Whether everything that it does is a part of the ask, with a start of its own. Then the start of the ask need not be durable
   * by itself. Default: no.
   */
  readonly inParts?: boolean;
  answer(request: AskRequest, context: AskContext): Promise<AskOutcome>;
  /** Whether it has a model of this name. Default: it takes names as hints. */
  hasModel?(name: string): boolean;
  /**
   * Whether it can be asked right away to read a text for the run (`purpose` says which), without waiting for a person or
   * the caller. What it cannot read is asked for in a form. Default: no.
   */
  readsFor?(purpose: string): boolean;
}
