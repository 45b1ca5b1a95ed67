import { describe, expect, it } from 'vitest';
import type { Ranked } from '../rank/ranker.ts';
import { fuse, nominate } from './fuse.ts';

const ranked = (skill: string, score: number, confidence = score): Ranked => ({
  skill,
  score,
  confidence,
  evidence: {} as Ranked['evidence'],
  reason: 'its words',
  kept: null,
  shared: [],
  verdicts: new Map(),
});
const near = (skill: string, deviations: number, farthest = 9) => ({
  skill,
  similarity: 0.5,
  deviations,
  lead: 0.1,
  farthest,
});
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

describe('nominate', () => {
  const nobody = (): boolean => false;
  it('finds what words did not, less sure than words and names could make it', () => {
    expect(nominate([near('a', 3), near('b', 1)], 'strong', nobody)).toEqual([
      {
        skill: 'a',
        mode: 'semantic',
        confidence: 0.6,
        variables: {},
        reason: 'shares no word, but its meaning is near (0.50)',
      },
    ]);
    expect(nominate([near('a', 3)], 'unknown', nobody)[0]?.confidence).toBe(0.5);
    expect(nominate([near('a', 3)], 'strong', (skill) => skill === 'a')).toEqual([]);
  });

  it('finds nothing by a weak embedder, or where nothing stands out', () => {
    expect(nominate([near('a', 9)], 'weak', nobody)).toEqual([]);
    expect(nominate([near('a', 2)], 'strong', nobody)).toEqual([]);
  });

  it('takes the farthest that is possible among few, and a clear lead among fewer', () => {
    expect(nominate([near('a', 1.7, 1.6)], 'unknown', nobody)[0]?.confidence).toBe(0.5);
    expect(nominate([near('a', 1, 0.9)], 'unknown', nobody)).toEqual([]);
    expect(nominate([{ ...near('a', 0, 0), lead: 0.4 }], 'unknown', nobody)[0]?.confidence).toBe(0.5);
  });
});
