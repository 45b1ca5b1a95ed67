import { afterEach, describe, expect, it } from 'vitest';
import { localDay, localTime } from './local-time.ts';

const before = process.env['TZ'];
afterEach(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

describe('localTime', () => {
  it.each([
    ['UTC', '2026-11-18 23:30'],
    ['Asia/Tokyo', '2026-11-19 08:30'],
    ['America/New_York', '2026-11-18 18:30'],
  ])('is the time of the zone %s', (zone, shown) => {
    process.env['TZ'] = zone;
    expect(localTime('2026-11-18T23:30:00.000Z')).toBe(shown);
  });

  it('leaves alone what is no time', () => {
    expect(localTime('soon')).toBe('soon');
  });
});

describe('localDay', () => {
  it('begins at midnight of the zone, not of UTC', () => {
    process.env['TZ'] = 'Pacific/Auckland';
    expect([
      localDay(Date.parse('2026-11-17T10:59:59Z')),
      localDay(Date.parse('2026-11-17T11:00:00Z')),
    ]).toEqual(['2026-11-17', '2026-11-18']);
  });
});
