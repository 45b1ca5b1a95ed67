import { describe, expect, it } from 'vitest';
import { findNegation } from './find-negation.ts';
import { splitSentences } from './split-clauses.ts';

const refused = (text: string): readonly string[] =>
  findNegation(text, splitSentences(text, text)).map(({ scope }) => text.slice(scope.start, scope.end));

describe('findNegation', () => {
  it.each([
    ['要不要规划行程', []],
    ['能不能规划行程', []],
    ['好不要规划行程', ['规划行程']],
    ['行不能规划行程', ['规划行程']],
  ])('takes a verb that is asked with its negation for no refusal: %s', (text, scopes) => {
    expect(refused(text)).toEqual(scopes);
  });
});
