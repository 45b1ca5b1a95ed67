// A session of a client: a conversation of techne, and the one message that is answered now.
//
//   prompt -> the log is held, the engine answers, updates go to the client -> why it stopped
//
// A1. One message at a time; a cancelled one ends, and its run can be resumed.
// A2. The log is held for one answer, so `techne chat --resume` can continue the conversation between two messages.
// A3. A client that cannot be asked approves nothing.
import type { AgentContext, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ChatEntry } from '../chat/entry.ts';
import type { Approval } from '../ports/command-host.ts';
import type { Questioner } from '../run/drive/drive.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import { DetachSignal } from '../run/effect/effect-context.ts';
import type { RunResult } from '../run/result/result.ts';
import type { ChatHost } from '../techne/chat/chat-host.ts';
import type { ChatSurface, OpenChat } from '../techne/chat/open-chat.ts';
import { describeChat, startOf } from '../techne/chat/stored-chats.ts';
import type { Submitted } from '../techne/chat/submit.ts';
import { submitToChat } from '../techne/chat/submit.ts';
import { failed } from './request-errors.ts';
import { codeSpan } from './markdown.ts';
import { approvalOf, permissionRequest } from './permission.ts';
import { ShowEvents } from './show-events.ts';

/** How calls are shown to a person; the same words as at a terminal. */
export interface CallTexts {
  /** A call of the model. */
  readonly toolCall: (tool: string, args: JsonObject) => string;
  /** A call of a run. */
  readonly effect: (kind: string, request: JsonObject) => string;
  /** Everything that is approved, as lines. */
  readonly approval: (question: JsonObject, workspace: string) => readonly string[];
  /** The answer of a run. */
  readonly result: (result: RunResult) => string;
}

export interface AcpSessionOptions {
  readonly id: string;
  /** Where the conversation works. */
  readonly workspace: string;
  readonly host: ChatHost;
  readonly client: AgentContext;
  readonly texts: CallTexts;
  /** Whether the log has no entry yet. */
  readonly isNew: boolean;
  readonly nowMs: () => number;
  readonly readFile: (path: string) => Promise<string>;
}

const elsewhere = ['help', 'skills', 'tools', 'runs', 'usage', 'exit'];

export class AcpSession {
  readonly id: string;
  readonly workspace: string;
  readonly host: ChatHost;
  readonly #options: AcpSessionOptions;
  #isNew: boolean;
  #stop: AbortController | null = null;
  #answered: Promise<unknown> = Promise.resolve();
  #messages = 0;
  #commands = '';
  #sent: Promise<void> = Promise.resolve();

  constructor(options: AcpSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.workspace = options.workspace;
    this.host = options.host;
    this.#isNew = options.isNew;
  }

  /** In order. A client that is gone gets nothing more; its connection says so. */
  readonly send = (update: SessionUpdate): void => {
    const { client } = this.#options;
    this.#sent = this.#sent
      .then(() => client.notify(methods.client.session.update, { sessionId: this.id, update }))
      .catch(() => undefined);
  };

