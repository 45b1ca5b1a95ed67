// Conversations that pages look at: their entries and states as they come, for any number of readers.
//
//   (chat, from) -> entries from a number on · the state, whole, when it has changed · new text of the turn, from where it goes on
//
// A reader pulls, and nothing is queued for it. A reader that is opened gets the state first, so nothing of a turn is lost with a
// connection. A conversation that no process of ours answers is looked at once a second: a terminal may have it.
import type { ChatEntry } from '../../chat/entry.ts';
import { TechneError } from '../../base/error.ts';
import type { StoredChats } from '../../techne/chat/stored-chats.ts';
import type { ChatStateJson, LiveChat } from './live-chat.ts';

export type ChatPiece =
  | { readonly kind: 'entries'; readonly first: number; readonly entries: readonly ChatEntry[] }
  | { readonly kind: 'state'; readonly state: ChatStateJson }
  | { readonly kind: 'text'; readonly from: number; readonly text: string }
  | { readonly kind: 'lost' };

export interface ChatFeedsOptions {
  readonly files: StoredChats;
  readonly liveOf: (chat: string) => LiveChat | null;
  /** Of one that is not being answered here. */
  readonly stateOf: (chat: string) => ChatStateJson;
  readonly onBug: (error: unknown) => void;
}

interface Feed {
  entries: readonly ChatEntry[];
  /** Of the file, when it was read. */
  bytes: number | null;
  /** Counts up with each other state while nothing is answered here. */
  version: number;
  isLost: boolean;
  readers: number;
  timer: NodeJS.Timeout;
  readonly waiting: Set<() => void>;
}

const lookMs = 1_000;
/** Text that comes within this time is one event. */
const gatherMs = 25;
const mostInBatch = 256;

export class ChatFeeds {
  readonly #options: ChatFeedsOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #wakes = new Map<string, NodeJS.Timeout>();

  constructor(options: ChatFeedsOptions) {
    this.#options = options;
  }

  get readers(): number {
    let count = 0;
    for (const { readers } of this.#feeds.values()) count += readers;
    return count;
  }

  /** Something of the conversation has changed. */
  tell(chat: string): void {
    const feed = this.#feeds.get(chat);
    if (feed === undefined || this.#wakes.has(chat)) return;
    this.#wakes.set(
      chat,
      setTimeout(() => {
        this.#wakes.delete(chat);
        wake(feed);
      }, gatherMs),
    );
  }

  /** Its answer has ended here: what it wrote is kept, and the file is looked at again. */
  ended(live: LiveChat): void {
    const feed = this.#feeds.get(live.id);
    if (feed === undefined) return;
    feed.entries = live.entries;
    feed.version += 1;
    this.tell(live.id);
  }

  /** Must be closed. Throws CHAT_UNKNOWN, FILE_INVALID. */
  async open(chat: string, from: number): Promise<ChatReader> {
    let feed = this.#feeds.get(chat);
    if (feed === undefined) {
      const read = await this.#read(chat);
      if (read === null) throw unknownChat(chat);
      // Somebody else may have opened it meanwhile.
      feed = this.#feeds.get(chat);
      if (feed === undefined) {
        feed = {
          ...read,
          version: 0,
          isLost: false,
          readers: 0,
          waiting: new Set(),
          timer: setInterval(() => void this.#look(chat).catch(this.#options.onBug), lookMs),
        };
        this.#feeds.set(chat, feed);
      }
    }
    const opened = feed;
    opened.readers += 1;
    let isOpen = true;
    return new ChatReader(opened, chat, from, this.#options, () => {
      if (!isOpen) return;
      isOpen = false;
      opened.readers -= 1;
      if (opened.readers > 0) return;
      clearInterval(opened.timer);
      this.#feeds.delete(chat);
    });
  }

  async #look(chat: string): Promise<void> {
    const feed = this.#feeds.get(chat);
    const { files, liveOf } = this.#options;
    if (feed === undefined || feed.isLost || liveOf(chat) !== null) return;
    const bytes = await files.sizeOf(chat);
    if (bytes === feed.bytes) return;
    const read = bytes === null ? null : await this.#read(chat).catch(ignoreFault);
    if (liveOf(chat) !== null || read === undefined) return;
    feed.version += 1;
    if (read === null) feed.isLost = true;
    else [feed.entries, feed.bytes] = [read.entries, read.bytes];
    wake(feed);
  }

  async #read(chat: string): Promise<Pick<Feed, 'entries' | 'bytes'> | null> {
    const { files, liveOf } = this.#options;
    const live = liveOf(chat);
    if (live !== null) return { entries: live.entries, bytes: null };
    const bytes = await files.sizeOf(chat);
    return bytes === null ? null : { entries: (await files.read(chat)).entries, bytes };
  }
}

export class ChatReader {
  readonly #feed: Feed;
  readonly #chat: string;
  readonly #options: ChatFeedsOptions;
  readonly #close: () => void;
  #next: number;
  /** Of the state that was given last. */
  #seen: string | null = null;
  /** Of the text that was given. */
  #given = 0;
  #isLost = false;
  #wake: (() => void) | null = null;

  constructor(feed: Feed, chat: string, from: number, options: ChatFeedsOptions, close: () => void) {
    this.#feed = feed;
    this.#chat = chat;
    this.#next = from;
    this.#options = options;
    this.#close = close;
  }

  /** What follows; nothing when `wake` was called. */
  async next(): Promise<readonly ChatPiece[]> {
    const pieces = this.#pieces();
    if (pieces.length > 0) return pieces;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#feed.waiting.add(resolve);
    });
    this.#wake = null;
    return this.#pieces();
  }

  close(): void {
    const wakeNow = this.#wake;
    if (wakeNow !== null) {
      this.#feed.waiting.delete(wakeNow);
      wakeNow();
    }
    this.#close();
  }

  #pieces(): readonly ChatPiece[] {
    if (this.#isLost) return [];
    if (this.#feed.isLost) {
      this.#isLost = true;
      return [{ kind: 'lost' }];
    }
    const live = this.#options.liveOf(this.#chat);
    const all = live?.entries ?? this.#feed.entries;
    const pieces: ChatPiece[] = [];
    const entries = all.slice(this.#next, this.#next + mostInBatch);
    if (entries.length > 0) {
      pieces.push({ kind: 'entries', first: this.#next, entries });
      this.#next += entries.length;
    }
    // The state belongs to all entries there are.
    if (this.#next < all.length) return pieces;
    const version = live === null ? `file ${this.#feed.version}` : `${live.startedAt} ${live.version}`;
    if (version !== this.#seen) {
      const state = live?.state ?? this.#options.stateOf(this.#chat);
      pieces.push({ kind: 'state', state });
      this.#seen = version;
      this.#given = state.text.length;
    } else if (live !== null && live.text.length > this.#given) {
      pieces.push({ kind: 'text', from: this.#given, text: live.text.slice(this.#given) });
      this.#given = live.text.length;
    }
    return pieces;
  }
}

export function unknownChat(chat: string): TechneError {
  return new TechneError('CHAT_UNKNOWN', `there is no conversation "${chat}" in this workspace`, {
    hint: 'GET /v1/chats lists those there are',
  });
}

function wake(feed: Feed): void {
  const waiting = [...feed.waiting];
  feed.waiting.clear();
  for (const resolve of waiting) resolve();
}

/** Another process is writing, or it is damaged: a request for it tells. */
function ignoreFault(error: unknown): undefined {
  if (!(error instanceof TechneError)) throw error;
}
