import { describe, expect, it } from 'vitest';
import { isSchemaWord, schemaWordFault } from './schema.ts';

describe('schemaWordFault', () => {
  it.each([
    ['type', 'string'],
    ['type', ['string', 'null']],
    ['enum', [1]],
    ['pattern', '^a+$'],
    ['minLength', 0],
    ['multipleOf', 0.5],
    ['items', [{}, true]],
    ['required', []],
    ['properties', { a: {}, b: false }],
    ['anyOf', [{}]],
    ['additionalProperties', { type: 'string' }],
    ['default', null],
    ['dependentRequired', { a: ['b'] }],
  ])('takes %s: %j', (word, value) => {
    expect(schemaWordFault(word, value)).toBe(null);
  });

  it.each([
    ['type', 'interger', 'a type of JSON'],
    ['type', [], 'a type of JSON'],
    ['type', ['null', 'null'], 'a type of JSON'],
    ['enum', [], 'a list of choices'],
    ['pattern', '(', 'a regular expression'],
    ['minLength', 1.5, 'a whole number from 0 on'],
    ['minimum', '1', 'a number'],
    ['multipleOf', 0, 'a number over 0'],
    ['items', 'string', 'a schema'],
    ['required', true, 'a list of names, each once'],
    ['required', ['a', 'a'], 'a list of names, each once'],
    ['properties', { a: 'b' }, 'a mapping of schemas'],
    ['anyOf', [], 'a list of schemas'],
    ['uniqueItems', 1, 'true or false'],
    ['title', 1, 'text'],
  ])('does not take %s: %j', (word, value, wanted) => {
    expect(schemaWordFault(word, value)).toBe(wanted);
  });

  it('knows the words of JSON Schema only', () => {
    expect(['type', '$ref', 'requierd', 'toString'].map(isSchemaWord)).toEqual([true, true, false, false]);
  });
});
