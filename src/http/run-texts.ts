// What models and commands of runs say while they say it, for people to watch: never journaled, and gone when the call has ended.
//
//   effect.text events of runs that this process drives -> pieces { run, key, at, text } for those who follow the run
//
// A reader that comes late first gets what was said so far (`at` 0). Only the last part of a long text is kept, and readers are told
// at most ten times in a second: the whole answer is in the journal when the call ends. Runs of workers elsewhere have no texts here.
import type { RunEvent } from '../run/events.ts';

/** A part of what a call says. */
export interface TextPiece {
  readonly run: string;
  readonly key: string;
  /** Where in the text of the call it begins, in UTF-16 code units. */
  readonly at: number;
  readonly text: string;
}

interface Said {
  /** Units before `text` that are not kept. */
  dropped: number;
  text: string;
  /** Units that readers have been told. */
  told: number;
}

const mostKept = 65_536;
const tellMs = 100;

export class RunTexts {
  readonly #said = new Map<string, Map<string, Said>>();
  readonly #readers = new Map<string, Set<(pieces: readonly TextPiece[]) => void>>();
  #timer: NodeJS.Timeout | null = null;

  /** Must not throw. */
  take(event: RunEvent): void {
    if (event.type === 'effect.text') this.#add(event);
    // Another attempt says it anew.
    else if (event.type === 'effect.started') this.#said.get(event.run)?.delete(event.key);
    else if (event.type === 'effect.ended') {
      this.#tell();
      this.#said.get(event.run)?.delete(event.key);
    } else if (event.type === 'run.ended' || event.type === 'run.paused') this.#said.delete(event.run);
  }

  /** What was said so far at once, then what follows, until the function that it gives is called. */
  follow(run: string, onPieces: (pieces: readonly TextPiece[]) => void): () => void {
    this.#tell();
    const readers = this.#readers.get(run) ?? new Set();
    readers.add(onPieces);
    this.#readers.set(run, readers);
    const soFar = [...(this.#said.get(run) ?? [])].map(([key, { dropped, text }]) => ({
      run,
      key,
      at: dropped,
      text,
    }));
    if (soFar.length > 0) onPieces(soFar);
    return () => {
      readers.delete(onPieces);
      if (readers.size === 0) this.#readers.delete(run);
    };
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#said.clear();
    this.#readers.clear();
  }

  #add({ run, key, text }: Extract<RunEvent, { readonly type: 'effect.text' }>): void {
    const calls = this.#said.get(run) ?? new Map<string, Said>();
    this.#said.set(run, calls);
    const said = calls.get(key) ?? { dropped: 0, text: '', told: 0 };
    calls.set(key, said);
    said.text += text;
    const over = said.text.length - mostKept;
    if (over > 0) {
      said.text = said.text.slice(over);
      said.dropped += over;
    }
    this.#timer ??= setTimeout(() => this.#tell(), tellMs);
  }

  #tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [run, calls] of this.#said) {
      const pieces: TextPiece[] = [];
      for (const [key, said] of calls) {
        const end = said.dropped + said.text.length;
        if (said.told >= end) continue;
        const at = Math.max(said.told, said.dropped);
        pieces.push({ run, key, at, text: said.text.slice(at - said.dropped) });
        said.told = end;
      }
      if (pieces.length > 0) for (const onPieces of this.#readers.get(run) ?? []) onPieces(pieces);
    }
  }
}
