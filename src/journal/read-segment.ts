// The bytes of one segment -> its entries, and a verdict on the bytes after them.
//
// A line counts when its header, length and chain are right; the line end may be missing at the end of the bytes. What
// follows the last line that counts is `torn` when it can only be a write that never became durable: a line that stops,
// with no line end after it, or one with a block of NULs, which a file system shows for a sector that was allocated but
// not written. Anything else is a fault: a changed byte is never taken for a torn write. Where both look alike (a NUL in
// place of the first digit or of the last line end) the byte is known anyway, and the line counts. No batch is begun
// before the one before it is durable, so a later batch after the damage makes it a fault.
import { decodeUtf8 } from '../base/utf8.ts';
import { isJsonObject, withoutPrototypes } from '../base/json.ts';
import { noteKeysOf } from '../base/key-order.ts';
import type { Json } from '../base/json.ts';
import type { JournalEntry } from './entry.ts';
import { chainText, crc32, keepEntryJson, readHeader } from './frame.ts';
import type { Header, Position } from './frame.ts';
import type { StoredEntry } from '../ports/run-store.ts';

interface SegmentFault {
  /** The seq of the entry that should be there. */
  readonly record: number;
  readonly offset: number;
  readonly reason: string;
}

export interface SegmentRead {
  readonly entries: readonly StoredEntry[];
  /** After the last line that counts. */
  readonly end: Position;
  readonly rest: 'none' | 'torn' | SegmentFault;
}

const lineEnd = 0x0a;
/** The smallest unit that a disk writes. */
const sectorBytes = 512;

/** `bytes` begin at `from.offset` and reach to the end of what there is. */
export function readSegment(bytes: Uint8Array, from: Position): SegmentRead {
  const entries: StoredEntry[] = [];
  let position = from;
  let whole = bytes;
  const done = (rest: SegmentRead['rest']): SegmentRead => ({ entries, end: position, rest });
  if (from.lineEndMissing && bytes[0] === lineEnd)
    position = { ...from, offset: from.offset + 1, lineEndMissing: false };
  for (;;) {
    const at = position.offset - from.offset;
    if (at >= bytes.length) return done('none');
    if (position.lineEndMissing)
      return done(
        bytes.length - at === 1 && bytes[at] === 0 ? 'torn' : faultAt(position, 'the line does not end'),
      );
    if (bytes[at] === 0 && position.offset % sectorBytes === sectorBytes - 1)
      whole = withDigit(bytes, at, position.seq);
    const line = readLine(whole, at, position);
    // With the lost digit a line may turn out to be one that stops.
    if (typeof line === 'string')
      return done(
        isTorn(bytes, at, position) || isTorn(whole, at, position) ? 'torn' : faultAt(position, line),
      );
    const entry = decode(whole.subarray(line.jsonAt, line.jsonAt + line.length));
    if (typeof entry === 'string') return done(faultAt(position, entry));
    entries.push({ seq: position.seq, entry });
    const jsonEnd = line.jsonAt + line.length;
    const ended = bytes[jsonEnd] === lineEnd;
    position = {
      offset: from.offset + jsonEnd + (ended ? 1 : 0),
      seq: line.seq + 1,
      batch: line.batch,
      chain: line.chain,
      lineEndMissing: !ended,
    };
  }
}

function faultAt(position: Position, reason: string): SegmentFault {
  return { record: position.seq, offset: position.offset, reason };
}

/** A first digit that was lost at the end of a sector is known: it is that of the expected seq. */
function withDigit(bytes: Uint8Array, at: number, seq: number): Uint8Array {
  const repaired = new Uint8Array(bytes);
  repaired[at] = String(seq).charCodeAt(0);
  return repaired;
}

