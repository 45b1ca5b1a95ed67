import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { detachParts, sliceText } from '../../python/slice.ts';
import { TextBuilder } from './text-builder.ts';
import { wellFormed } from './boundary.ts';

describe('TextBuilder', () => {
  it('gives its pieces in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 20 }),
        fc.integer({ min: 1, max: 300 }),
        (pieces, times) => {
          const out = new TextBuilder(testThread().meter);
          for (let i = 0; i < times; i++) for (const piece of pieces) out.add(piece);
          expect(out.finish()).toBe(pieces.join('').repeat(times));
        },
      ),
    );
  });

  it('charges two bytes for a unit before it adds it', () => {
    const out = new TextBuilder(testThread({ bytes: 10_000 }).meter);
    out.add('x'.repeat(4000));
    expect(faultOf(() => out.add('x'.repeat(1001)))).toContain('MEMORY_LIMIT');
  });
});

describe('sliceText', () => {
  it('is slice', () => {
    const text = 'héllo wörld 😀 '.repeat(100);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        expect(sliceText(text, from, to)).toBe(text.slice(from, to));
      }),
    );
  });
});

describe('detachParts', () => {
  it('changes no part', () => {
    const text = Array.from({ length: 100 }, (_, i) => `line ${i} of a longer text`).join('\n');
    const parts = text.split('\n');
    detachParts(text, parts);
    expect(parts).toEqual(text.split('\n'));
  });
});

describe('wellFormed', () => {
  it('replaces halves of pairs and nothing else', () => {
    expect(wellFormed('a\ud83d\ude00b')).toBe('a\ud83d\ude00b');
    expect(wellFormed('\ud83da\ude00\ud83d')).toBe('\ufffda\ufffd\ufffd');
    expect(wellFormed('\ude00\ud83d\ud83d\ude00')).toBe('\ufffd\ufffd\ud83d\ude00');
  });
});
