import { expect, it } from 'vitest';
import { table } from './figures.ts';

it('aligns more rows than a call takes arguments', () => {
  const rows = table([['name', 'right'], ...Array.from({ length: 200_000 }, () => ['tides', '1'])]);
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([200_001, 'name   right', 'tides      1']);
});
