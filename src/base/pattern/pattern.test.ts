import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compilePattern, isPatternFault } from './pattern.ts';
import type { PatternFault } from './pattern.ts';

const units = ['a', 'b', 'A', '1', ' ', '\n', '_', 'é', '\ud83d', '.', '-', '😀'];

function search(source: string, text: string): { readonly found: boolean | null; readonly steps: number } {
  const pattern = compilePattern(source);
  if (pattern === null || isPatternFault(pattern)) throw new Error(`not usable: ${source}`);
  const work = { steps: Number.MAX_SAFE_INTEGER };
  const found = pattern.test(text, work);
  return { found, steps: Number.MAX_SAFE_INTEGER - work.steps };
}

describe('compilePattern', () => {
  it.each([
    ['^[a-z][a-z0-9-]{0,62}$', ['a', 'a-1', '', '-a', 'a'.repeat(63), 'a'.repeat(64)]],
    ['^(?!.*--)[a-z-]+$', ['a-b', 'a--b', '']],
    ['(?<=\\$)\\d+(?!\\d|%)', ['$12', '12', '$12%', '$1%']],
    ['^(?=.*\\d)(?=.*[A-Z]).{8,}$', ['aaaaaaA1', 'aaaaaaaa', 'A1']],
    ['^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$', ['2026-11', '2026-13', '2026-1']],
    ['\\bfoo\\b', ['a foo b', 'food', 'foo']],
    ['\\Boo', ['foo', 'oo']],
    ['^\\p{Lu}\\p{L}*$', ['Ärger', 'ärger', 'Ωx']],
    ['^.$', ['😀', '\n', '\u2028', 'ab', '\ud83d']],
    ['^[\\u{1f600}-\\u{1f64f}]$', ['😀', '\ud83d', 'a']],
    ['^\\ud83d\\ude00$', ['😀', 'x']],
    ['\\ud83d', ['😀', '\ud83d']],
    ['^\\s$', ['\u00a0', '\ufeff', ' ', 'a']],
    ['^[^]$', ['\n', 'ab']],
    ['[]', ['', 'a']],
    ['^(?:a{2}){2,3}$', ['aaaa', 'aaaaa', 'aaaaaa', 'aaaaaaaa']],
    ['^(?:a|b|)*?c??$', ['', 'abc', 'cc']],
    ['^[\\]\\\\]+$', [']\\', 'a']],
    ['^\\/\\x41\\cJ\\0$', ['/A\n\0', '/']],
    ['(?:){1000000000}', ['', 'a']],
    ['^(?:a*)*$', ['aaa', 'b', '']],
    ['(?<!(?<!a)b)c', ['bc', 'abc', 'c']],
    ['^(?:(?=ab)a|b)*$', ['ab', 'aab', 'abab']],
  ])('finds what RegExp finds with %s', (source, texts) => {
    const reference = new RegExp(source, 'u');
    expect(texts.map((text) => [text, search(source, text).found])).toEqual(
      texts.map((text) => [text, reference.test(text)]),
    );
  });

  it.each([
    ['at any place', (source: string) => source, units.filter((unit) => unit.length === 1)],
    // V8 also looks for a place between the halves of a pair of surrogates, where the specification sees none.
    ['as a whole', (source: string) => `^(?:${source})$`, units],
  ])('finds what RegExp finds with any pattern, %s', (_, place, letters) => {
    const texts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 });
    fc.assert(
      fc.property(patterns.map(place), fc.array(texts, { minLength: 1, maxLength: 8 }), (source, some) => {
        const reference = new RegExp(source, 'u');
        for (const text of some)
          expect(search(source, text).found, `${source} in ${JSON.stringify(text)}`).toBe(
            reference.test(text),
          );
      }),
      { numRuns: 1_000 },
    );
  });

  // Patterns that make a search with backtracking take exponential or polynomial time.
  it.each([
    ['^((a+))+$', 'a', '!'],
    ['^a*a*a*b$', 'a', ''],
    ['(a+)+$', 'a', '!'],
    ['(a|aa)*b', 'a', ''],
    ['^(a|a)*$', 'a', '!'],
    ['^(?:a?){20}a{20}$', 'a', '!'],
    ['(.*)*x', 'ab', ''],
    ['^(\\w+\\s?)*$', 'ab ', '!'],
    ['(?=(a+)+$)', 'a', '!'],
    ['(?<=(a+)+)b', 'a', ''],
    ['^(?!.*(.*)*x)a*$', 'a', ''],
    ['x*y', 'x', ''],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', ''],
    ['^([\\w.+-]+)+@([\\w-]+\\.)+\\w{2,}$', 'a.', ''],
    ['^\\p{L}*\\p{L}*\\d$', 'é', ''],
  ])('takes steps in proportion to the text: %s', (source, pump, end) => {
    const stepsFor = (length: number): number =>
      search(source, pump.repeat(length / pump.length) + end).steps;
    const measured = [1e2, 1e3, 1e4, 1e5].map((length) => [Math.log10(length), Math.log10(stepsFor(length))]);
    expect(slope(measured as [number, number][])).toBeLessThanOrEqual(1.2);
  });

  it('gives up when there is no work left', () => {
    const pattern = compilePattern('(?:a?){100}b');
    if (pattern === null || isPatternFault(pattern)) throw new Error('not usable');
    const work = { steps: 1_000 };
    expect(pattern.test('a'.repeat(1_000), work)).toBeNull();
    expect(work.steps).toBeGreaterThan(-1_000 - 400);
  });

  it('allocates nothing for a text or a look-around that it has no work for', () => {
    const pattern = compilePattern('(?=a)'.repeat(300));
    if (pattern === null || isPatternFault(pattern)) throw new Error('not usable');
    const made: number[] = [];
    const counting = <T extends typeof Uint8Array | typeof Uint32Array>(type: T): T =>
      new Proxy(type, {
        construct(target, args: [number]) {
          made.push(args[0]);
          return new target(...args);
        },
      });
    vi.stubGlobal('Uint8Array', counting(Uint8Array));
    vi.stubGlobal('Uint32Array', counting(Uint32Array));
    try {
      expect(pattern.test('b'.repeat(5_000), { steps: 4_999 })).toBeNull();
      expect(made).toEqual([]);
      // The search for the first look-around takes all that is left, so there is no second one.
      expect(pattern.test('b'.repeat(5_000), { steps: 12_000 })).toBeNull();
      expect(made).toEqual([5_000, 5_001, 2]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each([
    ['(a)\\1', 'refers back to a group, which can take exponential time'],
    ['(?<x>a)\\k<x>', 'refers back to a group, which can take exponential time'],
    ['a{20000}', 'repeats too much: written out it has 40000 parts, more than 10000'],
    [`(?:a{9}){${'9'.repeat(400)}}`, 'repeats too much: written out it has endless parts, more than 10000'],
    ['a'.repeat(2_001), 'has 2001 characters, more than 2000'],
  ])('says why a pattern cannot be used (%#)', (source, fault) => {
    expect((compilePattern(source) as PatternFault).fault).toBe(fault);
  });

  it.each(['(', '[b-a]', 'a**', '\\-', '{', '(?<a>.)(?<a>.)'])('refuses %s', (source) => {
    expect(compilePattern(source)).toBeNull();
  });
});

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const x = mean(points.map(([value]) => value));
  const y = mean(points.map(([, value]) => value));
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return over / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

const { pattern: patterns } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((terms) => terms.join('')).join('|')),
  term: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc
      .tuple(
        fc.constantFrom(
          'a',
          'b',
          '.',
          '[ab]',
          '[^a]',
          '\\d',
          '\\w',
          '\\S',
          '\\p{L}',
          'é',
          '😀',
          '\\u{1f600}',
          '[\\w-]',
        ),
        fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '{0}'),
      )
      .map(([character, often]) => character + often),
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}'))
      .map(([open, inner, often]) => `${open}${inner})${often}`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
      .map(([open, inner]) => `${open}${inner})`),
  ),
}));
