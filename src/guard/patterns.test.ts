import { describe, expect, it } from 'vitest';
import type { GuardPattern } from './patterns.ts';
import { compilePatterns } from './patterns.ts';

const free = { charge: () => {} };
const patterns: readonly GuardPattern[] = [
  { id: 'pipe', literals: ['curl', 'wget'], regex: /\b(?:curl|wget)[^|\n]{0,80}\|\s{0,4}(sh|bash)/i },
  { id: 'key', literals: ['id_rsa', 'id_ed25519'], regex: /id_(?:rsa|ed25519)/ },
  { id: 'he', literals: ['she', 'hers', 'her'], regex: /she|hers?/ },
];

describe('compilePatterns', () => {
  it('finds what the expressions find, with groups, in order of the patterns', () => {
    const text = 'cat id_rsa; CURL http://x | bash; she said hers; wget y|sh';
    expect(
      compilePatterns(patterns)
        .find(text, free)
        .map(({ id, start, end, groups }) => [id, text.slice(start, end), groups[1]]),
    ).toEqual([
      ['pipe', 'CURL http://x | bash', 'bash'],
      ['pipe', 'wget y|sh', 'sh'],
      ['key', 'id_rsa', undefined],
      ['he', 'she', undefined],
      ['he', 'hers', undefined],
    ]);
  });

  it('finds the same as a plain search, wherever the literals stand', () => {
    const set = compilePatterns(patterns);
    for (let gap = 0; gap < 700; gap += 37) {
      const text = `${'x '.repeat(gap)}curl a | sh ${'é'.repeat(gap)}hershers${'-'.repeat(gap)}id_ed25519`;
      const plain = patterns.flatMap(({ id, regex }) =>
        Array.from(text.matchAll(new RegExp(regex.source, `${regex.flags}g`)), (match) => [id, match.index]),
      );
      expect(set.find(text, free).map(({ id, start }) => [id, start])).toEqual(plain);
    }
  });

  it('does not run an expression without one of its literals, and charges what it does', () => {
    let units = 0;
    const work = { charge: (more: number) => (units += more) };
    compilePatterns(patterns).find('a'.repeat(10_000), work);
    expect(units).toBe(10_000);
  });

  it('wants literals that can be found', () => {
    const find = (literals: readonly string[]) =>
      compilePatterns([{ id: 'x', literals, regex: /x/ }]).find('x', free);
    expect(() => find([])).toThrow('the pattern "x" names no literal');
    expect(() => find(['ab'])).toThrow('is not three or more lower-case ASCII characters');
    expect(() => find(['Abc'])).toThrow('is not three or more lower-case ASCII characters');
  });
});
