import { describe, expect, it } from 'vitest';
import { pairsWithin } from './segment-words.ts';

function pairs(text: string): readonly string[] {
  const counts = pairsWithin(text) ?? new Uint8Array(text.length).fill(1);
  return Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)).filter(
    (_, at) => counts[at] === 1,
  );
}

describe('pairsWithin', () => {
  it('keeps the pairs within words, and none with a particle', () => {
    expect(pairs('猫の名前を考えて')).toContain('名前');
    expect(pairs('猫の名前を考えて')).toContain('考え');
    expect(pairs('猫の名前を考えて')).not.toContain('を考');
    expect(pairs('猫の名前を考えて')).not.toContain('の名');
    expect(pairs('今天天气怎么样')).not.toContain('天天');
  });
  it('joins single characters that the dictionary does not', () => {
    expect(pairs('写周报')).toContain('周报');
  });
  it('leaves other scripts, and very long messages, as they are', () => {
    expect(pairsWithin('plan my trip')).toBeNull();
    expect(pairsWithin('여행 숙소 추천')).toBeNull();
    expect(pairsWithin('字'.repeat(5000))).toBeNull();
  });
});
