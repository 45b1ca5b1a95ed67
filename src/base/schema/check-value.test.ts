import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { schemaFaults } from './schema.ts';
import { checkSchema } from './check-value.ts';

const check = (schema: Json, value: Json): readonly string[] => checkSchema(schema, value, 'it');

describe('checkSchema', () => {
  it.each<[Json, Json, string[]]>([
    [{ type: 'string' }, 'a', []],
    [{ type: 'string' }, 5, ['it must be a string, not the number 5']],
    [{ type: ['integer', 'null'] }, 1.5, ['it must be an integer or null, not the number 1.5']],
    [{ type: 'integer' }, 2, []],
    [
      { enum: ['red', 'green'] },
      'gren',
      ['it must be one of ["red","green"], not "gren" (did you mean "green"?)'],
    ],
    [{ const: { a: 1 } }, { a: 1 }, []],
    [
      { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      {},
      ['it lacks the key "n"'],
    ],
    [{ type: 'object', required: ['name'] }, { nme: 1 }, ['it lacks the key "name" (is it "nme"?)']],
    [
      { properties: { a: { items: { type: 'number', minimum: 1 } } } },
      { a: [1, 0, 'x'] },
      ['it.a[1] must be at least 1, not 0', 'it.a[2] must be a number, not the string "x"'],
    ],
    [
      { additionalProperties: false, properties: { task: {} } },
      { taks: 1 },
      ['it has the key "taks", which is not allowed (did you mean "task"?)'],
    ],
    [{ additionalProperties: { type: 'string' } }, { a: 1 }, ['it.a must be a string, not the number 1']],
    [{ minItems: 2, uniqueItems: true }, [1], ['it must have at least 2 items, not 1']],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], ['it must not have the same item twice']],
    [{ minLength: 2, maxLength: 3 }, '🌍', ['it must have at least 2 characters, not 1']],
    [{ pattern: '^[a-z]+$' }, 'A', ['it must match the pattern "^[a-z]+$"']],
    [{ exclusiveMinimum: 0, multipleOf: 0.1 }, 0.3, []],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      [
        'it fits none of the alternatives: it must be a string, not the number 1; it must be null, not the number 1',
      ],
    ],
    [
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      ['it fits 2 of the alternatives where it must fit one'],
    ],
    [{ not: { type: 'null' } }, null, ['it fits what it must not be']],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, ['it must be at most 2, not 3']],
    [
      { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } },
      'a',
      ['it must be an integer, not the string "a"'],
    ],
    [{ $ref: '#/$defs/missing' }, 'a', ['it is not allowed']],
    [false, 1, ['it is not allowed']],
    [{ type: 'string', nullable: true }, null, []],
  ])('%j on %j', (schema, value, faults) => {
    expect(check(schema, value)).toEqual(faults);
  });

  it('ends on schemas that refer to themselves', () => {
    expect(check({ $ref: '#' }, 1)[0]).toContain('nested too deeply');
  });

  it('is not slowed down by a pattern', () => {
    for (const pattern of ['^((a+))+$', '^a*a*a*b$', '(a|aa)*b$'])
      expect(check({ pattern }, `${'a'.repeat(20_000)}!`)).toEqual([
        `it must match the pattern ${JSON.stringify(pattern)}`,
      ]);
  });

  it('matches a pattern with the whole text', () => {
    expect(check({ pattern: '^a+$' }, `${'a'.repeat(3_000)}!`)).toHaveLength(1);
    expect(check({ pattern: 'b$' }, `${'a'.repeat(3_000)}b`)).toEqual([]);
  });

  it('refuses what takes too long to check', () => {
    const pattern = '(?:a?){2000}b';
    const matched = `is too long to be matched with the pattern ${JSON.stringify(pattern)}`;
    const text = 'a'.repeat(100_000);
    expect(check({ pattern }, text)).toEqual([`it ${matched}`]);
    expect(check({ not: { pattern } }, text)).toEqual(['it takes too long to check']);
    expect(check({ items: { pattern } }, Array(1_000).fill('a'.repeat(1_000)) as Json)[0]).toMatch(
      /^it\[\d+\] must match/,
    );
    for (const word of ['anyOf', 'oneOf', 'allOf'])
      expect(check({ [word]: [{ $ref: '#' }, { $ref: '#' }] }, 1)).not.toEqual([]);
    expect(check(nested(55), 1)).toHaveLength(1);
  });
});

/** Alternatives within alternatives, none of which fits. */
function nested(depth: number): Json {
  return depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1)] };
}

describe('schemaFaults', () => {
  it.each<[Json, string[]]>([
    [
      { type: 'object', properties: { a: { type: 'str' } } },
      ['the schema.properties.a has the unknown type "str"'],
    ],
    [{ requierd: [] }, ['the schema has the unknown keyword "requierd"; did you mean "required"?']],
    [{ if: {} }, ['the schema uses if, which is not supported']],
    [{ anyOf: [] }, ['the schema anyOf must be a list of schemas']],
    [5, ['the schema must be an object, not the number 5']],
    [{ title: 'x', 'x-own': 1, format: 'email' }, []],
    [{ pattern: '(a+)+$' }, []],
    [
      { pattern: '(a)\\1' },
      [
        'the schema has a pattern that refers back to a group, which can take exponential time: "(a)\\\\1"; write what the group matches a second time',
      ],
    ],
    [{ pattern: '(' }, ['the schema has a pattern that is no regular expression: "("']],
    [{ $ref: 'http://x' }, ['the schema refers to something outside of itself']],
  ])('%j', (schema, faults) => {
    expect(schemaFaults(schema)).toEqual(faults);
  });
});
