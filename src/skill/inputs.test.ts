import { describe, expect, it } from 'vitest';
import { readFields } from '../../test/support/skill-texts.ts';

const plain = { required: false, description: null, schema: null };

describe('readInputs', () => {
  it.each([
    ['inputs:', null, []],
    ['inputs: []', [], []],
    ['inputs: ["title|required", "domain|optional", "tone | Required | How it sounds", x]', [
      { ...plain, key: 'title', required: true },
      { ...plain, key: 'domain' },
      { key: 'tone', required: true, description: 'How it sounds', schema: null },
      { ...plain, key: 'x' },
    ], []],
    ['inputs: ["title|maybe", "|required"]', [{ ...plain, key: 'title' }], ['FIELD_VALUE 4:10', 'FIELD_VALUE 4:25']],
    ['inputs: title|required', [{ ...plain, key: 'title', required: true }], []],
    ['inputs:\n  title: The title\n  count: integer\n  day:\n  mood: required\n  size: [s, m]', [
      { ...plain, key: 'title', description: 'The title' },
      { ...plain, key: 'count', schema: { type: 'integer' } },
      { ...plain, key: 'day' },
      { ...plain, key: 'mood', required: true },
      { ...plain, key: 'size', schema: { enum: ['s', 'm'] } },
    ], []],
    ['inputs:\n  title:\n    type: string\n    required: yes\n    description: The title\n    maxLength: 5', [
      { key: 'title', required: true, description: 'The title', schema: { type: 'string', maxLength: 5 } },
    ], []],
    ['inputs:\n  type: object\n  properties:\n    title: {type: string}\n    tone: {description: Sound}\n  required: [title]', [
      { ...plain, key: 'title', required: true, schema: { type: 'string' } },
      { ...plain, key: 'tone', description: 'Sound' },
    ], []],
    ['inputs:\n  properties:\n    a: {}\n  required: [b]', [{ ...plain, key: 'a' }], ['FIELD_VALUE 7:13']],
    ['inputs:\n  - name: title\n    required: true\n  - key: tone\n    optional: false\n  - id: x\n    type: number\n  - day: The day', [
      { ...plain, key: 'title', required: true },
      { ...plain, key: 'tone', required: true },
      { ...plain, key: 'x', schema: { type: 'number' } },
      { ...plain, key: 'day', description: 'The day' },
    ], []],
    ['inputs: [a, a, [b], {x: 1, y: 2}]', [{ ...plain, key: 'a' }], ['FIELD_VALUE 4:13', 'FIELD_TYPE 4:16', 'FIELD_TYPE 4:21']],
  ])('reads %j', (lines, inputs, faults) => {
    const reading = readFields(lines);
    expect([reading.head.inputs, reading.faults]).toEqual([inputs, faults]);
  });
});
