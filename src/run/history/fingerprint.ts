// The entries of an engine -> one hash that changes with every changed, swapped, added or missing one.
//
// Entries that stores write themselves (`owner.claimed`) and the end, which contains the hash, do not count.
import type { JournalEntry } from '../../journal/entry.ts';
import { entryJson } from '../../journal/frame.ts';
import type { Sha256 } from '../../ports/environment.ts';

/** Hashed together: a hash costs more than the text of an entry. Part of the format. */
const entriesPerHash = 64;

export class Fingerprint {
  readonly #sha256: Sha256;
  #value = '';
  #text = '';
  #lines = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(entry: JournalEntry): void {
    if (entry.type === 'owner.claimed' || entry.type === 'run.ended') return;
    // A rope of V8, made flat once by the hash.
    this.#text += `\n${entryJson(entry)}`;
    this.#lines += 1;
    if (this.#lines === entriesPerHash) this.#fold();
  }

  value(): string {
    return this.#lines === 0 ? this.#value : this.#next();
  }

  #fold(): void {
    this.#value = this.#next();
    this.#text = '';
    this.#lines = 0;
  }

  #next(): string {
    return this.#sha256(`${this.#value}${this.#text}`).slice(0, 32);
  }
}
