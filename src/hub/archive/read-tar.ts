// A tar archive, as it comes in -> its entries, in memory.
//
//   bytes -> blocks of 512 -> header (ustar, pax, GNU long names) -> entry
//
// T1. Bytes of an entry are kept only while file, entries and total are within their limits; nothing else is held.
// T2. A header whose checksum is wrong, a cut archive, and a size that is no number are SOURCE_DAMAGED.
// T3. Sparse files, volumes and unknown types are listed as `other`, and their bytes skipped.
import type { Abort } from '../../base/abort.ts';
import { damaged, overLimit } from './limited.ts';
import type { ListedEntry, Listing } from './listing.ts';
import { decodeName, plainPath, showBytes } from './listing.ts';

export interface ArchiveLimits {
  readonly totalBytes: number;
  readonly fileBytes: number;
  readonly entries: number;
  readonly ratio: number;
}

const blockSize = 512;
/** Of a pax header or a long name. */
const maxExtension = 64 * 1024;

export async function readTar(
  chunks: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
  signal: Abort,
): Promise<Listing> {
  const input = new BlockReader(chunks, signal);
  try {
    return await readBlocks(input, limits);
  } finally {
    await input.close();
  }
}

async function readBlocks(input: BlockReader, limits: ArchiveLimits): Promise<Listing> {
  const entries: ListedEntry[] = [];
  const contents = new Map<ListedEntry, Uint8Array>();
  let held = 0;
  let extensions = 0;
  let next: Extensions = {};
  let global: Extensions = {};
  for (;;) {
    const header = await input.take(blockSize);
    if (header === null) {
      if (entries.length > 0 || input.read > 0) break;
      throw damaged('the archive is empty');
    }
    if (header.every((byte) => byte === 0)) break;
    checkHeader(header);
    const type = String.fromCharCode(header[156] as number);
    const stated = readNumber(header, 124, 12);
    const size = extensionTypes.has(type) ? stated : (next.size ?? stated);
    if (size < 0 || !Number.isSafeInteger(size))
      throw damaged('the archive has an entry of an impossible size');
    if (extensionTypes.has(type)) {
      extensions += 1;
      if (extensions > limits.entries * 2)
        throw overLimit(`the archive has more than ${limits.entries} entries`);
      const bytes = await content(input, size, maxExtension, 'a header');
      if (type === 'g') global = { ...global, ...readPax(bytes) };
      else next = { ...next, ...readExtension(type, bytes) };
      continue;
    }
    const own = { ...global, ...next };
    next = {};
    const entry = entryOf(header, type, own, size);
    if (entry.path === '' && entry.kind === 'folder') continue;
    entries.push(entry);
    if (entries.length > limits.entries)
      throw overLimit(`the archive has more than ${limits.entries} entries`);
    const hasBytes = !bodiless.has(type);
    if (entry.kind === 'file' && size <= limits.fileBytes) {
      held += size;
      if (held > limits.totalBytes) throw overLimit(`the archive holds more than ${limits.totalBytes} bytes`);
      contents.set(entry, await content(input, size, limits.fileBytes, 'a file'));
    } else if (hasBytes) await input.skip(padded(size));
  }
  return {
    entries,
    read: (entry) => {
      const bytes = contents.get(entry);
      return bytes === undefined
        ? Promise.reject(new Error('not a file of this archive'))
        : Promise.resolve(bytes);
    },
  };
}

const extensionTypes: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K']);
const fileTypes: ReadonlySet<string> = new Set(['0', '\0', '7']);
/** Links, devices and folders have no content, whatever their size says. */
const bodiless: ReadonlySet<string> = new Set(['1', '2', '3', '4', '5', '6']);

interface Extensions {
  readonly path?: Uint8Array | string;
  readonly size?: number;
  /** A key of pax that changes what the entry is, such as a sparse file. */
  readonly isStrange?: true;
}

function entryOf(header: Uint8Array, type: string, own: Extensions, size: number): ListedEntry {
  const raw = own.path ?? headerName(header);
  const name = typeof raw === 'string' ? raw : decodeName(raw);
  const kind =
    type === '5' || (fileTypes.has(type) && name?.endsWith('/') === true)
      ? 'folder'
      : type === '1' || type === '2'
        ? 'link'
        : fileTypes.has(type) && own.isStrange !== true
          ? 'file'
          : 'other';
  return {
    path: name === null ? showBytes(raw as Uint8Array) : plainPath(name),
    kind,
    size: kind === 'file' ? size : 0,
    executable: kind === 'file' && (readNumber(header, 100, 8) & 0o100) !== 0,
    fault:
      name === null
        ? 'its name is not UTF-8'
        : kind === 'folder' && type !== '5' && size > 0
          ? 'it is a folder with content'
          : null,
  };
}

