import { describe, expect, it } from 'vitest';
import { readChoice } from './read-answer.ts';

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
