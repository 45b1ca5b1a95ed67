// A text made from another one, that knows where each of its characters comes from.
//
//   source -> copy, skip, put … -> Mapped { text, rawOffset }
//
// Offsets never decrease. A piece is copied (offsets run along), put (all of it comes from one place) or decoded (offsets are
// spread over the part it was decoded from).

export interface Mapped {
  readonly text: string;
  rawOffset(offset: number): number;
}

export class MappedBuilder {
  readonly #source: string;
  readonly #pieces: string[] = [];
  readonly #outAt: number[] = [];
  readonly #inAt: number[] = [];
  readonly #rate: number[] = [];
  #length = 0;
  /** Up to where the source was taken or skipped by `copyTo`. */
  #taken = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get length(): number {
    return this.#length;
  }

  copy(start: number, end: number): void {
    if (end > start) this.#add(this.#source.slice(start, end), start, 1);
  }

  /** Everything since the last `copyTo`, then goes on after `skipTo`. */
  copyTo(end: number, skipTo: number = end): void {
    this.copy(this.#taken, end);
    this.#taken = skipTo;
  }

  put(text: string, at: number): void {
    if (text !== '') this.#add(text, at, 0);
  }

  /** `text` was decoded from `start` to `end`. */
  decoded(text: string, start: number, end: number): void {
    if (text !== '') this.#add(text, start, (end - start) / text.length);
  }

  finish(): Mapped {
    return mappedText(this.#pieces.join(''), this.#outAt, this.#inAt, this.#rate, this.#source.length);
  }

  #add(text: string, at: number, rate: number): void {
    this.#pieces.push(text);
    this.#outAt.push(this.#length);
    this.#inAt.push(at);
    this.#rate.push(rate);
    this.#length += text.length;
  }
}

function mappedText(
  text: string,
  outAt: readonly number[],
  inAt: readonly number[],
  rate: readonly number[],
  sourceLength: number,
): Mapped {
  return {
    text,
    rawOffset(offset) {
      if (outAt.length === 0) return 0;
      let low = 0;
      let high = outAt.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((outAt[middle] as number) <= offset) low = middle;
        else high = middle - 1;
      }
      const along = Math.max(0, offset - (outAt[low] as number)) * (rate[low] as number);
      return Math.min(sourceLength, (inAt[low] as number) + Math.floor(along));
    },
  };
}

/** A part of a text, decoded. */
export function decodedPart(text: string, start: number, end: number): Mapped {
  const rate = text.length === 0 ? 0 : (end - start) / text.length;
  return {
    text,
    rawOffset: (offset) => Math.min(end, start + Math.floor(Math.max(0, offset) * rate)),
  };
}

/** Reads `inner`, which was made from the text of `outer`, in the offsets that `outer` has. */
export function within(outer: Mapped, inner: Mapped): Mapped {
  return { text: inner.text, rawOffset: (offset) => outer.rawOffset(inner.rawOffset(offset)) };
}

export function unchanged(text: string): Mapped {
  return { text, rawOffset: (offset) => Math.min(Math.max(0, offset), text.length) };
}
