import { describe, expect, it } from 'vitest';
import { safeMessage, secretsAmong } from './safe-message.ts';

const key = 'k3y/with+odd"letters';

describe('safeMessage', () => {
  it.each([
    ['as it is', key],
    ['in a header', `Bearer ${key}`],
    ['in an address', encodeURIComponent(key)],
    ['in JSON', JSON.stringify(key)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 after one letter', Buffer.from(`:${key}`).toString('base64')],
    ['in base64 of a header', Buffer.from(`Bearer ${key}, and more`).toString('base64')],
    ['in base64 for addresses', Buffer.from(`ab${key}`).toString('base64url')],
    ['in hex', Buffer.from(key).toString('hex')],
    ['behind many spaces', `${' \n'.repeat(50_000)}${key}`],
    ['behind what is cut', `${'x'.repeat(3990)}${key}`],
  ])('takes a key out %s', (_how, text) => {
    const told = safeMessage(`bad key ${text} here`, [key], 10_000);
    for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('hex'), 'with+odd', 'k3y'])
      expect(told).not.toContain(form);
    for (const run of told.match(/[\w+/-]{8,}/g) ?? [])
      for (const coding of ['base64', 'base64url'] as const) {
        for (const skip of [0, 1, 2, 3])
          expect(Buffer.from(run.slice(skip), coding).toString('latin1')).not.toContain('with');
      }
  });

  it('is one bounded line that no terminal obeys', () => {
    expect(safeMessage('one\r\n\ttwo\u001B[31m', [])).toBe('one two\\u{1B}[31m');
    expect(safeMessage('x'.repeat(1_000_000), [])).toHaveLength(400);
    expect(safeMessage('refused: Authorization: Bearer abcdefghijklmnop', [])).not.toContain(
      'abcdefghijklmnop',
    );
  });

  it('takes no time that grows faster than the text', () => {
    const startedMs = performance.now();
    safeMessage('-eyJ'.repeat(500_000), [key]);
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});

describe('secretsAmong', () => {
  it('goes by the names of variables', () => {
    expect(
      secretsAmong({
        OPENAI_API_KEY: 'abcdefgh',
        GITHUB_TOKEN: '12345678',
        HOME: '/home/a',
        EMPTY_KEY: '',
        MISSING_KEY: undefined,
      }),
    ).toEqual(['abcdefgh', '12345678']);
  });
});
