import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, OutputKeeper, WholeCharacters } from './output.ts';

function keep(maxBytes: number, ...chunks: readonly (string | Uint8Array)[]): OutputKeeper {
  const keeper = new OutputKeeper(maxBytes);
  for (const chunk of chunks) keeper.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return keeper;
}

/** Cut into pieces of the given sizes, over and over. */
function pieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

describe('OutputKeeper', () => {
  it('keeps everything that fits', () => {
    const keeper = keep(10, 'abc', 'defg', 'hij');
    expect([keeper.text(), keeper.truncated]).toEqual(['abcdefghij', false]);
  });

  it('keeps the beginning and the end of what does not', () => {
    const keeper = keep(10, 'abc', 'defghijk', 'lm');
    expect([keeper.text(), keeper.truncated]).toEqual(['abcde\n[… 3 bytes left out …]\nijklm', true]);
  });

  it.each([0, 1, 2, 3])('is whole with room for %i bytes', (maxBytes) => {
    const keeper = keep(maxBytes, 'abcdef');
    expect(keeper.truncated).toBe(true);
    expect(keeper.text()).toContain(`[… ${6 - maxBytes} bytes left out …]`);
  });

  it('does not cut a character in half at either cut', () => {
    // 4 bytes each: both cuts fall into a character for 9, 10 and 11.
    for (const maxBytes of [8, 9, 10, 11]) {
      const text = keep(maxBytes, '😀😁😂😃😄').text();
      expect(text).not.toContain('\uFFFD');
      expect(text.startsWith('😀') && text.endsWith('😄')).toBe(true);
    }
  });

  it('replaces invalid UTF-8', () => {
    expect(keep(10, new Uint8Array([0x61, 0xff, 0x62, 0xc3])).text()).toBe('a\uFFFDb\uFFFD');
  });

  it('keeps a byte order mark', () => {
    expect(keep(10, '\uFEFFa').text()).toBe('\uFEFFa');
  });

  it('keeps the same, however the bytes come in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.nat(120),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (text, maxBytes, sizes) => {
          const bytes = Buffer.from(text);
          const whole = keep(maxBytes, bytes);
          const parts = keep(maxBytes, ...pieces(bytes, sizes));
          expect(parts.text()).toBe(whole.text());
          expect(parts.truncated).toBe(bytes.length > maxBytes);
          // Where nothing is left out, there is no mark and so no tail.
          const [head = '', tail = ''] = whole.text().split(/\n\[… \d+ bytes left out …\]\n/);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          // At most three bytes of a character are missing at each cut.
          const kept = Buffer.byteLength(head + tail);
          expect(kept <= maxBytes && kept >= Math.min(bytes.length, maxBytes - 6)).toBe(true);
        },
      ),
    );
  });

  it('holds no more than it keeps', () => {
    const keeper = new OutputKeeper(1000);
    const chunk = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let turn = 0; turn < 20_000; turn += 1) keeper.add(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(keeper.text().length).toBeLessThan(1100);
  });
});

describe('WholeCharacters', () => {
  it('gives every byte once, in chunks that end with whole characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        (text, sizes) => {
          const bytes = Buffer.from(text);
          const cutter = new WholeCharacters();
          const given = pieces(bytes, sizes).map((piece) => Buffer.from(cutter.next(Buffer.from(piece))));
          expect(Buffer.concat([...given, cutter.end()]).equals(bytes)).toBe(true);
          const isWhole = !decode(bytes).includes('\uFFFD');
          expect(isWhole && given.some((chunk) => decode(chunk).includes('\uFFFD'))).toBe(false);
        },
      ),
    );
  });

  it('does not wait for more after bytes that can begin nothing', () => {
    const cutter = new WholeCharacters();
    expect(cutter.next(Buffer.from([0x61, 0xff])).length).toBe(2);
    expect(cutter.next(Buffer.from([0x80, 0x80, 0x80, 0x80])).length).toBe(4);
  });
});
