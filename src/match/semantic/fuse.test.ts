import { describe, expect, it } from 'vitest';
import type { Ranked } from '../rank/ranker.ts';
import { fuse } from './fuse.ts';

const ranked = (skill: string, score: number, confidence = score): Ranked => ({
  skill,
  score,
  confidence,
  evidence: {} as Ranked['evidence'],
  reason: 'its words',
  kept: null,
});
const near = (skill: string, deviations: number) => ({ skill, similarity: 0.5, deviations });
const order = (...given: Parameters<typeof fuse>): readonly string[] =>
  fuse(...given).map(({ skill }) => skill);

describe('fuse', () => {
  it('lets the nearer meaning decide between skills that words do not part', () => {
    expect(order([ranked('a', 0.5), ranked('b', 0.48)], [near('b', 2)])).toEqual(['b', 'a']);
    expect(order([ranked('a', 0.5), ranked('b', 0.5)], [])).toEqual(['a', 'b']);
  });

  it('lets words lead, whatever a meaning says', () => {
    expect(order([ranked('a', 0.8), ranked('b', 0.4)], [near('b', 4), near('a', -4)])).toEqual(['a', 'b']);
  });

  it('ranks nothing that words did not find', () => {
    expect(order([ranked('a', 0.5)], [near('b', 9)])).toEqual(['a']);
  });

  it('takes away a fifth of the doubt at most, and nothing where a meaning does not stand out', () => {
    const [lifted] = fuse([ranked('a', 0.5)], [near('a', 9)]);
    expect(lifted).toMatchObject({
      mode: 'fused',
      confidence: 0.6,
      reason: 'its words; its meaning is near (0.50)',
    });
    expect(fuse([ranked('a', 0.5)], [near('a', 1)])[0]).toMatchObject({
      mode: 'lexical',
      confidence: 0.5,
      reason: 'its words',
    });
  });

  it('gives nothing back of what a guard took', () => {
    expect(fuse([ranked('a', 0.5, 0)], [near('a', 9)])[0]?.confidence).toBe(0);
  });
});
