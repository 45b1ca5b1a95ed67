// JournalEntry <-> one line of a journal.
//
//   line = seq " " batch " " length " " chain " " json "\n"
//
// `seq` counts the entries of a run from 0, over all its segments. `batch` is the seq of the first entry of the same
// write. `length` is that of the JSON in UTF-8. Numbers are decimal, without leading zeros. `chain` is a CRC-32 in eight
// lower-case hex digits, over the previous chain, the three numbers and the JSON. The chain of a segment starts from the
// run and the epoch, so that a line is valid in one place only. JSON contains no line end and no NUL: a line end shows
// that the line was written completely, a NUL that it was not (or that a byte changed).
import { encodeUtf8, encodeUtf8Into, maxUtf8Bytes } from '../base/utf8.ts';
import type { EffectStarted, JournalEntry } from './entry.ts';
import { canonicalJson, jsonText, quoteJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';

/** Where the next line goes, and what it follows. */
export interface Position {
  /** In bytes from the start of the segment. */
  readonly offset: number;
  readonly seq: number;
  readonly batch: number;
  readonly chain: number;
  /** The last line is there but for its line end. */
  readonly lineEndMissing: boolean;
}

export function startOfSegment(run: string, epoch: number, seq: number): Position {
  const seed = encodeUtf8(`techne journal 1 ${run} ${epoch}\n`);
  return { offset: 0, seq, batch: seq, chain: crc32(0, seed, 0, seed.length), lineEndMissing: false };
}

export function chainText(chain: number): string {
  return chain.toString(16).padStart(8, '0');
}

/** Four numbers of at most 15 digits, and the spaces. */
const maxHeaderBytes = 64;

/** Lines of one batch after another, encoded into memory that is used again. */
export class BatchEncoder {
  #position: Position;
  #batch: number;
  #bytes = new Uint8Array(1024);
  #length = 0;
  #json = new Uint8Array(1024);
  #spare = new Uint8Array(0);

  constructor(position: Position) {
    this.#position = position;
    this.#batch = position.seq;
  }

  get seq(): number {
    return this.#position.seq;
  }

  /** Bytes of the batch so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a line for each entry to the batch: all, or none when one cannot be written as JSON. */
  add(entries: readonly JournalEntry[]): void {
    const before = this.#position;
    const length = this.#length;
    try {
      for (const entry of entries) this.#addLine(entryJson(entry));
    } catch (error) {
      this.#position = before;
      this.#length = length;
      throw error;
    }
  }

  #addLine(text: string): void {
    const { seq, chain, offset } = this.#position;
    if (this.#json.length < maxUtf8Bytes(text)) this.#json = new Uint8Array(maxUtf8Bytes(text) * 2);
    const jsonBytes = encodeUtf8Into(text, this.#json);
    this.#reserve(jsonBytes + maxHeaderBytes);
    const bytes = this.#bytes;
    const start = this.#length;
    const numbersEnd = writeNumber(
      jsonBytes,
      bytes,
      writeNumber(this.#batch, bytes, writeNumber(seq, bytes, start)),
    );
    const next = crc32(crc32(chain, bytes, start, numbersEnd), this.#json, 0, jsonBytes);
    const jsonAt = writeChain(next, bytes, numbersEnd);
    bytes.set(this.#json.subarray(0, jsonBytes), jsonAt);
    bytes[jsonAt + jsonBytes] = 0x0a;
    this.#length = jsonAt + jsonBytes + 1;
    this.#position = {
      offset: offset + this.#length - start,
      seq: seq + 1,
      batch: this.#batch,
      chain: next,
      lineEndMissing: false,
    };
  }

  /** The batch, and where the journal ends with it. The bytes may be used until the second next `take`. */
  take(): { readonly bytes: Uint8Array; readonly end: Position } {
    const bytes = this.#bytes.subarray(0, this.#length);
    const used = this.#bytes;
    this.#bytes = this.#spare.length === 0 ? new Uint8Array(1024) : this.#spare;
    this.#spare = used;
    this.#length = 0;
    this.#batch = this.#position.seq;
    return { bytes, end: this.#position };
  }

  /** Forgets everything that was added after `position`. */
  reset(position: Position): void {
    this.#position = position;
    this.#batch = position.seq;
    this.#length = 0;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array((this.#length + count) * 2);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** In decimal with a space after it; gives where that ends. */
function writeNumber(value: number, into: Uint8Array, at: number): number {
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end += 1;
  for (let to = end - 1, rest = value; to >= at; to -= 1, rest = Math.floor(rest / 10))
    into[to] = 0x30 + (rest % 10);
  into[end] = 0x20;
  return end + 1;
}

/** The same, for a chain as `chainText` has it. */
function writeChain(chain: number, into: Uint8Array, at: number): number {
  for (let digit = 0; digit < 8; digit += 1) {
    const value = (chain >>> (28 - digit * 4)) & 15;
    into[at + digit] = value < 10 ? 0x30 + value : 0x57 + value;
  }
  into[at + 8] = 0x20;
  return at + 9;
}

export interface Header {
  readonly seq: number;
  readonly batch: number;
  readonly length: number;
  readonly chain: number;
  readonly numbersEnd: number;
  readonly jsonAt: number;
}

/** The header of the line at `at`: `short` when the bytes end within it, `bad` when it is not a header. */
export function readHeader(bytes: Uint8Array, at: number): Header | 'short' | 'bad' {
  const seq = readNumber(bytes, at);
  if (typeof seq === 'string') return seq;
  const batch = readNumber(bytes, seq.end);
  if (typeof batch === 'string') return batch;
  const length = readNumber(bytes, batch.end);
  if (typeof length === 'string') return length;
  let chain = 0;
  const jsonAt = length.end + 9;
  for (let digitAt = length.end; digitAt < jsonAt - 1; digitAt += 1) {
    const byte = bytes[digitAt];
    if (byte === undefined) return 'short';
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
    if (digit === -1) return 'bad';
    chain = ((chain << 4) | digit) >>> 0;
  }
  const space = bytes[jsonAt - 1];
  if (space !== 0x20) return space === undefined ? 'short' : 'bad';
  return { seq: seq.value, batch: batch.value, length: length.value, chain, numbersEnd: length.end, jsonAt };
}

/** A decimal number and the space after it. */
function readNumber(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | 'short' | 'bad' {
  let value = 0;
  for (let end = at; end < bytes.length; end += 1) {
    const byte = bytes[end] as number;
    if (byte === 0x20) return end === at ? 'bad' : { value, end: end + 1 };
    const leadingZero = end === at + 1 && value === 0;
    if (byte < 0x30 || byte > 0x39 || leadingZero || end - at >= 15) return 'bad';
    value = value * 10 + byte - 0x30;
  }
  return 'short';
}

// CRC-32 (as in zlib and PNG), which can continue an earlier one: crc32(crc32(0, a), b) is that of a followed by b.
//
// It finds every damage within 32 bits, so every changed byte.

// Four bytes at a time: tables[k] is the effect of a byte k places before the last one.
const tables: readonly Int32Array[] = makeTables();

export function crc32(previous: number, bytes: Uint8Array, start: number, end: number): number {
  const [t0, t1, t2, t3] = tables as readonly [Int32Array, Int32Array, Int32Array, Int32Array];
  let crc = ~previous;
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (t3[crc & 255] as number) ^
      (t2[(crc >>> 8) & 255] as number) ^
      (t1[(crc >>> 16) & 255] as number) ^
      (t0[crc >>> 24] as number);
  }
  for (; at < end; at += 1) crc = (t0[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function makeTables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
    return crc;
  });
  const made = [first];
  for (let k = 1; k < 4; k += 1) {
    made.push((made[k - 1] as Int32Array).map((crc) => (crc >>> 8) ^ (first[crc & 255] as number)));
  }
  return made;
}

// The JSON of a JournalEntry, made once: the journal stores it and the fingerprint covers it.
//
// Entries never change, so neither does their text; parsing it and encoding again gives the same text. A request is in
// canonical order, as it is hashed, so that one text serves both. The text is cached for a while: it is needed again
// when the entry is appended, and rarely later.

/** Texts that were read, for as long as their entries are there. */
const readTexts = new WeakMap<JournalEntry, string>();

/** More than are appended together. */
const maxRecent = 128;

// Not weak: what is in a WeakMap that has grown old is copied by every scavenge, dead or not, and most of the time that
// scavenges took went to that.
let recent = new Map<JournalEntry, string>();
let before: ReadonlyMap<JournalEntry, string> = new Map();

function keepRecent(entry: JournalEntry, text: string): void {
  if (recent.size >= maxRecent) {
    before = recent;
    recent = new Map();
  }
  recent.set(entry, text);
}

/** Throws what `JSON.stringify` throws. */
export function entryJson(entry: JournalEntry): string {
  const known = recent.get(entry) ?? before.get(entry) ?? readTexts.get(entry);
  if (known !== undefined) return known;
  const text = makeJson(entry);
  keepRecent(entry, text);
  return text;
}

/** Most entries are of two types, and spelling out what is around their values takes half the time. */
function makeJson(entry: JournalEntry): string {
  if (entry.type === 'effect.started' && 'value' in entry.request)
    return startedJson(entry, canonicalJson(entry.request.value));
  if (entry.type !== 'effect.ended') return jsonText(entry as unknown as Json);
  const { at, key, ok, result, ms, usage, usedMs } = entry;
  return `{"type":"effect.ended","at":${at},"key":${quoteJson(key)},"ok":${ok},"result":${jsonText(result as unknown as Json)},"ms":${ms}${usage === undefined ? '' : `,"usage":${JSON.stringify(usage)}`}${usedJson(usedMs)}}`;
}

function usedJson(usedMs: number | undefined): string {
  return usedMs === undefined ? '' : `,"usedMs":${usedMs}`;
}

/** `text` is where the entry was read from. */
export function keepEntryJson(entry: JournalEntry, text: string): void {
  readTexts.set(entry, text);
}

/** `requestText` is the request of the entry in canonical order. */
export function keepRequestText(entry: EffectStarted, requestText: string): void {
  if ('value' in entry.request) keepRecent(entry, startedJson(entry, requestText));
}

function startedJson(
  { at, key, kind, hash, repeatable, attempt, usedMs }: EffectStarted,
  requestText: string,
): string {
  return `{"type":"effect.started","at":${at},"key":${quoteJson(key)},"kind":${quoteJson(kind)},"hash":${quoteJson(hash)},"request":{"value":${requestText}},"repeatable":${repeatable},"attempt":${attempt}${usedJson(usedMs)}}`;
}
