import { describe, expect, it } from 'vitest';
import { fieldOf, frontmatterFields, standardFields } from './field-table.ts';
import { foldedFieldOf, suggestionFor } from './spelling.ts';

describe('frontmatterFields', () => {
  it('holds the six standard fields', () => {
    expect(standardFields).toEqual([
      'name',
      'description',
      'license',
      'compatibility',
      'metadata',
      'allowed-tools',
    ]);
  });
  it('gives each key to one field', () => {
    const keys = frontmatterFields.flatMap((field) => [field.name, ...field.aliases]);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
  it('describes each field in one sentence', () => {
    expect(
      frontmatterFields
        .filter((field) => !/^[^\n]{8,140}\.$/.test(field.description))
        .map((field) => field.name),
    ).toEqual([]);
  });
  it('finds a field by name and by alias', () => {
    expect(fieldOf('allowed_tools')?.name).toBe('allowed-tools');
    expect(fieldOf('allowed-tools')?.name).toBe('allowed-tools');
    expect(fieldOf('toString')).toBeUndefined();
  });
});

describe('foldedFieldOf', () => {
  it.each([
    ['NAME', 'name'],
    ['Allowed_Tools', 'allowed-tools'],
    ['META-PRIORITY', 'meta_priority'],
  ])('reads %s as %s', (key, name) => {
    expect(foldedFieldOf(key)?.name).toBe(name);
  });
});

describe('suggestionFor', () => {
  it.each([
    ['descripton', 'description'],
    ['alowed-tools', 'allowed-tools'],
    ['metskill', 'metaskill'],
    ['compositon', 'composition'],
    ['user-invocble', 'user-invocable'],
    ['weather', null],
    ['abc', null],
    ['x'.repeat(60), null],
  ])('%s -> %s', (key, name) => {
    expect(suggestionFor(key)).toBe(name);
    expect(suggestionFor(key)).toBe(name);
  });
});
