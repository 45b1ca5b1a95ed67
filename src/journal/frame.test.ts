import fc from 'fast-check';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../base/utf8.ts';
import { BatchEncoder, chainText, crc32, readHeader, startOfSegment } from './frame.ts';
import type { JournalEntry } from './entry.ts';
import { readSegment } from './read-segment.ts';
import { trace } from './sample-entries.ts';

const run = '01HF7YAT000000000000000000';
const start = startOfSegment(run, 1, 0);

/** Any JSON, but for -0, which JSON does not know. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as null);
const anyEntry = fc
  .record({ kind: fc.string({ unit: 'binary' }), value: json })
  .map(({ kind, value }): JournalEntry => ({ type: 'trace.added', at: 1, kind, data: { value } }));

describe('BatchEncoder', () => {
  it('writes one line for each entry', () => {
    const encoder = new BatchEncoder(startOfSegment(run, 1, 0));
    encoder.add([trace('a'), trace('é')]);
    expect(Buffer.from(encoder.take().bytes).toString()).toBe(
      '0 0 70 f12fd478 {"type":"trace.added","at":2,"kind":"a","data":{"value":{"kind":"a"}}}\n' +
        '1 0 72 fddd54ae {"type":"trace.added","at":2,"kind":"é","data":{"value":{"kind":"é"}}}\n',
    );
    encoder.add([trace('b')]);
    expect(Buffer.from(encoder.take().bytes).toString()).toMatch(/^2 2 70 [0-9a-f]{8} \{.*\}\n$/);
  });

  it('gives back what was added, in whatever batches', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyEntry, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
        (batches) => {
          const encoder = new BatchEncoder(start);
          const parts = batches.map((batch) => {
            encoder.add(batch);
            return Buffer.from(encoder.take().bytes);
          });
          const bytes = new Uint8Array(Buffer.concat(parts));
          const read = readSegment(bytes, start);
          expect(read.rest).toBe('none');
          expect(read.entries).toEqual(
            batches
              .flat()
              .map((entry, seq) => ({ seq, entry: JSON.parse(JSON.stringify(entry)) as JournalEntry })),
          );
          expect(read.end).toMatchObject({
            offset: bytes.length,
            seq: batches.flat().length,
            lineEndMissing: false,
          });
        },
      ),
    );
  });

  it('can be read in parts that end at any byte', () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat(60)),
        (entries, steps) => {
          const encoder = new BatchEncoder(start);
          encoder.add(entries);
          const bytes = encoder.take().bytes.slice();
          let position = start;
          const found: JournalEntry[] = [];
          for (let length = 0; length < bytes.length;) {
            length = Math.min(bytes.length, length + (steps.next().value ?? 1));
            const read = readSegment(bytes.subarray(position.offset, length), position);
            expect(typeof read.rest).toBe('string');
            found.push(...read.entries.map(({ entry }) => entry));
            position = read.end;
          }
          expect(found).toEqual(JSON.parse(JSON.stringify(entries)));
          expect(position.offset).toBe(bytes.length);
        },
      ),
    );
  });

  it('adds all entries of a call or none', () => {
    const encoder = new BatchEncoder(start);
    const circular = { ...trace('x') } as { data: unknown };
    circular.data = circular;
    encoder.add([trace('a')]);
    // A TypeError or, where the stack ends first, a RangeError.
    expect(() => encoder.add([trace('b'), circular as JournalEntry])).toThrow(/circular|stack/);
    encoder.add([trace('c')]);
    const { entries, rest } = readSegment(encoder.take().bytes, start);
    expect([entries.map(({ entry }) => (entry as { kind: string }).kind), rest]).toEqual([
      ['a', 'c'],
      'none',
    ]);
  });

  it('does not read a line in another place: another run, epoch or number', () => {
    const encoder = new BatchEncoder(start);
    encoder.add([trace('a'), trace('b')]);
    const bytes = encoder.take().bytes.slice();
    for (const [other, what] of [
      [startOfSegment('01HF7YAT000000000000000001', 1, 0), /checksum/],
      [startOfSegment(run, 2, 0), /checksum/],
      [startOfSegment(run, 1, 1), /number 0/],
    ] as const) {
      expect(readSegment(bytes, other)).toMatchObject({
        entries: [],
        rest: { offset: 0, reason: expect.stringMatching(what) as unknown },
      });
    }
    const second = bytes.subarray(bytes.indexOf(0x0a) + 1);
    expect(readSegment(new Uint8Array(Buffer.concat([second, bytes])), start).rest).toMatchObject({
      record: 0,
      offset: 0,
    });
  });
});

describe('readHeader', () => {
  it('takes one spelling only', () => {
    const header = (text: string): unknown => readHeader(encodeUtf8(text), 0);
    expect(header('12 10 5 0000ffaa {')).toMatchObject({
      seq: 12,
      batch: 10,
      length: 5,
      chain: 0xffaa,
      jsonAt: 17,
    });
    for (const bad of [
      '012 1 1 0000ffaa ',
      '1  1 1 0000ffaa ',
      '-1 1 1 0000ffaa ',
      '1 1 1 0000FFAA ',
      '1 1 1 0000ffaa\n',
      '1\t1 1 0000ffaa ',
      '1234567890123456 1 1 0000ffaa ',
    ]) {
      expect([bad, header(bad)]).toEqual([bad, 'bad']);
    }
    for (const short of ['', '1', '1 ', '1 2', '1 2 3 ', '1 2 3 0000ffa', '1 2 3 0000ffaa'])
      expect([short, header(short)]).toEqual([short, 'short']);
  });
});

describe('crc32', () => {
  it.runIf(typeof zlibCrc32 === 'function')('is the one of zlib, also in parts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
        const middle = Math.min(cut, bytes.length);
        expect(crc32(crc32(0, bytes, 0, middle), bytes, middle, bytes.length)).toBe(zlibCrc32(bytes));
      }),
    );
    expect(chainText(crc32(0, encodeUtf8('123456789'), 0, 9))).toBe('cbf43926');
  });
});
