import { describe, expect, it } from 'vitest';
import { readFields } from '../../../test/support/skill-texts.ts';

describe('readTriggers', () => {
  it.each([
    ['tell the tides', [{ phrase: 'tell the tides', variables: [] }], []],
    [
      '["explain {concept}", "from {a} to {b-2}"]',
      [
        { phrase: 'explain {concept}', variables: ['concept'] },
        { phrase: 'from {a} to {b-2}', variables: ['a', 'b-2'] },
      ],
      [],
    ],
    [
      '|\n  one thing\n  another\n',
      [
        { phrase: 'one thing', variables: [] },
        { phrase: 'another', variables: [] },
      ],
      [],
    ],
    [
      '[{phrase: go}, {pattern: "to {x}"}]',
      [
        { phrase: 'go', variables: [] },
        { phrase: 'to {x}', variables: ['x'] },
      ],
      [],
    ],
    [
      '["{two words} and {x} {x}"]',
      [{ phrase: '{two words} and {x} {x}', variables: ['x'] }],
      ['FIELD_VALUE 4:12', 'FIELD_VALUE 4:12'],
    ],
    [
      '["翻译{文本}", "über {größe}", "{नाम} {x1}"]',
      [
        { phrase: '翻译{文本}', variables: ['文本'] },
        { phrase: 'über {größe}', variables: ['größe'] },
        { phrase: '{नाम} {x1}', variables: ['नाम', 'x1'] },
      ],
      [],
    ],
    [
      '["{1x} {-x} {a.b} {a，b}"]',
      [{ phrase: '{1x} {-x} {a.b} {a，b}', variables: [] }],
      ['FIELD_VALUE 4:12', 'FIELD_VALUE 4:12', 'FIELD_VALUE 4:12', 'FIELD_VALUE 4:12'],
    ],
    ['{keywords: [a]}', [], ['FIELD_TYPE 4:11']],
    [
      '[{a: b}, [c], 7]',
      [{ phrase: '7', variables: [] }],
      ['FIELD_TYPE 4:12', 'FIELD_TYPE 4:20', 'FIELD_COERCED 4:25'],
    ],
    ['', [], []],
  ])('reads triggers: %s', (value, triggers, faults) => {
    const reading = readFields(`triggers: ${value}`);
    expect([reading.head.triggers, reading.faults]).toEqual([triggers, faults]);
  });
});
