// The conversations of a server: one answer at a time in each, a bounded number at once, each held while it is answered.
//
//   text -> the log is locked -> techne/chat -> answer · the log is free for every other process again
//
// C1. A request is accepted when its message is in the log: a server that is killed then has an interrupted conversation, not a lost
//     message. One that is refused changes nothing.
// C2. While a conversation is answered, here or by another process, a second message is refused (CHAT_BUSY).
// C3. An answer has a time limit, then it is stopped as a person would stop it.
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { TechneError } from '../../base/error.ts';
import { settledWithin } from '../../base/settled-within.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { addSpent, foldHistory, spentByRuns } from '../../chat/history.ts';
import { tokensOfHistory } from '../../chat/compact.ts';
import type { GivenApproval } from '../../chat/permit.ts';
import { createNodeIds, nodeRunClock } from '../../node/environment.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { OnRunEvent } from '../../run/events.ts';
import type { ChatHost, ChatSetup } from '../../techne/chat/chat-host.ts';
import type { OpenChat } from '../../techne/chat/open-chat.ts';
import { describeChat, listChats, startOf } from '../../techne/chat/stored-chats.ts';
import type { ListedChat } from '../../techne/chat/stored-chats.ts';
import { submitToChat } from '../../techne/chat/submit.ts';
import { ChatFeeds, unknownChat } from './chat-feeds.ts';
import type { ChatStateJson } from './live-chat.ts';
import { LiveChat } from './live-chat.ts';

export type ChatJson = OperationOutput<Operations['startChat']>;
export type SpentJson = OperationOutput<Operations['showChat']>['spent'];

export interface LiveChatsOptions {
  readonly host: ChatHost;
  readonly workspace: string;
  readonly nowMs: () => number;
  /** A list is not as it was. */
  readonly onListChange: () => void;
  /** A run has begun or was left. */
  readonly onRun: () => void;
  /** Gets the events of runs that conversations drive. */
  readonly onRunEvent: OnRunEvent;
  readonly onBug: (error: unknown) => void;
  /** Conversations that are answered at once. Default: 8. */
  readonly maxAnswering?: number;
  /** Default: 30 minutes. */
  readonly maxAnswerMs?: number;
}

/** What a client cannot write with a slash: it is of a terminal, or shown by the page. */
const elsewhere: readonly string[] = ['help', 'skills', 'tools', 'runs', 'usage', 'exit', 'quit'];
const usualLimit = 50;
const mostKnown = 2_000;

type Work = (open: OpenChat, live: LiveChat, onBegin: () => void) => Promise<string | null>;

export class LiveChats {
  readonly feeds: ChatFeeds;
  readonly #options: LiveChatsOptions;
  readonly #live = new Map<string, { readonly live: LiveChat; readonly ended: Promise<void> }>();
  /** Why the last message was not answered, of those that failed outside of the log. */
  readonly #faults = new Map<string, string>();
  /** Descriptions of files, by their size: files only grow. */
  readonly #known = new Map<
    string,
    { readonly bytes: number; readonly listed: ListedChat | null; readonly cutOff: boolean }
  >();
  readonly #ids = createNodeIds();
  #isStopping = false;

  constructor(options: LiveChatsOptions) {
    this.#options = options;
    this.feeds = new ChatFeeds({
      files: options.host.files,
      liveOf: (chat) => this.#live.get(chat)?.live ?? null,
      stateOf: (chat) => this.stateOf(chat),
      onBug: options.onBug,
    });
  }

  get answering(): number {
    return this.#live.size;
  }

  get limits(): { readonly answering: number; readonly answerSeconds: number } {
    const { maxAnswering = 8, maxAnswerMs = 30 * 60_000 } = this.#options;
    return { answering: maxAnswering, answerSeconds: Math.round(maxAnswerMs / 1_000) };
  }

  setup(): Promise<ChatSetup> {
    return this.#options.host.setup();
  }

  /** Whether a conversation of this process drives the run, so that no dispatcher has to. */
  drives(run: string): boolean {
    for (const { live } of this.#live.values()) if (live.runs.has(run)) return true;
    return false;
  }

  stateOf(chat: string): ChatStateJson {
    return (
      this.#live.get(chat)?.live.state ?? {
        phase: 'idle',
        startedAt: null,
        text: '',
        calls: [],
        approvals: [],
        notes: [],
        fault: this.#faults.get(chat) ?? null,
      }
    );
  }

