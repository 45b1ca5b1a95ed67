import { describe, expect, it } from 'vitest';
import { isHostName, isIpv6, isPort } from './text.ts';

/** What the platform's own parser thinks of a host. */
function urlTakes(host: string): boolean {
  try {
    return new URL(`https://${host}/`).host === host.toLowerCase();
  } catch {
    return false;
  }
}

describe('isHostName', () => {
  it.each(['a', 'a.example', 'my_host.local', 'x-1.example', '127.0.0.1', '0.0.0.0', '1a.2b'])(
    'takes %s, as URL does',
    (host) => {
      expect([isHostName(host), urlTakes(host)]).toEqual([true, true]);
    },
  );

  it.each([
    '',
    '.',
    'a..b',
    '-a.example',
    'a-.example',
    '1.2.3',
    '256.1.1.1',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f',
    'a b',
    'a@b',
    `${'a'.repeat(64)}.b`,
  ])('refuses "%s"', (host) => {
    expect(isHostName(host)).toBe(false);
  });
});

describe('isIpv6', () => {
  it.each(['::', '::1', '1::', 'fe80::1:2', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'])('takes %s', (host) => {
    expect(isIpv6(host)).toBe(true);
    expect(() => new URL(`https://[${host}]/`)).not.toThrow();
  });

  it.each([
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    'g::',
    '1.2.3.4::',
    '::1.2.3',
    '1:2:3:4:5:6:7:1.2.3.4',
  ])('refuses "%s"', (host) => {
    expect(isIpv6(host)).toBe(false);
  });
});

describe('isPort', () => {
  it('is 1 to 65535', () => {
    expect(['1', '65535', '0', '65536', '', '1a', '-1', '99999'].map(isPort)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
