import { describe, expect, it } from 'vitest';
import { createPaint } from './colour.ts';
import { renderTable } from './render-table.ts';

const paint = createPaint(true);
// eslint-disable-next-line no-control-regex
const plain = (text: string): string => text.replaceAll(/\u001B\[[0-9;]*m/g, '');

describe('renderTable', () => {
  const rows = (look: (text: string) => string): string[][] => [
    ['RUN', 'STATUS', 'WHAT'].map(look),
    ['1', look('completed'), 'short'],
    ['2', look('failed'), look('a text that is far too long for the line that it is on')],
  ];

  it('has the same columns with and without colours', () => {
    for (const columns of [null, 40, 24, 12]) expect(plain(renderTable(rows(paint.red), columns))).toBe(renderTable(rows((text) => text), columns));
  });

  it('ends the colour of what it cuts', () => {
    for (const line of renderTable(rows(paint.red), 30).trimEnd().split('\n')) {
      const codes = line.split('\u001B[').slice(1).map((part) => part.split('m')[0]);
      if (codes.length > 0) expect([line, codes.at(-1)]).toEqual([line, '0']);
    }
  });
});
