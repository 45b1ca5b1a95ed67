import { describe, expect, it } from 'vitest';
import { stopText } from './stop.ts';

const left = { what: 'case', total: 5, unmeasured: 0, refusal: null };

describe('stopText', () => {
  it('says why it ended, and how much was not measured for it', () => {
    expect(stopText('interrupted', left)).toBe('stopped; these are the measurements so far');
    expect(stopText('calls', { ...left, unmeasured: 3 })).toBe(
      'stopped: the calls of --max-calls are spent; these are the measurements so far; 3 cases of 5 were not measured',
    );
    expect(stopText('tokens', { ...left, what: 'prompt', unmeasured: 1 })).toBe(
      'stopped: the tokens of --max-tokens are spent; these are the measurements so far; 1 prompt of 5 was not measured',
    );
    expect(stopText('errors', { ...left, unmeasured: 5 })).toBe(
      'stopped: the model failed 5 times in a row; none was measured',
    );
    expect(stopText('refused', { ...left, unmeasured: 5, refusal: 'connect ECONNREFUSED' })).toBe(
      'stopped: the model cannot be reached: connect ECONNREFUSED; none was measured',
    );
  });
});
