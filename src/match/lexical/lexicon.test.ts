import { describe, expect, it } from 'vitest';
import { Lexicon } from './lexicon.ts';

const units = (text: string): Uint16Array => Uint16Array.from(text, (character) => character.charCodeAt(0));
const ask = (lexicon: Lexicon, word: string, hash: number): number =>
  lexicon.word(units(word), 0, word.length, hash);

describe('Lexicon', () => {
  it('tells words of one hash apart, however many they are', () => {
    const lexicon = new Lexicon();
    const words = Array.from({ length: 500 }, (_, at) => `word${at}x`);
    const first = words.map((word) => ask(lexicon, word, 42));
    expect(new Set(first).size).toBe(500);
    expect(words.map((word) => ask(lexicon, word, 42))).toEqual(first);
    expect(words.map((word) => lexicon.find(word))).toEqual(first);
  });
  it('keeps its words when the table grows', () => {
    const lexicon = new Lexicon();
    const words = Array.from({ length: 20_000 }, (_, at) => `n${at}q`);
    const first = words.map((word, at) => ask(lexicon, word, Math.imul(at, 0x9e3779b1)));
    expect(words.map((word, at) => ask(lexicon, word, Math.imul(at, 0x9e3779b1)))).toEqual(first);
    expect(lexicon.terms).toBe(20_001);
  });
  it('gives function words no term', () => {
    expect(ask(new Lexicon(), 'the', 1)).toBe(0);
  });
});
