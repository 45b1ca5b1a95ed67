import { describe, expect, it } from 'vitest';
import type { JournalEntry } from './entry.ts';
import type { Position } from './frame.ts';
import { BatchEncoder, chainText, startOfSegment } from './frame.ts';
import type { Segment } from './read-journal.ts';
import { JournalCorrupt, readJournal } from './read-journal.ts';
import { ended, started, trace } from './sample-entries.ts';

const run = '01HF7YAT000000000000000000';

function segmentOf(
  epoch: number,
  seq: number,
  batches: readonly (readonly JournalEntry[])[],
): Segment & { readonly end: Position } {
  const encoder = new BatchEncoder(startOfSegment(run, epoch, seq));
  const parts: Uint8Array[] = [];
  let end = startOfSegment(run, epoch, seq);
  for (const batch of batches) {
    encoder.add(batch);
    const made = encoder.take();
    parts.push(made.bytes.slice());
    ({ end } = made);
  }
  return { epoch, file: `journal.${epoch}`, bytes: new Uint8Array(Buffer.concat(parts)), end };
}

function claimOf(epoch: number, before: Segment & { readonly end: Position }): JournalEntry {
  return {
    type: 'owner.claimed',
    at: 5,
    epoch,
    owner: 'me',
    sealed: { epoch: before.epoch, bytes: before.end.offset, chain: chainText(before.end.chain) },
  };
}

const read = (...segments: readonly Segment[]): ReturnType<typeof readJournal> => readJournal(run, segments);
const kinds = (...segments: readonly Segment[]): unknown => {
  const found = read(...segments);
  return found.ok ? found.entries.map(({ seq, entry }) => [seq, entry.type]) : found.fault;
};
const withBytes = (segment: Segment, bytes: Uint8Array | string): Segment => ({
  ...segment,
  bytes: new Uint8Array(Buffer.from(bytes as string)),
});

const first = segmentOf(1, 0, [[started(run)], [trace('a'), trace('b')]]);
const second = segmentOf(2, 3, [[claimOf(2, first)], [ended()]]);
const all = [
  [0, 'run.started'],
  [1, 'trace.added'],
  [2, 'trace.added'],
  [3, 'owner.claimed'],
  [4, 'run.ended'],
];

