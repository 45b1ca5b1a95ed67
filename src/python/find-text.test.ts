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

describe('the work that is charged', () => {
  /** Steps of `search`, in a program that has joined texts of `joined` units and read none of them. */
  const steps = (search: (meter: Meter) => unknown, joined = 0): number => {
    const counted = meter();
    counted.deferred = joined;
    search(counted);
    return counted.steps;
  };
  const text = 'a'.repeat(6400);

  it('is what a search forward went over, by the length of the pattern', () => {
    const forward = (sub: string, from = 0): number =>
      steps((counted) => indexOfText(counted, text, sub, from));
    expect({
      // 1 + units / 32, / 4 and / 8.
      'one unit': forward('b'),
      'two units': forward('bb'),
      'seven units': forward('b'.repeat(7)),
      'eight units': forward('b'.repeat(8)),
      'up to 250 units': forward('b'.repeat(250)),
      // One step for each unit of both.
      'from 251 units': forward('b'.repeat(251)),
      'from a place': forward('bb', 3200),
      'up to the place found': forward('aa', 6000),
      'behind the end': forward('bb', 7000),
    }).toEqual({
      'one unit': 201,
      'two units': 1601,
      'seven units': 1601,
      'eight units': 801,
      'up to 250 units': 801,
      'from 251 units': 6651,
      'from a place': 801,
      'up to the place found': 1,
      'behind the end': 1,
    });
    expect(steps((counted) => matchesForward(counted, text, 'aa', 0, 100))).toBe(1 + 200 / 4);
    expect(steps((counted) => matchesForward(counted, text, 'ab', 400, 1))).toBe(1 + 6000 / 4);
    expect(steps((counted) => matchesForward(counted, text, 'a'.repeat(300), 400, 1))).toBe(6000 + 300);
    expect(steps((counted) => matchesForward(counted, text, 'a'.repeat(300), 6101, 1))).toBe(0);
  });

  it('is what a search backward went over, by the product of the lengths', () => {
    const backward = (sub: string, limit = Infinity, searched = text): number =>
      steps((counted) => matchesBackward(counted, searched, sub, limit));
    expect({
      'one unit': backward('b'),
      // Units * 4 / 16, and from four units on their number / 16.
      'two units': backward('bb'),
      'four units': backward('bbbb'),
      'eight units': backward('b'.repeat(8)),
      'nine units, short text': backward('b'.repeat(9), Infinity, 'a'.repeat(455)),
      // One step for each unit of both.
      'nine units': backward('b'.repeat(9)),
      'nine units, text of 456': backward('b'.repeat(9), Infinity, 'a'.repeat(456)),
      'a few': backward('aa', 3),
      'longer than the text': backward('b'.repeat(6401)),
    }).toEqual({
      'one unit': 401,
      'two units': 1601,
      'four units': 1601,
      'eight units': 3201,
      'nine units, short text': 1 + Math.ceil((455 * 9) / 16),
      'nine units': 6409,
      'nine units, text of 456': 465,
      'a few': 1 + Math.ceil((6 * 4) / 16),
      'longer than the text': 0,
    });
  });

  it('is that of joining the texts too, when they were not read before', () => {
    // A sixty-fourth step for each unit that is copied together now.
    expect({
      'the text': steps((counted) => indexOfText(counted, text, 'b', 0), 6400),
      'no more than is open': steps((counted) => indexOfText(counted, text, 'b', 0), 640),
      'the pattern': steps((counted) => indexOfText(counted, 'a', 'b'.repeat(1280), 0), 1280),
      'a short text': steps((counted) => indexOfText(counted, 'a'.repeat(1024), 'b', 0), 6400),
      'of several places': steps((counted) => matchesForward(counted, text, 'b', 0, 1), 6400),
      'of several places from behind': steps((counted) => matchesBackward(counted, text, 'b', 1), 6400),
    }).toEqual({
      'the text': 201 + 100,
      'no more than is open': 201 + 10,
      'the pattern': 20,
      'a short text': 33,
      'of several places': 201 + 100,
      'of several places from behind': 401 + 100,
    });
  });
});
