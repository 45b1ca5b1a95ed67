import { describe, expect, it } from 'vitest';
import { createPaint } from '../cli/io.ts';
import { renderFigures, renderTable } from './render-table.ts';

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
    for (const columns of [null, 40, 24, 12])
      expect(
        plain(
          renderTable(
            rows((text) => paint.red(text)),
            columns,
          ),
        ),
      ).toBe(
        renderTable(
          rows((text) => text),
          columns,
        ),
      );
  });

  it('ends the colour of what it cuts', () => {
    const codes = renderTable(
      rows((text) => paint.red(text)),
      30,
    )
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split('\u001B[')
          .slice(1)
          .map((part) => part.split('m')[0])
          .at(-1),
      );
    expect(new Set(codes.filter((code) => code !== undefined))).toEqual(new Set(['0']));
  });
});

describe('renderFigures', () => {
  it('sets figures to the right, also behind wide characters', () => {
    expect(
      renderFigures([
        ['name', 'right', ''],
        ['潮汐', '1', '50.0 %'],
      ]),
    ).toEqual(['name  right', '潮汐      1  50.0 %']);
  });

  it('aligns more rows than a call takes arguments', () => {
    const rows = renderFigures([['name', 'right'], ...Array.from({ length: 200_000 }, () => ['tides', '1'])]);
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([200_001, 'name   right', 'tides      1']);
  });
});
