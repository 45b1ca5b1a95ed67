import { describe, expect, it } from 'vitest';
import { createApiGuard, networkOf } from './guard.ts';
import { RateLimit } from './rate-limit.ts';
import type { TokenFile } from '../techne/tokens/token-file.ts';
import type { Sessions } from './sessions.ts';

function createGuard(
  method = 'GET',
  target = '/v1/callbacks/guess',
  isOfClient?: (path: string) => boolean,
): (peer: string) => number | null {
  const rate = new RateLimit({ perSecond: 10, burst: 40, nowMs: () => 0 });
  const loginRate = new RateLimit({ perSecond: 1, burst: 20, nowMs: () => 0 });
  const sessions: Pick<Sessions, 'find'> = { find: () => null };
  const tokens: Pick<TokenFile, 'find'> = { find: () => 'unknown' };
  const guard = createApiGuard(
    { hosts: ['127.0.0.1:1'], origins: [] },
    {
      tokens: tokens as TokenFile,
      sessions: sessions as Sessions,
      rate,
      loginRate,
      ...(isOfClient === undefined ? {} : { isOfClient }),
      onRefused: () => undefined,
    },
  );
  return (peer) =>
    guard({ method, target, rawHeaders: ['Host', '127.0.0.1:1'], peer }).refusal?.status ?? null;
}

describe('requests with callback tokens', () => {
  it('are limited for each peer, and a flood from one takes nothing from the others', () => {
    const ask = createGuard();
    const flood = Array.from({ length: 1_000 }, () => ask('203.0.113.9'));
    expect(flood.filter((status) => status === null)).toHaveLength(10);
    expect(flood.at(-1)).toBe(429);
    expect(ask('203.0.113.10')).toBeNull();
  });

  it('are limited for all peers together', () => {
    const ask = createGuard();
    const passed = Array.from({ length: 100 }, (_, at) => ask(`203.0.113.${at}`));
    expect(passed.filter((status) => status === null)).toHaveLength(40);
  });
});

describe('logins', () => {
  it.each([
    ['POST', '/v1/login'],
    ['GET', '/login?code=guess'],
  ])('are limited for each peer: %s %s', (method, target) => {
    const ask = createGuard(method, target);
    const flood = Array.from({ length: 1_000 }, () => ask('203.0.113.9'));
    expect(flood.filter((status) => status === null)).toHaveLength(20);
    expect(flood.at(-1)).toBe(429);
    expect(ask('203.0.113.10')).toBeNull();
  });
});

describe('paths of the browser client', () => {
  const isOfClient = (path: string): boolean => !/^\/(?:v1|login)(?:\/|$)/.test(path);
  const paths = (path: string) => [`/x/..${path}`, `//x${path}`, `/x\\..${path}`, `/x/%2e%2E${path}`];

  it('need no token', () => {
    expect(createGuard('GET', '/runs', isOfClient)('203.0.113.9')).toBeNull();
  });

  it.each(paths('/v1/callbacks/guess'))('are none where the router has another: %s', (target) => {
    const ask = createGuard('GET', target, isOfClient);
    const flood = Array.from({ length: 100 }, () => ask('203.0.113.9'));
    expect(flood.filter((status) => status === null)).toHaveLength(10);
  });

  it.each(paths('/v1/runs'))('give nothing of the API: %s', (target) => {
    expect(createGuard('GET', target, isOfClient)('203.0.113.9')).toBe(401);
  });

  it.each(['//', '//:', '//[/v1/runs'])('are none where no path can be read: %s', (target) => {
    expect(createGuard('GET', target, isOfClient)('203.0.113.9')).toBe(400);
  });
});

describe('networkOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::6', '2001:db8:1:2::'],
    ['2001:db8::6', '2001:db8:0:0::'],
    ['::1', '0:0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['', ''],
  ])('%s -> %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