  async list(
    limit = usualLimit,
    cursor: string | null = null,
  ): Promise<{ readonly chats: ChatJson[]; readonly cursor: string | null }> {
    const { files } = this.#options.host;
    const found = await listChats(files, limit + 1, cursor, (id) => this.#describe(id));
    const page = found.slice(0, limit);
    const chats: ChatJson[] = [];
    for (const one of page)
      chats.push(
        'fault' in one
          ? {
              chat: one.chat,
              title: one.chat,
              model: '',
              startedAt: 0,
              lastAt: 0,
              messages: 0,
              status: 'damaged',
              fault: one.fault,
            }
          : await this.#json(one),
      );
    return { chats, cursor: found.length > limit ? (page.at(-1)?.chat ?? null) : null };
  }

  /** Throws CHAT_UNKNOWN, FILE_INVALID. */
  async show(chat: string): Promise<ChatJson> {
    const listed = await this.#describe(chat);
    if (listed === null) {
      const live = this.#live.get(chat)?.live;
      if (live === undefined) throw unknownChat(chat);
      return this.#json({
        chat,
        title: '…',
        workspace: '',
        model: '',
        startedAt: live.startedAt,
        lastAt: live.startedAt,
        messages: 0,
      });
    }
    return this.#json(listed);
  }

  /** All of them, as they are in the log. Throws CHAT_UNKNOWN, FILE_INVALID. */
  async entries(chat: string): Promise<readonly ChatEntry[]> {
    await this.show(chat);
    const live = this.#live.get(chat)?.live;
    return live !== undefined && live.entries.length > 0
      ? live.entries
      : (await this.#options.host.files.read(chat)).entries;
  }

  /** Begins a conversation. Resolves when its first message is in the log. */
  async start(text: string, by: string): Promise<ChatJson> {
    const chat = this.#ids.ulid();
    const { host, workspace, nowMs } = this.#options;
    this.#mustHaveRoom();
    const first = startOf({ chat, workspace, model: await host.modelName(), at: nowMs() });
    try {
      return await this.#answer(chat, first, (open, live, onBegin) =>
        this.#submit(open, live, { text, by }, onBegin),
      );
    } catch (error) {
      // What was refused leaves no empty conversation behind.
      await this.#live.get(chat)?.ended;
      if ((await host.files.sizeOf(chat)) !== null && (await this.#describe(chat)) === null)
        await host.files.remove(chat);
      throw error;
    }
  }

  /** Throws CHAT_UNKNOWN, CHAT_BUSY, OVERLOADED, USAGE for what cannot be said, ENVIRONMENT without a model. */
  async send(chat: string, text: string, by: string): Promise<ChatJson> {
    await this.show(chat);
    return this.#answer(chat, null, (open, live, onBegin) => this.#submit(open, live, { text, by }, onBegin));
  }

  /** Throws as `send`; USAGE where the last answer is whole. */
  async goOn(chat: string): Promise<ChatJson> {
    const last = (await this.entries(chat)).findLast(
      ({ type }) => type === 'answer.ended' || type === 'user.said',
    );
    if (
      last === undefined ||
      (last.type === 'answer.ended' && last.outcome === 'done' && last.message === null)
    )
      throw new TechneError('USAGE', 'the last message was answered: there is nothing to continue', {
        hint: 'send a message',
      });
    return this.#answer(chat, null, async (open, live, onBegin) => {
      onBegin();
      await open.chat.goOn(live.signal);
      return null;
    });
  }

  async stop(chat: string): Promise<ChatJson> {
    await this.show(chat);
    const answered = this.#live.get(chat);
    answered?.live.stop();
    await answered?.ended;
    return this.show(chat);
  }

  async approve(chat: string, approval: string, given: GivenApproval): Promise<ChatJson> {
    await this.show(chat);
    const live = this.#live.get(chat)?.live;
    if (live === undefined)
      throw new TechneError('QUESTION_UNKNOWN', `the conversation ${chat} waits for nothing`, {
        hint: 'the answer was stopped, or the server was started again',
      });
    live.answer(approval, given);
    return this.show(chat);
  }

  async rename(chat: string, title: string, by: string): Promise<ChatJson> {
    await this.show(chat);
    const { host, nowMs, onListChange } = this.#options;
    await this.#held(chat, () =>
      host.hold(chat, null, (log) => log.append({ type: 'chat.renamed', at: nowMs(), title, by })),
    );
    onListChange();
    return this.show(chat);
  }

  async remove(chat: string): Promise<void> {
    await this.show(chat);
    const { host, onListChange } = this.#options;
    await this.#held(chat, () => host.files.remove(chat));
    this.#known.delete(chat);
    this.#faults.delete(chat);
    onListChange();
  }

  /** Takes no further message; effects of runs get `graceMs` to end, then every answer is stopped and recorded as such. */
  async drain(graceMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#live.size > 0) await this.#options.host.drain(graceMs);
    for (const { live } of this.#live.values()) live.stop();
    await settledWithin(
      nodeRunClock,
      drainMs,
      Promise.all([...this.#live.values()].map(({ ended }) => ended)),
    );
  }

  close(): Promise<void> {
    return this.#options.host.close();
  }

  async #submit(
    open: OpenChat,
    live: LiveChat,
    { text, by }: { readonly text: string; readonly by: string },
    onBegin: () => void,
  ): Promise<string | null> {
    const submitted = await submitToChat(
      open,
      {
        text,
        by,
        reserved: elsewhere,
        read: async () => {
          throw new TechneError('USAGE', 'an input over HTTP cannot name a file of the server', {
            hint: 'write the text itself, or ask for the file in words',
          });
        },
        onNote: (message) => live.note(message),
        onBegin,
      },
      live.signal,
    );
    switch (submitted.kind) {
      case 'refused':
        throw new TechneError('USAGE', submitted.message);
      case 'compacted':
        if (submitted.done) return null;
        throw new TechneError('USAGE', 'there is nothing to summarise yet');
      case 'run': {
        const { error } = submitted.result;
        return error === null ? null : `${error.message}${error.hint === null ? '' : ` (${error.hint})`}`;
      }
      case 'answer':
      case 'detached':
        return null;
    }
  }

  /** Resolves when the log has what was asked for; rejects where it was refused before that. */
  #answer(chat: string, first: ChatEntry | null, work: Work): Promise<ChatJson> {
    if (this.#live.has(chat)) throw busy(chat, 'it is being answered');
    this.#mustHaveRoom();
    const { nowMs, onListChange } = this.#options;
    const live = new LiveChat({
      id: chat,
      nowMs,
      onChange: () => this.feeds.tell(chat),
      onStatus: onListChange,
      onRunEvent: this.#options.onRunEvent,
    });
    return new Promise((resolve, reject) => {
      let isBegun = false;
      let isAccepted = false;
      const accept = (): void => {
        if (!isBegun || isAccepted) return;
        isAccepted = true;
        onListChange();
        resolve(this.show(chat));
      };
      const onBegin = (): void => {
        isBegun = true;
      };
      const answer = async (): Promise<void> => {
        try {
          const fault = await this.#hold(live, first, work, { onBegin, onAppended: accept });
          this.#ended(live, fault);
          resolve(this.show(chat));
        } catch (error) {
          const isOurs = error instanceof TechneError;
          const why = isOurs ? error.message : 'an internal error; see the log of the server';
          this.#ended(live, isAccepted ? why : null);
          if (!isOurs) this.#options.onBug(error);
          reject(error as Error);
        }
      };
      const ended = answer();
      this.#live.set(chat, { live, ended });
      this.#faults.delete(chat);
    });
  }

  async #hold(
    live: LiveChat,
    first: ChatEntry | null,
    work: Work,
    { onBegin, onAppended }: { readonly onBegin: () => void; readonly onAppended: () => void },
  ): Promise<string | null> {
    const { host, onRun } = this.#options;
    const { answerSeconds } = this.limits;
    // The map has it before the work begins.
    await Promise.resolve();
    const late = setTimeout(() => {
      live.note(`stopped: the answer took more than ${answerSeconds} s`);
      live.stop();
    }, answerSeconds * 1_000);
    try {
      return await this.#locked(live.id, () =>
        host.hold(live.id, first, async (log) => {
          live.entries.push(...log.entries);
          if (log.torn) live.note('the end of the log was incomplete and was dropped');
          const append = async (entry: ChatEntry): Promise<void> => {
            await log.append(entry);
            live.appended(entry);
            if (entry.type === 'run.begun' || entry.type === 'run.detached') onRun();
            onAppended();
          };
          const open = await host.open(live.id, { entries: log.entries, append }, live.surface);
          try {
            return await work(open, live, onBegin);
          } catch (error) {
            if (live.signal.aborted || error instanceof RunDetachedError) return null;
            throw error;
          } finally {
            await open.close();
          }
        }),
      );
    } finally {
      clearTimeout(late);
    }
  }

  #ended(live: LiveChat, fault: string | null): void {
    this.#live.delete(live.id);
    if (fault !== null) this.#faults.set(live.id, fault);
    for (const oldest of this.#faults.keys()) {
      if (this.#faults.size <= mostKnown) break;
      this.#faults.delete(oldest);
    }
    this.feeds.ended(live);
    this.#options.onListChange();
  }

  /** For a change of a conversation that nobody answers. */
  async #held(chat: string, work: () => Promise<void>): Promise<void> {
    if (this.#live.has(chat)) throw busy(chat, 'it is being answered');
    await this.#locked(chat, work);
  }

  async #locked<T>(chat: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'LOCKED') throw error;
      const holder = await this.#options.host.files.holderOf(chat);
      throw busy(
        chat,
        holder?.pid === null || holder === null
          ? 'another process has it'
          : `another process has it: ${holder.pid}, such as techne chat at a terminal`,
      );
    }
  }

  #mustHaveRoom(): void {
    const { answering } = this.limits;
    if (this.#isStopping)
      throw new TechneError('OVERLOADED', 'the server is stopping', { hint: 'try again later' });
    if (this.#live.size >= answering)
      throw new TechneError('OVERLOADED', `${this.#live.size} conversations are being answered already`, {
        hint: 'wait for one of them, or stop one',
      });
  }

  /** null: it is empty, or of another workspace. Throws CHAT_UNKNOWN, FILE_INVALID. */
  async #describe(chat: string): Promise<ListedChat | null> {
    return (await this.#look(chat)).listed;
  }

  async #look(chat: string): Promise<{ readonly listed: ListedChat | null; readonly cutOff: boolean }> {
    const { host, workspace } = this.#options;
    const bytes = await host.files.sizeOf(chat);
    if (bytes === null) throw unknownChat(chat);
    const known = this.#known.get(chat);
    if (known?.bytes === bytes) return known;
    const { entries } = await host.files.read(chat);
    const listed = describeChat(chat, entries);
    const seen = {
      bytes,
      listed: listed?.workspace === workspace ? listed : null,
      cutOff: foldHistory(entries).cutOff,
    };
    this.#known.delete(chat);
    this.#known.set(chat, seen);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return seen;
  }

  async #json({ chat, title, model, startedAt, lastAt, messages }: ListedChat): Promise<ChatJson> {
    return {
      chat,
      title,
      model,
      startedAt,
      lastAt,
      messages,
      status: await this.#statusOf(chat),
      fault: this.#faults.get(chat) ?? null,
    };
  }

  async #statusOf(chat: string): Promise<ChatJson['status']> {
    const live = this.#live.get(chat)?.live;
    if (live !== undefined) return live.isWaiting ? 'waiting' : 'answering';
    if ((await this.#options.host.files.holderOf(chat)) !== null) return 'elsewhere';
    return this.#known.get(chat)?.cutOff === true ? 'interrupted' : 'idle';
  }
}

/** How long answers may take to be recorded as stopped. */
const drainMs = 10_000;

export function spentOf(entries: readonly ChatEntry[]): SpentJson {
  const { items, turns, usage, runs } = foldHistory(entries);
  const { asks: _asks, ...byRuns } = spentByRuns(runs);
  return {
    turns,
    usage: addSpent(usage, { inputTokens: 0, outputTokens: 0, costMicros: 0 }),
    runs: byRuns,
    contextTokens: tokensOfHistory(items),
  };
}

function busy(chat: string, why: string): TechneError {
  return new TechneError('CHAT_BUSY', `the conversation ${chat} cannot be changed now: ${why}`, {
    hint: 'wait until it is answered, or stop it',
  });
}
