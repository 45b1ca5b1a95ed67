// Which words a message wants translated, by the places of cue and scope.
import { describe, expect, it } from 'vitest';
import { findTranslation } from './find-translation.ts';
import { splitSentences } from './split-clauses.ts';

const found = (text: string): readonly (readonly [cue: string, scope: string])[] =>
  findTranslation(text, splitSentences(text, text)).map(({ cue, scope }) => [
    text.slice(cue.start, cue.end).trim(),
    text.slice(scope.start, scope.end).trim(),
  ]);

describe('findTranslation', () => {
  it('takes the sentence before a question about its words', () => {
    expect(found('hello. plan my trip. how do i say that in korean?')).toContainEqual([
      'how do i say that',
      'plan my trip.',
    ]);
  });

  it('takes what is introduced, up to a sentence with another task', () => {
    expect(
      found('hello. translate this into french: plan my trip. it is late. then book a room.'),
    ).toContainEqual(['into french:', 'plan my trip. it is late.']);
  });

  it('does not end what is introduced with a task before it', () => {
    expect(found('then book a room. translate this into french: plan my trip. it is late.')).toContainEqual([
      'into french:',
      'plan my trip. it is late.',
    ]);
  });

  it('takes nothing where nothing is to be translated', () => {
    expect(found('plan my trip. it is late.')).toEqual([]);
  });
});
