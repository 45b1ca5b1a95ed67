// A journal whose bytes are cut, changed and lost, and what reading it must say.
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { BatchEncoder, chainText, startOfSegment } from '../../../src/journal/frame.ts';
import type { JournalRead, Segment } from '../../../src/journal/read-journal.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { effectEnded, effectStarted, started, trace } from '../../../src/journal/sample-entries.ts';
import type { Random } from '../../support/faulty-journal-files.ts';

const run = '01HF7YAT000000000000000000';
const sectorBytes = 512;

export interface DamageJournal {
  readonly segments: readonly Segment[];
  readonly entries: readonly JournalEntry[];
  /** Where the lines of the last segment start. */
  readonly lines: readonly number[];
  /** Where the batches of the last segment start. */
  readonly batches: readonly number[];
  /** Entries in the segments before. */
  readonly before: number;
}

/** A first segment of some entries, if asked for, and a last one of at least `bytes` bytes. */
export function makeJournal(bytes: number, random: Random, withClaim: boolean): DamageJournal {
  const entries: JournalEntry[] = [started(run)];
  const segments: Segment[] = [];
  let encoder = new BatchEncoder(startOfSegment(run, 1, 0));
  encoder.add(entries);
  let made = encoder.take();
  if (withClaim) {
    segments.push({ epoch: 1, file: 'journal.1', bytes: made.bytes.slice() });
    const sealed = { epoch: 1, bytes: made.end.offset, chain: chainText(made.end.chain) };
    const claim: JournalEntry = { type: 'owner.claimed', at: 5, epoch: 2, owner: 'me', sealed };
    encoder = new BatchEncoder(startOfSegment(run, 2, 1));
    encoder.add([claim]);
    entries.push(claim);
    made = encoder.take();
  }
  const before = withClaim ? 1 : 0;
  const parts = [made.bytes.slice()];
  const [lines, batches] = [[0], [0]];
  for (let key = 0; made.end.offset < bytes; key += 1) {
    batches.push(made.end.offset);
    const batch: JournalEntry[] = [];
    for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
      const kind = random();
      if (kind < 0.4) batch.push(effectStarted(`${key}.${count}`));
      else if (kind < 0.7) batch.push(effectEnded(`${key}.${count}`));
      else batch.push(trace('é'.repeat(Math.floor(random() * random() * 900))));
    }
    let at = made.end.offset;
    encoder.add(batch);
    entries.push(...batch);
    made = encoder.take();
    const written = made.bytes.slice();
    for (const byte of written.keys()) {
      if (byte === 0 || written[byte - 1] === 0x0a) lines.push(at + byte);
    }
    at = made.end.offset;
    parts.push(written);
  }
  segments.push({
    epoch: segments.length + 1,
    file: `journal.${segments.length + 1}`,
    bytes: new Uint8Array(Buffer.concat(parts)),
  });
  return { segments, entries, lines, batches, before };
}

function readWith({ segments }: DamageJournal, index: number, bytes: Uint8Array): JournalRead {
  return readJournal(run, segments.with(index, { ...(segments[index] as Segment), bytes }));
}

function same(read: JournalRead, entries: readonly JournalEntry[]): boolean {
  return read.ok && JSON.stringify(read.entries.map(({ entry }) => entry)) === JSON.stringify(entries);
}

/** The last segment stops after `length` bytes: every line that is there but for its end counts, and nothing else. */
export function checkCut(journal: DamageJournal, length: number): string | null {
  const index = journal.segments.length - 1;
  const last = journal.segments[index] as Segment;
  const read = readWith(journal, index, last.bytes.subarray(0, length));
  if (!read.ok) return `cut at ${length}: ${read.fault.reason}`;
  let whole = 0;
  while (whole < journal.lines.length && (journal.lines[whole + 1] ?? last.bytes.length) - 1 <= length)
    whole += 1;
  return same(read, journal.entries.slice(0, journal.before + whole))
    ? null
    : `cut at ${length}: other entries`;
}

/** One byte of a segment becomes another: that is found where it is, or changes nothing. */
export function checkFlip(journal: DamageJournal, index: number, at: number, byte: number): string | null {
  const { bytes } = journal.segments[index] as Segment;
  const changed = bytes.slice();
  changed[at] = byte;
  const read = readWith(journal, index, changed);
  if (read.ok)
    return same(read, journal.entries)
      ? null
      : `byte ${at} of segment ${index} made ${byte}: taken for a tear`;
  // The line end of a sealed segment is missed where the seal ends.
  const start =
    index === journal.segments.length - 1
      ? (journal.lines.findLast((line) => line <= at) as number)
      : read.fault.offset;
  return read.fault.offset === start && start <= at
    ? null
    : `byte ${at} made ${byte}: found at ${read.fault.offset}, not ${start}`;
}

/** The last batch was never synced: its sectors are there or not, and the file has any length. */
export function checkTear(journal: DamageJournal, batch: number, random: Random): string | null {
  const index = journal.segments.length - 1;
  const whole = (journal.segments[index] as Segment).bytes;
  const start = journal.batches[batch] as number;
  const end = journal.batches[batch + 1] ?? whole.length;
  const torn = whole.slice(0, random() < 0.5 ? end : start + Math.floor(random() * (end - start + 1)));
  for (let sector = Math.floor(start / sectorBytes); sector * sectorBytes < end; sector += 1) {
    if (random() < 0.5)
      torn.fill(0, Math.max(start, sector * sectorBytes), Math.min(end, (sector + 1) * sectorBytes));
  }
  const read = readWith(journal, index, torn);
  if (!read.ok) return `batch ${batch} torn: ${read.fault.reason} at ${read.fault.offset}, from ${start}`;
  const durable = journal.before + journal.lines.filter((line) => line < start).length;
  if (read.entries.length < durable)
    return `batch ${batch} torn: ${read.entries.length} entries of ${durable}`;
  return same(read, journal.entries.slice(0, read.entries.length))
    ? null
    : `batch ${batch} torn: other entries`;
}
