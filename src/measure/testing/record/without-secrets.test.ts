import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

describe('withoutSecrets', () => {
  it('replaces a secret that is written like one, or has a key that says so, and its value everywhere', () => {
    expect(
      withoutSecrets({
        input: { password: 'hunter22', token: 'Zx81qq77Lm4pT0', word: 'hunter22' },
        commands: [{ stdout: 'API_KEY=q1w2e3r4t5y6\n' }],
        answers: [{ answer: 'use q1w2e3r4t5y6 and Zx81qq77Lm4pT0, not ghp_aaaaaaaaaaaaaaaa1234' }],
      }),
    ).toEqual({
      value: {
        // A word stays where nothing says that it is one.
        input: { password: '[secret]', token: '[secret]', word: 'hunter22' },
        commands: [{ stdout: 'API_KEY=[secret]\n' }],
        answers: [{ answer: 'use [secret] and [secret], not [secret]' }],
      },
      secrets: 4,
    });
  });

  it('leaves everything else as it is', () => {
    const value = { a: [1, null, true, 'unexpected token: identifier'], max_tokens: 5, token: 'identifier' };
    expect(withoutSecrets(value)).toEqual({ value, secrets: 0 });
  });
});