function headerName(header: Uint8Array): Uint8Array {
  const name = untilNul(header.subarray(0, 100));
  const isUstar = Buffer.from(header.subarray(257, 263)).toString('latin1') === 'ustar\0';
  const prefix = isUstar ? untilNul(header.subarray(345, 500)) : new Uint8Array();
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
}

function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

function checkHeader(header: Uint8Array): void {
  const expected = readNumber(header, 148, 8);
  let sum = 0;
  for (let at = 0; at < blockSize; at += 1) sum += at >= 148 && at < 156 ? 32 : (header[at] as number);
  if (sum !== expected) throw damaged('the archive is not a tar archive, or is damaged: a checksum is wrong');
}

/** Octal digits, or a binary number behind a set first bit (GNU). */
function readNumber(header: Uint8Array, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  if (((field[0] as number) & 0x80) !== 0) {
    let value = (field[0] as number) & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return value;
  }
  const text = Buffer.from(untilNul(field)).toString('latin1').trim();
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw damaged('the archive is damaged: a number of a header is no number');
  return Number.parseInt(text, 8);
}

function readExtension(type: string, bytes: Uint8Array): Extensions {
  if (type === 'x') return readPax(bytes);
  // The name of a link leads nowhere: links are not taken.
  return type === 'L' ? { path: untilNul(bytes) } : {};
}

/** `LENGTH key=value\n` … */
function readPax(bytes: Uint8Array): Extensions {
  let found: Extensions = {};
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const space = bytes.indexOf(32, at);
    const digits = space === -1 ? '' : Buffer.from(bytes.subarray(at, space)).toString('latin1');
    const end = at + Number(digits);
    if (!/^[1-9]\d{0,6}$/.test(digits) || end > bytes.length || end <= space + 1 || bytes[end - 1] !== 10)
      throw damaged('the archive is damaged: an extended header cannot be read');
    const record = bytes.subarray(space + 1, end - 1);
    const equals = record.indexOf(61);
    if (equals < 1) throw damaged('the archive is damaged: an extended header has no key');
    const key = Buffer.from(record.subarray(0, equals)).toString('latin1');
    const value = record.subarray(equals + 1);
    if (key === 'path') found = { ...found, path: value };
    else if (key === 'size') {
      const text = Buffer.from(value).toString('latin1');
      if (!/^\d{1,15}$/.test(text)) throw damaged('the archive is damaged: a size is no number');
      found = { ...found, size: Number(text) };
    } else if (key.startsWith('GNU.sparse')) found = { ...found, isStrange: true };
    at = end;
  }
  return found;
}

const padded = (size: number): number => Math.ceil(size / blockSize) * blockSize;

async function content(input: BlockReader, size: number, limit: number, what: string): Promise<Uint8Array> {
  if (size > limit) throw overLimit(`the archive has ${what} of ${size} bytes; the limit is ${limit}`);
  const bytes = await input.take(padded(size));
  if (bytes === null && size > 0) throw damaged('the archive ends in the middle of an entry');
  // A copy, so that a chunk is not held for a small file in it.
  return bytes === null ? new Uint8Array() : bytes.slice(0, size);
}

/** Pieces of a stream by number of bytes. */
class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #signal: Abort;
  #rest: Uint8Array = new Uint8Array();
  read = 0;

  constructor(chunks: AsyncIterable<Uint8Array>, signal: Abort) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** `null` at the end; throws when the stream ends within the piece. */
  async take(count: number): Promise<Uint8Array | null> {
    if (count === 0) return new Uint8Array();
    const pieces: Uint8Array[] = [];
    let have = 0;
    while (have < count) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        if (have === 0) return null;
        throw damaged('the archive is cut off');
      }
      const piece = this.#rest.subarray(0, count - have);
      this.#rest = this.#rest.subarray(piece.length);
      pieces.push(piece);
      have += piece.length;
    }
    this.read += count;
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw damaged('the archive is cut off');
      const step = Math.min(left, this.#rest.length);
      this.#rest = this.#rest.subarray(step);
      left -= step;
    }
  }

  /** The rest of the stream is not read. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #more(): Promise<boolean> {
    if (this.#signal.aborted) throw this.#signal.reason;
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}
