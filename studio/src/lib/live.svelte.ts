// What changes on the server, as it changes: one stream of events for all tabs of this browser.
//
//   GET /v1/changes -> the leading tab -> every tab: runs, counters of changes, entries of watched runs and conversations
//
// A browser opens six connections to a host at most, so only one tab reads the stream (Web Locks decide which), and tells the others
// (BroadcastChannel). After a lost connection, or when another tab takes the lead, the stream goes on after the last event, and each
// watched run after its last entry: nothing is lost, nothing comes twice. Nothing polls.
import { SvelteMap } from 'svelte/reactivity';
import type { Json } from '../../../src/base/json.ts';
import type { OperationOutput } from '../../../src/api/operation.ts';
import type { Operations } from '../../../src/api/operations.ts';
import { EventReader } from '../../../src/api/event-stream.ts';

/** Fetching, scanning or installing skills. */
export type HubJob = OperationOutput<Operations['listHubJobs']>['jobs'][number];
export type RunSummary = OperationOutput<Operations['listRuns']>['runs'][number];

/** An entry of the journal of a run. */
export interface RunEntry {
  readonly seq: number;
  readonly entry: { readonly type: string; readonly at: number; readonly [key: string]: Json };
}

/** An entry of a conversation. */
export interface ChatEntry {
  readonly seq: number;
  readonly entry: { readonly type: string; readonly at: number; readonly [key: string]: Json };
}

export type ChatState = OperationOutput<Operations['showChat']>['state'];

/** What a page does with a conversation that it looks at. */
export interface ChatListener {
  onEntry(entry: ChatEntry): void;
  /** All of it, also the text of the turn under way. */
  onState(state: ChatState): void;
  /** More text of the turn, from an offset on. */
  onText(from: number, text: string): void;
  onLost(): void;
}

export type Connection = 'connecting' | 'open' | 'lost';

type Message =
  | { readonly kind: 'event'; readonly id: string | null; readonly event: string; readonly data: Json }
  | { readonly kind: 'connection'; readonly connection: Connection; readonly after: string | null }
  /** A tab that has come, or is asked by a new leader: what it watches. */
  | {
      readonly kind: 'watching';
      readonly tab: string;
      readonly runs: Places;
      readonly chats: Places;
    }
  | { readonly kind: 'lead'; readonly tab: string }
  | { readonly kind: 'gone'; readonly tab: string };

/** A part of what a call says while it is under way; `at`: where it begins. */
export interface TextPiece {
  readonly key: string;
  readonly at: number;
  readonly text: string;
}

/** What is looked at, and the number of the next entry. */
type Places = { readonly [id: string]: number };

interface ChatWatch extends ChatListener {
  next: number;
}

interface Watch {
  next: number;
  readonly onText: (piece: TextPiece) => void;
  readonly onEntries: (entries: readonly RunEntry[]) => void;
  readonly onLost: () => void;
}

class Live {
  /** Whether the stream is open. */
  connection = $state<Connection>('connecting');
  /** The last that is known of each run: lists and details read the status here, and nowhere else. */
  readonly runs = new SvelteMap<string, RunSummary>();
  /** Each counts up when something of it has changed: read it in an effect, and load again. */
  questions = $state(0);
  proposals = $state(0);
  skills = $state(0);
  hub = $state(0);
  /** Jobs of the hub that changed while this page was open, as they are now. */
  readonly jobs = new SvelteMap<string, HubJob>();
  chats = $state(0);
  /** Counts up when events may be missing: read every list again. */
  resets = $state(0);

  readonly #tab = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
  readonly #tabs = new BroadcastChannel('techne-live');
  readonly #watches = new Map<string, Set<Watch>>();
  readonly #chatWatches = new Map<string, Set<ChatWatch>>();
  /** Of other tabs, for the leader: tab -> run or conversation -> the next entry. */
  readonly #others = new Map<string, { readonly runs: Places; readonly chats: Places }>();
  /** What the stream has given of each run and conversation, for the leader. */
  readonly #given = new Map<string, number>();
  #after: string | null = null;
  #isLeader = false;
  #isStarted = false;
  #reconnect: AbortController | null = null;
  #wants = '';
  #onRefused = (): void => undefined;

