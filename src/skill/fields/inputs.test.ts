import { describe, expect, it } from 'vitest';
import { entriesOf, readFields, strictFaults } from '../../../test/support/skill-texts.ts';

const plain = { required: false, description: null, schema: null };

describe('readInputs', () => {
  it.each([
    ['inputs:', null, []],
    ['inputs: []', [], []],
    [
      'inputs: ["title|required", "domain|optional", "tone | Required | How it sounds", x]',
      [
        { ...plain, key: 'title', required: true },
        { ...plain, key: 'domain' },
        { key: 'tone', required: true, description: 'How it sounds', schema: null },
        { ...plain, key: 'x' },
      ],
      [],
    ],
    [
      'inputs: ["title|maybe", "|required"]',
      [{ ...plain, key: 'title' }],
      ['FIELD_VALUE 4:10', 'FIELD_VALUE 4:25'],
    ],
    ['inputs: title|required', [{ ...plain, key: 'title', required: true }], []],
    [
      'inputs:\n  title: The title\n  count: integer\n  day:\n  mood: required\n  size: [s, m]',
      [
        { ...plain, key: 'title', description: 'The title' },
        { ...plain, key: 'count', schema: { type: 'integer' } },
        { ...plain, key: 'day' },
        { ...plain, key: 'mood', required: true },
        { ...plain, key: 'size', schema: { enum: ['s', 'm'] } },
      ],
      [],
    ],
    [
      'inputs:\n  title:\n    type: string\n    required: yes\n    description: The title\n    maxLength: 5',
      [{ key: 'title', required: true, description: 'The title', schema: { type: 'string', maxLength: 5 } }],
      [],
    ],
    [
      'inputs:\n  type: object\n  properties:\n    title: {type: string}\n    tone: {description: Sound}\n  required: [title]',
      [
        { ...plain, key: 'title', required: true, schema: { type: 'string' } },
        { ...plain, key: 'tone', description: 'Sound' },
      ],
      [],
    ],
    ['inputs:\n  properties:\n    a: {}\n  required: [b]', [{ ...plain, key: 'a' }], ['FIELD_VALUE 7:13']],
    [
      'inputs:\n  - name: title\n    required: true\n  - key: tone\n    optional: false\n  - id: x\n    type: number\n  - day: The day',
      [
        { ...plain, key: 'title', required: true },
        { ...plain, key: 'tone', required: true },
        { ...plain, key: 'x', schema: { type: 'number' } },
        { ...plain, key: 'day', description: 'The day' },
      ],
      [],
    ],
    [
      'inputs: [a, a, [b], {x: 1, y: 2}]',
      [{ ...plain, key: 'a' }],
      ['FIELD_VALUE 4:13', 'FIELD_TYPE 4:16', 'FIELD_TYPE 4:21'],
    ],
  ])('reads %j', (lines, inputs, faults) => {
    const reading = readFields(lines);
    expect([reading.head.inputs, reading.faults]).toEqual([inputs, faults]);
  });

  const told = (fields: string) =>
    readFields(fields).diagnostics.map(
      ({ severity, code, message, hint }) =>
        `${severity} ${code} ${message}${hint === null ? '' : ` (${hint})`}`,
    );

  it('leaves out what is no JSON Schema, and says what was meant', () => {
    const fields = `inputs:
  - {name: n, type: interger, requierd: true}
  - {name: m, type: integer, default: five, minimun: 1}
  - {name: e, type: str, enum: x, maxLenght: 3}
  - {name: l, type: array, items: {type: strng, mimimum: 1}, minItems: -1}
  - {name: o, type: [object, nothing], properties: [a], pattern: "("}`;
    expect(told(fields)).toEqual([
      'warning FIELD_VALUE type of the input "n" is "interger", which is not a JSON type; it is ignored (did you mean "integer"?)',
      'warning FIELD_MISSPELT "requierd" of the input "n" is not a word techne knows; it is kept but not read (did you mean "required"?)',
      'warning FIELD_MISSPELT "minimun" of the input "m" is not a word techne knows; it is kept but not read (did you mean "minimum"?)',
      'warning FIELD_CONFLICT the default of the input "m" is "five", but its type is integer (write a default of that type, or change the type)',
      'warning FIELD_VALUE type of the input "e" is "str", which is not a JSON type; it is ignored (did you mean "string"?)',
      'warning FIELD_TYPE enum of the input "e" must be a list of choices, not "x"; it is ignored (write enum: [x])',
      'warning FIELD_MISSPELT "maxLenght" of the input "e" is not a word techne knows; it is kept but not read (did you mean "maxLength"?)',
      'warning FIELD_VALUE type of items of the input "l" is "strng", which is not a JSON type; it is ignored (did you mean "string"?)',
      'warning FIELD_MISSPELT "mimimum" of items of the input "l" is not a word techne knows; it is kept but not read (did you mean "minimum"?)',
      'warning FIELD_TYPE minItems of the input "l" must be a whole number from 0 on, not the number -1; it is ignored',
      'warning FIELD_VALUE type of the input "o" is "nothing", which is not a JSON type; it is ignored (the types are null, boolean, integer, number, string, array, object)',
      'warning FIELD_TYPE properties of the input "o" must be a mapping of schemas, not a list; it is ignored',
      'warning FIELD_VALUE pattern of the input "o" is not a regular expression; it is ignored',
    ]);
    expect(readFields(fields).faults.slice(0, 2)).toEqual(['FIELD_VALUE 5:21', 'FIELD_MISSPELT 5:31']);
    expect(
      readFields(fields).head.inputs?.map(({ key, required, schema }) => [key, required, schema]),
    ).toEqual([
      ['n', false, { requierd: true }],
      ['m', false, { type: 'integer', default: 'five', minimun: 1 }],
      ['e', false, { maxLenght: 3 }],
      ['l', false, { type: 'array', items: { mimimum: 1 } }],
      ['o', false, null],
    ]);
  });

  it('says which patterns cannot be checked', () => {
    const pattern = (text: string): string => `inputs: {a: {type: string, pattern: '${text}'}}`;
    expect(told(pattern('^((a+))+$'))).toEqual([]);
    expect(told(pattern('^(?!.*--)[a-z-]+$'))).toEqual([]);
    expect(told(pattern('(a)\\1'))).toEqual([
      'warning FIELD_VALUE pattern of the input "a" refers back to a group, which can take exponential time; it is not checked (write what the group matches a second time)',
    ]);
    expect(told(pattern('^.{1,90000}$'))).toEqual([
      'warning FIELD_VALUE pattern of the input "a" repeats too much: written out it has 180002 parts, more than 10000; it is not checked (use smaller numbers in {…}; maxLength bounds the length of a text)',
    ]);
  });

  it('takes the words of other hosts for what they are', () => {
    expect(
      told(
        'inputs:\n  a: {type: string, label: A, multiple: true, options: [x], x-order: 1}\n  b: {if: {}, default: null, type: integer}',
      ),
    ).toEqual([
      'info FIELD_UNKNOWN "label" of the input "a" is not a word of JSON Schema; it is kept as it is',
      'info FIELD_UNKNOWN "multiple" of the input "a" is not a word of JSON Schema; it is kept as it is',
      'info FIELD_UNKNOWN "options" of the input "a" is not a word of JSON Schema; it is kept as it is (JSON Schema writes it "enum")',
      'info FIELD_UNKNOWN if of the input "b" is kept, and not checked here',
    ]);
  });

  it.each([
    ['{type: integer, default: 3}', []],
    ['{type: number, default: 3}', []],
    ['{type: [string, integer], default: 3}', []],
    ['{type: string, default: 3}', ['the default of the input "a" is the number 3, but its type is string']],
    ['{type: object, default: [1]}', ['the default of the input "a" is a list, but its type is object']],
    ['{enum: [x, y], default: x}', []],
    ['{enum: [x, y], default: z}', ['the default of the input "a" is "z", which is none of its choices']],
  ])('compares the default of %s with its type and choices', (schema, messages) => {
    expect(readFields(`inputs:\n  a: ${schema}`).diagnostics.map(({ message }) => message)).toEqual(messages);
  });

  it('is an error of the strict rules where the skill is executed', () => {
    const text =
      '---\nname: tides\ndescription: Tells tides. Use when asked.\ninputs:\n  - name: n\n    type: interger\n    label: N\n---\nBody.\n';
    expect(strictFaults(text, { entries: entriesOf('SKILL.md', 'SKILL.star') })).toEqual([
      'STRICT_INPUTS 6:11',
    ]);
    // Instructions are portable, or they are not.
    expect(strictFaults(text)).toEqual(['STRICT_FIELD 4:1']);
  });
});
