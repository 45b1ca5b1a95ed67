import { describe, expect, it } from 'vitest';
import { haveComeRound } from './processes.ts';

describe('haveComeRound', () => {
  const most = 32_768;

  it.each([
    ['a few were started since', 900, { started: 1_010, last: 910, most }, false],
    ['the last number is below that of the command', 32_760, { started: 1_020, last: 12, most }, true],
    [
      'so many were started since that numbers may be used again',
      900,
      { started: 40_000, last: 950, most },
      true,
    ],
    ['the machine does not say which number was the last', 900, { started: 1_010, last: null, most }, true],
    ['the last number is nought, as where it is not counted', 900, { started: 1_010, last: 0, most }, true],
  ])('knows whether newer processes may have lower numbers when %s', (_, leader, now, expected) => {
    expect(haveComeRound(leader, 1_000, now)).toBe(expected);
  });

  it('does not know where processes are not counted', () => {
    expect(haveComeRound(900, null, { started: null, last: 910, most })).toBe(true);
  });
});