  /** Called after each login. `onRefused`: the server does not know us any more. */
  start(onRefused: () => void): void {
    this.#onRefused = onRefused;
    if (this.#isStarted) {
      if (this.#isLeader) this.#reconnect?.abort();
      return;
    }
    this.#isStarted = true;
    this.#tabs.addEventListener('message', ({ data }) => this.#take(data as Message));
    addEventListener('pagehide', () => this.#send({ kind: 'gone', tab: this.#tab }));
    this.#tellWatches();
    void navigator.locks.request('techne-live', () => this.#lead());
  }

  /** Remembers what a list or a page has read, so that all of them show the same. */
  learn(runs: readonly RunSummary[]): void {
    for (const run of runs) {
      const known = this.runs.get(run.run);
      if (known?.status !== run.status || known.endedAt !== run.endedAt) this.runs.set(run.run, run);
    }
  }

  /** The entries of a run from a number on, as they come, until the function that it gives is called. */
  watch(
    run: string,
    from: number,
    onEntries: (entries: readonly RunEntry[]) => void,
    onLost: () => void = () => undefined,
    onText: (piece: TextPiece) => void = () => undefined,
  ): () => void {
    const watch: Watch = { next: from, onEntries, onLost, onText };
    const all = this.#watches.get(run) ?? new Set();
    all.add(watch);
    this.#watches.set(run, all);
    this.#tellWatches();
    return () => {
      all.delete(watch);
      if (all.size === 0) this.#watches.delete(run);
      this.#tellWatches();
    };
  }

  /** A conversation from an entry on, as it goes on, until the function that it gives is called. */
  watchChat(chat: string, from: number, listener: ChatListener): () => void {
    const watch: ChatWatch = { next: from, ...listener };
    const all = this.#chatWatches.get(chat) ?? new Set();
    all.add(watch);
    this.#chatWatches.set(chat, all);
    this.#tellWatches();
    // The state comes first with a stream that is opened: another page may look at it already.
    if (this.#isLeader && all.size > 1) this.#reconnect?.abort();
    return () => {
      all.delete(watch);
      if (all.size === 0) this.#chatWatches.delete(chat);
      this.#tellWatches();
    };
  }

  #take(message: Message): void {
    if (message.kind === 'event') this.#happen(message.id, message.event, message.data);
    else if (message.kind === 'connection') {
      this.connection = message.connection;
      this.#after = message.after ?? this.#after;
    } else if (message.kind === 'watching') {
      const before = this.#others.get(message.tab);
      this.#others.set(message.tab, message);
      if (!this.#isLeader) return;
      this.#send({ kind: 'connection', connection: this.connection, after: this.#after });
      // A page that has just begun to look needs the state, which comes with a stream that is opened.
      if (Object.keys(message.chats).some((chat) => before?.chats[chat] === undefined))
        this.#reconnect?.abort();
      else this.#renew();
    } else if (message.kind === 'lead') this.#tellWatches();
    else {
      this.#others.delete(message.tab);
      this.#renew();
    }
  }

  #send(message: Message): void {
    this.#tabs.postMessage(message);
  }

  #tellWatches(): void {
    if (this.#isLeader) this.#renew();
    else
      this.#send({
        kind: 'watching',
        tab: this.#tab,
        runs: nextOf(this.#watches),
        chats: nextOf(this.#chatWatches),
      });
  }

  /** Another set of runs, or an older entry of one, needs another request. */
  #renew(): void {
    if (!this.#isLeader) return;
    const [runs, chats] = [this.#wanted('runs'), this.#wanted('chats')];
    const isBehind = [...runs, ...chats].some(([id, from]) => from < (this.#given.get(id) ?? Infinity));
    if (namesOf(runs, chats) === this.#wants && !isBehind) return;
    this.#reconnect?.abort();
  }

  #wanted(what: 'runs' | 'chats'): Map<string, number> {
    const own = what === 'runs' ? nextOf(this.#watches) : nextOf(this.#chatWatches);
    const wanted = new Map<string, number>();
    for (const places of [own, ...[...this.#others.values()].map((other) => other[what])])
      for (const [id, from] of Object.entries(places)) wanted.set(id, Math.min(from, wanted.get(id) ?? from));
    return new Map([...wanted].slice(what === 'runs' ? -20 : -10));
  }

  async #lead(): Promise<never> {
    this.#isLeader = true;
    this.#send({ kind: 'lead', tab: this.#tab });
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let failures = 0; ;) {
      this.#reconnect = new AbortController();
      const { signal } = this.#reconnect;
      const outcome = await this.#read(signal);
      if (outcome === 'again') {
        // Several runs that are watched at once are one request.
        await new Promise((resolve) => setTimeout(resolve, 20));
        failures = 0;
        continue;
      }
      this.#say('lost');
      if (outcome === 'refused') this.#onRefused();
      failures = outcome === 'lost' ? failures + 1 : 0;
      // After a refusal the next login goes on.
      await new Promise((resolve) => {
        if (outcome !== 'refused') setTimeout(resolve, Math.min(5_000, 250 * 2 ** failures));
        signal.addEventListener('abort', resolve);
      });
    }
  }

  #say(connection: Connection): void {
    this.connection = connection;
    this.#send({ kind: 'connection', connection, after: this.#after });
  }

  async #read(signal: AbortSignal): Promise<'again' | 'lost' | 'ended' | 'refused'> {
    const [runs, chats] = [this.#wanted('runs'), this.#wanted('chats')];
    this.#wants = namesOf(runs, chats);
    this.#given.clear();
    const query = new URLSearchParams();
    if (this.#after !== null) query.set('after', this.#after);
    for (const [name, wanted] of [
      ['runs', runs],
      ['chats', chats],
    ] as const) {
      for (const [id, from] of wanted) this.#given.set(id, from);
      if (wanted.size > 0) query.set(name, [...wanted].map(([id, from]) => `${id}:${from}`).join());
    }
    let isOpen = false;
    try {
      const response = await fetch(`/v1/changes?${query}`, { signal });
      if (response.status === 401) return 'refused';
      if (!response.ok || response.body === null) return 'lost';
      const stream = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const reader = new EventReader();
      this.#say('open');
      isOpen = true;
      for (;;) {
        const { done, value } = await stream.read();
        if (done) return isOpen ? 'ended' : 'lost';
        for (const { id, event, data } of reader.read(value)) {
          const parsed = JSON.parse(data) as Json;
          this.#send({ kind: 'event', id, event, data: parsed });
          this.#happen(id, event, parsed);
        }
      }
    } catch {
      // The connection broke, or was ended for another one.
      return signal.aborted ? 'again' : isOpen ? 'ended' : 'lost';
    }
  }

  #happen(id: string | null, event: string, data: Json): void {
    if (id !== null) this.#after = id;
    switch (event) {
      case 'run.changed': {
        const { run } = data as unknown as { readonly run: RunSummary };
        this.runs.set(run.run, run);
        break;
      }
      case 'run.removed':
        this.runs.delete((data as { readonly run: string }).run);
        break;
      case 'questions.changed':
        this.questions += 1;
        break;
      case 'proposals.changed':
        this.proposals += 1;
        break;
      case 'skills.changed':
        this.skills += 1;
        break;
      case 'hub.changed':
        this.hub += 1;
        break;
      case 'job.changed': {
        const { job } = data as unknown as { readonly job: HubJob };
        this.jobs.set(job.id, job);
        break;
      }
      case 'chats.changed':
        this.chats += 1;
        break;
      case 'feed.reset':
        // The server may be another one, which has none of them.
        this.jobs.clear();
        this.hub += 1;
        this.resets += 1;
        this.chats += 1;
        this.questions += 1;
        this.proposals += 1;
        this.skills += 1;
        break;
      case 'entry': {
        const { run, ...entry } = data as unknown as RunEntry & { readonly run: string };
        this.#given.set(run, entry.seq + 1);
        for (const watch of this.#watches.get(run) ?? [])
          if (entry.seq === watch.next) {
            watch.next += 1;
            watch.onEntries([entry]);
          }
        break;
      }
      case 'text': {
        const { run, ...piece } = data as unknown as TextPiece & { readonly run: string };
        for (const watch of this.#watches.get(run) ?? []) watch.onText(piece);
        break;
      }
      case 'chat.entry': {
        const { chat, ...entry } = data as unknown as ChatEntry & { readonly chat: string };
        this.#given.set(chat, entry.seq + 1);
        for (const watch of this.#chatWatches.get(chat) ?? [])
          if (entry.seq === watch.next) {
            watch.next += 1;
            watch.onEntry(entry);
          }
        break;
      }
      case 'chat.state': {
        const { chat, state } = data as unknown as { readonly chat: string; readonly state: ChatState };
        for (const watch of this.#chatWatches.get(chat) ?? []) watch.onState(state);
        break;
      }
      case 'chat.text': {
        const { chat, from, text } = data as {
          readonly chat: string;
          readonly from: number;
          readonly text: string;
        };
        for (const watch of this.#chatWatches.get(chat) ?? []) watch.onText(from, text);
        break;
      }
      case 'chat.lost':
        for (const watch of this.#chatWatches.get((data as { readonly chat: string }).chat) ?? [])
          watch.onLost();
        break;
      case 'run.lost':
        for (const watch of this.#watches.get((data as { readonly run: string }).run) ?? []) watch.onLost();
    }
  }
}

function nextOf(watches: ReadonlyMap<string, ReadonlySet<{ readonly next: number }>>): Places {
  return Object.fromEntries(
    [...watches].map(([id, all]) => [id, Math.min(...[...all].map(({ next }) => next))]),
  );
}

function namesOf(runs: ReadonlyMap<string, number>, chats: ReadonlyMap<string, number>): string {
  return `${[...runs.keys()].sort().join()} ${[...chats.keys()].sort().join()}`;
}

export const live = new Live();
