// A conversation as a page has it: its entries from the last page of them on, and what is under way.
//
//   showChat -> the last entries -> the stream: each entry once, the state whole, text from its offset on
//
// Text of a turn is drawn once a frame at most, however small its pieces are.
import { faultOf } from '../../lib/load.svelte.ts';
import type { Fault } from '../../lib/load.svelte.ts';
import { live } from '../../lib/live.svelte.ts';
import type { ChatEntry, ChatState } from '../../lib/live.svelte.ts';
import { call } from '../../lib/session.svelte.ts';
import { itemsOf } from './chat-items.ts';

const page = 200;

export class Conversation {
  readonly id: string;
  entries = $state.raw<readonly ChatEntry[]>([]);
  state = $state.raw<ChatState | null>(null);
  /** Of the turn under way. */
  text = $state('');
  fault = $state.raw<Fault | null>(null);
  isLoaded = $state(false);
  isLost = $state(false);
  readonly shown = $derived(itemsOf(this.entries));
  #text = '';
  #frame = 0;
  #arrived: ChatEntry[] = [];

  constructor(id: string) {
    this.id = id;
  }

  get isAnswering(): boolean {
    return this.state !== null && this.state.phase !== 'idle';
  }

  /** There are entries before those that are here. */
  get hasEarlier(): boolean {
    return (this.entries[0]?.seq ?? 0) > 0;
  }

  /** Reads and follows it, until the function that it gives is called. */
  follow(): () => void {
    let stop = (): void => undefined;
    let isOver = false;
    const begin = async (): Promise<void> => {
      try {
        const found = await call('showChat', { params: { chat: this.id }, query: { limit: page } });
        if (isOver) return;
        this.entries = found.entries as unknown as readonly ChatEntry[];
        this.#take(found.state);
        [this.fault, this.isLoaded] = [null, true];
        stop = live.watchChat(this.id, found.total, {
          onEntry: (entry) => {
            this.#arrived.push(entry);
            this.#draw();
          },
          onState: (state) => this.#take(state),
          onText: (from, text) => {
            if (from !== this.#text.length) return;
            this.#text += text;
            this.#draw();
          },
          onLost: () => {
            this.isLost = true;
          },
        });
      } catch (error) {
        if (!isOver) this.fault = faultOf(error);
      }
    };
    void begin();
    return () => {
      isOver = true;
      cancelAnimationFrame(this.#frame);
      stop();
    };
  }

  async earlier(): Promise<void> {
    const first = this.entries[0]?.seq ?? 0;
    const from = Math.max(0, first - page);
    const found = await call('showChat', {
      params: { chat: this.id },
      query: { from, limit: first - from },
    });
    this.entries = [...(found.entries as unknown as readonly ChatEntry[]), ...this.entries];
  }

  #take(state: ChatState): void {
    this.#text = state.text;
    this.#flush();
    this.state = state;
  }

  #draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#flush());
    // A page in the background draws no frames.
    if (document.hidden) this.#flush();
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#arrived.length > 0) this.entries = [...this.entries, ...this.#arrived];
    this.#arrived = [];
    this.text = this.#text;
  }
}
