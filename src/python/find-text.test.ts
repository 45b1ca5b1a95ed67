import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Meter } from '../base/meter.ts';
import { testThread } from '../../test/support/starlark-thread.ts';
import { indexOfText, lastIndexOfText, matchesBackward, matchesForward } from './find-text.ts';

const meter = (): Meter => testThread().meter;

// Few letters, and lengths on both sides of where the engine's search is no longer used.
const short = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
const repeated = fc
  .tuple(short, fc.integer({ min: 0, max: 2000 }), short)
  .map(([a, n, b]) => a + 'ab'.repeat(n) + b);

describe('indexOfText', () => {
  it('agrees with indexOf, short and long', () => {
    fc.assert(
      fc.property(repeated, fc.oneof(short, repeated), fc.nat(50), (text, sub, from) => {
        expect(indexOfText(meter(), text, sub, from)).toBe(text.indexOf(sub, from));
      }),
    );
  });

  it('is linear on repetitive text', () => {
    const text = 'a'.repeat(2_000_000);
    const sub = `${'a'.repeat(20_000)}b${'a'.repeat(20_000)}`;
    const began = process.cpuUsage();
    expect([
      indexOfText(meter(), text, sub, 0),
      lastIndexOfText(meter(), text, sub),
      matchesForward(meter(), text, sub, 0, Infinity),
    ]).toEqual([-1, -1, []]);
    const used = process.cpuUsage(began);
    // The engine's own search takes more than ten seconds for each.
    expect(used.user + used.system).toBeLessThan(2_000_000);
  });
});

describe('lastIndexOfText', () => {
  it('agrees with lastIndexOf', () => {
    fc.assert(
      fc.property(repeated, fc.oneof(short, repeated), (text, sub) => {
        expect(lastIndexOfText(meter(), text, sub)).toBe(text.lastIndexOf(sub));
      }),
    );
  });

  it('agrees where the engine is not used', () => {
    const text = 'xy'.repeat(1_000_000);
    expect([
      lastIndexOfText(meter(), text, 'xyxyxyxyx'),
      lastIndexOfText(meter(), `q${text}`, 'qxyxyxyxyx'),
      lastIndexOfText(meter(), text, 'yy'),
    ]).toEqual([1_999_990, 0, -1]);
  });
});

describe('matchesBackward', () => {
  it('is matchesForward in a mirror', () => {
    const mirrored = (s: string): string => s.split('').reverse().join('');
    fc.assert(
      fc.property(repeated, fc.oneof(short, repeated), fc.integer({ min: 0, max: 5 }), (text, sub, limit) => {
        fc.pre(sub !== '');
        const places = matchesForward(meter(), mirrored(text), mirrored(sub), 0, limit);
        expect(matchesBackward(meter(), text, sub, limit)).toEqual(
          places.map((at) => text.length - at - sub.length),
        );
      }),
    );
  });
});

describe('matchesForward', () => {
  it('gives the places between which split cuts', () => {
    fc.assert(
      fc.property(repeated, fc.oneof(short, repeated), (text, sub) => {
        fc.pre(sub !== '');
        const parts: string[] = [];
        let from = 0;
        for (const at of matchesForward(meter(), text, sub, 0, Infinity)) {
          parts.push(text.slice(from, at));
          from = at + sub.length;
        }
        expect([...parts, text.slice(from)]).toEqual(text.split(sub));
      }),
    );
  });

  it('finds places that do not overlap, and stops at the limit', () => {
    const sub = 'a'.repeat(300);
    const text = 'a'.repeat(300 * 300 + 299);
    expect(matchesForward(meter(), text, sub, 0, Infinity)).toEqual(
      Array.from({ length: 300 }, (_, i) => i * 300),
    );
    expect(matchesForward(meter(), text, sub, 1, 2)).toEqual([1, 301]);
  });
});
