// The output of a command -> its beginning and its end, as text.
//
//   chunks of bytes -> kept bytes -> text, truncated
//
// Memory is bounded by what is kept. A character is never cut in half: at the cuts, between chunks, or where the
// other stream came in between; invalid UTF-8 becomes U+FFFD. `truncated` is true exactly if a byte was dropped.

/** Keeps the first half and the last half of what fits. */
export class OutputKeeper {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head = Buffer.alloc(0);
  #headLength = 0;
  /** A ring: the oldest byte is at `#next` once it is full. */
  #tail: Buffer | null = null;
  #next = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#headBytes = Math.ceil(maxBytes / 2);
    this.#tailBytes = maxBytes - this.#headBytes;
  }

  get truncated(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#headBytes - this.#headLength);
    if (first.length > 0) this.#addHead(first);
    let rest = chunk.subarray(first.length);
    if (rest.length === 0 || this.#tailBytes === 0) return;
    this.#tail ??= Buffer.allocUnsafe(this.#tailBytes);
    if (rest.length > this.#tailBytes) rest = rest.subarray(rest.length - this.#tailBytes);
    const untilEnd = Math.min(rest.length, this.#tailBytes - this.#next);
    this.#tail.set(rest.subarray(0, untilEnd), this.#next);
    this.#tail.set(rest.subarray(untilEnd), 0);
    this.#next = (this.#next + rest.length) % this.#tailBytes;
  }

  #addHead(bytes: Uint8Array): void {
    const needed = this.#headLength + bytes.length;
    if (needed > this.#head.length) {
      const grown = Buffer.allocUnsafe(
        Math.min(this.#headBytes, Math.max(needed, this.#head.length * 2, 1024)),
      );
      grown.set(this.#head.subarray(0, this.#headLength));
      this.#head = grown;
    }
    this.#head.set(bytes, this.#headLength);
    this.#headLength = needed;
  }

  text(): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tailInOrder();
    if (!this.truncated) return decode(Buffer.concat([head, tail]));
    const first = head.subarray(0, head.length - unfinished(head));
    const last = tail.subarray(continuing(tail));
    return `${decode(first)}\n[… ${this.#total - first.length - last.length} bytes left out …]\n${decode(last)}`;
  }

  #tailInOrder(): Buffer {
    if (this.#tail === null) return Buffer.alloc(0);
    const filled = Math.min(this.#total - this.#headBytes, this.#tailBytes);
    if (filled < this.#tailBytes) return this.#tail.subarray(0, filled);
    return Buffer.concat([this.#tail.subarray(this.#next), this.#tail.subarray(0, this.#next)]);
  }
}

/** Cuts a stream into chunks that end with whole characters. */
export class WholeCharacters {
  #held = Buffer.alloc(0);

  next(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.length - unfinished(bytes);
    this.#held = Buffer.from(bytes.subarray(end));
    return bytes.subarray(0, end);
  }

  /** The bytes of an incomplete character. */
  end(): Buffer {
    return this.#held;
  }
}

/** How many bytes at the end begin a character that is not complete. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte < 0xf5 && length > back ? back : 0;
  }
  return 0;
}

/** How many bytes at the start belong to a character that began before. */
function continuing(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && ((bytes[count] as number) & 0xc0) === 0x80) count += 1;
  return count;
}

// A byte order mark is part of what was printed.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
