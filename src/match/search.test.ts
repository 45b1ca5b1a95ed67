import { describe, expect, it } from 'vitest';
import { discoveryIndex, isSearchHit, searchSkills } from './search.ts';

const skills = [
  { name: 'pdf-redact', description: 'Blacks out regions.' },
  { name: 'tides', description: 'Makes a PDF of tides.' },
  { name: 'pdf-forms', description: 'Fills PDF forms.' },
  { name: 'code-review', description: 'Reviews a branch.' },
];
const names = (query: string, limit?: number) =>
  searchSkills(skills, query, limit).map((skill) => skill.name);

describe('searchSkills', () => {
  it('ranks by score, then by name', () => {
    expect(names('pdf')).toEqual(['pdf-forms', 'pdf-redact', 'tides']);
  });
  it('trims and lower-cases the query and leaves out what does not match', () => {
    expect(names('  REVIEW ')).toEqual(['code-review']);
    expect(names('whales')).toEqual([]);
  });
  it('finds a word in another form (search#A3)', () => {
    expect(names('reviewing')).toEqual(['code-review']);
    expect(searchSkills([{ name: 'plant-care', description: 'Waters.' }], 'plants').length).toBe(1);
    expect(names('tide')).toEqual(['tides']);
    expect(names('form')).toEqual(['pdf-forms']);
    expect(names('formation')).toEqual([]);
  });
  it('puts the word itself before another form of it', () => {
    const forms = [
      { name: 'plant-care', description: 'Plant by plant.' },
      { name: 'zoo', description: 'Animals and plants.' },
    ];
    expect(searchSkills(forms, 'plants').map(({ name }) => name)).toEqual(['zoo', 'plant-care']);
    expect(forms.map((skill) => isSearchHit(skill, ' Plants'))).toEqual([false, true]);
  });
  it('lists by name when the query is empty', () => {
    expect(names(' ')).toEqual(['code-review', 'pdf-forms', 'pdf-redact', 'tides']);
  });
  it('keeps the limit within 1 and 50', () => {
    expect(names('', 2)).toEqual(['code-review', 'pdf-forms']);
    expect(names('', 0)).toEqual(['code-review']);
    const many = Array.from({ length: 80 }, (_, at) => ({
      name: `s${String(at).padStart(2, '0')}`,
      description: '',
    }));
    expect(searchSkills(many, 's').length).toBe(10);
    expect(searchSkills(many, 's', 99).length).toBe(50);
    expect(searchSkills(many, 's', Number.NaN).length).toBe(10);
  });
  it('leaves its input alone', () => {
    expect(skills.map((skill) => skill.name)).toEqual(['pdf-redact', 'tides', 'pdf-forms', 'code-review']);
  });
});

describe('discoveryIndex', () => {
  it('pairs names and descriptions by name', () => {
    expect(discoveryIndex(skills)[0]).toEqual(['code-review', 'Reviews a branch.']);
    expect(discoveryIndex([])).toEqual([]);
  });
});
