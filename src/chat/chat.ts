// A conversation: messages of a person -> turns of a model, calls of tools, answers.
//
//   message -> skills for this turn -> turn -> calls -> turn -> … -> the first turn without calls
//
// Entries are appended before acting: a message before it is answered, a call before it changes something. An abort
// stops the current work and keeps the history so far. A message has at most `maxTurns` turns, and before each one the
// history is compacted to its budget (compact.ts). A failure ends only this answer: the next message continues the
// conversation.
//
// Before the model gets text of an untrusted skill, that is recorded: the doubt stays with the conversation
// (permit.ts), also after a resume, a compaction, or a change of the skill.
import type { Abort } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import { TechneError } from '../base/error.ts';
import type { Usage } from '../ports/answerer.ts';
import type { ChatModel, TakenTurn, TurnCall } from '../ports/model.ts';
import { callsOf, turnText, TooLong } from '../ports/model.ts';
import type { RunSpent, Tool, ToolUse } from '../ports/tool.ts';
import { argumentsOf, callNamed } from '../ports/tool.ts';
import type { SkillLoaded } from '../prompt/skill-loaded.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { estimateTokens } from '../skill/code-points.ts';
import {
  compactionRequest,
  isCompactionDue,
  planCompaction,
  roomForHistory,
  tokensOfHistory,
} from './compact.ts';
import type { AnswerOutcome, ChatEntry, GivenBody, Spent } from './entry.ts';
import type { OnChatEvent } from './events.ts';
import type { GivenApproval } from './permit.ts';
import type { History } from './history.ts';
import { HistoryFold, addSpent } from './history.ts';
import { invokedText, messageText } from './message.ts';

export interface ChatLog {
  /** Durable when it resolves. */
  append(entry: ChatEntry): Promise<void>;
}

export interface ChatOptions {
  readonly model: ChatModel;
  readonly skills: SkillSession;
  /** Whether the skill of this name is trusted with its present content. */
  readonly isTrusted: (skill: string) => Promise<boolean>;
  /** Asked before each turn. */
  readonly tools: () => readonly Tool[];
  readonly system: () => string;
  readonly log: ChatLog;
  /** What the log holds already. */
  readonly entries: readonly ChatEntry[];
  readonly nowMs: () => number;
  readonly limits: ChatLimits;
  readonly onEvent: OnChatEvent;
  /** Turns of the conversation that this one works for. Default: 0. */
  readonly turnsBefore?: number;
}

export interface ChatLimits {
  /** Turns of the model for one message. */
  readonly turns: number;
  /** Calls that are made of one turn. */
  readonly callsPerTurn: number;
  /** Of the system prompt and the history together. */
  readonly contextTokens: number;
}

export const defaultChatLimits: ChatLimits = { turns: 60, callsPerTurn: 32, contextTokens: 120_000 };

/** What a person sends: a text, or a skill that they call with its body. */
export type Message =
  | { readonly kind: 'text'; readonly text: string; readonly by?: string }
  | {
      readonly kind: 'skill';
      readonly text: string;
      readonly skill: string;
      readonly body: string;
      /** Who wrote it, where the surface knows a name. */
      readonly by?: string;
    };

export interface ChatAnswer {
  readonly outcome: AnswerOutcome;
  /** The last text of the model. */
  readonly text: string;
  /** Why it failed. */
  readonly message: string | null;
  readonly turns: number;
  readonly usage: Usage;
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

export class Chat {
  readonly #options: ChatOptions;
  readonly #fold = new HistoryFold();
  /** Bodies that came since the last entry. */
  #given: GivenBody[] = [];

  constructor(options: ChatOptions) {
    this.#options = options;
    for (const entry of options.entries) this.#fold.add(entry);
  }

  get history(): History {
    return this.#fold.history;
  }

  /** To be called with every body that the session gives (`SkillSessionOptions.onLoaded`). */
  readonly onLoaded = (event: SkillLoaded): void => {
    if (event.load_reason !== 'always') this.#given.push({ event, section: null });
  };

