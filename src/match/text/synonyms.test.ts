import { describe, expect, it } from 'vitest';
import { stem } from './stem.js';
import { synonymsOf } from './synonyms.js';

const wordsOf = (word: string) => synonymsOf(stem(word)).map((synonym) => synonym.word);

describe('synonyms', () => {
  it('finds the other words of a ring, whatever letter they begin with', () => {
    expect(wordsOf('parcel')).toEqual(['package', 'shipment']);
    expect(wordsOf('package')).toContain('parcel');
    expect(wordsOf('soccer')).toEqual(['football']);
  });

  it('gives each word back to the words it gives', () => {
    for (const word of ['shop', 'winner', 'trash', 'store', 'parcel', 'donate', 'urgent'])
      for (const { term } of synonymsOf(stem(word)))
        expect(synonymsOf(term).map((other) => other.term)).toContain(stem(word));
  });

  it('never names the word itself, nor a word twice', () => {
    for (const word of ['shop', 'won', 'electricity', 'donation']) {
      const terms = synonymsOf(stem(word)).map((synonym) => synonym.term);
      expect(terms).not.toContain(stem(word));
      expect(new Set(terms).size).toBe(terms.length);
      expect(terms.length).toBeGreaterThan(0);
    }
  });

  it('knows nothing of words outside of a to z', () => {
    for (const term of ['', '翻译', 'über', '4', '__proto__', 'constructor'])
      expect(synonymsOf(term)).toEqual([]);
  });
});
