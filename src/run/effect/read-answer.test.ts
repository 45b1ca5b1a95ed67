import { describe, expect, it } from 'vitest';
import { readChoice, readStructured, retryPrompt } from './read-answer.ts';

describe('readChoice', () => {
  it.each<readonly [string, readonly string[], string | null]>([
    ['Yes', ['yes', 'no'], 'yes'],
    ['"no".', ['yes', 'no'], 'no'],
    ['maybe', ['yes', 'no'], null],
    ['us', ['US', 'us'], 'us'],
    ['**US**', ['us', 'US'], 'US'],
    ['Us', ['US', 'us'], null],
    ['*', ['*', 'x'], '*'],
  ])('reads %j among %j', (answer, choices, expected) => {
    const read = readChoice(answer, choices);
    expect(read.ok ? read.value : null).toBe(expected);
  });
});

describe('readStructured', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

  it.each([
    ['as it is', ' {"a": 1} '],
    ['in a fenced block', '```json\n{"a": 1}\n```'],
    ['in a fenced block without a language', '```\n{"a": 1}\n```'],
    ['in a fenced block with words around it', 'Here:\r\n```JSON \r\n{"a": 1}\r\n  ```\nThat is it.'],
  ])('reads JSON %s', (_what, answer) => {
    expect(readStructured(answer, schema)).toEqual({ ok: true, value: { a: 1 } });
  });

  it.each(['so', '```json\nso\n```', '```\n{"a": 1}\n```\n```\n{"a": 2}\n```', ''])(
    'refuses what is not JSON: %j',
    (answer) => {
      expect(readStructured(answer, schema)).toEqual({ ok: false, faults: ['the answer is not JSON'] });
    },
  );

  it('says what does not fit the schema', () => {
    const read = readStructured('{"a": "x"}', schema);
    expect(read).toMatchObject({ ok: false, faults: [expect.stringContaining('the answer')] });
  });
});

describe('retryPrompt', () => {
  it('has the prompt, what was wrong, and the last answer as data', () => {
    const lines = retryPrompt('Say so.', 'hm', ['one', 'two']).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'Say so.',
      '',
      'The last answer could not be used:',
      '- one',
      '- two',
      '',
      'The last answer was:',
    ]);
    expect(lines.slice(-1)).toEqual(['Answer again with nothing but what was asked for.']);
  });
});
