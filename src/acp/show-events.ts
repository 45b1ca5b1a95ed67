// What happens in a conversation and its runs -> updates of a session.
//
//   ChatEvent, RunEvent -> text of the model, tool calls and their ends, the plan of a run
//
// A call of the model and each command, tool and ask of a run is a tool call. The id of a call is unique in the session: that of
// the model, behind the number of the message. Texts are shown whole up to a limit; what is cut says so.
import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { cutMiddle } from '../base/cut-text.ts';
import type { JsonObject } from '../base/json.ts';
import type { ChatEvent } from '../chat/events.ts';
import type { RunEvent } from '../run/events.ts';
import { codeBlock, codeSpan } from './markdown.ts';
import { toolKind } from './tool-kind.ts';

const shownUnits = 20_000;
const outputUnits = 4_000;

export interface ShowEventsOptions {
  readonly send: (update: SessionUpdate) => void;
  /** Before the ids of calls. */
  readonly prefix: string;
  /** A call of the model in a few words: the command line, or the tool and what it is about. */
  readonly describeCall: (tool: string, args: JsonObject) => string;
  /** A call of a run. */
  readonly describeEffect: (kind: string, request: JsonObject) => string;
  readonly nowMs: () => number;
}

export class ShowEvents {
  readonly #options: ShowEventsOptions;
  /** Calls that have not ended, by the id of the session, with their output. */
  readonly #open = new Map<string, { output: string; sentAt: number }>();
  readonly #plans = new Map<string, Map<string, PlanEntry>>();
  #last: string | null = null;

  constructor(options: ShowEventsOptions) {
    this.#options = options;
  }

  /** Of the session. `call`: that of the model; null: a call of the person. */
  idOf(call: string): string {
    return `${this.#options.prefix}${call}`;
  }

  /** A line that the person should know, beside the answer. */
  readonly note = (text: string): void => {
    this.#options.send({
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: `${text}\n` },
    });
  };

  /** A part of the answer. */
  readonly say = (text: string): void => {
    this.#options.send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  };

  readonly onEvent = (event: ChatEvent): void => {
    switch (event.type) {
      case 'turn.text':
        return this.say(event.text);
      case 'call.made':
        return this.#begin(this.idOf(event.id), {
          title: codeSpan(this.#options.describeCall(event.tool, event.args ?? {})),
          kind: toolKind(event.tool),
          rawInput: event.args,
        });
      case 'call.ended':
        return this.#end(this.idOf(event.id), event.ok, event.text);
      case 'skills.matched':
        for (const { skill, reason } of event.left)
          this.note(`The skill ${codeSpan(skill)} was not loaded: ${reason}`);
        if (event.given.length > 0) this.note(`Loaded: ${event.given.map(codeSpan).join(', ')}`);
        return;
      case 'history.compacting':
        return this.note('The beginning of the conversation is summarised.');
      case 'history.compacted':
      case 'turn.started':
      case 'turn.ended':
    }
  };

  /** Output of the call under way, as it comes. */
  readonly onOutput = (text: string): void => {
    const call = this.#last === null ? undefined : this.#open.get(this.#last);
    if (call === undefined || this.#last === null) return;
    call.output = (call.output + text).slice(-outputUnits);
    const now = this.#options.nowMs();
    // A program that prints much would flood the client.
    if (now - call.sentAt < 250) return;
    call.sentAt = now;
    this.#options.send({
      sessionUpdate: 'tool_call_update',
      toolCallId: this.#last,
      content: contentOf(call.output),
    });
  };

  readonly onRunEvent = (event: RunEvent): void => {
    if (event.type === 'effect.started') {
      // A nested run has calls of its own.
      if (event.kind === 'skill') return;
      this.#begin(runCall(event), {
        title: codeSpan(this.#options.describeEffect(event.kind, event.request)),
        kind: event.kind === 'command' ? 'execute' : event.kind === 'ask' ? 'think' : 'other',
        rawInput: event.request,
      });
    }
    if (event.type === 'effect.ended' && this.#open.has(runCall(event)))
      // A note says how a command ended that did not succeed, such as `denied`.
      this.#end(
        runCall(event),
        event.ok && (event.note ?? null) === null,
        [event.code ?? '', event.note ?? ''].filter(Boolean).join(': '),
      );
    if (event.type === 'plan.opened') {
      this.#plans.set(
        event.run,
        new Map(
          event.steps.map(({ id, label, does }) => [
            id,
            { content: `${label} (${does})`, priority: 'medium', status: 'pending' },
          ]),
        ),
      );
      this.#sendPlan();
    }
    const entry = event.type === 'step.ended' ? this.#plans.get(event.run)?.get(event.step) : undefined;
    if (event.type !== 'step.ended' || entry === undefined) return;
    entry.status = 'completed';
    if (event.status !== 'ok') entry.content = `${entry.content}: ${event.status}`;
    this.#sendPlan();
  };

  /** Calls that will get no end: the message was stopped or failed. */
  endOpen(): void {
    for (const id of this.#open.keys()) this.#end(id, false, 'stopped');
    this.#plans.clear();
  }

  #begin(
    toolCallId: string,
    call: { readonly title: string; readonly kind: ReturnType<typeof toolKind>; readonly rawInput: unknown },
  ): void {
    this.#open.set(toolCallId, { output: '', sentAt: 0 });
    this.#last = toolCallId;
    this.#options.send({ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...call });
  }

  #end(toolCallId: string, ok: boolean, text: string): void {
    this.#open.delete(toolCallId);
    if (this.#last === toolCallId) this.#last = [...this.#open.keys()].at(-1) ?? null;
    this.#options.send({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: ok ? 'completed' : 'failed',
      ...(text.trim() === '' ? {} : { content: contentOf(text) }),
    });
  }

  /** A client has one plan for a session: that of all runs of the message. */
  #sendPlan(): void {
    this.#options.send({
      sessionUpdate: 'plan',
      entries: [...this.#plans.values()].flatMap((steps) => [...steps.values()]),
    });
  }
}

function runCall({ run, key }: { readonly run: string; readonly key: string }): string {
  return `${run}:${key}`;
}

export function contentOf(text: string): ToolCallContent[] {
  return [{ type: 'content', content: { type: 'text', text: codeBlock(cutMiddle(text, shownUnits).text) } }];
}
