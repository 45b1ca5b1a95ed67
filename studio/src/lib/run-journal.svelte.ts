// A run from the entries of its journal, as they come: the calls, in order and nested, what was traced, how far it is.
//
// Entries are folded one by one, and shown once per frame, so that a run that does hundreds of things in a second costs no more than the
// frames of the screen. Large values stay on the server: an entry names their digest (`blob`).
import type { Json } from '../../../src/base/json.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import { live } from './live.svelte.ts';
import type { RunEntry } from './live.svelte.ts';

export type StoredValue = { readonly value: Json } | { readonly blob: string; readonly bytes: number };

/** A call of the run. */
export interface Effect {
  readonly key: string;
  readonly kind: string;
  readonly startedAt: number;
  readonly request: StoredValue;
  readonly attempt: number;
  readonly state: 'running' | 'completed' | 'failed' | 'paused';
  readonly ms: number | null;
  /** When it asked somebody, and was answered (`null`: not yet): for that long it did nothing. */
  readonly waited: { readonly from: number; readonly to: number | null } | null;
  readonly endedAt: number | null;
  readonly result: StoredValue | null;
  readonly usage: { readonly [name: string]: Json };
  /** The number of its last entry. */
  readonly seq: number;
}

export class RunJournal {
  entries = $state.raw<readonly RunEntry[]>([]);
  effects = $state.raw<readonly Effect[]>([]);
  /** What calls under way have said so far, by key: not journaled, and gone when they end. */
  texts = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Its run is gone. */
  isLost = $state(false);
  readonly #entries: RunEntry[] = [];
  readonly #effects = new Map<string, Effect>();
  readonly #texts = new Map<string, string>();
  readonly #waiting = new Map<string, string>();
  #isScheduled = false;

  /** To be called in an effect; gives what ends it. */
  follow(run: string): () => void {
    this.#entries.length = 0;
    this.#effects.clear();
    this.#texts.clear();
    this.entries = [];
    this.effects = [];
    return live.watch(
      run,
      0,
      (entries) => {
        for (const one of entries) {
          this.#entries.push(one);
          this.#fold(one);
        }
        this.#show();
      },
      () => (this.isLost = true),
      ({ key, at, text }) => {
        const known = this.#texts.get(key) ?? '';
        // What is missing before it was too long to be kept.
        this.#texts.set(key, at > known.length ? `… ${text}` : known.slice(0, at) + text);
        this.#show();
      },
    );
  }

  #show(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const show = (): void => {
      this.#isScheduled = false;
      this.entries = [...this.#entries];
      this.effects = [...this.#effects.values()];
      this.texts = new Map(this.#texts);
    };
    // A tab that nobody looks at has no frames.
    if (document.visibilityState === 'visible') requestAnimationFrame(show);
    else setTimeout(show, 250);
  }

  #fold({ seq, entry }: RunEntry): void {
    const textIn = (name: string): string => (typeof entry[name] === 'string' ? (entry[name] as string) : '');
    const key = textIn('key');
    const known = this.#effects.get(key);
    switch (entry.type) {
      case 'effect.started':
        this.#effects.set(key, {
          key,
          kind: textIn('kind'),
          startedAt: known?.startedAt ?? entry.at,
          request: entry['request'] as unknown as StoredValue,
          attempt: Number(entry['attempt'] ?? 1),
          state: 'running',
          ms: null,
          waited: known?.waited ?? null,
          endedAt: null,
          result: null,
          usage: {},
          seq,
        });
        break;
      case 'effect.ended':
        this.#texts.delete(key);
        if (known === undefined) break;
        this.#effects.set(key, {
          ...known,
          state: entry['ok'] === true ? 'completed' : 'failed',
          ms: Number(entry['ms']),
          endedAt: entry.at,
          result: entry['result'] as unknown as StoredValue,
          usage: isJsonObject(entry['usage'] ?? null)
            ? (entry['usage'] as { readonly [name: string]: Json })
            : {},
          seq,
        });
        break;
      case 'effect.decided':
        if (known !== undefined)
          this.#effects.set(key, { ...known, state: entry['as'] === 'fail' ? 'failed' : known.state, seq });
        break;
      case 'question.asked':
        this.#waiting.set(textIn('id'), key);
        if (known !== undefined)
          this.#effects.set(key, {
            ...known,
            state: 'paused',
            waited: { from: known.waited?.from ?? entry.at, to: null },
            seq,
          });
        break;
      case 'question.answered': {
        const of = this.#waiting.get(textIn('id')) ?? '';
        const waited = this.#effects.get(of);
        if (waited?.state === 'paused')
          this.#effects.set(of, {
            ...waited,
            state: 'running',
            waited: { from: waited.waited?.from ?? entry.at, to: entry.at },
            seq,
          });
      }
    }
  }
}

/** The call that it is a part of; `null`: none. `3/2` is a part of `3`. */
export function parentOf(key: string): string | null {
  const at = key.lastIndexOf('/');
  return at === -1 ? null : key.slice(0, at);
}

/** A line about what a call does. */
export function summaryOf({ kind, request }: Pick<Effect, 'kind' | 'request'>): string {
  if (!('value' in request)) return `${kind} of ${request.bytes.toLocaleString('en')} bytes`;
  const { value } = request;
  if (!isJsonObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const { argv, prompt, tool, skill, purpose, text, name, fields } = value;
  if (Array.isArray(argv)) return argv.map(String).join(' ');
  for (const one of [purpose, prompt, tool, skill, text, name])
    if (typeof one === 'string' && one !== '') return one;
  if (Array.isArray(fields))
    return fields
      .map((one) => (isJsonObject(one) && typeof one['name'] === 'string' ? one['name'] : ''))
      .join(', ');
  return JSON.stringify(value);
}

/** What an entry of the journal says, in words. */
export function describeEntry({ type, ...entry }: RunEntry['entry']): string {
  const text = (name: string): string => (typeof entry[name] === 'string' ? (entry[name] as string) : '');
  switch (type) {
    case 'effect.started':
      return `${text('kind')} ${text('key')} began`;
    case 'effect.ended':
      return `${text('key')} ${entry['ok'] === true ? 'succeeded' : 'failed'}`;
    case 'question.asked':
      return `asked the ${text('audience')} about ${text('key')}`;
    case 'question.answered':
      return `was answered by ${[text('by'), text('name')].filter(Boolean).join(' ')}`;
    case 'run.ended':
      return `ended: ${text('status')}`;
    case 'run.paused':
      return `paused: ${text('reason')}`;
    case 'cancel.requested':
      return `cancelled by ${text('by')}`;
    case 'trace.added':
      return `traced ${text('kind')}`;
    case 'effect.decided':
      return `${text('key')} was decided: ${text('as')}`;
    default:
      return type.replace('.', ' ');
  }
}
