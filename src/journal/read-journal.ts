// The segments of a run -> its entries, or where they are damaged.
//
//   journal.1  run.started … | torn         journal.2  owner.claimed {sealed: what counts of journal.1} … | torn
//
// Each owner writes a segment of its own. The first entry of the next owner records how much of the previous segment
// counts, so that late writes of an old owner do not. A segment without a first entry is an unfinished claim and is
// skipped. Any other wrong byte is a fault that names the file, the entry and the offset, except in a torn end of the
// last segment.
import { TechneError } from '../base/error.ts';
import type { OwnerClaimed } from './entry.ts';
import type { Position } from './frame.ts';
import { chainText, startOfSegment } from './frame.ts';
import type { SegmentRead } from './read-segment.ts';
import { readSegment } from './read-segment.ts';
import type { StoredEntry } from '../ports/run-store.ts';

export interface Segment {
  readonly epoch: number;
  /** How it is called in a fault. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

interface JournalFault {
  readonly file: string;
  readonly record: number;
  readonly offset: number;
  readonly reason: string;
}

export interface JournalContent {
  readonly ok: true;
  /** None when the run was never made: its first entry did not become durable. */
  readonly entries: readonly StoredEntry[];
  /** The segment the journal ends in; its torn bytes lie behind `end`. */
  readonly last: {
    readonly epoch: number;
    readonly file: string;
    readonly end: Position;
    readonly tornBytes: number;
  };
}

export type JournalRead = JournalContent | { readonly ok: false; readonly fault: JournalFault };

/** `run` has to be the one that the segments were written for. Segments are given in order of their epochs. */
export function readJournal(run: string, segments: readonly Segment[]): JournalRead {
  const chosen = chooseSegments(run, segments);
  if (!Array.isArray(chosen)) return { ok: false, fault: chosen };
  const entries: StoredEntry[] = [];
  let last: JournalContent['last'] = { epoch: 1, file: '', end: startOfSegment(run, 1, 0), tornBytes: 0 };
  for (const { segment, sealed } of chosen) {
    const { epoch, file, bytes } = segment;
    const start = startOfSegment(run, epoch, last.end.seq);
    const read = readSegment(sealed === null ? bytes : bytes.subarray(0, sealed.bytes), start);
    for (const entry of read.entries) entries.push(entry);
    const fault = faultOf(read, segment, sealed);
    if (fault !== null) return { ok: false, fault };
    last = { epoch, file, end: read.end, tornBytes: sealed === null ? bytes.length - read.end.offset : 0 };
  }
  return { ok: true, entries, last };
}

function faultOf(read: SegmentRead, { file, bytes }: Segment, sealed: Seal | null): JournalFault | null {
  if (typeof read.rest === 'object') return { file, ...read.rest };
  if (sealed === null) return null;
  const at = { file, record: read.end.seq, offset: read.end.offset };
  if (bytes.length < sealed.bytes)
    return { ...at, reason: `the file has ${bytes.length} bytes, and ${sealed.bytes} were sealed` };
  if (read.end.offset !== sealed.bytes)
    return { ...at, reason: `the entries do not fill the ${sealed.bytes} bytes that were sealed` };
  if (chainText(read.end.chain) !== sealed.chain)
    return { ...at, reason: 'the entries are not the ones that were sealed' };
  return null;
}

type Seal = NonNullable<OwnerClaimed['sealed']>;

interface Chosen {
  readonly segment: Segment;
  readonly sealed: Seal | null;
}

/** From the last finished claim back to the first segment. */
function chooseSegments(run: string, segments: readonly Segment[]): Chosen[] | JournalFault {
  const chosen: Chosen[] = [];
  let sealed: Seal | null = null;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const segment = segments[index] as Segment;
    const { epoch, file, bytes } = segment;
    if (sealed !== null && epoch > sealed.epoch) continue;
    if (sealed !== null && epoch < sealed.epoch) break;
    chosen.unshift({ segment, sealed });
    if (epoch === 1) return chosen;
    const claim = readClaim(run, segment);
    if (claim === 'none' && sealed === null) chosen.shift();
    else if (claim === 'none')
      return {
        file,
        record: 0,
        offset: 0,
        reason: `the file has ${bytes.length} bytes, and more were sealed`,
      };
    else if ('reason' in claim) return claim;
    else sealed = claim;
  }
  if (sealed === null) return [];
  return { file: `journal.${sealed.epoch}`, record: 0, offset: 0, reason: 'the file is missing' };
}

/** What the first entry of a later segment records about the one before. */
function readClaim(run: string, { epoch, file, bytes }: Segment): Seal | JournalFault | 'none' {
  // The seq of the first entry is only known from the line itself, and checked when the segments before are read.
  const seq = Number.parseInt(String.fromCharCode(...bytes.subarray(0, 16)), 10);
  const start = startOfSegment(run, epoch, Number.isNaN(seq) ? 0 : seq);
  const entry = readSegment(firstLine(bytes), start).entries[0]?.entry;
  if (entry === undefined) {
    const { rest } = readSegment(bytes, start);
    return typeof rest === 'object' ? { file, ...rest } : 'none';
  }
  const sealed = entry.type === 'owner.claimed' && entry.epoch === epoch ? entry.sealed : undefined;
  if (sealed === undefined)
    return { file, record: seq, offset: 0, reason: 'the first entry is not the claim of an owner' };
  return sealed;
}

function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x0a);
  return end === -1 ? bytes : bytes.subarray(0, end + 1);
}

/** The journal is inconsistent: a byte was changed, or something is missing. */
export class JournalCorrupt extends TechneError {
  readonly fault: JournalFault;

  constructor(run: string, fault: JournalFault) {
    super(
      'JOURNAL_CORRUPT',
      `run ${run}: "${fault.file}" is damaged at entry ${fault.record}, byte ${fault.offset}: ${fault.reason}`,
      {
        hint: 'restore the file from a backup, or remove the run',
      },
    );
    this.fault = fault;
  }
}
