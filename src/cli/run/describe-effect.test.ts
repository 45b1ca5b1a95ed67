import { describe, expect, it } from 'vitest';
import { nameKey } from './describe-effect.ts';

describe('nameKey', () => {
  it('names the step, and what a plan does besides in words', () => {
    expect(['draft', 'draft[2]#3', 'draft#2~wait', 'a%2Fb/1', '3'].map(nameKey)).toEqual([
      'draft',
      'draft',
      'draft',
      'a/b',
      '3',
    ]);
    expect(
      ['$inputs', '$confirm', '$final', '$refine', '$artifact[0]', '$artifact[12]'].map(nameKey),
    ).toEqual(['missing inputs', 'confirmation', 'final answer', 'refined result', 'artifact', 'artifact']);
  });
});