/** The line at `at`, or why it does not count. */
function readLine(bytes: Uint8Array, at: number, position: Position): Header | string {
  const header = readHeader(bytes, at);
  if (typeof header === 'string') return 'the line does not begin as it must';
  if (header.seq !== position.seq) return `the entry has the number ${header.seq}`;
  if (header.batch !== position.batch && header.batch !== position.seq)
    return `the entry has the batch ${header.batch}`;
  const jsonEnd = header.jsonAt + header.length;
  if (jsonEnd > bytes.length) return 'the line is shorter than its header declares';
  const ended =
    jsonEnd === bytes.length ||
    bytes[jsonEnd] === lineEnd ||
    (bytes[jsonEnd] === 0 && jsonEnd === bytes.length - 1);
  if (!ended) return 'the line does not end where it must';
  const chain = crc32(crc32(position.chain, bytes, at, header.numbersEnd), bytes, header.jsonAt, jsonEnd);
  return chain === header.chain
    ? header
    : `the checksum is ${chainText(chain)}, not ${chainText(header.chain)} as in its header`;
}

/** Whether the line at `at`, which does not count, was never made durable. */
function isTorn(bytes: Uint8Array, at: number, position: Position): boolean {
  if (bytes.indexOf(0, at) === -1) return bytes.indexOf(lineEnd, at) === -1 && isCut(bytes, at, position);
  return hasUnwrittenBlock(bytes, at, position.offset) && !hasLaterBatch(bytes, at, position.seq);
}

function isCut(bytes: Uint8Array, at: number, position: Position): boolean {
  const header = readHeader(bytes, at);
  if (header === 'bad') return false;
  const expected = `${position.seq} `;
  for (let i = 0; i < expected.length && at + i < bytes.length; i += 1)
    if (bytes[at + i] !== expected.charCodeAt(i)) return false;
  return header === 'short' || header.jsonAt + header.length > bytes.length;
}

/**
 * NULs to the end of the file, or whole sectors of them (the first from the start of the line). One changed byte is
 * neither: as the last byte of a file it is the line end of a line that counts.
 */
function hasUnwrittenBlock(bytes: Uint8Array, at: number, offset: number): boolean {
  const isSectorStart = (index: number): boolean => (offset + index - at) % sectorBytes === 0;
  for (let start = bytes.indexOf(0, at); start !== -1;) {
    let end = start;
    while (bytes[end] === 0) end += 1;
    if (end === bytes.length) return true;
    if ((start === at || isSectorStart(start)) && isSectorStart(end) && end - start > 1) return true;
    start = bytes.indexOf(0, end);
  }
  return false;
}

/** Whether a line after the one at `at` was begun when entry `seq` must have been durable. */
function hasLaterBatch(bytes: Uint8Array, at: number, seq: number): boolean {
  for (let start = at + 1; start < bytes.length; start += 1) {
    const before = bytes[start - 1];
    if (before !== lineEnd && before !== 0) continue;
    const header = readHeader(bytes, start);
    if (typeof header !== 'string' && header.batch > seq) return true;
  }
  return false;
}

const entryTypes: ReadonlySet<string> = new Set<JournalEntry['type']>([
  'run.started',
  'owner.claimed',
  'effect.started',
  'effect.ended',
  'effect.decided',
  'question.asked',
  'question.answered',
  'trace.added',
  'run.paused',
  'run.resumed',
  'run.detached',
  'cancel.requested',
  'run.ended',
]);

/** The members of an entry are ours; what is in them is not, and has no prototype. Copying the entry too takes longer. */
function withBareValues(value: Json): Json {
  if (!isJsonObject(value) || Object.hasOwn(value, '__proto__')) return withoutPrototypes(value);
  const entry = value as { [key: string]: Json };
  for (const key of Object.keys(entry)) {
    const member = entry[key] as Json;
    if (typeof member === 'object' && member !== null) entry[key] = withoutPrototypes(member);
  }
  return entry;
}

/** The entry, or why there is none. The checksum was right, so only another program can have written something else. */
function decode(json: Uint8Array): JournalEntry | string {
  const { text, valid } = decodeUtf8(json);
  return valid ? decodeEntry(text) : 'the entry is not UTF-8';
}

/** The entry with its text, or why there is none. Only its type is checked. */
export function decodeEntry(text: string): JournalEntry | string {
  let value;
  try {
    const parsed = JSON.parse(text) as Json;
    noteKeysOf(text, parsed);
    value = withBareValues(parsed);
  } catch (error) {
    return `the entry is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (typeof type !== 'string' || !entryTypes.has(type))
    return `the entry has the unknown type ${JSON.stringify(type ?? null)}`;
  const entry = value as unknown as JournalEntry;
  keepEntryJson(entry, text);
  return entry;
}