describe('readJournal', () => {
  it('reads one owner after the other', () => {
    expect(kinds(first)).toEqual(all.slice(0, 3));
    expect(kinds(first, second)).toEqual(all);
    expect(read(first, second)).toMatchObject({
      last: { epoch: 2, file: 'journal.2', tornBytes: 0, end: { seq: 5, offset: second.bytes.length } },
    });
  });

  it('gives nothing for a run that was never made', () => {
    for (const bytes of ['', '0 0 28', '\0\0\0'])
      expect(read(withBytes(first, bytes))).toMatchObject({
        ok: true,
        entries: [],
        last: { tornBytes: bytes.length },
      });
    expect(read()).toMatchObject({ ok: true, entries: [] });
  });

  it('ignores what an old owner writes after the seal', () => {
    const late = segmentOf(1, 0, [[started(run)], [trace('a'), trace('b')], [trace('late')]]);
    expect(kinds(late, second)).toEqual(all);
    expect(
      kinds(withBytes(first, Buffer.concat([first.bytes, Buffer.from('\0\0garbage\n')])), second),
    ).toEqual(all);
  });

  it('passes over a claim that was never finished', () => {
    const third = segmentOf(3, 3, [[claimOf(3, first)], [trace('c')]]);
    for (const left of ['', '3 3 14', '\0\0\0\0']) {
      expect(kinds(first, withBytes(second, left))).toEqual(all.slice(0, 3));
      expect(kinds(first, withBytes(second, left), third)).toEqual([
        ...all.slice(0, 3),
        [3, 'owner.claimed'],
        [4, 'trace.added'],
      ]);
    }
  });

  it('does not pass over a finished claim that was damaged', () => {
    const zeroed = new Uint8Array(second.bytes);
    zeroed.fill(0, 0, 100);
    expect(kinds(first, withBytes(second, zeroed))).toMatchObject({ file: 'journal.2', offset: 0 });
    const lines = Buffer.from(second.bytes).toString().split('\n');
    // A sector of NULs where the claim was, and a later batch behind it.
    const padded = Buffer.concat([Buffer.alloc(512), Buffer.from(`${lines[1]}\n`)]);
    expect(kinds(first, withBytes(second, padded))).toMatchObject({ file: 'journal.2', offset: 0 });
  });

  it('says what is wrong with a segment that was sealed', () => {
    expect(kinds(withBytes(first, first.bytes.subarray(0, -1)), second)).toMatchObject({
      file: 'journal.1',
      record: 3,
      reason: expect.stringContaining('were sealed') as unknown,
    });
    expect(kinds(withBytes(first, first.bytes.subarray(0, 100)), second)).toMatchObject({
      file: 'journal.1',
      record: 0,
    });
    expect(kinds(second)).toEqual({ file: 'journal.1', record: 0, offset: 0, reason: 'the file is missing' });
    const other = segmentOf(1, 0, [[started(run)], [trace('a'), trace('c')]]);
    expect(kinds(other, second)).toMatchObject({
      file: 'journal.1',
      reason: 'the entries are not the ones that were sealed',
    });
  });

  it('says what is wrong with the first entry of a later segment', () => {
    expect(kinds(first, segmentOf(2, 3, [[trace('x')]]))).toEqual({
      file: 'journal.2',
      record: 3,
      offset: 0,
      reason: 'the first entry is not the claim of an owner',
    });
    const skips = segmentOf(2, 4, [[claimOf(2, first)]]);
    expect(kinds(first, skips)).toMatchObject({
      file: 'journal.2',
      record: 3,
      reason: 'the entry has the number 4',
    });
  });

  it('does not take a zeroed sector of an earlier batch for a tear', () => {
    const long = segmentOf(1, 0, [[started(run)], [trace('x'.repeat(600))], [trace('y'.repeat(600))]]);
    const bytes = new Uint8Array(long.bytes);
    bytes.fill(0, 512, 1024);
    expect(kinds(withBytes(long, bytes))).toMatchObject({ record: 1 });
    // The same sector of the last batch was never written.
    const torn = segmentOf(1, 0, [[started(run)], [trace('x'.repeat(600)), trace('y'.repeat(600))]]);
    const lost = new Uint8Array(torn.bytes);
    lost.fill(0, 512, 1024);
    expect(kinds(withBytes(torn, lost))).toEqual(all.slice(0, 1));
  });

  it('counts a last line whose line end is missing, and one whose first digit is known', () => {
    expect(read(withBytes(first, first.bytes.subarray(0, -1)))).toMatchObject({
      ok: true,
      last: { end: { lineEndMissing: true, seq: 3 }, tornBytes: 0 },
    });
    const nul = new Uint8Array(first.bytes);
    nul[nul.length - 1] = 0;
    expect(read(withBytes(first, nul))).toMatchObject({
      ok: true,
      last: { end: { lineEndMissing: true, seq: 3 }, tornBytes: 1 },
    });
    // The second batch begins with the last byte of a sector.
    const batches = Array.from({ length: 400 }, (_, n) =>
      segmentOf(1, 0, [[started(run), { ...trace('x'.repeat(n)), data: { value: null } }], [trace('a')]]),
    );
    const startOf = ({ bytes }: Segment): number => bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
    const placed = batches.find((each) => startOf(each) % 512 === 511) as Segment;
    const at = startOf(placed);
    const lost = new Uint8Array(placed.bytes);
    lost[at] = 0;
    expect(kinds(withBytes(placed, lost))).toEqual(all.slice(0, 3));
    // The digit is lost, and the line stops as well.
    for (let length = at + 1; length < lost.length - 1; length += 1)
      expect([length, kinds(withBytes(placed, lost.subarray(0, length)))]).toEqual([length, all.slice(0, 2)]);
    lost[at + 1] = 0;
    expect(kinds(withBytes(placed, lost))).toMatchObject({ record: 2, offset: at });
  });

  it('refuses entries that it does not know', () => {
    const unknown = segmentOf(1, 0, [
      [started(run)],
      [{ type: 'moon.rose', at: 1 } as unknown as JournalEntry],
    ]);
    expect(kinds(unknown)).toMatchObject({ record: 1, reason: 'the entry has the unknown type "moon.rose"' });
  });
});

describe('JournalCorrupt', () => {
  it('names the run, the file, the entry and the byte', () => {
    const error = new JournalCorrupt(run, {
      file: 'journal.2',
      record: 7,
      offset: 900,
      reason: 'the line does not end where it must',
    });
    expect([error.code, error.message]).toEqual([
      'JOURNAL_CORRUPT',
      `run ${run}: "journal.2" is damaged at entry 7, byte 900: the line does not end where it must`,
    ]);
  });
});
