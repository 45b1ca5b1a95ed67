import { describe, expect, it } from 'vitest';
import { HintBudget, undefinedHint } from './resolve.ts';

describe('undefinedHint', () => {
  it('looks at no more names than the budget of the program allows, however many names are undefined', () => {
    const budget = new HintBudget();
    let looked = 0;
    function* candidates(): Generator<string> {
      for (let index = 1000; index < 3000; index += 1) {
        looked += 1;
        yield `abcdefghijabcdefghijabcdefghij${index}`;
      }
    }
    const hints = Array.from({ length: 100 }, () =>
      undefinedHint('abcdefghijabcdefghijabcdefghji1000', candidates(), budget),
    );
    expect([hints[0], hints[99]]).toEqual(['did you mean abcdefghijabcdefghijabcdefghij1000?', undefined]);
    // One more for each name, to see that there is one.
    expect(looked).toBeLessThanOrEqual(20_000 + 100);
  });

  it('knows what serves in place of a name without looking', () => {
    const budget = new HintBudget();
    budget.candidates = 0;
    expect(undefinedHint('null', ['nulls'], budget)).toBe('write None');
  });
});