  /** The commands of the chat and the skills that people may call, when they have changed. */
  async sendCommands(): Promise<void> {
    const { commands } = await this.host.setup();
    // An editor sends a command without input at once, and a skill can always be given something.
    const availableCommands = commands.map(({ name, what, argumentHint, kind }) => ({
      name,
      description: what,
      input:
        argumentHint === null && kind === 'command' ? null : { hint: argumentHint ?? 'what it is asked for' },
    }));
    const text = JSON.stringify(availableCommands);
    if (text === this.#commands) return;
    this.#commands = text;
    this.send({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** Throws CHAT_BUSY while a message is answered, and what the engine throws. Everything was sent when it resolves. */
  async prompt(text: string, signal: AbortSignal): Promise<StopReason> {
    if (this.#stop !== null)
      throw new TechneError('CHAT_BUSY', 'the last message of this session is still being answered', {
        hint: 'wait for it, or cancel it',
      });
    const stop = new AbortController();
    this.#stop = stop;
    const onAbort = (): void => stop.abort(new DetachSignal());
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const answering = this.#answer(text, stop.signal);
    this.#answered = answering.catch(() => undefined);
    try {
      return await answering;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#stop = null;
      await this.#sent;
    }
  }

  /** Everything that was sent has left. */
  sent(): Promise<void> {
    return this.#sent;
  }

  cancel(): void {
    this.#stop?.abort(new DetachSignal());
  }

  /** Stops what is answered, and resolves when its end is in the log. */
  async close(): Promise<void> {
    this.cancel();
    await this.#answered;
  }

  async #answer(text: string, signal: AbortSignal): Promise<StopReason> {
    const { host, texts, nowMs } = this.#options;
    this.#messages += 1;
    const show = new ShowEvents({
      send: this.send,
      prefix: `${this.#messages}:`,
      describeCall: texts.toolCall,
      describeEffect: texts.effect,
      nowMs,
    });
    const first: ChatEntry | null = this.#isNew
      ? startOf({ chat: this.id, workspace: this.workspace, model: await host.modelName(), at: nowMs() })
      : null;
    let isEmpty = false;
    try {
      return await host.hold(this.id, first, async (log) => {
        this.#isNew = false;
        const entries = [...log.entries];
        const append = async (entry: ChatEntry): Promise<void> => {
          await log.append(entry);
          entries.push(entry);
        };
        try {
          const open = await host.open(this.id, { entries: log.entries, append }, this.#surface(show));
          try {
            return await this.#submit(open, text, show, signal);
          } finally {
            await open.close();
          }
        } catch (error) {
          if (signal.aborted || error instanceof RunDetachedError) return 'cancelled';
          throw error;
        } finally {
          show.endOpen();
          isEmpty = describeChat(this.id, entries) === null;
        }
      });
    } finally {
      // What was refused leaves no empty conversation behind.
      if (isEmpty) {
        await host.files.remove(this.id);
        this.#isNew = true;
      }
      await this.sendCommands().catch(() => undefined);
    }
  }

  async #submit(open: OpenChat, text: string, show: ShowEvents, signal: AbortSignal): Promise<StopReason> {
    const submitted = await submitToChat(
      open,
      { text, reserved: elsewhere, read: this.#options.readFile, onNote: show.note },
      signal,
    );
    return this.#outcome(submitted, show, signal);
  }

  #outcome(submitted: Submitted, show: ShowEvents, signal: AbortSignal): StopReason {
    switch (submitted.kind) {
      case 'refused':
        // A word of the agent: an error would hide it in some clients.
        show.say(submitted.message);
        return 'end_turn';
      case 'compacted':
        show.say(submitted.done ? 'The beginning was summarised.' : 'There is nothing to summarise yet.');
        return 'end_turn';
      case 'detached':
        if (submitted.run !== null) show.say(`Stopped. ${codeSpan('/continue')} resumes the run.`);
        return 'cancelled';
      case 'run':
        show.say(this.#runText(submitted.result));
        return signal.aborted ? 'cancelled' : 'end_turn';
      case 'answer': {
        const { outcome, message } = submitted.answer;
        if (outcome === 'stopped' || signal.aborted) return 'cancelled';
        if (outcome === 'failed') throw failed(message ?? 'the model did not answer');
        if (message !== null) show.say(`\n\n${message}`);
        return outcome === 'exhausted' ? 'max_turn_requests' : 'end_turn';
      }
    }
  }

  #runText(result: RunResult): string {
    const { run, status, questions } = result;
    const said = this.#options.texts.result(result);
    if (status === 'needs_decision')
      return `${said}\n\nThe outcome of a call is unknown. Decide at a terminal: ${codeSpan(`techne runs show ${run}`)}, then ${codeSpan('/continue')} here.`;
    if (status !== 'paused') return said;
    return questions.length === 0
      ? `${said}\n\nThe run was stopped. ${codeSpan('/continue')} resumes it.`
      : `${said}\n\nThe run waits for a person. Answer at a terminal: ${codeSpan(`techne answer ${run}`)}, then ${codeSpan('/continue')} here.`;
  }

  #surface(show: ShowEvents): ChatSurface {
    const { texts } = this.#options;
    return {
      onEvent: show.onEvent,
      onOutput: show.onOutput,
      onWarning: show.note,
      onNote: show.note,
      ask: async (question, { workspace, call }, signal) => {
        const approval = await this.#askApproval({
          id: call === null ? null : show.idOf(call),
          question: { cwd: workspace, ...question },
          lines: texts.approval({ cwd: workspace, ...question }, workspace),
          signal,
        });
        return approval === null ? null : { approval };
      },
      watchRun: () => ({
        options: {
          questions: [this.#askOfRun],
          onWait: () => show.note('Another process drives the run; its result is shown here, too.'),
        },
        onEvent: show.onRunEvent,
        end: () => undefined,
      }),
    };
  }

  /** Approvals are asked for here; every other question waits for a terminal. */
  readonly #askOfRun: Questioner = async ({ audience, question, key, run }, { signal, refused }) => {
    if (audience === 'caller' || !isApproval(question)) return 'open';
    if (refused !== null) return refused.code === 'ANSWER_REFUSED' ? 'open' : 'settled';
    const approval = await this.#askApproval({
      id: `${run}:${key}`,
      question,
      lines: this.#options.texts.approval(question, this.workspace),
      signal,
    });
    return approval === null ? 'open' : { answer: approval };
  };

  async #askApproval({
    id,
    question,
    lines,
    signal,
  }: {
    readonly id: string | null;
    readonly question: JsonObject;
    readonly lines: readonly string[];
    readonly signal: Abort;
  }): Promise<Approval | null> {
    if (signal.aborted) return null;
    const { client, texts } = this.#options;
    const { tool, args } = question;
    const title = Array.isArray(question['argv'])
      ? texts.effect('command', question)
      : texts.toolCall(typeof tool === 'string' ? tool : 'call', isJsonObject(args) ? args : {});
    const asking = new AbortController();
    const onAbort = (): void => asking.abort();
    signal.addEventListener('abort', onAbort);
    // The client has the call before it is asked about it.
    await this.#sent;
    try {
      return approvalOf(
        await client.request(
          methods.client.session.requestPermission,
          permissionRequest({
            sessionId: this.id,
            toolCallId: id ?? `approval:${this.#messages}`,
            title: codeSpan(title),
            question,
            lines,
          }),
          { cancellationSignal: asking.signal, stopWaitingOnCancel: true },
        ),
      );
    } catch {
      return null; // a client that is gone, cannot ask, or was told to stop asking
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function isApproval(question: Json): question is JsonObject {
  return isJsonObject(question) && question['type'] === 'approval';
}
