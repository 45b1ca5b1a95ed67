import { describe, expect, it } from 'vitest';
import { searchSkills, searchWords } from './search.ts';

const skills = [
  { name: 'notes', description: 'Summarises a meeting' },
  { name: 'meeting-notes', description: 'Writes minutes' },
  { name: 'zoom', description: 'Meeting notes, by hand' },
  { name: 'meeting', description: 'Plans one' },
];

function names(...words: readonly string[]): readonly string[] {
  return searchWords(skills, words).map(({ name }) => name);
}

describe('searchWords', () => {
  it('wants every word somewhere, and adds up what each is worth', () => {
    expect(names('meeting', 'notes')).toEqual(['meeting-notes', 'notes', 'zoom']);
    expect(names('NOTES', ' meeting ')).toEqual(['meeting-notes', 'notes', 'zoom']);
    expect(names('meeting', 'xyz')).toEqual([]);
  });

  it('is searchSkills for one word', () => {
    for (const word of ['meeting', 'notes', 'o', 'xyz'])
      expect(searchWords(skills, [word])).toEqual(searchSkills(skills, word, 50));
  });

  it('lists all by name without words', () => {
    expect(names()).toEqual(['meeting', 'meeting-notes', 'notes', 'zoom']);
  });
});