  /** `model` answers this message, with all its turns. Default: that of the conversation. */
  async say(message: Message, signal: Abort, model: ChatModel = this.#options.model): Promise<ChatAnswer> {
    const { content, ...asked } = await this.#contentOf(message);
    const given = this.#takeGiven();
    const called = message.kind === 'skill' ? [message.skill] : [];
    await this.#doubt([
      ...this.history.shown,
      ...this.#options.skills.ledger.state().preloaded,
      ...called,
      ...given.map(({ event }) => event.skill_id),
    ]);
    await this.#append({
      type: 'user.said',
      at: this.#now(),
      text: message.text,
      content,
      given,
      ...asked,
      ...(message.by === undefined ? {} : { by: message.by }),
    });
    return this.#answer(signal, model);
  }

  /** Answers what is not answered, or not to its end: after a stop, a failure, or a process that was killed. */
  async goOn(signal: Abort): Promise<ChatAnswer> {
    await this.note(
      this.history.cutOff
        ? 'The answer was interrupted. Go on with it; look before you do again what may have been done.'
        : 'The person asks you to go on with the answer, or to try it again.',
    );
    return this.#answer(signal, this.#options.model);
  }

  async #answer(signal: Abort, model: ChatModel): Promise<ChatAnswer> {
    const { onEvent } = this.#options;
    let usage = nothingUsed;
    let text = '';
    let turns = 0;
    let isRetry = false;
    const end = async (outcome: AnswerOutcome, why: string | null): Promise<ChatAnswer> => {
      await this.#append({ type: 'answer.ended', at: this.#now(), outcome, message: why });
      return { outcome, text, message: why, turns, usage };
    };
    while (turns < this.#options.limits.turns) {
      let answered: TakenTurn;
      const shown = { text: '' };
      try {
        if (signal.aborted) return await end('stopped', null);
        await this.#compactWhenDue(signal);
        onEvent({ type: 'turn.started' });
        answered = await this.#take(model, signal, shown);
      } catch (error) {
        if (error instanceof TooLong && !isRetry && (await this.#tryCompact(signal))) {
          isRetry = true;
          continue;
        }
        await this.#append({ type: 'turn.stopped', at: this.#now(), text: shown.text });
        if (shown.text !== '') text = shown.text;
        return signal.aborted ? end('stopped', null) : end('failed', messageOf(error));
      }
      const { turn } = answered;
      turns += 1;
      usage = addSpent(usage, answered.usage);
      await this.#append({ type: 'turn.taken', at: this.#now(), turn, usage: answered.usage });
      onEvent({ type: 'turn.ended', usage: answered.usage });
      const said = turnText(turn);
      if (said !== '') text = said;
      if (turn.finish === 'content-filter') return end('failed', 'the model refused to answer');
      const calls = callsOf(turn);
      if (calls.length === 0)
        return said === ''
          ? end('failed', 'the model gave an empty answer')
          : end(
              'done',
              turn.finish === 'length' ? 'the answer was cut: the model reached its output limit' : null,
            );
      for (const [at, call] of calls.entries()) {
        if (signal.aborted) return end('stopped', null);
        await this.#call(call, at, signal);
      }
    }
    return end(
      'exhausted',
      `the model still called tools after ${turns} turns; write "continue" to give it more`,
    );
  }

  /** What the model is to know with the next message, and what others spent on it. */
  async note(text: string, spent: Spent | null = null): Promise<void> {
    await this.#append({ type: 'note.added', at: this.#now(), text, ...(spent === null ? {} : { spent }) });
  }

  /** Text of an untrusted skill led to what the model is about to get. */
  async doubt(skill: string): Promise<void> {
    await this.#doubt([skill]);
  }

  /** What a person answered to the question whether a call may be made. */
  async approvalAnswered(
    call: string | null,
    question: JsonObject,
    { approval, by }: GivenApproval,
  ): Promise<void> {
    await this.#append({
      type: 'approval.answered',
      at: this.#now(),
      call,
      question,
      approval,
      ...(by === undefined ? {} : { by }),
    });
  }

  async runBegun(run: string, skill: string, call: string | null): Promise<void> {
    await this.#append({ type: 'run.begun', at: this.#now(), run, skill, call });
  }

  /** `usage`: of the whole run so far; null when that is not known. */
  async runDetached(run: string, status: string, usage: RunSpent | null): Promise<void> {
    await this.#append({
      type: 'run.detached',
      at: this.#now(),
      run,
      status,
      ...(usage === null ? {} : { usage: spentOf(usage) }),
    });
  }

  /** Makes room now; `false` when there is nothing to summarise. Rejects when the model cannot. */
  async compact(signal: Abort): Promise<boolean> {
    return this.#compact(signal);
  }

  async #contentOf(
    message: Message,
  ): Promise<Pick<Extract<ChatEntry, { type: 'user.said' }>, 'content' | 'matched' | 'left'>> {
    const { skills, onEvent } = this.#options;
    if (message.kind === 'skill') {
      onEvent({ type: 'skills.matched', matches: [], given: [message.skill], left: [] });
      // The body has the arguments in it: that is what is put back after a compaction.
      this.#given = this.#given.map(({ event, section }) => ({
        event,
        section: event.skill_id === message.skill ? message.body : section,
      }));
      return { content: invokedText(message.skill, message.body) };
    }
    const { block, match, given, left } = await skills.enrich({ message: message.text });
    onEvent({ type: 'skills.matched', matches: match.matches, given, left });
    return {
      content: messageText(message.text, block),
      matched: match.matches.map(({ skill, mode, reason }) => ({ skill, mode, reason })),
      left: left.map(({ skill, reason }) => ({ skill, reason })),
    };
  }

  #take(model: ChatModel, signal: Abort, shown: { text: string }): Promise<TakenTurn> {
    const { tools, system, onEvent, turnsBefore = 0 } = this.#options;
    return model.takeTurn({
      system: system(),
      said: this.history.items.map(({ said }) => said),
      tools: tools(),
      before: turnsBefore + this.history.turns,
      purpose: null,
      signal,
      onText: (text) => {
        shown.text += text;
        onEvent({ type: 'turn.text', text });
      },
    });
  }

  async #call(call: TurnCall, at: number, signal: Abort): Promise<void> {
    const { onEvent, limits } = this.#options;
    const { id, tool } = call;
    onEvent({ type: 'call.made', id, tool, args: argumentsOf(call.input) });
    const use: ToolUse = {
      id,
      signal,
      begin: () => this.#append({ type: 'call.started', at: this.#now(), id, tool }),
      onRun: (run, skill) => this.runBegun(run, skill, id),
      onRunDetached: (run, status, spent) => this.runDetached(run, status, spent),
      onSkill: (skill) => this.#doubt([skill]),
    };
    let result: { readonly ok: boolean; readonly text: string };
    try {
      result =
        at < limits.callsPerTurn
          ? await callNamed(this.#options.tools(), call, use)
          : {
              ok: false,
              text: `error: only ${limits.callsPerTurn} calls are made of one turn; this one was not`,
            };
    } catch (error) {
      result = {
        ok: false,
        text: signal.aborted ? 'error: the person stopped it' : `error: ${messageOf(error)}`,
      };
    }
    const given = this.#takeGiven();
    await this.#doubt(given.map(({ event }) => event.skill_id));
    await this.#append({ type: 'call.ended', at: this.#now(), id, ok: result.ok, text: result.text, given });
    onEvent({
      type: 'call.ended',
      id,
      tool,
      ok: result.ok,
      text: result.text,
      given: given.map(({ event }) => event.skill_id),
    });
  }

  async #compactWhenDue(signal: Abort): Promise<void> {
    if (isCompactionDue(this.history.items, this.#room())) await this.#compact(signal);
  }

  #room(): number {
    const { limits, system } = this.#options;
    return roomForHistory(limits.contextTokens, estimateTokens(system()));
  }

  /** The model reports that the history is too long, whatever the budget is. */
  async #tryCompact(signal: Abort): Promise<boolean> {
    try {
      return await this.#compact(signal);
    } catch {
      return false; // the person gets the error that it is too long
    }
  }

  async #compact(signal: Abort): Promise<boolean> {
    const { model, skills, limits, onEvent } = this.#options;
    const before = tokensOfHistory(this.history.items);
    const room = this.#room();
    const budget = Math.min(room, before);
    const plan = planCompaction(this.history.items, budget);
    if (plan === null) return false;
    onEvent({ type: 'history.compacting' });
    const { turn, usage } = await model.takeTurn({
      ...compactionRequest(plan.summarised, limits.contextTokens),
      before: this.history.turns,
      signal,
      onText: () => undefined,
    });
    const summary = turnText(turn);
    if (summary === '') throw new Error('the model gave no summary of the conversation');
    const { text: attached, kept, forgotten } = skills.reattach(Math.floor(room / 4));
    await this.#append({
      type: 'history.compacted',
      at: this.#now(),
      summary,
      from: plan.from,
      attached,
      kept,
      usage,
    });
    onEvent({
      type: 'history.compacted',
      beforeTokens: before,
      afterTokens: tokensOfHistory(this.history.items),
      forgotten,
    });
    return true;
  }

  #takeGiven(): readonly GivenBody[] {
    const given = this.#given;
    this.#given = [];
    return given;
  }

  async #append(entry: ChatEntry): Promise<void> {
    await this.#options.log.append(entry);
    this.#fold.add(entry);
  }

  /** Text of these is about to come before the model, or is there. */
  async #doubt(skills: readonly string[]): Promise<void> {
    for (const skill of new Set(skills)) {
      if (this.#fold.isDoubted(skill) || (await this.#options.isTrusted(skill))) continue;
      await this.#append({ type: 'skill.doubted', at: this.#now(), skill });
    }
  }

  #now(): number {
    return this.#options.nowMs();
  }
}

/** What the log keeps of it. */
function spentOf({ asks, inputTokens, outputTokens, costMicros }: RunSpent): RunSpent {
  return { asks, inputTokens, outputTokens, costMicros };
}

function messageOf(error: unknown): string {
  if (error instanceof TechneError)
    return error.hint === null ? error.message : `${error.message} (${error.hint})`;
  return error instanceof Error ? error.message : String(error);
}
