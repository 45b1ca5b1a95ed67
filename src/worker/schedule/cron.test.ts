// Times of cron expressions: where clocks change, what is refused, and a comparison with a walk over every minute.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TechneError } from '../../base/error.ts';
import { parseCron } from './cron.ts';

function times(expression: string, timezone: string, from: string, count: number): readonly string[] {
  const cron = parseCron(expression, timezone);
  const found: string[] = [];
  let at: number | null = Date.parse(from);
  while (found.length < count && (at = cron.after(at)) !== null)
    found.push(new Date(at).toISOString().slice(0, 16));
  return found;
}

describe('parseCron', () => {
  // Berlin: forward on 2026-03-29 from 2:00 to 3:00, which is 01:00Z; back on 2026-10-25 from 3:00 to 2:00, which is 01:00Z.
  it.each([
    [
      'a time in the gap is its end',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'the end of the gap comes once',
      '0 3 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    [
      'steps go on after the gap',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T02:00'],
    ],
    [
      'a fixed time of the hour that comes twice is the first',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'steps go through that hour twice',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'every hour is every hour',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
    [
      'a gap of half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'midnight in the gap',
      '0 0 * * *',
      'America/Sao_Paulo',
      '2018-11-03T12:00Z',
      ['2018-11-04T03:00', '2018-11-05T02:00'],
    ],
    [
      'a day that does not exist',
      '0 12 * * *',
      'Pacific/Apia',
      '2011-12-29T00:00Z',
      ['2011-12-29T22:00', '2011-12-30T22:00'],
    ],
    [
      'no daylight saving',
      '0 6 * * MON-FRI',
      'UTC',
      '2026-03-27T12:00Z',
      ['2026-03-30T06:00', '2026-03-31T06:00'],
    ],
    [
      'names, lists and ranges',
      '0 9-17/4 * JAN,JUL SUN',
      'UTC',
      '2026-01-01T00:00Z',
      ['2026-01-04T09:00', '2026-01-04T13:00', '2026-01-04T17:00', '2026-01-11T09:00'],
    ],
    [
      'a day or a day of the week',
      '0 0 13 * FRI',
      'UTC',
      '2026-01-08T12:00Z',
      ['2026-01-09T00:00', '2026-01-13T00:00', '2026-01-16T00:00'],
    ],
    ['7 is Sunday', '0 0 * * 7', 'UTC', '2026-01-01T00:00Z', ['2026-01-04T00:00']],
    [
      '@daily in its zone',
      '@daily',
      'Asia/Tokyo',
      '2026-01-01T00:00Z',
      ['2026-01-01T15:00', '2026-01-02T15:00'],
    ],
    ['29 February', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00']],
    ['a day that never comes', '0 0 31 2 *', 'UTC', '2026-01-01T00:00Z', []],
  ] as const)('%s', (_what, expression, zone, from, expected) => {
    expect(times(expression, zone, from, Math.max(1, expected.length))).toEqual(expected);
  });

  it.each([
    ['', 'it needs five fields, or a word such as @daily'],
    ['* * * *', 'it needs five fields'],
    ['* * * * * *', 'it needs five fields'],
    ['60 * * * *', 'Invalid value for minute: 60'],
    ['5-1 * * * *', "From value is larger than to value: '5-1'"],
    ['*/0 * * * *', 'illegal stepping: 0'],
    ['H * * * *', 'illegal characters'],
    ['@reboot', '@reboot is not supported'],
    ['@often', 'is not a cron expression'],
  ])('refuses %j', (expression, why) => {
    expect(() => parseCron(expression, 'UTC')).toThrow(TechneError);
    expect(() => parseCron(expression, 'UTC')).toThrow(why);
  });

  it.each(['Mars/Base', '', '+01:00', 'Europe/Berlin\n'])('refuses the time zone %j', (zone) => {
    expect(() => parseCron('@daily', zone)).toThrow('is not a time zone');
  });

  it('names the minutes that a walk over every minute finds', () => {
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min, max }).map(String),
        fc
          .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
          .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
        fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
        fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 4 }).map((all) => all.join(',')),
      );
    fc.assert(
      fc.property(
        fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(0, 6)),
        fc.integer({ min: 0, max: 1_000_000 }),
        ([minute, hour, day, weekday], offset) => {
          const begin = Date.parse('2026-01-01T00:00Z') + offset * 60_000;
          const end = begin + 3 * 86_400_000;
          const cron = parseCron(`${minute} ${hour} ${day} * ${weekday}`, 'UTC');
          const found: number[] = [];
          for (let at = cron.after(begin); at !== null && at <= end; at = cron.after(at)) found.push(at);
          const walked: number[] = [];
          for (let at = begin + 60_000; at <= end; at += 60_000) {
            const date = new Date(at);
            const isDay = fits(day, date.getUTCDate(), 1);
            const isWeekday = fits(weekday, date.getUTCDay(), 0);
            const isOnDay = day === '*' || weekday === '*' ? isDay && isWeekday : isDay || isWeekday;
            if (fits(minute, date.getUTCMinutes(), 0) && fits(hour, date.getUTCHours(), 0) && isOnDay)
              walked.push(at);
          }
          expect(found).toEqual(walked);
        },
      ),
      { numRuns: 60 },
    );
  });
});

function fits(field: string, value: number, min: number): boolean {
  return field.split(',').some((part) => {
    if (part === '*') return true;
    if (part.startsWith('*/')) return (value - min) % Number(part.slice(2)) === 0;
    const [from = 0, to = from] = part.split('-').map(Number);
    return value >= from && value <= to;
  });
}
